"""Slash commands, typed by people in a simulated server."""

import json
from typing import Any

import discord
import pytest

from bot.rules.record import from_dict
from bot.table.ids import ChannelId, GuildId, Human, Robot, UserId
from bot.table.state import Status
from bot.table.storing import PersonSettings, ServerSettings
from cogs.ui import ids
from tests.support.discord import World, actions, custom_ids, discord_world, text_of
from tests.support.games import Watch, play
from tests.support.house import house
from tests.support.seated import ended_game, four, in_play, in_trick, plays


async def settle_server(world: World, **changes: Any) -> None:
    settings = ServerSettings(**changes)
    await world.app.bot.services.settings.save_server(GuildId(world.guild.id), settings)


async def test_start_opens_the_table_that_was_asked_for():
    async with discord_world() as world:
        ann, bea, cyd = (world.person(name) for name in ("Ann", "Bea", "Cyd"))
        result = await world.slash(
            ann,
            "hearts start",
            variant="standard",
            seats=5,
            member1=bea,
            member2=cyd,
            robots=1,
            clock="1h",
        )
        assert result.response.ephemeral
        view = await world.app.tables.view(await world.table_id())
        assert view.seats == 5
        assert view.clock.id == "1h"
        assert view.invited == (bea.id, cyd.id)
        assert view.chairs[0] == Human(UserId(ann.id))
        assert sum(isinstance(chair, Robot) for chair in view.chairs) == 1
        assert {"Ann", "Bea", "Cyd"} <= set(view.names.values())


async def test_start_makes_room_for_everybody_named():
    async with discord_world() as world:
        people = [world.person(name) for name in ("Ann", "Bea", "Cyd", "Dan", "Eve")]
        guests = {f"member{n}": person for n, person in enumerate(people[1:], 1)}
        await world.slash(people[0], "hearts start", **guests)
        assert (await world.app.tables.view(await world.table_id())).seats == 5


async def test_start_follows_the_servers_settings():
    async with discord_world() as world:
        ours = house(end={"target": 50})
        await settle_server(world, clock="8h", house_rules=(ours,), default_house=ours.id)
        ann = world.person("Ann")
        await world.slash(ann, "hearts start")
        view = await world.app.tables.view(await world.table_id())
        assert view.clock.id == "8h"
        assert view.ruleset.end.points == 50


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"seats": 7}, "can be played with 3, 4, 5, and 6 seats, not with 7"),
        ({"seats": 3, "robots": 0}, "is open"),
        ({"variant": "no such"}, "know no variant “no such”"),
        ({"variant": "Standard Hearts"}, "is open"),
    ],
)
async def test_start_says_kindly_what_cannot_be(options, said):
    async with discord_world() as world:
        result = await world.slash(world.person("Ann"), "hearts start", **options)
        assert result.response.ephemeral
        assert said in text_of(result.response)


async def test_start_is_refused_where_the_server_wants_no_tables():
    async with discord_world() as world:
        cards = world.guild.create_text_channel("cards")
        await settle_server(world, channels=(ChannelId(cards.id),))
        ann = world.person("Ann")
        refused = await world.slash(ann, "hearts start")
        assert cards.mention in text_of(refused.response)
        await world.slash(ann, "hearts start", channel=cards)
        assert len(await world.tables()) == 1


async def test_a_thread_is_open_for_tables_where_its_channel_is():
    async with discord_world() as world:
        await settle_server(world, channels=(ChannelId(world.channel.id),))
        world.env.backend.create_thread(world.channel.id, "cards", world.guild.owner.id)
        [thread] = world.channel.threads
        await world.slash(world.person("Ann"), "hearts start", channel=thread)
        assert world.posts(thread)


@pytest.mark.parametrize("kind", ["voice", "thread"])
async def test_tables_also_open_in_voice_chats_and_threads(kind):
    async with discord_world() as world:
        if kind == "voice":
            place = world.guild.create_voice_channel("talk")
        else:
            world.env.backend.create_thread(world.channel.id, "cards", world.guild.owner.id)
            [place] = world.channel.threads
        await world.slash(world.person("Ann"), "hearts start", channel=place)
        assert ids.Join(await world.table_id()) in actions(world.posts(place)[-1])


