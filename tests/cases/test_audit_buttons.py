"""Buttons, interactions and the ephemeral hand: rows B01 to B22, as far as one press is not all."""

import asyncio
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import discord
import pytest
from discord import ui

from bot.rules.errors import Reason
from bot.rules.sentence import Sentence
from bot.table.scorekeeper import ScoreKeepers
from bot.table.state import Status
from cogs.ui import faces, ids, plan_ids
from cogs.ui.keeper_ids import OpenPoints
from cogs.words import Voice
from tests.support.discord import World, actions, custom_ids, discord_world, text_of
from tests.support.games import Player, Watch, menu_of, play, sit_down
from tests.support.seated import cards_of, cards_on_buttons, four, in_play, in_trick, plays

COGS = Path(__file__).parents[2] / "cogs"
DAY = 24 * 3_600
WAIT = 5
FRESH = {4, WAIT}
"""Discord's numbers for an answer that is a new message, at once or later."""
PRIVATE = 1 << 6
LONGER_THAN_PATIENCE = 2
"""Seconds of the simulated Discord, which the test lets go by."""
Press = tuple[Any, Any, str]
"""Who saw which custom id in which message."""


@pytest.mark.case("B01")
@pytest.mark.thorough
async def test_b01_every_button_that_was_ever_shown_is_answered_by_the_next_process():
    async with discord_world() as world:
        shown = await everything_shown(world)
        await world.restart()
        kinds = {type(ids.parse(custom_id)) for _, _, custom_id in shown}
        assert len(kinds) >= 25, sorted(kind.__name__ for kind in kinds)
        for person, message, custom_id in sorted(shown, key=ends_something):
            result = await world.forge(person, message, custom_id)
            said = [each for each in (result.response, *result.followups) if each]
            assert "went wrong" not in "".join(map(text_of, said)), custom_id


def ends_something(press: Press) -> bool:
    """The last to be pressed are those that end what the others are about."""
    return isinstance(ids.parse(press[2]), ids.ConfirmLeave | ids.ConfirmEnd | ids.LeaveLobby)


async def everything_shown(world: World) -> list[Press]:
    """All that a table offers from its lobby to its first tricks, and all panels beside it."""
    manager = world.guild.create_role("m", permissions=discord.Permissions(manage_guild=True))
    ann, bea = world.person("Ann", roles=[manager]), world.person("Bea")
    found: dict[str, Press] = {}

    def note(person: Any, messages: Sequence[Any]) -> None:
        for message in messages:
            found.update({each: (person, message, each) for each in custom_ids(message)})

    await world.slash(ann, "hearts start", seats=4, robots=1)
    table = await world.table_id()
    note(ann, [*world.posts(), (await world.slash(ann, "hearts hand")).response])
    await world.press(bea, world.newest_with(ids.Join(table)), ids.Join(table))
    await world.press(ann, world.newest_with(ids.AddRobot(table)), ids.AddRobot(table))
    await world.press(ann, world.newest_with(ids.Start(table)), ids.Start(table))
    for command in ("hearts help", "settings", "leaderboard", "hearts leave", "hearts end"):
        note(ann, [(await world.slash(ann, command)).response])
    players = [Player(world, each, table, random.Random(1)) for each in (ann, bea)]
    for player in players:
        await player.open_hand()
        note(player.member, [*world.posts(), player.hand])
        await player.act()
        note(player.member, [player.hand])
    await play(players, Watch(world, table), until=in_trick(2))
    for player in players:
        switch = ids.ToggleConfirm(table, on=True)
        # Whoever waits for others plans ahead where the switch is otherwise.
        plans = plan_ids.OpenPlans(table, 1)
        await player.press(switch if switch in player.offers else plans)
        note(player.member, [*world.posts(), player.hand])
        if cards := plays(player):
            await player.press(cards[0])
            note(player.member, [player.hand])
    return list(found.values())


@pytest.mark.case("B02")
async def test_b02_a_card_is_played_after_any_time_on_the_message_that_was_open():
    async with discord_world() as world:
        players = await sit_down(world, [world.person("Ann")], robots=3, clock="off")
        [player] = players
        await play(players, Watch(world, player.table), until=lambda view: bool(plays(player)))
        for seconds in (4 * 60, 16 * 60, 2 * DAY):
            [card, *_] = plays(player)
            message = player.hand.id
            await world.pass_time(seconds)
            await player.press(card)
            assert player.hand.id == message
            assert card.card not in await cards_of(player)
            await world.let_robots_move()
            await player.press(ids.RefreshHand(player.table))


def kept_by_the_library(bot: discord.Client) -> list[object]:
    """Views that the library stores, to wait for presses or for their timeout."""
    store = bot._connection._view_store
    return [*store._views.values(), *store._synced_message_views.values(), *store._dynamic_items]


