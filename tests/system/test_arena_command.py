"""`python -m bot arena`, as whoever measures a robot meets it (robots.md, How to measure)."""

import json
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bot import OperatorError
from bot.arena import duplicate, levels
from bot.arena.at_random import AtRandom
from bot.cli import arena

ROBOT = shlex.join([sys.executable, "-m", "bot", "robot", "--seed", "4"])
ROOT = Path(__file__).parents[2]
NUMBER = r"[+-]?\d+\.\d+"


def line_of(said, begin):
    """The numbers in the line that begins so."""
    line = next(line for line in said.splitlines() if line.startswith(begin))
    return [float(found) for found in re.findall(NUMBER, line)]


def measured(capsys, *arguments):
    """Standard output and standard error of a run that succeeds."""
    assert arena.arena([*map(str, arguments)]) == 0
    return capsys.readouterr()


def test_it_prints_all_that_a_run_says_and_how_far_it_has_come(capsys):
    said = measured(capsys, "--b", "random", "--deals", 4)
    assert "steady (A) against random (B), Standard Hearts, 4 seats" in said.out
    assert "4 deals of seed 1, each in 4 seatings" in said.out
    margin, error, in_errors = line_of(said.out, "margin")
    assert margin > 0 < error
    assert in_errors == pytest.approx(margin / error, rel=0.1)
    assert line_of(said.out, "own points")[0] < 6.5
    for name in ("moons shot", "moons suffered", "A a decision", "B a decision"):
        assert len(line_of(said.out, name)) in {2, 4}
    assert re.search(r"^4 deals, margin \S+ ± \S+, 0 s to go$", said.err, re.MULTILINE)


class Thinker(AtRandom):
    """Searches, as far as budgets are concerned."""

    def with_budget(self, moves):
        return Thinker()


@pytest.fixture
def thinker(monkeypatch):
    monkeypatch.setattr(levels, "LEVELS", {**levels.LEVELS, "thinker": Thinker()})
    monkeypatch.setattr(levels, "NAMES", (*levels.NAMES, "thinker"))


@pytest.mark.usefixtures("thinker")
def test_each_of_two_may_have_a_budget_of_its_own(capsys):
    """robots.md: budgets are compared on the same deals."""
    budgets = ("--budget-moves", 70, "--budget-moves-b", 7)
    said = measured(capsys, "--a", "thinker", "--b", "thinker", "--deals", 1, *budgets)
    assert "thinker with 70 moves (A) against thinker with 7 moves (B)" in said.out


@pytest.mark.usefixtures("thinker")
def test_only_of_those_who_search_a_budget_is_said(capsys):
    said = measured(capsys, "--a", "thinker", "--b", "random", "--deals", 1, "--budget-moves", 7)
    assert "thinker with 7 moves (A) against random (B)" in said.out


@pytest.mark.usefixtures("thinker")
def test_a_file_of_another_budget_is_left_alone(capsys, tmp_path):
    common = ("--a", "thinker", "--deals", 1, "--json", tmp_path / "run", "--budget-moves")
    measured(capsys, *common, 7)
    with pytest.raises(OperatorError, match="moves_of_a 7, not 8"):
        arena.arena([*map(str, common), "8"])


