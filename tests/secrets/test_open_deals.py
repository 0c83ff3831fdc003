"""Of a deal under way nobody is told more than they may know, by any way to look back (B134, B130).

`/hearts verify` shows whole deals, `/privacy export` a person's own hands and moves, Record the
whole game: each of them only what is open by then.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from bot.rules.cards import Card
from bot.rules.events import DealBegan
from bot.rules.view import seat_view
from bot.table import history, verifying
from bot.table.export_of_table import own_course
from bot.table.ids import UserId
from bot.table.lobby import seat_of
from bot.table.state import Table
from bot.table.storing import Drawer, StoredEvent
from cogs.ui import ids
from cogs.ui.verification import render_verification
from tests.support.discord import World, discord_world, text_of
from tests.support.looks import named_in, payload, unplayed, view_of
from tests.support.seated import cards_of, in_play
from tests.support.tables import ANN, BEA, Room

Stored = Sequence[StoredEvent]


@pytest.fixture(scope="module")
def played() -> tuple[Stored, Drawer]:
    """Two deals among people and robots; somebody leaves in the second and comes back."""
    import asyncio  # noqa: PLC0415  a fixture of a module has no loop of its own

    return asyncio.run(_played())


async def _played() -> tuple[Stored, Drawer]:
    room = Room()
    view = await room.started(ANN, BEA)
    await room.play_until(view.id, 1)
    await room.everybody_passes(view.id)
    await room.tables.leave(room.by(BEA), view.id)
    await room.robots_move(view.id)
    await room.tables.take_seat_back(room.by(BEA), view.id)
    await room.play_until(view.id, 2)
    return await room.store.load(view.id), await room.store.drawer(view.id)


def moments(stored: Stored) -> Iterator[tuple[Table, Stored]]:
    """The table after every third of its events, while a deal is under way, and the events."""
    for count in range(1, len(stored) + 1, 3):
        table = history.replay(stored[:count]).table
        if table.game is not None and unplayed(table.game):
            yield table, stored[:count]


def secret_cards(table: Table, person: UserId | None) -> set[Card]:
    """The cards of the deal under way of which *person* may not know."""
    game = table.game
    assert game is not None
    seat = None if person is None else seat_of(person, table.chairs)
    hidden = unplayed(game)
    if seat is None:
        return set(hidden)
    own = seat_view(game, seat)
    return set(hidden - own.hand - own.given - own.received)


def names_of_deal(number: int, course: dict[str, Any]) -> str:
    """What an export tells of one deal: its hand, and the events since it began."""
    hands = [hand for hand in course["hands"] if hand["deal"] == number]
    return json.dumps(hands)


def test_b134_a_deal_under_way_is_verified_by_its_seal_alone(played):
    stored, drawer = played
    for table, events in moments(stored):
        assert table.game is not None
        assert table.game.deal is not None
        running = table.game.deal.number
        found = verifying.verify(events, drawer, running)
        drawn = payload(render_verification(found, view_of(table)))
        assert found.proof is None
        assert not named_in(drawn, table.ruleset.deck(4))
        seeds = [drawer.deals[deal].seed.hex() for deal in drawer.deals if deal >= running]
        assert not any(seed in drawn for seed in seeds)


def test_b134_control_a_deal_that_is_over_is_verified_with_its_seed(played):
    stored, drawer = played
    found = verifying.verify(stored, drawer, 1)
    assert found.proof is not None
    assert found.proof.seed == drawer.deals[1].seed


@pytest.mark.parametrize("person", [ANN, BEA])
def test_b134_an_export_tells_of_a_deal_under_way_the_own_cards_alone(played, person):
    stored, _ = played
    looked_at = list(moments(stored))
    assert len(looked_at) > 30
    for table, events in looked_at:
        assert table.game is not None
        assert table.game.deal is not None
        began = max(entry.seq for entry in events if isinstance(entry.event, DealBegan))
        course: Any = own_course(events, person)
        before: Any = own_course(events[: began - 1], person)
        told = names_of_deal(table.game.deal.number, course)
        told += json.dumps(course["events"][len(before["events"]) :], default=str)
        assert named_in(told, secret_cards(table, person)) == set()


def test_b134_control_a_hand_of_somebody_else_in_an_export_is_found(played):
    stored, _ = played
    table, events = list(moments(stored))[5]
    course: Any = own_course(events, ANN)
    [hand] = [each["cards"] for each in course["hands"] if each["deal"] == 1]
    assert named_in(hand, secret_cards(table, BEA))
    assert named_in(hand, secret_cards(table, None))


async def _file_of(world: World, answer: Any) -> str:
    """What an export tells of the only table."""
    [file] = answer.attachments
    content = world.env.backend.cdn.get(file.url)
    assert content is not None
    [table] = json.loads(content)["tables"]
    for event in table["events"]:
        event.pop("ruleset", None)  # rules name cards, whoever holds them
    return json.dumps(table)


async def test_b134_in_the_middle_of_a_deal_the_bot_hands_out_no_card_of_another_hand():
    async with discord_world() as world:
        players, player = await in_play(world)
        others = [each for each in players if each is not player]
        mine = await world.app.tables.hand(player.table, UserId(player.member.id))
        assert mine.hand is not None
        held = frozenset().union(*[await cards_of(each) for each in others])
        hidden = held - mine.hand.given
        exported: Any = (await world.slash(player.member, "privacy export")).response
        told = await _file_of(world, exported)
        assert named_in(told, mine.hand.hand)
        verified: Any = (await world.slash(player.member, "hearts verify")).response
        record = ids.write(ids.Record(player.table))
        refused = (await world.forge(player.member, player.hand, record)).response
        assert "not possible" in text_of(refused)
        assert verified.attachments == []
        for text in (told, text_of(verified), text_of(refused)):
            assert named_in(text, hidden) == set()