async def test_a_second_table_in_the_channel_is_refused_with_words():
    async with discord_world() as world:
        await world.slash(world.person("Ann"), "hearts start")
        again = await world.slash(world.person("Bea"), "hearts start")
        assert "already has a table" in text_of(again.response)
        assert len(await world.tables()) == 1


async def test_starting_alone_without_robots_is_refused_with_words():
    async with discord_world() as world:
        ann = world.person("Ann")
        await world.slash(ann, "hearts start", seats=4)
        table = await world.table_id()
        lobby = world.newest_with(ids.Start(table))
        result = await world.press(ann, lobby, ids.Start(table))
        assert "still free seats" in text_of(said_privately(result))
        assert ids.Start(table) in actions(world.posts()[-1])


def said_privately(result: Any) -> Any:
    """What only the person who pressed was told."""
    [answer] = [each for each in (*result.followups, result.response) if each and each.ephemeral]
    return answer


async def test_in_a_direct_message_start_says_where_it_works():
    async with discord_world() as world:
        ann = world.person("Ann")
        result = await ann.user.slash("hearts start")
        assert result.acknowledged
        assert "in a channel of a server" in text_of(result.response)


async def test_hand_and_games_work_in_a_direct_message_too():
    async with discord_world() as world:
        _, player = await in_play(world)
        hand = await player.member.user.slash("hearts hand")
        assert any(isinstance(action, ids.PlayCard) for action in actions(hand.response))
        games = await player.member.user.slash("hearts games")
        assert "Card Club" in text_of(games.response) or player.table in text_of(games.response)


async def test_hand_asks_which_table_when_there_are_several():
    async with discord_world() as world:
        ann = world.person("Ann")
        places = [world.guild.create_text_channel(name) for name in ("one", "two", "three")]
        for place in places[:2]:
            await world.slash(ann, "hearts start", channel=place, seats=4, robots=3)
        asked = await world.slash(ann, "hearts hand", channel=places[2])
        assert "several tables" in text_of(asked.response)
        here = await world.slash(ann, "hearts hand", channel=places[0])
        assert places[0].mention in text_of(here.response)
        offered = await ann.autocomplete(places[2], "hearts hand", "table", "")
        named = await world.slash(ann, "hearts hand", channel=places[2], table=offered[-1]["value"])
        assert offered[-1]["value"] in text_of(named.response)


async def test_somebody_without_a_seat_has_no_hand():
    async with discord_world() as world:
        players = await four(world)
        eve = world.person("Eve")
        typed = await world.slash(eve, "hearts hand")
        assert "sit at no table" in text_of(typed.response)
        post = world.newest_with(ids.OpenHand(players[0].table))
        pressed = await world.press(eve, post, ids.OpenHand(players[0].table))
        assert "do not sit at this table" in text_of(pressed.response)
        assert pressed.response.ephemeral


async def test_leave_asks_first_and_then_gives_the_seat_to_a_robot():
    async with discord_world() as world:
        players, _ = await in_play(world)
        leaver = players[1].member
        asked = await world.slash(leaver, "hearts leave")
        view = await world.app.tables.view(players[0].table)
        assert all(isinstance(chair, Human) for chair in view.chairs)
        left = await world.press(leaver, asked.response, ids.ConfirmLeave(view.id))
        assert custom_ids(left.response) == []
        view = await world.app.tables.view(view.id)
        assert Robot("steady", keeps_for=UserId(leaver.id)) in view.chairs
        back = await world.slash(leaver, "hearts hand")
        await world.press(leaver, back.response, ids.TakeSeatBack(view.id))
        view = await world.app.tables.view(view.id)
        assert Human(UserId(leaver.id)) in view.chairs


async def test_the_host_starts_a_full_table_from_the_call_which_goes_then():
    async with discord_world() as world:
        ann, bea = world.person("Ann"), world.person("Bea")
        await world.slash(ann, "hearts start", robots=2)
        table = await world.table_id()
        await world.press(bea, world.newest_with(ids.Join(table)), ids.Join(table))
        await world.pass_time(4)
        call = world.posts()[-1]
        assert f"<@{ann.id}>" in call.content
        await world.press(ann, call, ids.Start(table))
        assert (await world.app.tables.view(table)).status is Status.PLAYING
        assert call.id not in {post.id for post in world.posts()}