def test_two_processes_play_the_same_deals_as_one(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    files = [tmp_path / "one", tmp_path / "two"]
    for jobs, file in enumerate(files, 1):
        measured(capsys, "--b", "random", "--deals", 3, "--jobs", jobs, "--json", file)
    kept = [
        [json.loads(line)["sittings"] for line in file.read_text("utf-8").splitlines()[1:]]
        for file in files
    ]
    assert kept[0] == kept[1]


def test_a_robot_against_its_like_has_no_margin_at_any_deal(capsys, tmp_path):
    file = tmp_path / "run"
    said = measured(capsys, "--a", "steady", "--b", "steady", "--deals", 5, "--json", file)
    assert "margin          +0.00 ± 0.00 points a deal" in said.out
    deals = [json.loads(line) for line in file.read_text("utf-8").splitlines()[1:]]
    assert [deal["margin"] for deal in deals] == [0.0] * 5


def test_another_program_that_plays_as_we_do_plays_the_same_games(capsys, tmp_path):
    """The same level and seed: whether it is asked by line or by call makes no difference."""
    files = [tmp_path / "own", tmp_path / "other"]
    common = ("--variant", "killer_6", "--deals", 1, "--seed", 4, "--json")
    measured(capsys, "--b", "random", *common, files[0])
    measured(capsys, "--b", "random", "--engine-a", ROBOT, *common, files[1])
    sittings = [json.loads(file.read_text("utf-8").splitlines()[1])["sittings"] for file in files]
    assert sittings[0] == sittings[1]


def test_an_interrupted_run_goes_on_where_it_stopped(capsys, tmp_path):
    whole, torn = tmp_path / "whole", tmp_path / "torn"
    common = ("--b", "random", "--deals", 4, "--json")
    said = measured(capsys, *common, whole)
    lines = whole.read_text("utf-8").splitlines(keepends=True)
    torn.write_text("".join(lines[:3]) + lines[3][:40], encoding="utf-8")
    again = measured(capsys, *common, torn)
    assert line_of(again.out, "margin") == line_of(said.out, "margin")
    assert again.err.count("deals, margin") == 1
    kept, anew = (
        [json.loads(line)["sittings"] for line in file.read_text("utf-8").splitlines()[1:]]
        for file in (whole, torn)
    )
    assert kept == anew


@pytest.mark.parametrize("kept", [True, False])
def test_whoever_stops_a_run_is_told_what_becomes_of_its_deals(capsys, tmp_path, monkeypatch, kept):
    play_deal = duplicate.play_deal

    def stopped_at_the_third(setup, number, a, b):
        if number == 2:
            raise KeyboardInterrupt
        return play_deal(setup, number, a, b)

    monkeypatch.setattr(duplicate, "play_deal", stopped_at_the_third)
    with pytest.raises(KeyboardInterrupt):
        arena.arena(["--b", "random", *(["--json", str(tmp_path / "run")] if kept else [])])
    said = capsys.readouterr().err.splitlines()[-1]
    ending = "the same command goes on" if kept else "with --json they would be kept"
    assert said == f"stopped after 2 deals; {ending}"


def test_a_finished_run_is_printed_again_without_playing(capsys, tmp_path):
    file = tmp_path / "run"
    first = measured(capsys, "--b", "random", "--deals", 2, "--json", file)
    again = measured(capsys, "--b", "random", "--deals", 2, "--json", file)
    assert again.out.splitlines()[:6] == first.out.splitlines()[:6]
    assert again.err == ""


@pytest.mark.parametrize(
    ("other", "complaint"),
    [
        (["--seed", "2"], "seed 1, not 2"),
        (["--b", "steady"], "b 'random', not 'steady'"),
        (["--variant", "omnibus"], "variant 'standard', not 'omnibus'"),
        (["--seats", "5"], "seats 4, not 5"),
        (["--seats-of-a", "2"], "sides_of_a 1, not 2"),
    ],
)
def test_a_file_of_another_run_is_left_alone(capsys, tmp_path, other, complaint):
    file = tmp_path / "run"
    measured(capsys, "--b", "random", "--deals", 1, "--json", file)
    before = file.read_bytes()
    with pytest.raises(OperatorError, match=re.escape(complaint)) as caught:
        arena.arena(["--b", "random", "--deals", "1", "--json", str(file), *other])
    assert "\n" not in str(caught.value)
    assert file.read_bytes() == before


def test_of_another_variant_its_name_is_said_and_not_its_rules(capsys, tmp_path):
    file = tmp_path / "run"
    measured(capsys, "--b", "random", "--deals", 1, "--json", file)
    with pytest.raises(OperatorError) as caught:
        arena.arena(["--b", "random", "--json", str(file), "--variant", "omnibus"])
    assert str(caught.value).endswith("(variant 'standard', not 'omnibus'); say another file.")


def test_a_file_under_rules_of_that_name_that_have_changed_is_left_alone(capsys, tmp_path):
    file = tmp_path / "run"
    measured(capsys, "--b", "random", "--deals", 1, "--json", file)
    head, *deals = file.read_text("utf-8").splitlines()
    plain = json.loads(head)
    plain["rules"]["points"]["QS"] = 12
    file.write_text("\n".join([json.dumps(plain), *deals, ""]), encoding="utf-8")
    with pytest.raises(OperatorError, match="rules of standard that have changed since"):
        arena.arena(["--b", "random", "--deals", "1", "--json", str(file)])


def test_two_runs_on_the_same_cards_are_compared(capsys, tmp_path):
    files = [tmp_path / "one", tmp_path / "other"]
    measured(capsys, "--b", "random", "--deals", 4, "--json", files[0])
    measured(capsys, "--a", "random", "--b", "random", "--deals", 3, "--json", files[1])
    said = measured(capsys, "--compare", *files).out
    assert "steady against random, 4 deals" in said
    assert line_of(said, "difference over 3 deals")[0] > 0


def test_a_run_compared_with_itself_does_not_differ(capsys, tmp_path):
    file = tmp_path / "run"
    measured(capsys, "--b", "random", "--deals", 3, "--json", file)
    said = measured(capsys, "--compare", file, file).out
    assert line_of(said, "difference") == [0, 0, 0]


def test_runs_on_other_cards_are_not_compared(capsys, tmp_path):
    files = [tmp_path / "one", tmp_path / "other"]
    for seed, file in enumerate(files):
        measured(capsys, "--deals", 1, "--seed", seed, "--json", file)
    with pytest.raises(OperatorError, match="were not played with the same cards"):
        arena.arena(["--compare", *map(str, files)])


@pytest.mark.parametrize(
    "text", ["", "{", "[]\n", '{"arena": 2}\n', '{"arena": 1}\n', "\ufeff", "[" * 99999 + "\n"]
)
def test_a_file_that_is_no_run_is_said_to_be_none(tmp_path, text):
    file = tmp_path / "run"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(OperatorError, match="is not a run of the arena"):
        arena.arena(["--compare", str(file), str(file)])


def test_a_deal_that_lacks_a_seating_is_no_part_of_a_run(capsys, tmp_path):
    file = tmp_path / "run"
    measured(capsys, "--deals", 1, "--json", file)
    head, deal = map(json.loads, file.read_text("utf-8").splitlines())
    deal["sittings"].pop()
    file.write_text(f"{json.dumps(head)}\n{json.dumps(deal)}\n", encoding="utf-8")
    with pytest.raises(OperatorError, match="is not a run of the arena"):
        arena.arena(["--deals", "1", "--json", str(file)])


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--a", "genius"], "There is no level 'genius'; there are casual"),
        (["--variant", "whist"], "There is no variant 'whist'; there are "),
        (["--variant", "killer_5"], "killer is played by 6, 7, 8, 9, 10, not by 5."),
        (["--seats", "2"], "Standard Hearts is played by 3, 4, 5, 6, not by 2."),
        (["--seats-of-a", "3"], "invalid choice: 3"),
        (["--variant", "reverse", "--seats-of-a", "2"], "2 of 2 sides leave B no seat."),
        (["--deals", "0"], "0 is less than 1"),
        (
            ["--budget-moves", "7"],
            "Nobody here searches, so a budget of moves would change nothing.",
        ),
        (["--jobs", "999"], "--jobs 999 is more than one a core"),
        (["--compare", "nowhere", "nowhere"], "nowhere cannot be read: No such file"),
        (["--json", "nowhere/run"], "nowhere/run cannot be written: No such file"),
        (["--engine", "nowhere-to-be-found"], "cannot be started: No such file"),
        (["--engine-b", " "], "The program ' ' cannot be started: No such file"),
        (["--engine", "'"], "cannot be started: No closing quotation"),
        (["--seed", "x"], "'x' is not a whole number"),
    ],
)
def test_what_cannot_be_measured_is_said_in_one_sentence(
    arguments, complaint, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OperatorError, match=re.escape(complaint)):
        arena.arena(arguments)


def test_a_program_is_asked_by_one_process(monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    with pytest.raises(OperatorError, match="asked by one process"):
        arena.arena(["--engine", ROBOT, "--jobs", "2"])


def test_a_program_that_does_not_play_ends_the_run_in_one_line(tmp_path):
    broken = shlex.join([sys.executable, "-S", "-c", "input(); print('{}')"])
    with pytest.raises(OperatorError, match=r"answers .., where only 'cards' is wanted") as caught:
        arena.arena(["--engine-b", broken, "--deals", "1"])
    assert "\n" not in str(caught.value)


@pytest.mark.kill
def test_processes_of_a_run_that_was_killed_end_too():
    """They hold the output of their parent open; once that is at its end, they are gone."""
    main = """
import os, signal
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from bot.cli import arena
pool = ProcessPoolExecutor(1, get_context("spawn"), arena._settle_down)
print(pool.submit(os.getpid).result(), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run(
        [sys.executable, "-c", main], cwd=ROOT, stdout=subprocess.PIPE, timeout=60, check=False
    )
    assert done.returncode == -signal.SIGKILL
    assert int(done.stdout) != 0
