"""`python -m bot robot`, and programs at the tables of `selfplay` (record.md, Robots)."""

import io
import json
import re
import shlex
import sys
from pathlib import Path

import pytest

from bot import OperatorError
from bot.arena import engine
from bot.arena.engine import EngineError
from bot.cli import robots
from tests.support.deals import house_rules
from tests.support.questions import PLAY, asked, decisions

OWN = shlex.join([sys.executable, "-m", "bot", "robot", "--seed", "3"])


def line(plain):
    return json.dumps(plain).encode() + b"\n"


def answers(monkeypatch, capsys, *lines, arguments=()):
    """What a robot says to these lines, one answer each."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"".join(lines))))
    assert robots.robot(arguments) == 0
    return [json.loads(said) for said in capsys.readouterr().out.splitlines()]


def test_a_card_is_played_by_the_rules(monkeypatch, capsys):
    (said,) = answers(monkeypatch, capsys, line(PLAY))
    assert said.keys() == {"cards"}
    assert said["cards"][0] in {"3C", "4C", "5C"}


def test_the_question_in_the_manual_is_answered(monkeypatch, capsys):
    manual = (Path(__file__).parents[2] / "docs" / "robots.md").read_text("utf-8")
    (example,) = re.findall(r"```json\n(.*?)```", manual, re.DOTALL)
    assert answers(monkeypatch, capsys, line(json.loads(example))) == [{"cards": ["AC"]}]


def test_every_kind_of_question_has_its_answer(monkeypatch, capsys):
    rules = house_rules(moon={"payoff": "shooter_choice"}, points={"H*": 0, "QS": 13})
    plains = [asked(view) for view in decisions(rules, 4, deals=1)]
    said = answers(monkeypatch, capsys, *map(line, plains))
    for plain, answer in zip(plains, said, strict=True):
        if plain["ask"] == "moon":
            assert answer in ({"moon": "add"}, {"moon": "subtract"})
        else:
            assert len(answer["cards"]) == (3 if plain["ask"] == "pass" else 1)
            assert set(answer["cards"]) <= set(plain["hand"].split())


@pytest.mark.parametrize(
    ("bad", "complaint"),
    [
        (b"hello\n", "not JSON: "),
        (b"\n", "not JSON: "),
        (b"\xff\n", "not JSON: "),
        (b"[" * 99999 + b"\n", "not JSON: "),
        (b"[]\n", "question: [] is not a table"),
        (b"{}\n", "rules: is missing"),
        (line(PLAY | {"hand": "QS"}), "hand: "),
        (line(PLAY | {"ask": "bid"}), "ask: 'bid' is not one of pass, play, moon"),
    ],
)
def test_an_impossible_question_is_answered_by_an_error_and_the_next_is_read(
    monkeypatch, capsys, bad, complaint
):
    first, second = answers(monkeypatch, capsys, bad, line(PLAY))
    assert first.keys() == {"error"}
    assert first["error"].startswith(complaint)
    assert second.keys() == {"cards"}


def test_the_same_seed_answers_alike_whatever_was_asked_before(monkeypatch, capsys):
    plains = [line(asked(view)) for view in decisions(house_rules(), 4, deals=1)]
    forwards = answers(monkeypatch, capsys, *plains)
    backwards = answers(monkeypatch, capsys, *reversed(plains))
    assert forwards == backwards[::-1]


@pytest.mark.parametrize("budget", [["--budget-ms", "5"], ["--budget-moves", "5"]])
def test_a_budget_may_be_named_for_any_level(monkeypatch, capsys, budget):
    (said,) = answers(monkeypatch, capsys, line(PLAY), arguments=budget)
    assert said.keys() == {"cards"}


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--level", "genius"], "There is no level 'genius'; there are casual"),
        (["--seed", "x"], "'x' is not a whole number"),
        (["--budget-ms", "0"], "0 is less than 1"),
        (["--budget-ms", "5", "--budget-moves", "5"], "not allowed with argument"),
    ],
)
def test_a_robot_that_there_is_not_is_refused_in_one_sentence(arguments, complaint):
    with pytest.raises(OperatorError, match=re.escape(complaint)):
        robots.robot(arguments)


def test_without_standard_input_there_is_nothing_to_answer(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(OperatorError, match="no standard input to read questions from"):
        robots.robot([])


def test_a_program_at_our_table_plays_what_we_play_with_the_same_seed(capsys):
    """record.md: ours at their table, theirs at ours; so ours at ours is an ordinary game."""
    common = ["--deals", "2", "--json", "--seed", "3", "--variant", "omnibus_pagat_5"]
    assert robots.selfplay(common) == 0
    own = capsys.readouterr().out
    assert robots.selfplay([*common, "--engine", OWN]) == 0
    printed = capsys.readouterr()
    assert printed.out == own
    assert [each.split()[1] for each in printed.err.splitlines()[1:6]] == [
        "engine",
        *["steady"] * 4,
    ]


def test_a_program_takes_the_seats_that_are_called_engine(capsys):
    levels = "steady,engine,steady,engine"
    assert robots.selfplay(["--deals", "1", "--levels", levels, "--engine", OWN]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert [each.split()[1] for each in printed[1:5]] == levels.split(",")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--levels", "engine,steady,steady,steady"], "name its command with --engine"),
        (["--engine", "nowhere-to-be-found"], "cannot be started: No such file"),
        (
            ["--engine", shlex.join([sys.executable, "-S", "-c", "input(); print(5)"])],
            "answers 5, which is no JSON object",
        ),
    ],
)
def test_a_program_that_cannot_play_is_said_in_one_sentence(arguments, complaint):
    with pytest.raises(OperatorError, match=re.escape(complaint)) as caught:
        robots.selfplay(["--deals", "1", *arguments])
    assert "\n" not in str(caught.value)


def test_a_program_has_as_long_for_a_decision_as_is_said(monkeypatch):
    def started(command, *, seconds):
        raise EngineError(command, f"has {seconds:g} s")

    monkeypatch.setattr(engine, "started", started)
    for arguments, limit in (["--engine-seconds", "60"], 60), ([], 10):
        with pytest.raises(OperatorError, match=f"has {limit} s"):
            robots.selfplay(["--engine", "nobody", *arguments])
