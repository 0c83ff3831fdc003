"""Robots that search think in other processes, and nobody ever waits for them for good."""

import asyncio
import multiprocessing
import os
import signal
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from multiprocessing.context import SpawnProcess
from random import Random

import pytest

from bot.ai import LEVELS
from bot.rules.cards import Seat
from bot.rules.commands import PassCards
from bot.rules.view import SeatView, seat_view
from bot.table import thinking
from bot.table.robots import Robots, dice_of
from bot.table.thinking import NoThoughtError, Thinking, processes
from bot.table.thought import Question
from tests.support.clock import HandClock, breathe
from tests.support.deals import STANDARD, begun, deal_in_play
from tests.support.fakes import CountedSeeds
from tests.support.thinking import FakeProcesses, until

SEED = bytes(32)


def passing(seat: int = 0) -> SeatView:
    return seat_view(begun(tuple(Random(1).sample(STANDARD.deck(4), 52))), Seat(seat))


def short() -> SeatView:
    """A choice between two cards, quickly thought through."""
    return seat_view(deal_in_play("2C 3C", "4C 5C", "6C 7C", "8C 9C"), Seat(0))


def by_rule(view: SeatView) -> PassCards:
    return PassCards(view.seat, LEVELS["steady"].choose_pass(view, dice_of(view)))


def asking(think: Thinking, level: str = "sharp") -> asyncio.Task:
    return asyncio.create_task(think.ask(level, short(), SEED))


async def test_robots_by_rules_of_thumb_and_forced_cards_start_no_process():
    fake = FakeProcesses()
    robots = Robots(CountedSeeds(), thinking=fake.thinking())
    await robots.move("steady", passing())
    await robots.move("expert", seat_view(deal_in_play("2C", "3C", "4C", "5C"), Seat(0)))
    assert fake.started == []


async def test_a_process_starts_with_the_first_question_and_is_asked_again():
    fake = FakeProcesses()
    think = fake.thinking(most=2)
    for number in (1, 2):
        answer = asking(think)
        await until(lambda number=number: len(fake.asked) == number)
        assert fake.started[0].finish() == await answer
    assert len(fake.started) == 1


async def test_as_many_processes_think_at_once_as_are_allowed():
    fake = FakeProcesses()
    think = fake.thinking(most=2)
    answers = [asking(think) for _ in range(3)]
    await until(lambda: len(fake.asked) == 2)
    await breathe()
    assert [len(process.asked) for process in fake.started] == [1, 1]
    for process in fake.started:
        process.finish()
    await until(lambda: len(fake.asked) == 3)
    assert len(fake.started) == 2
    think.close()
    await asyncio.gather(*answers, return_exceptions=True)


