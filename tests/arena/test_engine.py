"""Robots in other programs: what becomes of those that do not play (record.md, Robots)."""

import re
import shlex
import sys
from random import Random

import pytest

from bot.arena import engine
from bot.arena.engine import EngineError
from bot.rules.cards import Card, Seat
from bot.rules.dimensions import MoonPayoff
from bot.rules.state import Phase
from bot.rules.view import seat_view
from tests.support.deals import cards, deal_in_play, deal_to_pass, house_rules
from tests.support.seeded import course

DICE = Random(1)
HANDS = ("2C 9H 9S", "3C 4C 5C", "3D 4D 5D", "3S 4S 5S")
TO_PLAY = seat_view(deal_in_play(*HANDS), Seat(0))
TO_PASS = seat_view(
    deal_to_pass("2C 9H 9S QS", "3C 4C 5C 6C", "3D 4D 5D 6D", "3S 4S 5S 6S"), Seat(0)
)


def program(answer: str) -> str:
    """The command of a program that does *answer*, in Python, for each `line` it is asked."""
    text = (
        "import json, sys, time\n"
        "def say(text): print(text, flush=True)\n"
        "for line in sys.stdin:\n"
        f"    {answer}\n"
    )
    return shlex.join([sys.executable, "-S", "-c", text])


def says(text: str) -> str:
    return program(f"say({text!r})")


def played_by(command: str, *, seconds: float = 20) -> Card:
    with engine.started(command, seconds=seconds) as player:
        return player.choose_card(TO_PLAY, DICE)


def test_a_program_is_started_once_and_asked_for_each_decision():
    counting = program(
        'n = globals().get("n", -1) + 1; say(json.dumps({"cards": [["2C", "9S"][n]]}))'
    )
    with engine.started(counting, seconds=20) as player:
        played = [player.choose_card(TO_PLAY, DICE) for _ in range(2)]
    assert played == [Card.parse("2C"), Card.parse("9S")]


def test_a_program_learns_what_its_seat_may_know():
    reading = program(
        'asked = json.loads(line); say(json.dumps({"cards": asked["hand"].split()[1:]}))'
    )
    with engine.started(reading, seconds=20) as player:
        assert player.choose_pass(TO_PASS, DICE) == cards("9S QS 9H")


@pytest.mark.parametrize(
    ("word", "payoff"), [("add", MoonPayoff.ADD_OTHERS), ("subtract", MoonPayoff.SUBTRACT_SELF)]
)
def test_a_program_chooses_how_its_moon_is_paid(word, payoff):
    rules = house_rules(moon={"payoff": "shooter_choice"}, points={"H*": 0, "QS": 13})
    game = next(g for g, _ in course(rules, 4, Random(1), deals=1) if g.phase is Phase.MOON_CHOICE)
    shooter = next(v for seat in range(4) if (v := seat_view(game, Seat(seat))).safe_payoff)
    with engine.started(says(f'{{"moon": "{word}"}}'), seconds=20) as player:
        assert player.choose_moon(shooter, DICE) is payoff


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        (says("hello"), "answers 'hello', which is no JSON object"),
        (says("[" * 9), "which is no JSON object"),
        (says('["2C"]'), "answers ['2C'], which is no JSON object"),
        (says("{}"), "answers {}, where only 'cards' is wanted"),
        (says('{"moon": "add"}'), "answers {'moon': 'add'}, where only 'cards' is wanted"),
        (says('{"cards": "2C"}'), "says '2C', where a list of cards is wanted"),
        (says('{"cards": []}'), "plays 0 cards at once"),
        (says('{"cards": ["2C", "9S"]}'), "plays 2 cards at once"),
        (says('{"cards": ["9H"]}'), "names '9H', where it may play 2C 9S"),
        (says('{"cards": ["AS"]}'), "names 'AS', where it may play 2C 9S"),
        (says('{"error": "no idea"}'), "answers with the error 'no idea'"),
        (program("sys.exit(3)"), "has ended with exit code 3"),
        (program("1 / 0"), "has ended with exit code 1"),
        ("nowhere-to-be-found --fast", "cannot be started: No such file or directory"),
        ("", "cannot be started: "),
        ("'", "cannot be started: No closing quotation"),
    ],
)
def test_a_program_that_does_not_play_is_called_to_order_in_one_line(command, complaint):
    with pytest.raises(EngineError, match=re.escape(complaint)) as caught:
        played_by(command)
    assert "\n" not in str(caught.value)


def test_the_complaint_says_about_what_the_program_was_asked():
    with pytest.raises(EngineError, match=r"\(seat 0, deal 0, after 4 cards\)\.$"):
        played_by(says("hello"))


@pytest.mark.parametrize("silence", ["pass", "time.sleep(600)"])
def test_a_program_that_gives_no_answer_in_time_is_not_waited_for(silence):
    """Any limit will do: these two never answer."""
    with pytest.raises(EngineError, match=r"gives no answer within 0\.05 s"):
        played_by(program(silence), seconds=0.05)


def test_a_program_that_does_not_leave_is_made_to(monkeypatch):
    monkeypatch.setattr(engine, "_SECONDS_TO_LEAVE", 0.05)
    staying = program('say(json.dumps({"cards": ["2C"]})); time.sleep(600)')
    with engine.started(staying, seconds=20) as player:
        player.choose_card(TO_PLAY, DICE)
    assert player._process.returncode == -9


def test_a_program_that_is_killed_is_gone():
    with engine.started(says('{"cards": ["2C"]}'), seconds=20) as player:
        player.choose_card(TO_PLAY, DICE)
        player._process.kill()
        player._process.wait()
        with pytest.raises(EngineError, match="has ended with exit code -9"):
            player.choose_card(TO_PLAY, DICE)


def test_a_line_that_nobody_asked_for_is_a_fault():
    """Else every later answer would belong to the question before."""
    with engine.started(says('{"cards": ["2C"]}\n{"cards": ["2C"]}'), seconds=20) as player:
        player.choose_card(TO_PLAY, DICE)
        player._lines.put(player._lines.get())  # once the second line is there
        with pytest.raises(EngineError, match="without being asked"):
            player.choose_card(TO_PLAY, DICE)


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        ('{"cards": ["2C"]}', "passes 1 cards, where 3 are passed"),
        ('{"cards": ["2C", "2C", "9H"]}', "names '2C', which it does not hold so often"),
        ('{"cards": ["2C", "9H", "AD"]}', "names 'AD', which it does not hold"),
    ],
)
def test_a_pass_is_so_many_cards_of_the_hand(answer, complaint):
    player = engine.started(says(answer), seconds=20)
    with pytest.raises(EngineError, match=complaint), player as asked:
        asked.choose_pass(TO_PASS, DICE)


def test_a_moon_is_paid_in_one_of_two_ways():
    with (
        engine.started(says('{"moon": "later"}'), seconds=20) as player,
        pytest.raises(EngineError, match="says 'later', where a moon is paid by add or subtract"),
    ):
        player.choose_moon(TO_PLAY, DICE)


def test_a_program_that_talks_without_end_is_ended():
    chatter = program("while True: say('x' * 1000)")
    with pytest.raises(EngineError, match="which is no JSON object"):
        played_by(chatter)
