"""Votes, pauses and removals as people meet them: commands, the newest post, its buttons."""

import discord
import pytest

from bot.table.clocks import move_clock
from bot.table.ids import GuildId, Human, Robot
from cogs.ui import ids, seat_ids, vote_ids
from cogs.ui.parts import MOST_COMPONENTS
from tests.support.discord import World, components_of, custom_ids, discord_world, text_of, walk
from tests.support.games import Player, sit_down
from tests.support.house import server_playing

NAMES = ("Ann", "Bea", "Cyd", "Dan")


async def table_of(world: World, *names: str, robots: int = 0, clock: str = "24h") -> list[Player]:
    """A game of these people; the first is its host."""
    people = [world.person(name) for name in names]
    return await sit_down(world, people, robots=robots, clock=clock)


async def vote(world: World, player: Player, number: int = 1, *, is_for: bool = True):
    """Press a button of a vote where it stands."""
    action = vote_ids.CastVote(player.table, number, is_for)
    pressed = await world.press(player.member, world.newest_with(action), action)
    await world.show()
    return pressed


async def view_of(world: World, player: Player):
    return await world.app.tables.view(player.table)


def said(world: World, words: str) -> int:
    return sum(words in text_of(message) for message in world.posts())


def moderator(world: World):
    rights = discord.Permissions(manage_messages=True)
    return world.person("Mod", roles=[world.guild.create_role("mod", permissions=rights)])


async def test_a_pause_is_asked_for_agreed_on_in_the_newest_post_and_ended_there():
    async with discord_world() as world:
        players = await table_of(world, *NAMES)
        ann, *others = players
        asked = await world.slash(ann.member, "hearts pause")
        assert "you have voted for it" in text_of(asked.response)
        await world.show()
        newest = world.posts()[-1]
        assert "Pause this table" in text_of(newest)
        assert "4 votes are needed" in text_of(newest)
        assert "for it: Ann" in text_of(newest)
        for player in others:
            await vote(world, player)
        assert said(world, "Everybody agreed to a pause") == 1
        go_on = vote_ids.EndPause(ann.table)
        post = world.newest_with(go_on)
        assert "This table is paused, as everybody at it wanted." in text_of(post)
        await world.press(others[0].member, post, go_on)
        await world.show()
        assert not (await view_of(world, ann)).agreed_pause
        assert said(world, "ended the pause") == 1
        assert ids.write(go_on) not in custom_ids(world.posts()[-1])


async def test_in_a_pause_the_hand_shows_its_cards_and_lets_nobody_play():
    async with discord_world() as world:
        [ann] = await table_of(world, "Ann", robots=3)
        paused = await world.slash(ann.member, "hearts pause")
        assert "That is settled" in text_of(paused.response)
        await world.show()
        await ann.open_hand()
        assert "This table is paused" in text_of(ann.hand)
        assert "Spades" in text_of(ann.hand)
        kinds = {type(action) for action in ann.offers}
        assert vote_ids.EndPause in kinds
        assert kinds.isdisjoint({ids.ChoosePass, ids.PlayCard})
        await ann.press(vote_ids.EndPause(ann.table))
        assert not (await view_of(world, ann)).agreed_pause
        assert text_of(ann.hand) == "That is settled, and the table is told."


async def test_who_asks_for_a_pause_in_a_pause_is_offered_to_go_on():
    async with discord_world() as world:
        [ann] = await table_of(world, "Ann", robots=3)
        await world.slash(ann.member, "hearts pause")
        again = await world.slash(ann.member, "hearts pause")
        await world.press(ann.member, again.response, vote_ids.EndPause(ann.table))
        assert not (await view_of(world, ann)).agreed_pause


async def test_a_pause_and_its_votes_outlive_a_restart():
    async with discord_world() as world:
        ann, bea = await table_of(world, "Ann", "Bea", robots=2)
        await world.slash(ann.member, "hearts pause")
        await world.show()
        await world.restart()
        await vote(world, bea)
        assert (await view_of(world, ann)).agreed_pause
        await world.restart()
        go_on = vote_ids.EndPause(ann.table)
        await world.press(bea.member, world.newest_with(go_on), go_on)
        assert not (await view_of(world, ann)).agreed_pause


async def test_a_press_by_a_bystander_and_one_on_an_old_vote_are_refused():
    async with discord_world() as world:
        ann, bea = await table_of(world, "Ann", "Bea", robots=2)
        await world.slash(ann.member, "hearts pause")
        await world.show()
        action = vote_ids.CastVote(ann.table, 1, is_for=True)
        post = world.newest_with(action)
        stranger = await world.press(world.person("Eve"), post, action)
        assert "Only people who sit at this table" in text_of(stranger.response)
        await vote(world, bea, is_for=False)
        late = await world.forge(bea.member, post, ids.write(action))
        assert "That vote is over" in text_of(late.response)
        assert said(world, "The vote did not pass") == 1


