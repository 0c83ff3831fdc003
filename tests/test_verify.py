"""The page that a doubter runs: `bot/verify.py`, alone, with nothing of ours beside it."""

import ast
import json
import shutil
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from bot import verify as page
from bot.__main__ import main
from bot.promises import fair_deals
from bot.rules import variants
from bot.rules.cards import Seat, write_cards
from bot.rules.dealing import deal_out
from bot.rules.shuffle import commitment, cut, shuffle

PAGE = Path(page.__file__)
LONGEST = 99


def told(**changes):
    """A deal of the standard game, as `/hearts verify` writes it down."""
    rules, seed, label = variants.load("standard"), bytes(range(32)), "K7Q2M4XD|3"
    cuts = ["rhubarb", "", "1456074443980800018", "♥ ,:"]
    order = shuffle(rules.deck(4), cut(seed, label, cuts), label)
    plain = {
        "label": label,
        "seal": commitment(seed, label),
        "seed": seed.hex(),
        "cuts": cuts,
        "deck": write_cards(rules.deck(4)),
        "order": " ".join(map(str, order)),
        "seats": 4,
        "dealer": 2,
        "aside": [],
        "never": [],
        "hands": [write_cards(hand) for hand in deal_out(rules, 4, Seat(2), order).hands],
    }
    return plain | changes


@pytest.fixture
def alone(tmp_path):
    """The page, copied where nothing of ours can be imported; checks one deal."""
    shutil.copy(PAGE, tmp_path / "verify.py")

    def check(plain):
        file = tmp_path / "deal.json"
        file.write_text(plain if isinstance(plain, str) else json.dumps(plain), "utf-8")
        command = [sys.executable, "-I", "verify.py", file.name]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    return check


@pytest.fixture
def check(capsys, tmp_path):
    """The page in this process: its exit code, and what it prints."""
    file = tmp_path / "deal.json"

    def run(plain):
        file.write_text(json.dumps(plain), "utf-8")
        code = page.verify([str(file)])
        return code, *capsys.readouterr()

    return run


def test_it_is_one_page_that_needs_nothing_but_python():
    source = PAGE.read_text("utf-8")
    assert source.count("\n") <= LONGEST
    nodes = ast.walk(ast.parse(source))
    imported = {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    assert imported <= sys.stdlib_module_names
    froms = {n.module for n in ast.walk(ast.parse(source)) if isinstance(n, ast.ImportFrom)}
    assert froms == {"collections.abc", "pathlib"}


def test_it_agrees_with_an_honest_deal(alone):
    done = alone(told())
    assert (done.returncode, done.stderr) == (0, "")
    assert "differs" not in done.stdout
    assert done.stdout.count("agrees") == 4
    assert told()["seal"] in done.stdout
    assert f"seat 1  {told()['hands'][0]}\n" in done.stdout  # sorted, as people read a hand


def test_what_it_takes_from_the_file_it_prints_for_whoever_compares(alone):
    """docs/fairness.md, What happens, 5; no word may steer the terminal in which it is read."""
    done = alone(told(cuts=["rhubarb", "", "\x1b[2J", "\u202ek"]))
    assert "label   K7Q2M4XD|3\ndealer  seat 3\n" in done.stdout
    assert "cuts    ['rhubarb', '', '\\x1b[2J', '\\u202ek']" in done.stdout


@pytest.mark.parametrize(
    ("changes", "differing"),
    [
        ({"seed": "ff" * 32}, {"seal", "order", "hands"}),
        ({"seal": "0" * 64}, {"seal"}),
        ({"cuts": ["rhubarbs", "", "1456074443980800018", "♥ ,:"]}, {"order", "hands"}),
        ({"cuts": None}, {"order", "hands"}),
        ({"label": "K7Q2M4XD|4"}, {"seal", "order", "hands"}),
        ({"order": told()["order"][::-1]}, {"order"}),
        ({"hands": told()["hands"][::-1]}, {"hands"}),
        ({"dealer": 1}, {"hands"}),
    ],
)
def test_whatever_was_changed_is_found_out(changes, differing, capsys, tmp_path):
    file = tmp_path / "deal.json"
    file.write_text(json.dumps(told(**changes)), "utf-8")
    assert main(["verify", str(file)]) == 1
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert {line[0] for line in lines if line[1:] == ["differs"]} == differing


def test_a_deck_laid_so_that_the_shuffle_makes_chosen_hands_is_found_out(capsys, tmp_path):
    """The recipe of docs/fairness.md begins with the sorted deck: any other, and the same seed
    and cuts lead to whatever order somebody would like.
    """
    plain = told()
    cards = plain["deck"].split()
    places = page.order(list(map(str, range(52))), bytes(range(32)), plain["label"], plain["cuts"])
    laid = [""] * 52
    for card, place in zip(cards, places, strict=True):
        laid[int(place)] = card
    hands = [" ".join(hand) for hand in page.hands(cards, 4, 2, [], [])]
    file = tmp_path / "deal.json"
    chosen = told(deck=" ".join(laid), order=" ".join(cards), hands=hands)
    file.write_text(json.dumps(chosen), "utf-8")
    assert page.verify([str(file)]) == 1
    out = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in out if line.endswith("differs")] == ["deck"]


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "{}", "null", "\ud7ff{", "[" * 100_000),
        *(json.dumps(told(**{part: "\x1b[2J"})) for part in ("seed", "label", "deck")),
    ],
    ids=range(9),
)
def test_what_is_no_deal_is_told_in_one_line(alone, text):
    done = alone(text)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("That is no file of a deal")