@pytest.mark.case("B07")
async def test_b07_control_a_view_that_is_not_stopped_is_found_in_the_library():
    async with discord_world() as world:
        player = (await four(world))[0]
        await player.act()
        bot = world.app.bot
        assert kept_by_the_library(bot) == []
        view = ui.LayoutView(timeout=None)
        view.add_item(ui.ActionRow(ui.Button(label="x", custom_id="planted")))
        await bot.get_partial_messageable(world.channel.id).send(view=view)
        assert kept_by_the_library(bot) != []
        view.stop()
        assert kept_by_the_library(bot) == []


@pytest.mark.case("B11")
async def test_b11_a_click_that_is_delivered_twice_plays_one_card_and_raises_nothing(monkeypatch):
    """At once, as two sessions of one bot get it, and once more when all is over."""
    async with discord_world() as world:
        _, player = await in_play(world)
        before = await cards_of(player)
        [card, *_] = plays(player)
        backend = world.env.backend
        emit, delivered = backend.emit, []

        def twice(*event: Any) -> None:
            delivered.append(event)
            emit(*event)
            emit(*event)

        with monkeypatch.context() as patch:
            patch.setattr(backend, "emit", twice)
            click = world.send_raw(player.member, player.hand, ids.write(card))
        await world.env.settle()
        assert click.acknowledged
        assert await cards_of(player) == before - {card.card}
        emit(*delivered[0])
        await world.env.settle()
        assert await cards_of(player) == before - {card.card}
        stored = await world.app.bot.services.events.load(player.table)
        heard = [entry.cause.interaction_id for entry in stored]
        assert heard.count(int(delivered[0][1]["id"])) == 1


@pytest.mark.case("B11")
@pytest.mark.parametrize("known", [True, False], ids=["known", "control"])
async def test_b11_what_opens_a_form_is_never_deferred_first(monkeypatch, known):
    """A form is Discord's very first answer or none, however long the work before it takes."""
    real = ScoreKeepers.look

    async def slow(*args: Any, **options: Any) -> Any:
        await asyncio.sleep(LONGER_THAN_PATIENCE)
        return await real(*args, **options)

    if not known:
        monkeypatch.setattr("cogs.router._OPENS_FORM", ())
    async with discord_world() as world:
        ann = world.person("Ann")
        panel = await world.slash(ann, "hearts scorekeeper", players="Ann, Bea, Cyd")
        monkeypatch.setattr(ScoreKeepers, "look", slow)
        [button] = [each for each in actions(panel.response) if isinstance(each, OpenPoints)]
        pressed = world.send_raw(ann, panel.response, ids.write(button))
        await world.env.advance_time(LONGER_THAN_PATIENCE)
        assert (pressed.modal is not None) is known
        assert pressed.deferred is not known


@pytest.mark.case("B11")
def test_b11_forms_are_opened_in_one_place():
    opening = [path.name for path in COGS.rglob("*.py") if "send_modal" in path.read_text()]
    assert opening == ["answers.py"]


@pytest.mark.case("B15")
@pytest.mark.case("B16")
@pytest.mark.parametrize("how", ["host", "everybody leaves", "abandoned"])
@pytest.mark.thorough
async def test_b16_a_game_that_is_cut_off_keeps_no_live_button_but_those_of_its_result(how):
    async with discord_world() as world:
        players, player = await in_play(world, tricks=1)
        card, old_hand = plays(player)[0], player.hand
        await cut_off(world, players, how)
        assert (await world.app.tables.view(player.table)).status is Status.CLOSED
        *earlier, result = world.posts()
        assert [custom_ids(each) for each in earlier] == [[] for _ in earlier]
        assert ids.OpenHand(player.table) not in map(ids.parse, custom_ids(result))
        late = await world.forge(player.member, old_hand, ids.write(card))
        assert late.response.ephemeral
        assert "closed" in text_of(late.response)
        assert "not possible at this table any more" in text_of(late.response)
        fresh = world.person("Eve")
        await world.slash(fresh, "hearts start", seats=4)
        assert len(await world.tables()) == 1


async def cut_off(world: World, players: Sequence[Player], how: str) -> None:
    table = players[0].table
    if how == "host":
        asked = await world.slash(players[0].member, "hearts end")
        await world.press(players[0].member, asked.response, ids.ConfirmEnd(table))
    elif how == "everybody leaves":
        for player in players:
            asked = await world.slash(player.member, "hearts leave")
            await world.press(player.member, asked.response, ids.ConfirmLeave(table))
    else:
        await world.pass_time(30 * DAY)