@pytest.mark.case("B55")
async def test_b55_a_majority_changes_the_clock_and_the_deadline_that_is_shown():
    async with discord_world() as world:
        ann, bea, cyd = await table_of(world, "Ann", "Bea", "Cyd", robots=1, clock="1h")
        same = await world.slash(ann.member, "hearts clock", clock="1h")
        assert "has that clock already" in text_of(same.response)
        before = (await view_of(world, ann)).deadlines
        await world.slash(ann.member, "hearts clock", clock="24h")
        await world.show()
        assert "Change the clock to 24 hours a move?" in text_of(world.posts()[-1])
        await vote(world, bea)
        after = await view_of(world, cyd)
        assert after.clock == move_clock("24h")
        assert min(after.deadlines.values()) > max(before.values())
        assert said(world, "another clock: 24 hours a move") == 1


@pytest.mark.case("B40")
async def test_b40_a_vote_gives_a_seat_to_a_robot_and_the_host_invites_the_person_back():
    async with discord_world() as world:
        ann, bea, cyd = await table_of(world, "Ann", "Bea", "Cyd", robots=1)
        chair = (await view_of(world, ann)).chairs.index(Human(cyd.member.id))
        await world.slash(ann.member, "hearts kick", member=cyd.member)
        await world.show()
        own = vote_ids.CastVote(ann.table, 1, is_for=False)
        refused = await world.press(cyd.member, world.newest_with(own), own)
        assert "about your own seat" in text_of(refused.response)
        await vote(world, bea)
        assert (await view_of(world, ann)).chairs[chair] == Robot("steady")
        back = await world.slash(cyd.member, "hearts substitute")
        take = seat_ids.Substitute(ann.table, chair)
        out = await world.press(cyd.member, back.response, take)
        assert "was given to a robot" in text_of(out.response)
        await world.slash(ann.member, "hearts substitute", member=cyd.member)
        assert said(world, "invites you to take over the seat of a robot") == 1
        await world.press(cyd.member, back.response, take)
        assert (await view_of(world, ann)).chairs[chair] == Human(cyd.member.id)


@pytest.mark.case("B40")
async def test_b40_a_moderator_gives_a_seat_to_a_robot_at_once():
    async with discord_world() as world:
        ann, bea = await table_of(world, "Ann", "Bea", robots=2)
        few = await world.slash(ann.member, "hearts kick", member=bea.member)
        assert "too few people" in text_of(few.response)
        mod = moderator(world)
        await world.slash(mod, "hearts kick", member=ann.member)
        await world.show()
        view = await view_of(world, bea)
        assert Human(ann.member.id) not in view.chairs
        assert view.host == bea.member.id
        assert said(world, "A moderator gave the seat") == 1


@pytest.mark.parametrize("end", [{"hands": "open"}, {"minutes": 30}])
async def test_who_is_not_the_host_asks_the_table_for_the_last_deal(end):
    """A game by the clock may be called over by agreement, too (`bot.table.votes`)."""
    async with discord_world() as world:
        settings = server_playing({"end": end, "tie": "share"})
        await world.app.bot.services.settings.save_server(GuildId(world.guild.id), settings)
        ann, bea = await table_of(world, "Ann", "Bea", robots=2)
        asked = await world.slash(bea.member, "hearts end")
        await world.press(bea.member, asked.response, vote_ids.AskLastDeal(ann.table, 1))
        await world.show()
        await vote(world, ann)
        assert said(world, "The table agreed: this is the last deal.") == 1


async def test_three_votes_and_a_pause_fit_into_one_post():
    async with discord_world() as world:
        ann, bea, cyd = await table_of(world, "Ann", "Bea", "Cyd", robots=1)
        await world.slash(ann.member, "hearts pause")
        await world.show()
        for player in (bea, cyd):
            await vote(world, player)
        await world.slash(ann.member, "hearts clock", clock="7d")
        await world.slash(ann.member, "hearts kick", member=cyd.member)
        await world.slash(bea.member, "hearts kick", member=ann.member)
        await world.show()
        post = world.posts()[-1]
        assert len([i for i in custom_ids(post) if ":vote:" in i]) == 6
        assert len(list(walk(components_of(post)))) <= MOST_COMPONENTS
        full = await world.slash(cyd.member, "hearts kick", member=bea.member)
        assert "Three votes are open" in text_of(full.response)