@pytest.mark.parametrize(("name", "why"), [("gone.json", "No such file"), ("", "Is a directory")])
def test_a_file_that_cannot_be_read_is_told_in_one_line(capsys, tmp_path, name, why):
    assert page.verify([str(tmp_path / name)]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"That is no file of a deal. {why}")
    assert said.count("\n") == 1


@pytest.mark.parametrize("field", told())
def test_a_field_that_is_missing_is_named(field, check):
    plain = told()
    del plain[field]
    assert check(plain) == (2, "", f"That is no file of a deal. It has no '{field}'.\n")


@pytest.mark.parametrize(
    "changes",
    [
        *({"seats": seats} for seats in (10**30, 10**8, 11, 1, 0, -4, 4.0, True, "4")),
        *({"dealer": dealer} for dealer in (4, -1, 10**30, None, 1.0, False)),
        *({"aside": aside} for aside in ([52], [-1], [10**30], [1.5], "0", [[0]])),
        {"aside": [0], "never": told()["deck"].split()},
    ],
)
def test_numbers_that_no_deal_has_are_refused_before_anything_is_computed(changes, check):
    code, out, err = check(told(**changes))
    assert (code, out) == (2, "")
    assert err == "That is no file of a deal. Something in it cannot be.\n"


def test_no_hostile_value_brings_a_traceback_or_a_long_answer(check):
    """Each field, at each place, with each value that means harm; the honest deal beside it."""
    hostile = [None, True, -1, 10**30, 1e308, "", "\ud800", "\x1b[2J", "AC.9" * 99, "2C " * 9_999]
    hostile += [[], [None], [[]], [{}], ["\ud800"] * 4, [-1, 10**30], {}, {"a": None}, [0] * 9_999]
    hostile += [list(range(52)), [f"{n}" for n in range(9_999)], float("nan"), "²C", "2C.²", "JK"]
    for field in told():
        for value in hostile:
            code, out, err = check(told(**{field: value}))
            assert code in {0, 1} if out else (code, err.count("\n")) == (2, 1), (field, value)
    assert check(told())[0] == 0


def test_of_a_deal_whose_cut_was_erased_it_checks_the_seal_and_says_why_no_more(check):
    """docs/fairness.md, What it proves: of such a deal only the seal and the deck are left."""
    cuts = [None, *told()["cuts"][1:]]
    code, out, _ = check(told(cuts=cuts))
    assert code == 1
    lines = dict(line.split(maxsplit=1) for line in out.splitlines())
    assert (lines["seal"], lines["deck"]) == ("agrees", "agrees")
    assert lines["order"] == lines["hands"] == "cannot be checked, since a cut was erased"
    assert "seal    differs" in check(told(cuts=cuts, seal="0" * 64))[1]
    assert "order   differs" in check(told(cuts=["", *cuts[1:]]))[1]


@pytest.mark.parametrize("arguments", [[], ["a.json", "b.json"]])
def test_without_a_file_it_says_how_to_name_one(capsys, arguments):
    assert main(["verify", *arguments]) == 2
    assert "python verify.py DEAL.json" in capsys.readouterr().err


@pytest.mark.parametrize("wish", ["--help", "-h"])
def test_whoever_asks_for_help_has_made_no_mistake(capsys, wish):
    assert main(["verify", wish]) == 0
    said = capsys.readouterr()
    assert "python verify.py DEAL.json" in said.out
    assert said.err == ""


def test_it_reads_standard_input(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin.read", lambda: json.dumps(told()), raising=False)
    assert page.verify(["-"]) == 0
    assert "agrees" in capsys.readouterr().out


def test_it_finds_the_same_deals_of_all_variants_and_every_change():
    """The promise counts 1,000; here a round of all variants, the two-pack and widow ones too."""
    deals = list(islice(fair_deals._deals(), 120))
    assert {deal.ruleset.id for deal in deals} >= {"killer", "cancellation", "joker_hearts"}
    assert all(map(fair_deals._agrees, deals))
    assert not any(fair_deals._agrees(changed) for d in deals for changed in fair_deals._changed(d))


def test_the_promise_is_measured_in_small_as_it_is_in_large(monkeypatch):
    monkeypatch.setattr(fair_deals, "_SHORT", 3_000)
    monkeypatch.setattr(fair_deals, "_CONTROL_SHARE", 1)
    monkeypatch.setattr(fair_deals, "_CHECKED", 20)
    verdict = fair_deals.measure(short=True)
    assert verdict.kept, verdict.figure
    monkeypatch.setattr(fair_deals, "_fair", fair_deals._wrong)
    assert not fair_deals.measure(short=True).kept
