"""The time bank of a seat: a reserve that long moves are paid from, and short ones fill. Pure.

Every move first uses the time that the clock gives it for nothing. Only what goes beyond is taken
from the bank, and each move puts a little back, up to the cap.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from bot.table.clocks import MoveClock


@dataclass(frozen=True, slots=True)
class BankRules:
    """How the banks of one clock work."""

    cap: timedelta
    """What a seat has at the start, and the most it can have."""
    top_up: timedelta
    """What every move puts back."""


def _rules(cap: timedelta) -> BankRules:
    """A bank that was emptied is full again after twelve moves: about a deal of four seats."""
    return BankRules(cap, cap / 12)


NO_BANK = BankRules(timedelta(), timedelta())

BANKS: Mapping[str, BankRules] = {
    "live": _rules(timedelta(minutes=2)),
    "1h": _rules(timedelta(hours=2)),
    "8h": _rules(timedelta(hours=12)),
    "24h": _rules(timedelta(hours=24)),
    "72h": _rules(timedelta(hours=72)),
    "7d": _rules(timedelta(days=3)),
    "off": NO_BANK,
}
"""By the id of a clock: each bank bears the one interruption that is usual at that pace.

==== ========= ======= ===========================================================================
id   bank      a move  what it is for
==== ========= ======= ===========================================================================
live 2 minutes 10 s    the doorbell: with the minute of the move the others wait three at most
1h   2 hours   10 min  a meal or a meeting in an evening that is played side by side
8h   12 hours  1 h     a night before a day at work: twenty hours together
24h  24 hours  2 h     one whole day missed, and the game is still one move a day
72h  72 hours  6 h     a long weekend away
7d   3 days    6 h     a week holds every usual absence already; nobody waits longer than ten days
==== ========= ======= ===========================================================================

The cap is no more than 1 or 2 moves' worth, so that thrift in a fast deal cannot be hoarded
against the others at the end of the game.
"""


def full(clock: MoveClock) -> timedelta:
    """What a seat has when a game begins, and the most it can have."""
    return BANKS.get(clock.id, NO_BANK).cap


def allowance(clock: MoveClock, bank: timedelta) -> timedelta | None:
    """The longest that a seat with so much in its *bank* may take for a move.

    ``None``: nobody is ever late.
    """
    if clock.seconds is None:
        return None
    return timedelta(seconds=clock.seconds) + bank


def drawn(bank: timedelta, beyond: timedelta) -> timedelta:
    """What a move takes from a bank.

    Args:
        bank: what the seat had before the move.
        beyond: how much longer the move took than the clock gives. More than there is, as with
            a move that the clock had to make, empties the bank and no more; nothing below zero.
    """
    return min(max(beyond, timedelta()), bank)


def topped_up(clock: MoveClock, bank: timedelta) -> timedelta:
    """What is in a bank after a move, which puts a little back."""
    rules = BANKS.get(clock.id, NO_BANK)
    return min(bank + rules.top_up, rules.cap)


def exchanged(before: MoveClock, after: MoveClock, bank: timedelta) -> timedelta:
    """What a bank becomes when the table changes its clock: it stays as full as it was.

    A table without a clock had no banks; they begin full.
    """
    cap = full(before)
    return full(after) * (bank / cap) if cap else full(after)
