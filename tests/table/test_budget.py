"""How fast Discord is called (discord.md 2.4, reliability.md 6.8)."""

from datetime import timedelta

import pytest

from bot.table.budget import IN_ALL, Budget, Call, Errand, part_of_all
from bot.table.ids import ChannelId
from tests.support.clock import NOON


def call(table="A", channel=1, errand=Errand.SEND) -> Call:
    return Call(table, ChannelId(channel), errand)


def calls_in(budget: Budget, wanted: Call, seconds: int, others=()) -> int:
    """How many of *wanted* get through in so many seconds when *others* press first."""
    made = 0
    for tick in range(seconds * 100):
        now = NOON + timedelta(milliseconds=10 * tick)
        for one in (*others, wanted):
            if not budget.wait(one, now):
                budget.spend(one, now)
                made += one is wanted
    return made


def test_a_channel_bears_one_call_a_second_over_time_and_five_at_once():
    budget = Budget()
    first = [call(table=str(number)) for number in range(5)]
    for one in first:
        assert budget.wait(one, NOON) == 0
        budget.spend(one, NOON)
    assert budget.wait(call(table="6"), NOON) == pytest.approx(1)
    assert calls_in(Budget(), call(errand=Errand.SAY), 60) == 5 + 59


def test_a_table_is_edited_at_most_once_a_second():
    budget, edit = Budget(), call(errand=Errand.EDIT)
    budget.spend(edit, NOON)
    assert budget.wait(edit, NOON) == pytest.approx(1)
    assert budget.wait(edit, NOON + timedelta(seconds=1)) == 0


def test_all_calls_together_stay_below_discords_50_in_any_second():
    budget = Budget()
    crowd = [call(table=str(n), channel=n) for n in range(200)]
    made = []
    for tick in range(300):
        now = NOON + timedelta(milliseconds=10 * tick)
        for one in crowd:
            if not budget.wait(one, now):
                budget.spend(one, now)
                made.append(now)
    second = timedelta(seconds=1)
    assert max(sum(at <= other < at + second for other in made) for at in made) <= 50
    assert len(made) >= 3 * 45


def test_posts_and_pings_come_before_deletions_when_calls_are_scarce():
    crowd = [call(table=str(n), channel=n) for n in range(200)]
    assert calls_in(Budget(), call(channel=999, errand=Errand.DELETE), 3, crowd) == 0
    chatter = [call(table=str(n), channel=n, errand=Errand.SAY) for n in range(200)]
    assert calls_in(Budget(), call(channel=999, errand=Errand.DELETE), 3, chatter) == 0
    assert calls_in(Budget(), call(channel=999, errand=Errand.DELETE), 3) > 0


@pytest.mark.parametrize("processes", [1, 2, 3, 5, 10])
def test_several_processes_of_one_bot_together_call_no_more_than_one_alone(processes: int):
    """45 a second are for a token, however many use it (reliability.md 6.8)."""
    pace = part_of_all(1 / processes)
    assert processes * (pace.rate + pace.burst) <= 50 + 1e-9
    budget = Budget(pace)
    deletions = [call(table=str(n), channel=n, errand=Errand.DELETE) for n in range(100)]
    assert sum(calls_in(budget, one, 1) for one in deletions) >= 1, "the last errand has its turn"


def test_a_process_alone_has_all_of_it():
    assert part_of_all(1.0) == IN_ALL


def test_a_call_that_is_given_back_counts_for_nobody():
    budget, edit = Budget(), call(errand=Errand.EDIT)
    before = budget.wait(edit, NOON)
    budget.spend(edit, NOON)
    budget.give_back(edit)
    assert budget.wait(edit, NOON) == before == 0
    assert calls_in(budget, call(errand=Errand.SAY), 60) == 5 + 59


def test_where_there_is_room_for_no_call_one_waits_for_several():
    """Reliability.md 6.8: 45 calls a second, five at once after a rest."""
    budget = Budget()
    assert budget.wait_for_some(3, NOON) == 0
    for number in range(IN_ALL.burst):
        budget.spend(call(table=str(number), channel=number), NOON)
    assert budget.wait_for_some(3, NOON) == pytest.approx(3 / IN_ALL.rate, abs=1e-5)
    soon = NOON + timedelta(seconds=1.1 / IN_ALL.rate)
    assert budget.wait_for_some(3, soon) == 0, "one call need not wait for others"