@pytest.mark.parametrize("by", ["command", "hand"])
async def test_a_lobby_is_left_without_a_question(by):
    async with discord_world() as world:
        ann, bea = world.person("Ann"), world.person("Bea")
        await world.slash(ann, "hearts start", seats=4)
        table = await world.table_id()
        await world.press(bea, world.newest_with(ids.Join(table)), ids.Join(table))
        if by == "command":
            left = await world.slash(bea, "hearts leave")
        else:
            hand = await world.slash(bea, "hearts hand")
            left = await world.press(bea, hand.response, ids.LeaveLobby(table))
        assert "left the lobby" in text_of(left.response)
        assert custom_ids(left.response) == []
        assert "Bea" not in text_of(world.newest_with(ids.Join(table)))


async def test_end_is_for_the_host_and_for_moderators_of_that_channel():
    async with discord_world() as world:
        players, _ = await in_play(world)
        table = players[0].table
        refused = await world.slash(players[1].member, "hearts end")
        assert "Only the host" in text_of(refused.response)
        forged = await world.forge(
            players[1].member, refused.response, ids.write(ids.ConfirmEnd(table))
        )
        assert forged.acknowledged
        assert (await world.app.tables.view(table)).status is Status.PLAYING
        asked = await world.slash(players[0].member, "hearts end")
        assert (await world.app.tables.view(table)).status is Status.PLAYING
        await world.press(players[0].member, asked.response, ids.ConfirmEnd(table))
        assert (await world.app.tables.view(table)).status is Status.CLOSED


@pytest.mark.parametrize("where", ["same", "other"])
async def test_a_moderator_may_end_somebody_elses_table(where):
    async with discord_world() as world:
        players, _ = await in_play(world)
        moderator = world.guild.create_role(
            "moderator", permissions=discord.Permissions(manage_messages=True)
        )
        mod = world.person("Mod", roles=[moderator])
        place = world.channel if where == "same" else world.guild.create_text_channel("office")
        asked = await world.slash(mod, "hearts end", channel=place, table=players[0].table)
        await world.press(mod, asked.response, ids.ConfirmEnd(players[0].table))
        assert (await world.app.tables.view(players[0].table)).status is Status.CLOSED


async def test_a_moderator_of_another_server_may_not():
    async with discord_world() as world:
        players, _ = await in_play(world)
        elsewhere = world.env.create_guild("Elsewhere")
        boss = elsewhere.add_member(world.env.create_user("Boss"))
        elsewhere._guild.owner_id = boss.id
        channel = elsewhere.create_text_channel("general")
        result = await world.slash(boss, "hearts end", channel=channel, table=players[0].table)
        assert "do not know that table" in text_of(result.response)


async def test_table_brings_the_newest_post_back_to_the_end_of_the_channel():
    async with discord_world() as world:
        players, _ = await in_play(world)
        buried = world.newest_with(ids.OpenHand(players[0].table))
        await players[0].member.send(world.channel, "chatter")
        result = await world.slash(players[1].member, "hearts table")
        assert f"<#{world.channel.id}>" in text_of(result.response)
        assert str(buried.id) not in text_of(result.response)  # it is about to be deleted
        newest = world.posts()[-1]
        assert ids.OpenHand(players[0].table) in actions(newest)
        assert newest.id != buried.id
        assert buried.id not in {post.id for post in world.posts()}


async def test_score_and_rules_are_told_to_everybody_who_asks_in_private():
    async with discord_world() as world:
        await four(world)
        eve = world.person("Eve")
        for command in ("hearts score", "hearts rules", "hearts variants", "hearts help"):
            result = await world.slash(eve, command)
            assert result.response.ephemeral
            assert text_of(result.response)


async def test_help_turns_to_another_topic_and_links_to_commands():
    async with discord_world() as world:
        ann = world.person("Ann")
        first = await world.slash(ann, "hearts help")
        assert "</hearts start:" in text_of(first.response)
        other = await world.choose(ann, first.response, ids.ChooseHelp(), ["time"])
        assert text_of(other.response) != ""
        assert other.response.id == first.response.id


