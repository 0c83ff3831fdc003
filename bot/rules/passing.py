"""Who passes how many cards to whom, for any number of seats."""

from collections.abc import Sequence
from typing import assert_never

from bot.rules.cards import Card, Hand, Seat
from bot.rules.dimensions import Hold, PassStep, PassTo, Scatter
from bot.rules.tricks import after


def receivers(step: PassStep, seat: Seat, seats: int) -> tuple[Seat, ...]:
    """The seats that *seat* gives cards to, the next seat first; none in a hold deal."""
    match step:
        case Hold():
            return ()
        case PassTo(to, _):
            return (after(seat, seats, to),)
        case Scatter():
            return tuple(after(seat, seats, places) for places in range(1, seats))
        case _:
            assert_never(step)


def pass_count(step: PassStep, seats: int) -> int:
    """How many cards every seat gives away in all."""
    match step:
        case Hold():
            return 0
        case PassTo(_, count):
            return count
        case Scatter(count):
            return count * (seats - 1)
        case _:
            assert_never(step)


def shares(
    step: PassStep, seat: Seat, seats: int, packet: Sequence[Card]
) -> tuple[tuple[Seat, tuple[Card, ...]], ...]:
    """What each receiver of *seat* gets of its *packet*, the next seat first; none in a hold."""
    takers = receivers(step, seat, seats)
    size = len(packet) // len(takers) if takers else 0
    return tuple(
        (taker, tuple(packet[place * size : (place + 1) * size]))
        for place, taker in enumerate(takers)
    )


def exchange(step: PassStep, packets: tuple[tuple[Card, ...], ...]) -> tuple[Hand, ...]:
    """By seat: what comes in once all have chosen.

    Args:
        step: how this deal passes.
        packets: by seat, what it gives away in the order of its receivers.
    """
    seats = len(packets)
    incoming: list[set[Card]] = [set() for _ in packets]
    for giver, packet in enumerate(packets):
        for taker, share in shares(step, Seat(giver), seats, packet):
            incoming[taker].update(share)
    return tuple(map(frozenset, incoming))
