"""Too much at once is refused kindly, and a fast player never notices (reliability.md 5, Flood)."""

from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.table.budget import Pace
from cogs import flood
from cogs.flood import LIMITS, Flood, Paces
from cogs.ui import ids
from tests.support.clock import NOON, HandClock
from tests.support.discord import discord_world, text_of
from tests.support.games import Watch, deals_done, play
from tests.support.seated import four, in_play

PRESS = discord.InteractionType.component
FORM = discord.InteractionType.modal_submit
COMMAND = discord.InteractionType.application_command
TYPING = discord.InteractionType.autocomplete


class Response:
    """What an interaction is answered."""

    def __init__(self) -> None:
        self.sentences: list[str] = []
        self.nods = 0
        self.lists: list[list[Any]] = []
        self.is_lost = False

    def is_done(self) -> bool:
        return False

    async def send_message(self, text: str, *, ephemeral: bool, **_: Any) -> None:
        assert ephemeral
        self.sentences.append(text)

    async def defer(self) -> None:
        if self.is_lost:
            raise discord.InteractionResponded(asks(PRESS))
        self.nods += 1

    async def autocomplete(self, choices: list[Any]) -> None:
        self.lists.append(choices)


def asks(
    kind: discord.InteractionType, *, user: int = 1, channel: int = 20, server: int | None = 3
) -> Any:
    """An interaction, as far as the gate looks at it."""
    return SimpleNamespace(
        id=7,
        type=kind,
        user=SimpleNamespace(id=user),
        channel_id=channel,
        guild_id=server,
        locale=discord.Locale.british_english,
        response=Response(),
    )


async def let_in(gate: Flood, interactions: list[Any]) -> list[bool]:
    return [await gate.lets_in(each) for each in interactions]


def said(interaction: Any) -> str:
    [sentence] = interaction.response.sentences
    return str(sentence)


async def test_a_person_who_presses_too_fast_is_told_once_and_then_nodded_to():
    gate = Flood(HandClock())
    presses = [asks(PRESS) for _ in range(LIMITS.presses.burst + 5)]
    assert await let_in(gate, presses) == [True] * LIMITS.presses.burst + [False] * 5
    told, *nodded = presses[LIMITS.presses.burst :]
    assert "Nothing is lost: wait a few seconds" in said(told)
    for each in nodded:
        assert (each.response.nods, each.response.sentences) == (1, [])


async def test_a_second_flood_half_a_minute_later_is_told_again():
    clock = HandClock()
    gate = Flood(clock)
    await let_in(gate, [asks(PRESS) for _ in range(LIMITS.presses.burst + 2)])
    clock.move(31)
    await let_in(gate, [asks(PRESS) for _ in range(LIMITS.presses.burst)])
    again = asks(PRESS)
    assert not await gate.lets_in(again)
    assert said(again)


@pytest.mark.parametrize("kind", [COMMAND, FORM])
async def test_what_was_typed_is_never_refused_in_silence(kind):
    gate = Flood(HandClock())
    refused = [each for each in [asks(kind) for _ in range(20)] if not await gate.lets_in(each)]
    assert len(refused) >= 10
    assert all(said(each) for each in refused)


async def test_letters_typed_too_fast_get_an_empty_list_and_cost_no_command():
    gate = Flood(HandClock())
    letters = [asks(TYPING) for _ in range(LIMITS.typing.burst + 1)]
    assert (await let_in(gate, letters))[-2:] == [True, False]
    assert letters[-1].response.lists == [[]]
    assert await gate.lets_in(asks(COMMAND))


@pytest.mark.parametrize("kind", [PRESS, COMMAND, TYPING])
async def test_a_few_seconds_of_rest_are_enough(kind):
    clock = HandClock()
    gate = Flood(clock)
    await let_in(gate, [asks(kind) for _ in range(60)])
    assert not await gate.lets_in(asks(kind))
    clock.move(2)
    assert await gate.lets_in(asks(kind))


async def test_two_presses_a_second_and_three_at_once_now_and_then_are_never_too_fast():
    clock = HandClock()
    gate = Flood(clock)
    for turn in range(600):
        burst = 3 if turn % 30 == 0 else 1
        assert all(await let_in(gate, [asks(PRESS) for _ in range(burst)]))
        clock.move(0.5 * burst)


async def test_ten_people_of_one_table_may_all_type_a_command_at_once():
    gate = Flood(HandClock())
    assert all(await let_in(gate, [asks(COMMAND, user=person) for person in range(10)]))


@pytest.mark.parametrize("place", ["channel", "server"])
async def test_a_rush_of_commands_from_many_people_is_told_that_buttons_go_on(place):
    gate = Flood(HandClock())

    def somewhere(person: int) -> Any:
        channel = 20 if place == "channel" else person
        return asks(COMMAND, user=person, channel=channel)

    refused = [each for each in map(somewhere, range(50)) if not await gate.lets_in(each)]
    most = LIMITS.channel.burst if place == "channel" else LIMITS.server.burst
    assert len(refused) == 50 - most
    assert all("Buttons work all the same" in said(each) for each in refused)
    assert await gate.lets_in(asks(PRESS, user=3))
    assert await gate.lets_in(asks(COMMAND, user=99, channel=77, server=88))


