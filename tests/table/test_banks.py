"""The time bank of a seat: a reserve that is capped (reliability.md 1, Board Game Arena)."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.table.banks import BANKS, allowance, drawn, exchanged, full, topped_up
from bot.table.clocks import MOVE_CLOCKS, MoveClock, move_clock

LIVE, OFF, DAY = move_clock("live"), move_clock("off"), move_clock("24h")
NOTHING, SECOND, HOUR = timedelta(), timedelta(seconds=1), timedelta(hours=1)
CLOCKS = [clock for clock in MOVE_CLOCKS if clock.seconds is not None]


def base(clock: MoveClock) -> timedelta:
    assert clock.seconds is not None
    return timedelta(seconds=clock.seconds)


def after_move(clock: MoveClock, bank: timedelta, used: timedelta) -> timedelta:
    """What is left of a bank after a move that took so long."""
    free = timedelta(seconds=clock.seconds or 0)
    return topped_up(clock, bank - drawn(bank, used - free))


def test_every_clock_has_a_bank_and_every_bank_a_clock():
    assert set(BANKS) == {clock.id for clock in MOVE_CLOCKS}


def test_a_seat_may_take_the_time_of_the_move_and_all_that_is_in_its_bank():
    assert allowance(LIVE, full(LIVE)) == 180 * SECOND
    assert allowance(DAY, 5 * HOUR) == 29 * HOUR


def test_what_goes_beyond_the_move_is_paid_by_the_bank_and_a_little_comes_back():
    assert after_move(LIVE, 120 * SECOND, 100 * SECOND) == 90 * SECOND
    assert after_move(DAY, 24 * HOUR, 30 * HOUR) == 20 * HOUR


def test_a_quick_move_fills_the_bank():
    assert after_move(LIVE, 50 * SECOND, 5 * SECOND) == 60 * SECOND


def test_a_bank_that_was_emptied_is_full_after_twelve_moves():
    for clock in CLOCKS:
        bank = NOTHING
        for move in range(12):
            assert bank < full(clock), (clock, move)
            bank = after_move(clock, bank, NOTHING)
        assert bank == full(clock)


def test_a_move_that_the_clock_had_to_make_leaves_only_what_is_put_back():
    assert after_move(DAY, 5 * HOUR, 100 * HOUR) == 2 * HOUR


def test_without_a_clock_there_is_no_bank_and_nobody_is_late():
    assert allowance(OFF, NOTHING) is None
    assert after_move(OFF, HOUR, 100 * HOUR) == full(OFF) == NOTHING


@pytest.mark.parametrize(
    ("before", "after", "bank", "expected"),
    [
        (DAY, LIVE, 12 * HOUR, 60 * SECOND),
        (LIVE, DAY, NOTHING, NOTHING),
        (OFF, LIVE, NOTHING, 120 * SECOND),
        (DAY, OFF, 12 * HOUR, NOTHING),
    ],
)
def test_another_clock_leaves_a_bank_as_full_as_it_was(before, after, bank, expected):
    assert exchanged(before, after, bank) == expected


clocks = st.sampled_from(CLOCKS)
parts = st.fractions(0, 1, max_denominator=1_000)
moves = st.lists(st.fractions(-1, 5, max_denominator=1_000), max_size=40)


@given(clocks, parts, moves)
def test_a_bank_is_never_below_zero_nor_above_its_cap(clock, part, used):
    bank = full(clock) * float(part)
    for each in used:
        bank = after_move(clock, bank, base(clock) * float(each))
        assert NOTHING <= bank <= full(clock)


@given(clocks, parts, parts)
def test_time_within_that_of_the_move_costs_nothing(clock, part, used):
    bank = full(clock) * float(part)
    assert after_move(clock, bank, base(clock) * float(used)) >= bank


@given(clocks, parts, parts)
def test_whoever_keeps_to_the_allowance_is_charged_exactly_what_was_beyond(clock, part, beyond):
    bank = full(clock) * float(part)
    extra = bank * float(beyond)
    after = after_move(clock, bank, base(clock) + extra)
    assert after == min(bank - extra + full(clock) / 12, full(clock))


@given(clocks, clocks, parts)
def test_an_exchanged_bank_is_one_of_the_new_clock(before, after, part):
    assert NOTHING <= exchanged(before, after, full(before) * float(part)) <= full(after)
