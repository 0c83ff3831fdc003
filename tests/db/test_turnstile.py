"""What people wait for is written before what is only remembered (reliability.md 2b)."""

import asyncio
from pathlib import Path

import pytest

from db.engine import open_database
from db.turnstile import Turnstile


async def taken(gate: Turnstile, order: list[str], name: str, *, urgent: bool) -> None:
    async with gate.turn(urgent=urgent):
        order.append(name)
        await asyncio.sleep(0)


async def in_line(gate: Turnstile, *names: str) -> list[str]:
    """In which order those get their turns who come while somebody is in; capitals are urgent."""
    order: list[str] = []
    async with gate.turn(urgent=False):
        waiting = [
            asyncio.create_task(taken(gate, order, name, urgent=name.isupper())) for name in names
        ]
        await asyncio.sleep(0)
    await asyncio.gather(*waiting)
    return order


async def test_the_urgent_go_first_and_each_kind_in_its_order():
    assert await in_line(Turnstile(), "a", "B", "c", "D") == ["B", "D", "a", "c"]


async def test_whoever_is_not_urgent_is_not_kept_for_ever():
    names = [*(f"U{number:02}" for number in range(25)), "late"]
    assert (await in_line(Turnstile(), *names)).index("late") == 10


async def test_whoever_gives_up_while_waiting_keeps_nobody():
    gate, order = Turnstile(), list[str]()
    async with gate.turn(urgent=True):
        gone = asyncio.create_task(taken(gate, order, "gone", urgent=True))
        stays = asyncio.create_task(taken(gate, order, "stays", urgent=True))
        await asyncio.sleep(0)
        gone.cancel()
        await asyncio.sleep(0)
    await stays
    assert order == ["stays"]


async def test_whoever_gives_up_when_the_turn_has_come_hands_it_on():
    gate, order = Turnstile(), list[str]()
    async with gate.turn(urgent=True):
        gone = asyncio.create_task(taken(gate, order, "gone", urgent=True))
        stays = asyncio.create_task(taken(gate, order, "stays", urgent=True))
        await asyncio.sleep(0)
    gone.cancel()
    with pytest.raises(asyncio.CancelledError):
        await gone
    await stays
    assert order == ["stays"]
    assert await in_line(gate, "free") == ["free"]


async def test_a_move_is_written_before_what_was_posted(tmp_path: Path):
    database = open_database(f"sqlite+aiosqlite:///{tmp_path / 'turns.db'}")
    order: list[str] = []
    await asyncio.gather(
        database.write(lambda _: order.append("first")),
        *(database.write_in_passing(lambda _: order.append("posted")) for _ in range(3)),
        database.write(lambda _: order.append("move")),
    )
    await database.close()
    assert order == ["first", "move", "posted", "posted", "posted"]
