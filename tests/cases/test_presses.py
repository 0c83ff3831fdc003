"""Presses that come twice, late or from the wrong person: rows B11 to B22 of the known cases."""

from pathlib import Path
from typing import Any

import pytest

from bot.table.ids import Human
from bot.table.state import Status
from cogs.ui import ids
from tests.support.discord import actions, custom_ids, discord_world, text_of
from tests.support.games import Watch, cards_named, deals_done, play
from tests.support.seated import (
    cards_of,
    cards_on_buttons,
    ended_game,
    four,
    in_play,
    in_trick,
    plays,
    to_move,
)

COGS = Path(__file__).parents[2] / "cogs"
REASON = "> **"
"""Begins the line of a hand that says why a press did nothing."""


async def test_b11_answering_one_interaction_twice_changes_and_raises_nothing():
    async with discord_world() as world:
        players = await four(world)
        post = world.newest_with(ids.OpenHand(players[0].table))
        heard = []
        world.app.bot.add_listener(heard_by(heard), "on_interaction")
        await world.press(players[0].member, post, ids.OpenHand(players[0].table))
        [again] = heard
        [door] = [
            each
            for each in world.app.bot.extra_events["on_interaction"]
            if each.__qualname__ == "Router.on_interaction"
        ]
        await door(again)


def heard_by(heard: list[Any]) -> Any:
    async def on_interaction(interaction: Any) -> None:
        heard.append(interaction)

    return on_interaction


async def test_b12_a_double_press_plays_one_card():
    async with discord_world() as world:
        _, player = await in_play(world, tricks=1)
        before = await cards_of(player)
        first, *others = plays(player)
        pressed = [first, first, others[0] if others else first]
        heard = len(world.wire.payloads)
        clicks = [world.send_raw(player.member, player.hand, ids.write(each)) for each in pressed]
        await world.env.settle()
        assert all(click.acknowledged for click in clicks)
        [played] = before - await cards_of(player)
        # Whichever answer came last stands in the hand; each press on another card was told why.
        told = [str(body) for _, _, body in world.wire.payloads[heard:]]
        refused = sum("not your turn" in words or "moved on" in words for words in told)
        assert refused == sum(each.card != played for each in pressed)


@pytest.mark.parametrize("repeated", [True, False])
async def test_b12_only_a_press_on_another_card_than_the_one_just_played_is_refused(repeated):
    async with discord_world() as world:
        _, player = await in_play(world)
        card, message = plays(player)[0], player.hand
        await player.press(card)
        held = min(await cards_of(player), key=str)
        late = card if repeated else ids.PlayCard(card.table, card.turn, held)
        again = await world.forge(player.member, message, ids.write(late))
        words = text_of(again.response)
        assert "Waiting for" in words
        assert (REASON in words) is not repeated
        assert ("It is not your turn" in words) is not repeated


async def test_b12_the_last_card_of_a_trick_pressed_twice_shows_the_hand_in_silence():
    async with discord_world() as world:
        players, _ = await in_play(world)
        for _ in range(3):
            await to_move(players).act()
        last = to_move(players)
        card, message = plays(last)[0], last.hand
        await last.press(card)
        again = await world.forge(last.member, message, ids.write(card))
        assert "Your cards" in text_of(again.response) or "Waiting for" in text_of(again.response)
        assert REASON not in text_of(again.response)
        old = ids.PlayCard(card.table, card.turn, min(await cards_of(last), key=str))
        late = await world.forge(last.member, message, ids.write(old))
        assert "moved on" in text_of(late.response)


async def test_b13_two_people_who_press_at_once_change_a_lobby_once():
    async with discord_world() as world:
        people = [world.person(name) for name in ("Ann", "Bea")]
        await world.slash(people[0], "hearts start", seats=4, robots=1)
        table = await world.table_id()
        await world.press(people[1], world.newest_with(ids.Join(table)), ids.Join(table))
        lobby = world.newest_with(ids.AddRobot(table))
        for action in (ids.AddRobot(table), ids.Start(table)):
            clicks = [world.send_raw(each, lobby, ids.write(action)) for each in people]
            await world.env.settle()
            assert all(click.acknowledged for click in clicks)
            await world.show()
        view = await world.app.tables.view(table)
        assert view.game.deal == 1
        assert sum("Deal 1" in text_of(post) for post in world.posts()) == 1


@pytest.mark.thorough
async def test_b13_a_rematch_that_two_press_at_once_is_one_lobby():
    async with discord_world() as world:
        people = [world.person(name) for name in ("Ann", "Bea")]
        table = await ended_game(world, people)
        result = world.newest_with(ids.Rematch(table))
        for each in people:
            world.send_raw(each, result, ids.write(ids.Rematch(table)))
        await world.env.settle()
        await world.show()
        [line] = await world.tables()
        view = await world.app.tables.view(line.id)
        sitting = {chair.user_id for chair in view.chairs if isinstance(chair, Human)}
        assert sitting == {each.id for each in people}