async def places_with_the_hand(world: World, player: Player) -> list[Any]:
    """The hand as the button shows it, as the command does here, elsewhere and by message."""
    elsewhere = world.guild.create_text_channel("elsewhere")
    await player.open_hand()
    typed = [await world.slash(player.member, "hearts hand") for _ in range(2)]
    away = await world.slash(player.member, "hearts hand", channel=elsewhere)
    direct = await player.member.user.slash("hearts hand")
    return [player.hand, *(each.response for each in (*typed, away, direct))]


@pytest.mark.case("B20")
async def test_b20_the_hand_is_the_same_in_every_phase_wherever_and_however_often_it_is_opened():
    async with discord_world() as world:
        players = await four(world)
        player = players[0]
        watch = Watch(world, player.table)
        await self_same(world, player)
        menu = next(each for each in player.offers if isinstance(each, ids.ChoosePass))
        held = await cards_of(player)
        assert set(menu_of(player.hand, menu)[0]) == set(map(str, held))
        await player.act()
        await self_same(world, player)
        await play(players, watch, until=in_trick(2))
        await self_same(world, player)
        assert cards_on_buttons(player.hand) == await cards_of(player)
        mover = next(each for each in players if plays(each))
        await mover.press(plays(mover)[0])
        await self_same(world, mover)
        assert cards_on_buttons(mover.hand) == await cards_of(mover)


async def self_same(world: World, player: Player) -> None:
    """All ways to the hand show it alike, and every card of it in words, suit by suit."""
    first, *others = await places_with_the_hand(world, player)
    assert {text_of(each) for each in others} == {text_of(first)}
    assert {tuple(custom_ids(each)) for each in others} == {tuple(custom_ids(first))}
    for suit, group in faces.by_suit(await cards_of(player)):
        assert faces.suit_line(Voice(), suit, group) in text_of(first)


@pytest.mark.case("B128")
async def test_b128_a_card_that_may_not_be_played_is_answered_with_the_rule_in_words():
    async with discord_world() as world:
        players, player = await in_play(world)
        watch = Watch(world, player.table)
        await play(players, watch, until=someone_has_to_follow(players))
        player = next(each for each in players if plays(each))
        before = await world.app.tables.view(player.table)
        trick = before.game.trick
        playable = {action.card for action in plays(player)}
        forbidden = min(await cards_of(player) - playable, key=str)
        again = await world.forge(
            player.member,
            player.hand,
            ids.write(ids.PlayCard(player.table, before.game.trick_number, forbidden)),
        )
        suit = trick.plays[0].card.suit
        rule = Voice().say(Sentence(Reason.MUST_FOLLOW.value, {"suit": suit}))
        assert text_of(again.response).startswith(f"> **{rule}**")
        assert {action.card for action in plays(player)} == playable
        assert await world.app.tables.view(player.table) == before


def someone_has_to_follow(players: Sequence[Player]) -> Any:
    """Whether the one to move holds the suit led and others beside it."""

    def reached(view: Any) -> bool:
        if view.game is None or view.game.trick is None or not view.game.trick.plays:
            return False
        movers = [each for each in players if plays(each)]
        return any(len(plays(each)) < len(cards_on_buttons(each.hand)) for each in movers)

    return reached


@pytest.mark.case("B22")
@pytest.mark.parametrize("seconds", [0, 0.03], ids=["answered", "deferred"])
@pytest.mark.thorough
async def test_b22_every_answer_is_for_one_pair_of_eyes_from_its_first_word(monkeypatch, seconds):
    """Whether a message is private is settled by the first answer, be it that it says “wait”."""
    monkeypatch.setattr("cogs.answers.PATIENCE", 0.01 if seconds else 1.5)
    async with discord_world() as world:
        settings = type(world.app.bot.services.settings)
        monkeypatch.setattr(settings, "person", delayed(settings.person, seconds))
        players = await four(world)
        await play(players, Watch(world, players[0].table), until=in_trick(2))
        for player in players:
            await player.open_hand()
        answers = [body for _, path, body in world.wire.payloads if path.endswith("/callback")]
        opened = [body for body in answers if body["type"] in FRESH]
        in_place = [body for body in answers if body["type"] not in FRESH]
        assert len(in_place) > 2 * len(players)
        assert sum(body["type"] == WAIT for body in opened) >= (2 * len(players) if seconds else 0)
        flags = [(body.get("data") or {}).get("flags", 0) for body in opened]
        assert len(flags) > 2 * len(players)
        assert [each for each in flags if not each & PRIVATE] == []


def delayed(real: Any, seconds: float) -> Any:
    """The same, but slow."""

    async def slow(*args: Any) -> Any:
        await asyncio.sleep(seconds)
        return await real(*args)

    return slow
