"""Each row of the known cases has a test that names it, or waits for something not built yet.

A test names its rows with the marker ``case`` or in its own name: ``test_b101_…`` stands for B101.
"""

import ast
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]

ROWS: Mapping[str, str] = {
    "Buttons, interactions and the ephemeral hand": (
        "B01 B02 B03 B04 B05 B06 B07 B08 B09 B11 B12 B13 B15 B16 B18 B20 B21 B22 B23"
    ),
    "Client layout, colour and assistive use": "B25 B26 B27 B28 B29 B30 B32 B33",
    "Lobby, seats and several games": "B34 B35 B37 B38 B40 B41 B43 B44 B45 B47",
    "Leaving, silence, clocks": "B48 B49 B50 B54 B55 B56 B57 B58 B59 B61 B62 B63",
    "Channels, servers, permissions": "B64 B66 B68 B69 B70 B73 B74 B75 B76 B78",
    "Limits and duplicates": "B79 B80 B83 B85",
    "Names, mentions, markdown": "B86 B88 B89",
    "Storage, restarts, scheduling, set-up": "B90 B91 B92 B93 B96 B98 B99 B100 B101",
    "Hearts rules and scoring": (
        "B102 B104 B105 B107 B108 B111 B113 B114 B115 B116 B118 B121 B122 B124 B125 B126 B127 "
        "B128 B129"
    ),
    "Fairness and spectators": "B130 B132 B133 B134",
    "Leaderboard, privacy, language": "B135 B136 B137 B140 B142 B143",
}
ALL = frozenset(row for rows in ROWS.values() for row in rows.split())

WAITING: Mapping[str, str] = {
    "B33": "a setting for how much is told",
    "B111": "a rule that keeps high spades from being passed",
    "B116": "a rule for taking every trick",
    "B122": "deals that end once no points are left",
    "B137": "a setting for people who left a server",
    "B142": "catalogues of other languages",
}
"""What a row needs before there can be a test of it."""

IN_PART: Mapping[str, str] = {
    "B25": "a compact layout",
    "B29": "a choice of four colours",
    "B32": "pictures",
    "B75": "deadlines that move by an outage of one server alone",
    "B113": "kitties and jokers",
    "B114": "two packs",
    "B124": "two packs",
    "B125": "a choice of another order",
    "B143": "an address of the people who run the bot",
}
"""Rows with a test of all that there is, and what else they speak of."""

_NAMED = re.compile(r"_b(\d{2,3})(?=_)")


def rows_of(source: str) -> set[str]:
    """The rows that the tests in *source* name."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if node.name.startswith("test_"):
            found |= {f"B{number}" for number in _NAMED.findall(node.name)}
            found |= {row for mark in node.decorator_list for row in _marked(mark)}
    return found


def _marked(mark: ast.expr) -> Iterable[str]:
    if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.case":
        for argument in mark.args:
            yield ast.literal_eval(argument)


def named_by_tests() -> set[str]:
    files = [path for path in TESTS.rglob("*.py") if path != Path(__file__)]
    return {row for path in files for row in rows_of(path.read_text("utf-8"))}


def without_test(known: Iterable[str], named: set[str]) -> set[str]:
    """The rows of which there could be a test, and is none."""
    return set(known) - named - set(WAITING)


def test_every_row_has_a_test_or_waits_for_something():
    assert without_test(ALL, named_by_tests()) == set()


def test_what_has_a_test_does_not_wait():
    assert named_by_tests() & set(WAITING) == set()
    assert set(IN_PART) <= named_by_tests()


def test_every_row_that_is_named_exists():
    assert named_by_tests() | set(WAITING) | set(IN_PART) == set(ALL)
    assert not set(WAITING) & set(IN_PART)


def test_a_row_without_a_test_is_noticed():
    named = named_by_tests()
    assert without_test(ALL, named - {"B12"}) == {"B12"}
    assert without_test([*ALL, "B999"], named) == {"B999"}


@pytest.mark.parametrize(
    ("source", "rows"),
    [
        ("def test_b12_a_double_press(): ...", {"B12"}),
        ("async def test_b49_b50_the_last_to_pass_leaves(): ...", {"B49", "B50"}),
        ('@pytest.mark.case("B101")\ndef test_a_token(): ...', {"B101"}),
        ("class Contract:\n    def test_b93_a_schema(self): ...", {"B93"}),
        ('@pytest.mark.case("B101")\ndef no_test(): ...', set()),
        ("def b12_helper(): ...", set()),
        ("# test_b12_was_here", set()),
        ("def test_b1_is_no_row(): ...", set()),
    ],
)
def test_a_test_names_its_rows_by_marker_or_by_name(source: str, rows: set[str]):
    assert rows_of(source) == rows