def test_there_is_at_most_one_process_a_core_and_by_default_a_few(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    assert [processes(wished) for wished in (None, 0, 1, 9)] == [2, 0, 1, 2]
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    assert [processes(wished) for wished in (None, 9)] == [4, 9]


async def test_whoever_is_asked_gets_all_the_time_unless_others_wait_and_less_the_more_do():
    fake = FakeProcesses()
    think = fake.thinking()
    answers = [asking(think) for _ in range(1 + thinking.QUEUE)]
    await until(lambda: bool(fake.asked))
    for number in range(1, len(answers) + 1):
        await until(lambda number=number: len(fake.asked) == number)
        fake.started[0].finish()
    await asyncio.gather(*answers)
    assert [question.part for question in fake.asked] == [
        1,
        *(1 / (1 + waiting) for waiting in reversed(range(thinking.QUEUE))),
    ]


async def test_where_too_many_wait_a_rule_of_thumb_answers_at_once_and_the_log_says_so(caplog):
    fake = FakeProcesses()
    think = fake.thinking()
    waiting = [asking(think) for _ in range(1 + thinking.QUEUE)]
    await until(lambda: bool(fake.asked))
    await breathe()
    assert caplog.text == ""
    move = await Robots(CountedSeeds(), thinking=think).move("expert", passing())
    assert move == by_rule(passing())
    assert f"{thinking.QUEUE} robots wait already" in caplog.text
    think.close()
    await asyncio.gather(*waiting, return_exceptions=True)


async def test_nobody_is_warned_where_the_operator_wants_no_robot_to_think(caplog):
    robots = Robots(CountedSeeds(), thinking=Thinking(HandClock(), most=0))
    assert await robots.move("expert", passing()) == by_rule(passing())
    assert caplog.text == ""


@pytest.mark.parametrize("error", [BrokenProcessPool(), IndexError("planted: QS")])
async def test_a_process_that_fails_is_replaced_and_a_rule_of_thumb_answers(error, caplog):
    fake = FakeProcesses()
    robots = Robots(CountedSeeds(), thinking=fake.thinking())
    move = asyncio.create_task(robots.move("expert", passing()))
    await until(lambda: bool(fake.asked))
    fake.started[0].die(error)
    assert await move == by_rule(passing())
    assert fake.started[0].ended
    assert type(error).__name__ in caplog.text
    assert "QS" not in caplog.text
    again = asyncio.create_task(robots.move("sharp", short()))
    await until(lambda: len(fake.asked) == 2)
    assert fake.started[1].finish() == await again


async def test_where_no_process_can_be_started_rules_of_thumb_answer_every_time(monkeypatch):
    """A host may have no memory for one, or no room in its table of processes."""
    tried = []

    def fails(process: SpawnProcess) -> None:
        tried.append(process)
        raise BlockingIOError

    monkeypatch.setattr(SpawnProcess, "start", fails)
    think = Thinking(HandClock(), most=1)
    robots = Robots(CountedSeeds(), thinking=think)
    moves = [await robots.move("expert", passing(seat)) for seat in range(3)]
    assert moves == [by_rule(passing(seat)) for seat in range(3)]
    assert len(tried) == len(moves)
    think.close()


async def test_an_answer_that_takes_absurdly_long_is_not_waited_for():
    fake, clock = FakeProcesses(), HandClock()
    robots = Robots(CountedSeeds(), thinking=fake.thinking(clock))
    move = asyncio.create_task(robots.move("expert", passing()))
    await until(lambda: bool(fake.asked))
    await clock.pass_time(thinking.PATIENCE_SECONDS - 1)
    assert not move.done()
    await clock.pass_time(1)
    assert await move == by_rule(passing())
    assert fake.started[0].ended


async def test_a_process_is_replaced_after_so_many_questions(monkeypatch):
    monkeypatch.setattr(thinking, "_QUESTIONS_A_LIFE", 2)
    fake = FakeProcesses()
    think = fake.thinking()
    for number in range(1, 6):
        answer = asking(think)
        await until(lambda number=number: len(fake.asked) == number)
        fake.started[-1].finish()
        await answer
    assert [len(process.asked) for process in fake.started] == [2, 2, 1]
    assert [process.ended for process in fake.started] == [True, True, False]


async def test_who_gives_up_waiting_leaves_the_queue_and_a_thought_goes_on_to_its_end():
    fake = FakeProcesses()
    think = fake.thinking()
    first, second, third = (asking(think) for _ in range(3))
    await until(lambda: bool(fake.asked))
    first.cancel()
    second.cancel()
    await breathe()
    assert len(fake.asked) == 1
    fake.started[0].finish()
    await until(lambda: len(fake.asked) == 2)
    assert fake.started[0].finish() == await third
    assert len(fake.started) == 1


async def test_nobody_thinks_after_the_end():
    fake = FakeProcesses()
    think = fake.thinking()
    answers = [asking(think) for _ in range(2)]
    await until(lambda: bool(fake.asked))
    think.close()
    assert fake.started[0].ended
    for answer in answers:
        with pytest.raises(NoThoughtError):
            await answer
    with pytest.raises(NoThoughtError):
        await think.ask("sharp", short(), SEED)
    assert len(fake.started) == 1


def test_a_question_shows_nobody_what_only_its_seat_may_know():
    view = passing()
    other = replace(view, hand=passing(1).hand, dealt=passing(1).dealt)
    shown = {
        repr(Question(level="expert", view=asked, seed=seed))
        for asked, seed in ((view, SEED), (other, bytes(range(32))))
    }
    assert len(shown) == 1
    assert len({*shown, repr(Question(level="sharp", view=view, seed=SEED))}) == 2


async def test_a_process_answers_as_the_robot_itself_would_and_is_outlived_when_it_is_killed():
    think = Thinking(HandClock(), most=1)
    robots = Robots(CountedSeeds(), thinking=think)
    try:
        view = short()
        move = await robots.move("sharp", view)
        assert move.card == LEVELS["sharp"].choose_card(view, dice_of(view))
        [process] = multiprocessing.active_children()
        move = asyncio.create_task(robots.move("expert", passing()))
        await breathe()
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        assert await move == by_rule(passing())
        again = await robots.move("sharp", view)
        assert again.card == LEVELS["sharp"].choose_card(view, dice_of(view))
    finally:
        think.close()
