"""`python -m bot bench rules` and `robots`: how fast they are, beside OpenSpiel's."""

import asyncio
import re
import sys
import time

import pytest

from bot import OperatorError
from bot.ai import LEVELS
from bot.cli import bench, bench_lateness, bench_robots
from bot.cli.bench_robots import Times
from bot.rules import variants

LINE = re.compile(r"^(\w+) +(\d+) +(\d+) +([\d,]+)$", re.MULTILINE)
ROW = re.compile(r"^(\w+) +(\w[\w ,]*?) +(card|pass) +(\d+)( +\d+\.\d\d){4}$", re.MULTILINE)


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
        (["speed"], "invalid choice: 'speed'"),
        (["robots", "--variant", "whist"], "There is no variant 'whist'; there are "),
        (["rules", "--deals", "0"], "0 is less than 1"),
        (["rules", "--variant", "whist"], "There is no variant 'whist'; there are "),
    ],
)
def test_what_cannot_be_measured_is_said_in_one_sentence(arguments, complaint):
    with pytest.raises(OperatorError, match=re.escape(complaint)):
        bench.bench(arguments)


@pytest.mark.thorough
def test_it_prints_how_long_every_level_thinks_and_openspiels_bots_in_one_run(capsys):
    """robots.md: CPU-time figures in a table beside OpenSpiel's bots in the same run."""
    assert bench.bench(["robots", "--short"]) == 0
    said = capsys.readouterr().out
    asked = {(who, what): (game, number) for game, who, what, number, _ in ROW.findall(said)}
    for who in LEVELS:
        assert asked[who, "card"] == ("standard", "3")
        assert asked[who, "pass"] == ("standard", "1")
    assert asked["random", "card"] == asked["ISMCTS 1,000", "card"] == ("OpenSpiel", "3")
    assert re.search(r"^[\d,]+ deals played out a CPU second, standard$", said, re.MULTILINE)


def test_without_openspiel_the_table_says_so(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.setattr(bench_robots, "LEVELS", {"steady": LEVELS["steady"]})
    assert bench.bench(["robots", "--short", "--variant", "two_player"]) == 0
    said = capsys.readouterr().out
    assert "\nOpenSpiel is not installed; `make test` brings it.\n" in said
    assert {row[0] for row in ROW.findall(said)} == {"two_player"}


@pytest.mark.parametrize(
    ("times", "is_kept"),
    [
        (Times([0.15] * 10, []), True),
        (Times([0.16] * 10, []), False),
        (Times([0.05] * 90, [0.99] * 10), True),
        (Times([0.05] * 98, [1.01] * 2), False),
        (Times([0.05] * 99, [1.01]), True),
    ],
    ids=["mean kept", "mean broken", "passes count", "two of a hundred late", "one is not"],
)
def test_a_level_that_thinks_too_long_breaks_a_promise(times, is_kept):
    """robots.md: at most 150 ms in the mean and 1 s at the 99th percentile, in standard."""
    ((said, found),) = bench_robots.judged({("standard", "expert"): times})
    assert found is is_kept
    assert said.endswith("kept" if is_kept else "broken")


def test_a_broken_promise_is_the_exit_code_of_the_whole_form(capsys, monkeypatch):
    never = bench_robots.Promise(game="two_player", level="steady", mean=0.0)
    monkeypatch.setattr(bench_robots, "PROMISES", [never])
    monkeypatch.setattr(bench_robots, "LEVELS", {"steady": LEVELS["steady"]})
    monkeypatch.setattr(bench_robots, "LONG", bench_robots.SHORT)
    monkeypatch.setattr(bench_robots, "_WAKINGS", 5)
    monkeypatch.setattr(bench_lateness, "PROMISED", float("inf"))
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    assert bench.bench(["robots", "--variant", "two_player"]) == 1
    said = capsys.readouterr().out
    assert re.search(r"^steady in two_player: \d+ of 0 ms.*: broken$", said, re.MULTILINE)
    assert re.search(r"^the event loop wakes up late .* inf ms later: kept$", said, re.MULTILINE)


async def test_a_loop_that_is_kept_from_waking_up_is_late():
    """The control: what a search in a thread or inline would do to the bot."""

    async def thinks_inline():
        until = time.perf_counter() + 0.03
        while time.perf_counter() < until:
            pass

    inline = asyncio.create_task(thinks_inline())
    assert max(await bench_lateness.late(1)) > 0.02
    await inline