async def test_one_person_alone_uses_up_neither_channel_nor_server():
    clock = HandClock()
    gate = Flood(clock)
    for _ in range(600):
        await gate.lets_in(asks(COMMAND, user=1))
        clock.move(0.1)
    assert all(await let_in(gate, [asks(COMMAND, user=person) for person in range(2, 6)]))


async def test_what_is_refused_for_its_person_does_not_count_for_the_place():
    gate = Flood(HandClock())
    await let_in(gate, [asks(COMMAND, user=1) for _ in range(500)])
    assert all(await let_in(gate, [asks(COMMAND, user=person) for person in range(2, 7)]))


async def test_commands_in_a_private_conversation_count_for_no_server():
    gate = Flood(HandClock())
    talks = [asks(COMMAND, user=person, channel=person, server=None) for person in range(99)]
    assert all(await let_in(gate, talks))


def test_any_pace_lets_in_its_burst_and_then_its_rate_and_no_more():
    clock, paces, pace = HandClock(), Paces(), Pace(2, 10)
    went = 0
    for _ in range(1_000):
        if not paces.is_too_fast("key", pace, clock.now()):
            paces.count("key", pace, clock.now())
            went += 1
        clock.move(0.01)
    assert went == pytest.approx(10 + 2 * 10, abs=1)


async def test_a_crowd_of_any_size_takes_little_memory(monkeypatch):
    monkeypatch.setattr(flood, "_MOST_REMEMBERED", 500)
    clock = HandClock()
    gate = Flood(clock)
    for person in range(3_000):
        await let_in(gate, [asks(PRESS, user=person), asks(COMMAND, user=person, channel=person)])
    assert len(gate) <= 2 * 500
    clock.move(60)
    await gate.lets_in(asks(PRESS))
    assert len(gate) <= 2


async def test_a_crowd_beyond_all_memory_loses_whoever_went_longest_ago(monkeypatch):
    monkeypatch.setattr(flood, "_MOST_REMEMBERED", 3)
    gate = Flood(HandClock())
    for person in (1, 2, 3, 1, 4):
        await let_in(gate, [asks(PRESS, user=person) for _ in range(20)])
    assert not await gate.lets_in(asks(PRESS, user=1))
    assert await gate.lets_in(asks(PRESS, user=2))


async def test_a_refusal_that_discord_does_not_take_harms_nobody():
    gate = Flood(HandClock())
    await let_in(gate, [asks(PRESS) for _ in range(LIMITS.presses.burst + 1)])
    lost = asks(PRESS)
    lost.response.is_lost = True
    assert not await gate.lets_in(lost)


async def test_a_flood_of_clicks_through_the_whole_bot_stores_nothing_beyond_the_first():
    async with discord_world() as world:
        players, player = await in_play(world)
        world.app.bot.flood = Flood(world.clock)
        before = await world.app.tables.version(player.table)
        refresh = ids.write(ids.RefreshHand(player.table))
        results = [await world.forge(player.member, player.hand, refresh) for _ in range(10)]
        card = next(each for each in player.offers if isinstance(each, ids.PlayCard))
        refused = await world.forge(player.member, player.hand, ids.write(card))
        assert await world.app.tables.version(player.table) == before
        told = refused.followups[0] if refused.followups else refused.response
        assert "Nothing is lost" in text_of(told)
        assert all("Nothing is lost" not in text_of(each.response) for each in results)
        # The others play on, and a moment later so does whoever was too fast.
        assert await players[0].world.forge(players[0].member, players[0].hand, refresh)
        await world.pass_time(1)
        await world.forge(player.member, player.hand, ids.write(card))
        assert await world.app.tables.version(player.table) > before


async def test_a_flood_of_commands_through_the_whole_bot_is_answered_each_time():
    async with discord_world() as world:
        ann = world.person("Ann")
        world.app.bot.flood = Flood(world.clock)
        for _ in range(5):
            await world.slash(ann, "hearts games")
        refused = await world.slash(ann, "hearts games")
        assert refused.response.ephemeral
        assert "Nothing is lost" in text_of(refused.response)


@pytest.mark.thorough
async def test_four_people_at_one_keyboard_who_press_four_times_a_second_are_never_refused():
    """Hot seat: the limits are a person's, and the table itself has none."""
    async with discord_world() as world:
        players = await four(world)
        clock, refused = HandClock(), 0
        gate = Flood(clock)

        async def let_in_by_a_clock_that_runs(interaction: Any) -> bool:
            nonlocal refused
            clock.move(0.25)
            let = await gate.lets_in(interaction)
            refused += not let
            return let

        world.app.bot.flood = SimpleNamespace(lets_in=let_in_by_a_clock_that_runs)
        await play(players, Watch(world, players[0].table), until=deals_done(1))
        assert clock.now() - NOON > timedelta(seconds=13)
        assert refused == 0