async def test_b15_old_and_foreign_buttons_show_the_present_hand_and_play_nothing():
    async with discord_world() as world:
        players, player = await in_play(world)
        old, message = plays(player)[0], player.hand
        await player.press(old)
        await play(players, Watch(world, player.table), until=in_trick(3))
        before = await world.app.tables.view(player.table)
        again = await world.forge(player.member, message, ids.write(old))
        assert "moved on" in text_of(again.response) or "hold" in text_of(again.response)
        stranger = world.person("Eve")
        foreign = await world.forge(
            stranger, world.posts()[-1], ids.write(plays(to_move(players))[0])
        )
        assert "do not sit" in text_of(foreign.response)
        assert foreign.response.ephemeral
        assert await world.app.tables.view(player.table) == before


@pytest.mark.thorough
async def test_b15_a_card_of_an_earlier_deal_is_not_played_in_this_one():
    async with discord_world() as world:
        players, player = await in_play(world)
        old = plays(player)[0]
        view = await play(players, Watch(world, player.table), until=deals_done(1))
        await play(players, Watch(world, player.table), until=in_trick(view.game.tricks_before + 1))
        before = await world.app.tables.view(player.table)
        await world.forge(player.member, player.hand, ids.write(old))
        assert await world.app.tables.view(player.table) == before


async def test_b15_a_leave_of_the_lobby_that_comes_after_the_start_leaves_no_game():
    async with discord_world() as world:
        players = await four(world)
        table, late = players[0].table, players[1].member
        post = world.newest_with(ids.OpenHand(table))
        refused = await world.forge(late, post, ids.write(ids.LeaveLobby(table)))
        assert "any more" in text_of(refused.response)
        view = await world.app.tables.view(table)
        assert Human(late.id) in view.chairs


async def test_b15_a_button_of_a_finished_game_says_so():
    async with discord_world() as world:
        players, player = await in_play(world)
        card = plays(player)[0]
        host = players[0].member
        asked = await world.slash(host, "hearts end")
        await world.press(host, asked.response, ids.ConfirmEnd(player.table))
        late = await world.forge(player.member, player.hand, ids.write(card))
        assert late.response.ephemeral
        assert (await world.app.tables.view(player.table)).status is Status.CLOSED


@pytest.mark.parametrize("end", ["abort", "leave", "idle"])
async def test_b16_what_is_over_keeps_no_live_button(end):
    async with discord_world() as world:
        ann = world.person("Ann")
        await world.slash(ann, "hearts start", seats=4)
        table = await world.table_id()
        if end == "abort":
            asked = await world.slash(ann, "hearts end")
            await world.press(ann, asked.response, ids.ConfirmEnd(table))
        elif end == "leave":
            await world.press(ann, world.newest_with(ids.LeaveLobby(table)), ids.LeaveLobby(table))
        else:
            await world.pass_time(7 * 24 * 3_600)
        assert not await world.tables()
        assert [custom_ids(post) for post in world.posts()] == [[] for _ in world.posts()]


@pytest.mark.thorough
async def test_b16_only_the_newest_post_of_a_game_has_buttons():
    async with discord_world() as world:
        people = [world.person(name) for name in ("Ann", "Bea")]
        table = await ended_game(world, people)
        *others, newest = world.posts()
        assert {custom_id for post in others for custom_id in custom_ids(post)} == set()
        assert ids.Rematch(table) in actions(newest)


async def test_b18_a_hand_whose_token_is_old_is_not_edited():
    async with discord_world() as world:
        players, player = await in_play(world)
        watching = next(each for each in players if each is not player)
        await world.env.advance_time(15 * 60)
        world.wire.payloads.clear()
        await player.press(plays(player)[0])
        edits = [path for method, path, _ in world.wire.payloads if path.endswith("@original")]
        assert edits == []
        await watching.open_hand()
        assert text_of(watching.hand)


async def test_b20_the_hand_shows_the_same_cards_as_often_as_it_is_opened():
    async with discord_world() as world:
        _, player = await in_play(world)
        await player.press(plays(player)[0])
        held = await cards_of(player)
        for _ in range(2):
            await player.open_hand()
            typed = await world.slash(player.member, "hearts hand")
            for message in (player.hand, typed.response):
                assert held <= cards_on_buttons(message) | cards_named(text_of(message))


def test_b21_no_answer_deletes_itself():
    assert [path.name for path in COGS.rglob("*.py") if "delete_after" in path.read_text()] == []


@pytest.mark.thorough
async def test_b22_nothing_public_names_an_unplayed_card():
    async with discord_world() as world:
        players = await four(world)
        watch = Watch(world, players[0].table)
        await play(players, watch, until=deals_done(1))
        assert watch.leaks == []


async def test_b22_a_card_in_a_public_message_is_found_when_it_is_planted():
    async with discord_world() as world:
        _, player = await in_play(world)
        watch = Watch(world, player.table)
        await watch.look()
        held = min(await cards_of(player), key=str)
        channel = world.app.bot.get_partial_messageable(world.channel.id)
        await channel.send(f"Deal 1 h1:play:x:1:{held}")
        await watch.look()
        assert len(watch.leaks) == 1
