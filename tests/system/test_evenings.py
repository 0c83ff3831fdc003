"""What else happens in an evening at a table: pauses of days, leavers, latecomers, neighbours.

The whole bot on a simulated Discord, its loops running as they run for real.
"""

import random
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from typing import Any

import aiohttp
import discord
import pytest
from simcord.backend.errors import BackendError

from bot.rules.cards import Card, sorted_cards
from bot.table.ids import Human, Robot
from bot.table.state import Status
from cogs.ui import ids
from cogs.ui.faces import chip, rank_text, sign
from cogs.words import card_words
from tests.support.discord import custom_ids, discord_world, text_of
from tests.support.evening import Evening, Guest, evening, game_night
from tests.support.house import server_playing
from tests.support.truth import Truth, counted
from tests.support.wire import Wire
from tests.support.witness import standing_calls

MINUTES, HOURS, DAYS = 60, 3_600, 86_400
FOUR = ("Ann", "Bea", "Cyd", "Dan")

pytestmark = pytest.mark.thorough


def in_trick(number: int) -> Callable[[Truth], bool]:
    """Whether so many tricks of the game have begun, and a person is to play."""

    def begun(truth: Truth) -> bool:
        game = truth.game
        return bool(game and game.trick_number >= number and truth.awaited())

    return begun


def to_move(night: Evening) -> Guest:
    [guest] = night.awaited()
    return guest


def offer(guest: Guest, kind: type[Any]) -> Any:
    """The button of a kind that stands in somebody's hand."""
    [action] = [action for action in guest.offers if isinstance(action, kind)]
    return action


def tricks_shown(night: Evening, name: str) -> list[Any]:
    return [post for post in night.world.posts() if name in text_of(post)]


async def test_a_trick_may_take_days_and_hands_of_long_ago_still_work():
    async with game_night(FOUR, seed=1, clock="7d") as night:
        await night.play(until=in_trick(1))
        await to_move(night).move()
        for pause in (20 * MINUTES, 3 * HOURS, 2 * DAYS):
            await night.loops.live(pause)
            guest = to_move(night)
            hand = guest.hand.id
            if not guest.wants_to_act:
                await guest.press(offer(guest, ids.RefreshHand))
            assert await guest.act()
            assert guest.hand.id == hand
            await night.loops.live(2)
            assert len(tricks_shown(night, "Trick 1 of 13")) == 1
        [trick] = tricks_shown(night, "Trick 1 of 13")
        assert "takes the trick" in text_of(trick)
        assert (night.witness.leaks, night.witness.faults) == ([], [])


async def test_who_leaves_in_the_middle_takes_the_seat_back_from_a_robot():
    async with game_night(FOUR, seed=2) as night:
        await night.play(until=in_trick(3))
        leaver = to_move(night)
        seat = night.truth.table.chairs.index(Human(leaver.member.id))
        asked = await night.world.slash(leaver.member, "hearts leave")
        await night.world.press(leaver.member, asked.response, ids.ConfirmLeave(leaver.table))
        assert night.truth.look().table.chairs[seat] == Robot("steady", leaver.member.id)
        await night.play(until=in_trick(6))
        await leaver.open_hand()
        await leaver.press(offer(leaver, ids.TakeSeatBack))
        assert night.truth.look().table.chairs[seat] == Human(leaver.member.id)
        await night.play(until=lambda truth: len(truth.game.scores) == 1)
        assert night.truth.game.totals == counted(night.truth)
        assert (night.witness.leaks, night.witness.faults, night.uncalled) == ([], [], [])


async def test_who_is_late_once_is_played_for_and_plays_on():
    async with game_night(("Ann", "Bea"), robots=2, seed=3, clock="live") as night:
        await night.play(until=in_trick(2))
        late, number = to_move(night), night.truth.game.trick_number
        seat = night.truth.table.chairs.index(Human(late.member.id))
        await night.loops.live(3 * MINUTES + 1)  # the minute of the clock, and the bank
        assert night.truth.look().table.chairs[seat] == Human(late.member.id)
        [trick] = tricks_shown(night, f"Trick {number} of 13")
        assert "the time was up" in text_of(trick)
        assert len(night.witness.reminders) == 2
        [told] = [post for post in night.world.posts() if "ran out of time" in text_of(post)]
        assert "still theirs" in text_of(told)
        await late.press(offer(late, ids.RefreshHand))
        await night.play(until=lambda truth: len(truth.game.scores) == 1)
        assert (night.witness.leaks, night.witness.faults, night.uncalled) == ([], [], [])


