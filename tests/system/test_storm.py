"""A whole game while Discord does wrong all that it can (reliability.md 6, promise 4).

The real library on a simulated Discord. People press whatever their hand should offer, whether or
not an answer came; at the end every post tells the truth, once, and each press counted once.
"""

from collections import Counter

import pytest

from bot.rules.cards import sorted_cards
from bot.rules.state import Phase
from bot.table.ids import UserId
from bot.table.moments import turn
from bot.table.state import LIVE, Status
from bot.table.views import HandView
from cogs.poster import draw_post
from cogs.ui import ids
from tests.support.discord import discord_world, text_of, walk
from tests.support.evening import THINKING, Evening, evening
from tests.support.house import server_playing
from tests.support.storm import FAULTS, Storm, storm
from tests.support.witness import standing_calls

MINUTES = 60
SEED = 21


async def played_through(night: Evening, raging: Storm) -> None:
    """Press until the game is over."""
    for _ in range(1_000):
        table = night.truth.look().table
        if table.status not in LIVE:
            return
        raging.gateway()
        raging.vanish(night.channel, night.ledger.open_messages(night.truth.id))
        if table.status is Status.PAUSED:
            raging.counts["paused"] += 1
            await go_on(night)
        for user in night.truth.awaited():
            await press(night, user)
        await night.loops.live(night.dice.choice(THINKING))
    raise AssertionError("the game does not come to its end")


async def press(night: Evening, user: UserId) -> None:
    """Press a card, or the pass, that the hand of a person should offer now."""
    hand = await night.world.app.tables.hand(night.truth.id, user)
    [guest] = [guest for guest in night.guests if guest.member.id == user]
    night.world.send_raw(guest.member, guest.hand, ids.write(wanted(hand)))
    await night.world.env.settle()


def wanted(hand: HandView) -> ids.Action:
    seat = hand.hand
    assert seat is not None
    if seat.public.phase is Phase.PASSING:
        cards = frozenset(sorted_cards(seat.hand)[-3:])
        return ids.ConfirmPass(hand.table.id, seat.public.deal, cards)
    assert seat.choice is not None
    return ids.PlayCard(hand.table.id, turn(seat.public), sorted_cards(seat.choice.cards)[-1])


async def go_on(night: Evening) -> None:
    """Somebody asks for the table, now that its channel can be reached again."""
    await night.world.app.tables.resume(night.truth.id)


def moves_by(night: Evening) -> Counter[int]:
    """How many moves each press made."""
    iids = (entry.cause.interaction_id for entry in night.truth.look().stored)
    return Counter(iid for iid in iids if iid is not None)


async def untrue(night: Evening) -> list[str]:
    """Slots whose message is not there once, or says something else than the table."""
    tables = night.world.app.tables
    said = [text_of(post) for post in night.world.posts(night.channel)]
    wrong = []
    for slot in night.ledger.slots(night.truth.id):
        post, _ = await tables.post(night.truth.id, slot)
        parts = walk(draw_post(post, None).to_components())
        text = "\n".join(part["content"] for part in parts if "content" in part)
        # What was refused as too old keeps, under all that is true, whose turn it was then.
        if sum(each.startswith(text) for each in said) != 1:
            wrong.append(slot)
    return wrong


@pytest.mark.slow
@pytest.mark.promise(3)
@pytest.mark.promise(4)
async def test_a_game_in_a_storm_ends_with_every_post_true_and_every_press_counted_once():
    async with discord_world() as world, evening(world, seed=SEED) as night:
        settings = server_playing({"end": "single"})
        await world.app.bot.services.settings.save_server(world.guild.id, settings)
        await night.sit_down([world.person(name) for name in ("Ann", "Bea", "Cyd", "Dan")])
        for guest in night.guests:
            await guest.open_hand()
        with storm(night.world, SEED) as raging:
            await played_through(night, raging)
        if night.truth.look().table.status is Status.PAUSED:
            await go_on(night)
        await night.loops.live(15 * MINUTES)
        assert len(raging.counts) > len(FAULTS), "nearly all that can go wrong does"
        assert await untrue(night) == []
        assert set(moves_by(night).values()) == {1}
        # One that was delivered while each of its answers was lost is not known, so it stands on.
        assert len(standing_calls(night.world, night.channel.id)) <= 6
        assert night.witness.leaks == []
        again = sum(times - 1 for times in Counter(raging.sent).values())
        print(
            f"promise 4: a game through {raging.counts.total()} faults of Discord of "
            f"{len(raging.counts)} kinds ends with every post true"
        )
        print(f"promise 3: {again} presses delivered twice in a storm, 0 counted twice")
