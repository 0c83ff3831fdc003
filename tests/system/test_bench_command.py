"""`python -m bot bench rules`: how fast the rules are, beside OpenSpiel's."""

import re
import sys

import pytest

from bot import OperatorError
from bot.cli import bench
from bot.rules import variants

LINE = re.compile(r"^(\w+) +(\d+) +(\d+) +([\d,]+)$", re.MULTILINE)


def measured(said: str) -> dict[str, tuple[int, int]]:
    """Seats and steps of every game that has a speed above 0."""
    found = LINE.findall(said)
    return {name: (int(seats), int(steps)) for name, seats, steps, rate in found if rate != "0"}


def test_it_prints_the_speed_of_the_rules_and_of_openspiel_in_one_run(capsys):
    assert bench.bench(["rules", "--deals", "2"]) == 0
    speeds = measured(capsys.readouterr().out)
    killer = variants.load("killer")
    assert speeds["standard"] == speeds["OpenSpiel"] == (4, 2 * 52)
    assert speeds["killer_10"] == (10, 2 * 10 * killer.tricks(10))


def test_games_are_measured_by_name(capsys):
    assert bench.bench(["rules", "--deals", "1", "--variant", "two_player"]) == 0
    assert measured(capsys.readouterr().out) == {"two_player": (2, 26), "OpenSpiel": (4, 52)}


def test_without_openspiel_one_line_says_so(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    assert bench.bench(["rules", "--deals", "1", "--variant", "standard"]) == 0
    said = capsys.readouterr().out
    assert said.endswith("\nOpenSpiel is not installed; `make test` brings it.\n")
    assert list(measured(said)) == ["standard"]


def test_an_openspiel_that_lacks_something_is_not_taken_for_a_missing_one(tmp_path, monkeypatch):
    (tmp_path / "pyspiel.py").write_text("import nowhere_at_all\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "pyspiel", raising=False)
    with pytest.raises(ModuleNotFoundError, match="nowhere_at_all"):
        bench.bench(["rules", "--deals", "1", "--variant", "two_player"])


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "the following arguments are required: part"),
        (["robots"], "invalid choice: 'robots'"),
        (["rules", "--deals", "0"], "0 is less than 1"),
        (["rules", "--variant", "whist"], "There is no variant 'whist'; there are "),
    ],
)
def test_what_cannot_be_measured_is_said_in_one_sentence(arguments, complaint):
    with pytest.raises(OperatorError, match=re.escape(complaint)):
        bench.bench(arguments)