async def test_two_tables_at_once_show_nothing_of_each_other():
    async with AsyncExitStack() as stack:
        world = await stack.enter_async_context(discord_world())
        ann, bea, cyd = (world.person(name) for name in ("Ann", "Bea", "Cyd"))
        here, there = world.channel, world.guild.create_text_channel("there")
        nights = [
            await stack.enter_async_context(evening(world, seed=seed, channel=place))
            for seed, place in ((4, here), (5, there))
        ]
        await nights[0].sit_down([ann, bea], robots=2)
        await nights[1].sit_down([ann, cyd], robots=2)
        while not all(in_trick(5)(night.truth.look()) for night in nights):
            for night in nights:
                await night.go_on()
        for night, other in (nights, nights[::-1]):
            assert (night.witness.leaks, night.witness.faults, night.uncalled) == ([], [], [])
            shown = [f"{text_of(post)} {custom_ids(post)}" for post in world.posts(night.channel)]
            assert shown
            assert not any(other.truth.id in words for words in shown)


async def test_a_rematch_is_played_by_the_same_people_under_the_same_rules():
    async with discord_world() as world:
        settings = server_playing({"end": "single"})
        await world.app.bot.services.settings.save_server(world.guild.id, settings)
        people = [world.person("Ann"), world.person("Bea")]
        async with evening(world, seed=6) as night:
            await night.sit_down(people, robots=2, clock="1h")
            await night.play()
            await night.loops.live(10)
            again = ids.Rematch(night.truth.id)
            for person in people:
                await world.press(person, world.newest_with(again), again)
            assert night.witness.leaks == []
        [line] = await world.tables()
        async with evening(world, seed=7) as second:
            second.take(line.id, people)
            await second.start()
            await second.play()
            assert (second.witness.leaks, second.witness.faults) == ([], [])
        before, after = night.truth.table, second.truth.table
        assert after.status is Status.OVER
        assert set(after.chairs) == set(before.chairs)
        assert (after.ruleset, after.clock) == (before.ruleset, before.clock)


ANY = frozenset({"POST", "PATCH", "DELETE"})
FAILURES = (
    (0.06, ANY, BackendError(503, 0, "planted")),
    (0.05, ANY, BackendError(429, 0, "planted")),
    (0.05, ANY, aiohttp.ServerDisconnectedError()),
    (0.08, frozenset({"PATCH"}), BackendError(429, 30046, "planted")),
)
"""How often which calls to the channel fail before they do anything, and how."""
LOST = 0.12
"""How often the answer to one gets lost."""
HEADLINE = re.compile(r"### (Trick \d+ of \d+ · deal \d+|Deal \d+|Score after deal \d+)")


@contextmanager
def unreliable(wire: Wire, dice: random.Random) -> Iterator[Counter[str]]:
    """Let calls to channels fail now and then; counts how often each kind did."""
    counts: Counter[str] = Counter()
    real = wire.real

    def dispatch(backend: Any, method: str, path: str, **rest: Any) -> Any:
        if not path.startswith("/channels/"):
            return real(backend, method, path, **rest)
        for share, methods, failure in FAILURES:
            if method in methods and dice.random() < share:
                counts[str(failure)] += 1
                raise failure
        if dice.random() < LOST:
            counts[f"answer to {method} lost"] += 1
            wire.lose_answer(method, path)
        return real(backend, method, path, **rest)

    wire.real = dispatch
    try:
        yield counts
    finally:
        wire.real = real


async def test_an_unreliable_discord_ends_with_every_post_once_and_no_call_left():
    async with game_night(("Ann", "Bea"), robots=2, seed=17) as night:
        with unreliable(night.world.wire, night.dice) as failures:
            await night.play(until=lambda truth: len(truth.game.scores) == 1)
        assert len(failures) == len(FAILURES) + len(ANY)
        await night.loops.live(15 * MINUTES)
        texts = [text_of(post) for post in night.world.posts()]
        shown = [found[1] for found in map(HEADLINE.search, texts) if found]
        tricks = [f"Trick {number} of 13 · deal 1" for number in range(1, 14)]
        assert sorted(shown) == sorted([*tricks, "Deal 1", "Score after deal 1", "Deal 2"])
        assert sum("takes the trick" in text for text in texts) == 13
        calls = standing_calls(night.world, night.channel.id)
        assert len(calls) == len(set(night.truth.look().awaited()) - {night.truth.last_by_hand})
        assert night.witness.leaks == []