async def test_asking_once_more_before_a_card_is_a_persons_choice():
    async with discord_world() as world:
        _, player = await in_play(world)
        await player.press(ids.ToggleConfirm(player.table, on=True))
        person = await world.app.bot.services.settings.person(UserId(player.member.id))
        assert person == PersonSettings(confirm_cards=True)
        [card, *_] = plays(player)
        await player.press(card)
        [sure] = [each for each in player.offers if isinstance(each, ids.ConfirmCard)]
        assert not (await world.app.tables.view(player.table)).game.trick.plays
        await player.press(sure)
        view = await world.app.tables.view(player.table)
        assert [each.card for each in view.game.trick.plays] == [card.card]


async def test_a_chosen_pass_may_be_changed_until_all_have_chosen():
    async with discord_world() as world:
        players = await four(world)
        first = players[0]
        await first.act()
        change = ids.ChangePass(first.table, 1)
        await first.press(change)
        await first.act()
        assert change in first.offers
        for player in players[1:]:
            await player.act()
        await first.open_hand()
        assert change not in first.offers


@pytest.mark.thorough
async def test_the_record_of_a_finished_game_can_be_taken_and_of_no_other():
    async with discord_world() as world:
        ann = world.person("Ann")
        table = await ended_game(world, [ann])
        result = await world.press(ann, world.newest_with(ids.Record(table)), ids.Record(table))
        [attachment] = result.response.attachments
        plain = json.loads(world.env.backend.cdn.get(attachment.url))
        assert from_dict(plain).deals
        await world.slash(ann, "hearts start", seats=4, robots=3)
        running = await world.table_id()
        await world.press(ann, world.newest_with(ids.Start(running)), ids.Start(running))
        forged = await world.forge(ann, world.posts()[-1], ids.write(ids.Record(running)))
        assert not forged.response.attachments


@pytest.mark.thorough
async def test_leaderboard_and_stats_count_what_was_played():
    async with discord_world() as world:
        people = [world.person("Ann"), world.person("Bea")]
        await ended_game(world, people)
        board = await world.slash(people[0], "leaderboard")
        assert "Ann" in text_of(board.response)
        month = await world.press(people[0], board.response, ids.ServerBoard(ids.Period.DAYS_30, 1))
        assert "Bea" in text_of(month.response)
        stats = await world.slash(people[0], "stats", member=people[1])
        assert "Bea" in text_of(stats.response)


async def test_a_challenge_opens_a_lobby_with_the_other_invited():
    async with discord_world() as world:
        ann, bea = world.person("Ann"), world.person("Bea")
        result = await ann.context_menu(world.channel, "Challenge to Hearts", bea)
        await world.show()
        assert result.acknowledged
        view = await world.app.tables.view(await world.table_id())
        assert view.invited == (bea.id,)
        oneself = await ann.context_menu(world.channel, "Challenge to Hearts", ann)
        assert "challenge yourself" in text_of(oneself.response)


async def test_a_call_to_the_one_to_move_opens_the_hand_and_goes_with_the_turn():
    async with discord_world() as world:
        _, player = await in_play(world)
        await world.pass_time(4)
        called = f"<@{player.member.id}>"
        [call] = [post for post in world.posts() if post.content.startswith(called)]
        opened = await world.press(player.member, call, ids.OpenHand(player.table))
        assert plays(player)[0] in actions(opened.response)
        await player.press(plays(player)[0])
        await world.pass_time(1)
        assert call.id not in {post.id for post in world.posts()}


async def test_other_open_hands_are_refreshed_when_the_table_moves_on():
    async with discord_world() as world:
        players, player = await in_play(world)
        watching = players[(players.index(player) + 2) % 4]
        before = text_of(watching.hand)
        await player.press(plays(player)[0])
        assert text_of(watching.hand) != before
        await play(players, Watch(world, player.table), until=in_trick(2))
        assert "Trick 2" in text_of(watching.hand) or "trick 2" in text_of(watching.hand)
