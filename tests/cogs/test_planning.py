"""Playing ahead, as people meet it: a panel in the hand, and a card that falls by itself.

Rules: a plan is its person's alone and is carried out when the turn comes, after a pause that is
the same whatever is planned (`bot.table.plans`); house.md 4.4 for old and repeated presses.
"""

import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime

import pytest

from bot.rules.cards import Card, Suit, sorted_cards
from bot.table import viewing
from bot.table.ids import Human, UserId
from bot.table.plans import AllForced, LowestOfSuitLed, Plan
from bot.table.views import Absent
from cogs.ui import ids, plan_ids
from cogs.ui.preference_ids import PlayForced
from tests.support.clock import NOON
from tests.support.discord import World, components_of, discord_world, text_of
from tests.support.games import Player, Watch, menu_of
from tests.support.seated import cards_of, four, in_play, plays
from tests.support.wire import Request
from tests.support.witness import is_private

PAUSE = 20.0
"""Seconds that a planned card waits here: the shortest at a slow clock, since chance is seeded."""
LOW = LowestOfSuitLed()
_BY_CHANCE = re.compile(r"\d{15,20}|(?<=\.)[0-9a-f]{12}(?=\")")
"""Ids of messages, and what makes the nonce of a call: another one in each world."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trick:
    """A first trick: somebody leads the 2 of clubs, and the next seat can follow."""

    world: World
    players: list[Player]
    leader: Player
    follower: Player
    clubs: tuple[Card, ...]
    """Of the follower, from low to high."""

    async def lead(self) -> None:
        """The leader plays the one card that may be led."""
        await self.leader.press(plays(self.leader)[0])

    async def set_aside(self, card: Card) -> None:
        """Choose a card in the panel."""
        action = plan_ids.SetCardAside(self.follower.table, 1)
        follower = self.follower
        await self.world.choose(follower.member, follower.hand, action, [str(card)])

    async def fallen(self) -> list[Card]:
        """The cards of the trick, as everybody may know it."""
        game = (await self.world.app.tables.view(self.leader.table)).game
        assert game is not None
        trick = game.trick if game.trick and game.trick.plays else game.tricks[-1]
        return [play.card for play in trick.plays]

    def open_panel(self) -> Awaitable[None]:
        return self.follower.press(plan_ids.OpenPlans(self.follower.table, 1))

    async def plan_low(self) -> None:
        """Have the lowest of each suit led played, in the panel, which stays open."""
        await self.open_panel()
        await self.follower.press(self.switch(LOW, on=True))

    def switch(self, plan: Plan, *, on: bool) -> plan_ids.SwitchPlan:
        return plan_ids.SwitchPlan(table=self.follower.table, deal=1, plan=plan, on=on)


async def first_trick(world: World) -> Trick:
    """Four people, one of whom is to lead."""
    players, leader = await in_play(world)
    chairs = (await world.app.tables.view(leader.table)).chairs
    seat = chairs.index(Human(UserId(leader.member.id)))
    after = chairs[(seat + 1) % 4]
    [follower] = [each for each in players if Human(UserId(each.member.id)) == after]
    clubs = [card for card in sorted_cards(await cards_of(follower)) if card.suit is Suit.CLUBS]
    assert len(clubs) > 1, "the counted seeds deal another hand now"
    return Trick(world=world, players=players, leader=leader, follower=follower, clubs=tuple(clubs))


async def test_a_card_that_is_set_aside_falls_after_its_pause_and_not_before():
    async with discord_world() as world:
        trick = await first_trick(world)
        watch = Watch(world, trick.leader.table)
        await trick.open_panel()
        assert "Nobody else sees it" in text_of(trick.follower.hand)
        await trick.set_aside(trick.clubs[-1])
        assert "You planned: the" in text_of(trick.follower.hand)
        await trick.lead()
        await world.pass_time(PAUSE - 0.1)
        assert len(await trick.fallen()) == 1
        await watch.look()
        await world.pass_time(0.2)
        assert (await trick.fallen())[1:] == [trick.clubs[-1]]
        await watch.look()
        assert watch.leaks == []


async def test_a_plan_is_carried_out_after_a_restart_as_well():
    """An acknowledged press is on disk."""
    async with discord_world() as world:
        trick = await first_trick(world)
        await trick.open_panel()
        await trick.set_aside(trick.clubs[1])
        await world.restart()
        await trick.lead()
        await world.restart()
        await world.pass_time(PAUSE + 0.1)
        assert (await trick.fallen())[1:] == [trick.clubs[1]]


async def test_another_card_takes_the_place_of_the_first():
    async with discord_world() as world:
        trick = await first_trick(world)
        await trick.open_panel()
        for card in (trick.clubs[0], trick.clubs[1]):
            await trick.set_aside(card)
        await trick.lead()
        await world.pass_time(PAUSE + 0.1)
        assert (await trick.fallen())[1:] == [trick.clubs[1]]


@pytest.mark.parametrize("in_turn", [False, True])
@pytest.mark.thorough
async def test_a_card_that_is_taken_back_does_not_fall(in_turn):
    async with discord_world() as world:
        trick = await first_trick(world)
        await trick.open_panel()
        await trick.set_aside(trick.clubs[0])
        if in_turn:
            await trick.lead()
            await world.pass_time(PAUSE - 1)
        await trick.follower.press(plan_ids.TakeCardBack(trick.follower.table, 1))
        assert "You planned" not in text_of(trick.follower.hand)
        if not in_turn:
            await trick.lead()
        await world.pass_time(10 * PAUSE)
        assert len(await trick.fallen()) == 1


async def test_a_plan_for_several_turns_is_switched_on_and_off():
    async with discord_world() as world:
        trick = await first_trick(world)
        await trick.plan_low()
        assert "☑ Whenever I can follow suit" in text_of(trick.follower.hand)
        await trick.follower.press(trick.switch(AllForced(), on=True))
        await trick.follower.press(trick.switch(LOW, on=False))
        assert "☐ Whenever I can follow suit" in text_of(trick.follower.hand)
        assert "☑ A card falls whenever" in text_of(trick.follower.hand)
        await trick.follower.press(trick.switch(LOW, on=True))
        await trick.lead()
        await world.pass_time(PAUSE + 0.1)
        assert (await trick.fallen())[1:] == [trick.clubs[0]]


async def test_the_hand_says_what_falls_and_another_card_may_be_played_before():
    async with discord_world() as world:
        trick = await first_trick(world)
        follower = trick.follower
        await trick.plan_low()
        await follower.press(ids.RefreshHand(follower.table))
        await trick.lead()
        assert "is played for you within a few minutes" in text_of(follower.hand)
        [other] = [each for each in plays(follower) if each.card == trick.clubs[-1]]
        await follower.press(other)
        await world.pass_time(2 * PAUSE)
        assert (await trick.fallen())[1:] == [trick.clubs[-1]]


async def test_a_repeated_press_counts_once_and_takes_nothing_back():
    async with discord_world() as world:
        trick = await first_trick(world)
        follower = trick.follower
        await trick.open_panel()
        on = ids.write(trick.switch(LOW, on=True))
        for _ in range(2):
            await world.forge(follower.member, follower.hand, on)
        assert text_of(follower.hand).count("☑") == 1
        await trick.lead()
        await world.pass_time(PAUSE + 0.1)
        assert (await trick.fallen())[1:] == [trick.clubs[0]]


async def test_a_press_on_the_panel_of_a_deal_that_is_over_says_so_and_plans_nothing():
    async with discord_world() as world:
        trick = await first_trick(world)
        follower = trick.follower
        await trick.plan_low()
        for old in (
            plan_ids.TakeCardBack(follower.table, 2),
            replace(trick.switch(AllForced(), on=True), deal=2),
            replace(trick.switch(LOW, on=False), deal=2),
        ):
            await world.forge(follower.member, follower.hand, ids.write(old))
            assert "That moved on in the meantime" in text_of(follower.hand)
            assert "You planned: the lowest card of the suit led." in text_of(follower.hand)


async def test_a_press_on_a_panel_whose_card_has_fallen_says_so_and_loses_nothing():
    async with discord_world() as world:
        trick = await first_trick(world)
        follower = trick.follower
        await trick.open_panel()
        await follower.press(trick.switch(AllForced(), on=True))
        await trick.set_aside(trick.clubs[0])
        await trick.lead()
        await world.pass_time(PAUSE + 0.1)
        await follower.press(plan_ids.TakeCardBack(follower.table, 1))
        assert "No card of yours is set aside any more" in text_of(follower.hand)
        gone = {"values": [str(trick.clubs[0])], "component_type": 3}
        menu = ids.write(plan_ids.SetCardAside(follower.table, 1))
        await world.forge(follower.member, follower.hand, menu, **gone)
        assert "any more" in text_of(follower.hand)
        assert "You planned: every card that is the only one." in text_of(follower.hand)


async def test_while_cards_are_passed_there_is_nothing_to_plan_and_the_hand_says_so():
    async with discord_world() as world:
        ann, *_ = await four(world)
        early = ids.write(plan_ids.OpenPlans(ann.table, 1))
        await world.forge(ann.member, ann.hand, early)
        assert "You can plan ahead while a deal is played" in text_of(ann.hand)
        assert any(isinstance(action, ids.ChoosePass) for action in ann.offers)


async def test_a_stranger_and_another_seat_get_no_panel_of_somebodys_cards():
    async with discord_world() as world:
        trick = await first_trick(world)
        post = world.newest_with(ids.OpenHand(trick.leader.table))
        action = ids.write(plan_ids.OpenPlans(trick.leader.table, 1))
        eve = await world.forge(world.person("Eve"), post, action)
        assert "You do not sit at this table" in text_of(eve.response)


async def test_with_the_seat_goes_the_plan():
    async with discord_world() as world:
        trick = await first_trick(world)
        follower = trick.follower
        await trick.plan_low()
        await follower.press(ids.RefreshHand(follower.table))
        await follower.press(ids.AskLeave(follower.table))
        await follower.press(ids.ConfirmLeave(follower.table))
        await follower.open_hand()
        await follower.press(ids.TakeSeatBack(follower.table))
        assert "You planned" not in text_of(follower.hand)
        await trick.lead()
        await world.pass_time(2 * PAUSE)
        assert len(await trick.fallen()) == 1


async def test_the_panel_is_not_taken_from_under_the_finger_and_the_hand_is_kept_fresh():
    async with discord_world() as world:
        trick = await first_trick(world)
        follower, other = trick.follower, trick.players[0]
        await trick.open_panel()
        await trick.lead()
        assert plan_ids.SetCardAside(follower.table, 1) in follower.offers
        await follower.press(trick.switch(LOW, on=True))
        await follower.press(ids.RefreshHand(follower.table))
        before = len(await cards_of(follower))
        await world.pass_time(PAUSE + 0.1)
        assert len(await cards_of(follower)) == before - 1
        assert "Waiting for" in text_of(follower.hand)
        assert other.hand.ephemeral


Deed = Callable[[Trick], Awaitable[None]]


async def plans_nothing(_: Trick) -> None:
    """The other world."""


async def plans_low(trick: Trick) -> None:
    await trick.open_panel()
    await trick.follower.press(trick.switch(LOW, on=True))


async def plans_a_card_and_more(trick: Trick) -> None:
    await trick.open_panel()
    await trick.set_aside(trick.clubs[-1])
    await trick.follower.press(trick.switch(AllForced(), on=True))
    await trick.follower.press(ids.RefreshHand(trick.follower.table))


async def seen_by_all(planned: Deed) -> list[tuple[datetime, str, str, str]]:
    """When, how, where and what everybody is shown, up to the moment before a card falls."""
    seen: list[tuple[datetime, str, str, str]] = []
    async with discord_world() as world:
        trick = await first_trick(world)

        def hear(request: Request) -> None:
            if request.method == "GET" or is_private(world.env.backend, request):
                return
            written = f"{request.path} {json.dumps(request.body, sort_keys=True, default=str)}"
            path, body = _BY_CHANCE.sub("id", written).split(" ", 1)
            seen.append((world.clock.now(), request.method, path, body))

        world.wire.listeners.append(hear)
        await planned(trick)
        await world.show()
        await trick.lead()
        await world.pass_time(5)
        await world.pass_time(PAUSE - 5.1)
        assert len(await trick.fallen()) == 1
    return [line for line in seen if "/webhooks/" not in line[2]]


@pytest.mark.parametrize("planned", [plans_low, plans_a_card_and_more])
@pytest.mark.thorough
async def test_nothing_that_everybody_sees_depends_on_a_plan_before_its_card_falls(planned):
    assert await seen_by_all(planned) == await seen_by_all(plans_nothing)


@pytest.mark.thorough
async def test_control_a_call_that_is_missing_in_the_channel_is_noticed(monkeypatch):
    monkeypatch.setattr("bot.table.calling._is_direct", lambda _person: True)
    assert await seen_by_all(plans_low) != await seen_by_all(plans_nothing)


async def test_control_a_post_that_tells_of_a_plan_is_noticed(monkeypatch):
    shown = viewing.table_view

    def telling(table, **facts):
        away = tuple(Absent(UserId(1), None, NOON) for _ in table.plans)
        return replace(shown(table, **facts), away=away)

    monkeypatch.setattr(viewing, "table_view", telling)
    assert await seen_by_all(plans_low) != await seen_by_all(plans_nothing)


async def forced(world: World, player: Player, *, on: bool) -> None:
    """Choose in `/preferences` whether forced cards are played."""
    panel = (await world.slash(player.member, "preferences")).response
    after = await world.press(player.member, panel, PlayForced(on=on))
    assert f"Play forced cards: {'on' if on else 'off'}" in _labels(after.response)


def _labels(message) -> str:
    return json.dumps(components_of(message))


async def test_a_forced_card_falls_for_who_asked_for_that_and_only_then():
    """The 2 of clubs is the only card that may open a deal (rules.md 3.4)."""
    async with discord_world() as world:
        trick = await first_trick(world)
        await world.pass_time(5 * PAUSE)
        assert await world.app.tables.view(trick.leader.table)
        assert plays(trick.leader), "nobody asked for it"
        await forced(world, trick.leader, on=True)
        await trick.leader.open_hand()
        assert "you may play no other card" in text_of(trick.leader.hand)
        await world.pass_time(PAUSE - 0.1)
        assert len(plays(trick.leader)) == 1
        await world.pass_time(0.2)
        assert [str(card) for card in await trick.fallen()] == ["2C"]


async def test_who_does_not_want_it_any_more_plays_the_card():
    async with discord_world() as world:
        trick = await first_trick(world)
        await forced(world, trick.leader, on=True)
        await forced(world, trick.leader, on=False)
        await world.pass_time(5 * PAUSE)
        await trick.lead()
        assert [str(card) for card in await trick.fallen()] == ["2C"]


async def test_the_menu_of_the_panel_offers_the_cards_in_the_hand():
    async with discord_world() as world:
        trick = await first_trick(world)
        await trick.open_panel()
        menu = plan_ids.SetCardAside(trick.follower.table, 1)
        values, count = menu_of(trick.follower.hand, menu)
        assert {Card.parse(value) for value in values} == await cards_of(trick.follower)
        assert count == 1