Way = Callable[[Any, Card, Any], Awaitable[object]]


async def _in_button(place: Any, card: Card, _message: Any) -> None:
    view = discord.ui.View(timeout=None)
    view.add_item(discord.ui.Button(label="Card", custom_id=f"h1:play:ABCDEFGH:1:{card}"))
    view.stop()
    await place.send("Look", view=view)


def _file(name: str, words: str = "") -> discord.File:
    return discord.File(__file__, filename=name, description=words or None)


WAYS: dict[str, Way] = {
    "a chip": lambda place, card, _: place.send(f"Deal 1 {chip(card)}"),
    "words": lambda place, card, _: place.send(f"{card_words(card).capitalize()} is held."),
    "notation": lambda place, card, _: place.send(f"dealt: {card}"),
    "sign first": lambda place, card, _: place.send(f"Watch out: {sign(card)}{rank_text(card)}"),
    "a list": lambda place, card, _: place.send(f"{sign(card)} 2 3 {rank_text(card)}"),
    "an edit": lambda _, card, message: message.edit(content=f"He holds {chip(card)}"),
    "a trick": lambda place, card, _: place.send(f"Trick 1 of 13 · deal 1\n{chip(card)}"),
    "a score": lambda place, card, _: place.send(f"Score after deal 1\n{chip(card)}: 13"),
    "a custom id": _in_button,
    "a file name": lambda place, card, _: place.send(file=_file(f"hand_{card}.png")),
    "an alt text": lambda place, card, _: place.send(file=_file("a.png", card_words(card))),
    "a call": lambda place, card, _: place.send(f"<@1> It is your turn, you hold {chip(card)}"),
}


async def test_a_card_that_becomes_public_before_it_is_played_is_found_in_any_form():
    async with game_night(("Ann",), robots=3, seed=8) as night:
        await night.play(until=in_trick(1))
        place = night.world.app.bot.get_partial_messageable(night.world.channel.id)
        message = await place.send("Nothing")
        assert night.witness.leaks == []
        held = sorted_cards(night.truth.game.deal.hands[0])[-1]
        found = {}
        for name, way in WAYS.items():
            await way(place, held, message)
            found[name] = [leak.partition(" in ")[0].split() for leak in night.witness.leaks]
            night.witness.leaks.clear()
        assert {name for name, leaks in found.items() if len(leaks) != 1} == set()
        assert all(str(held) in cards for [cards] in found.values())


async def test_a_public_word_after_a_private_answer_is_heard():
    async with game_night(("Ann",), robots=3, seed=9) as night:
        await night.play(until=in_trick(1))
        held = sorted_cards(night.truth.game.deal.hands[0])[-1]

        async def on_interaction(interaction: Any) -> None:
            await interaction.response.send_message(f"You hold {chip(held)}", ephemeral=True)
            await interaction.followup.send(f"Still {chip(held)}", ephemeral=True)
            assert night.witness.leaks == []
            await interaction.followup.send(f"Everybody: {chip(held)}")

        bot = night.world.app.bot
        bot.extra_events["on_interaction"] = [on_interaction]
        await night.guests[0].open_hand()
        assert len(night.witness.leaks) == 1


async def test_edits_calls_and_answers_that_come_too_fast_are_found():
    async with game_night(("Ann", "Bea"), robots=2, seed=10) as night:
        await night.play(until=in_trick(1))
        await night.loops.live(2)
        awaited = to_move(night).member
        other = next(g.member for g in night.guests if g.member.id != awaited.id)
        place = night.world.app.bot.get_partial_messageable(night.world.channel.id)
        message = await place.send("Nothing")
        await message.edit(content="Once")
        assert night.witness.faults == []
        await message.edit(content="Twice")
        for called in (other, awaited, awaited):
            meant = discord.AllowedMentions(users=[called])
            await place.send(f"<@{called.id}> It is your turn", allowed_mentions=meant)
        told = "\n".join(night.witness.faults)
        for fault in ("two edits", "who is not to move", "called too early", "called twice"):
            assert fault in told
