"""Deals whose rest is certain, as people meet them: an offer, one press each, and the sheet.

Rules: house.md 4.4 for old and repeated presses; `bot.rules.claims` for what is certain, and who
may know it.
"""

import re

import pytest

from bot.table.ids import GuildId
from bot.table.storing import CLAIM_BY_ITSELF, ServerSettings
from cogs.ui import ids, vote_ids
from tests.support.discord import World, custom_ids, discord_world, text_of
from tests.support.games import Player, Watch, deals_done, play, sit_down
from tests.support.house import server_playing
from tests.support.seated import NAMES, plays

QUEEN_ALONE = {"extends": "small", "points": {"H*": 0}, "moon": {"on": False}}
"""Nothing counts any more once the queen of spades is taken. A deal has eight tricks."""
TRICKS = 8
OFFERED = "Nothing is left in this deal that counts."
CANNOT_END = "This deal cannot be ended now"
_NOT_PLAYED = re.compile(r"The last (?:trick was|(\d+) tricks were) not played")


async def table_of(world: World, *names: str, robots: int = 0, **more: str) -> list[Player]:
    """A game in which the queen alone counts."""
    settings = server_playing(QUEEN_ALONE, **more)
    await world.app.bot.services.settings.save_server(GuildId(world.guild.id), settings)
    return await sit_down(world, [world.person(name) for name in names], robots=robots)


async def certain(world: World, *names: str, robots: int = 0) -> tuple[list[Player], Watch]:
    """The same, in the moment in which the queen was taken and tricks are left."""
    players = await table_of(world, *names, robots=robots)
    watch = Watch(world, players[0].table)
    await play(players, watch, until=lambda view: view.claim is not None)
    return players, watch


def end(player: Player, deal: int = 1) -> vote_ids.EndDeal:
    return vote_ids.EndDeal(player.table, deal)


def offers_end(world: World, player: Player) -> bool:
    return any(ids.write(end(player)) in custom_ids(post) for post in world.posts())


async def press_in_post(world: World, player: Player) -> None:
    """Agree where the newest post asks."""
    vote = vote_ids.CastVote(player.table, 1, is_for=True)
    await world.press(player.member, world.newest_with(vote), vote)


async def scores(world: World, player: Player) -> int:
    game = (await world.app.tables.view(player.table)).game
    return 0 if game is None else len(game.scores)


def sheet(world: World) -> str:
    """The score sheet of the first deal."""
    [told] = [text for text in map(text_of, world.posts()) if "Score after deal 1" in text]
    return told


def tricks_shown(world: World, deal: int = 1) -> int:
    """How many posts there are of tricks of a deal."""
    told = re.compile(rf"Trick \d+ of \d+ · deal {deal}\b")
    return sum(told.search(text_of(post)) is not None for post in world.posts())


async def test_the_newest_post_offers_the_end_once_nothing_is_left_that_counts_and_not_before():
    async with discord_world() as world:
        players = await table_of(world, *NAMES)
        watch, early = Watch(world, players[0].table), []

        def reached(view):
            if view.claim is None and view.game is not None:
                early.append(offers_end(world, players[0]))
            return view.claim is not None

        await play(players, watch, until=reached)
        assert len(early) > TRICKS
        assert not any(early)
        assert OFFERED in text_of(world.newest_with(end(players[0])))
        assert ids.write(end(players[0])) in custom_ids(world.posts()[-1])
        await players[0].open_hand()
        assert OFFERED in text_of(players[0].hand)
        assert end(players[0]) in players[0].offers


@pytest.mark.thorough
async def test_one_press_each_ends_the_deal_and_the_sheet_says_how_much_was_not_played():
    async with discord_world() as world:
        players, watch = await certain(world, *NAMES)
        first, *others = players
        shown = tricks_shown(world)
        await world.press(first.member, world.newest_with(end(first)), end(first))
        newest = text_of(world.posts()[-1])
        assert "End this deal? What is left of it is certain, whatever is played." in newest
        assert "4 votes are needed" in newest
        assert "for it: Ann" in newest
        assert OFFERED not in newest
        for player in others:
            assert await scores(world, first) == 0
            await press_in_post(world, player)
        assert await scores(world, first) == 1
        found = _NOT_PLAYED.search(sheet(world))
        assert found is not None
        assert shown <= tricks_shown(world) <= shown + 1
        assert tricks_shown(world) + int(found[1] or 1) == TRICKS
        await watch.look()
        assert watch.leaks == []


async def test_who_presses_in_the_hand_is_told_where_the_others_vote():
    async with discord_world() as world:
        players, _ = await certain(world, "Ann", "Bea", robots=2)
        ann, bea = players
        await ann.open_hand()
        await ann.press(end(ann))
        assert "The vote stands in its newest post" in text_of(ann.hand)
        await press_in_post(world, bea)
        assert await scores(world, ann) == 1


async def test_among_robots_one_press_is_enough():
    async with discord_world() as world:
        [ann], _ = await certain(world, "Ann", robots=3)
        await world.press(ann.member, world.newest_with(end(ann)), end(ann))
        assert await scores(world, ann) == 1
        assert _NOT_PLAYED.search(sheet(world))


@pytest.mark.thorough
async def test_one_who_is_against_it_lets_the_play_go_on():
    async with discord_world() as world:
        players, watch = await certain(world, "Ann", "Bea", robots=2)
        ann, bea = players
        await world.press(ann.member, world.newest_with(end(ann)), end(ann))
        against = vote_ids.CastVote(ann.table, 1, is_for=False)
        await world.press(bea.member, world.newest_with(against), against)
        assert await scores(world, ann) == 0
        for player in players:
            await player.open_hand()
        await play(players, watch, until=deals_done(1))
        assert _NOT_PLAYED.search(sheet(world)) is None
        assert tricks_shown(world) == TRICKS


async def test_a_repeated_press_counts_once():
    """One person's two presses, delivered together, are one vote."""
    async with discord_world() as world:
        players, _ = await certain(world, "Ann", "Bea", robots=2)
        ann = players[0]
        post = world.newest_with(end(ann))
        for _ in range(2):
            world.send_raw(ann.member, post, ids.write(end(ann)))
        await world.env.settle()
        await world.show()
        [vote] = (await world.app.tables.view(ann.table)).votes
        assert vote.in_favour == {ann.member.id}
        assert await scores(world, ann) == 0


async def test_a_stranger_ends_nothing():
    async with discord_world() as world:
        players, _ = await certain(world, "Ann", robots=3)
        post = world.newest_with(end(players[0]))
        pressed = await world.press(world.person("Eve"), post, end(players[0]))
        assert "Only people who sit at this table" in text_of(pressed.response)
        assert await scores(world, players[0]) == 0


async def test_an_offer_of_a_deal_that_is_over_ends_nothing_and_says_so():
    async with discord_world() as world:
        [ann], _ = await certain(world, "Ann", robots=3)
        post = world.newest_with(end(ann))
        await world.press(ann.member, post, end(ann))
        late = await world.forge(ann.member, post, ids.write(end(ann)))
        assert CANNOT_END in text_of(late.response)
        assert await scores(world, ann) == 1


async def test_where_the_server_wants_it_a_deal_ends_by_itself_and_the_lobby_says_so():
    async with discord_world() as world:
        players = await table_of(world, "Ann", robots=3, claims=CLAIM_BY_ITSELF)
        rematch = await world.app.tables.view(players[0].table)
        assert rematch.claims_itself
        watch = Watch(world, players[0].table)
        await play(players, watch, until=deals_done(1))
        found = _NOT_PLAYED.search(sheet(world))
        assert found is not None
        assert tricks_shown(world) + int(found[1] or 1) == TRICKS
        assert not offers_end(world, players[0])
        assert watch.leaks == []


@pytest.mark.parametrize("claims", [CLAIM_BY_ITSELF, None])
async def test_a_lobby_tells_how_deals_end_there(claims):
    async with discord_world() as world:
        settings = ServerSettings() if claims is None else ServerSettings(claims=claims)
        await world.app.bot.services.settings.save_server(GuildId(world.guild.id), settings)
        await world.slash(world.person("Ann"), "hearts start")
        told = "A deal ends by itself once nothing can change its score." in text_of(
            world.posts()[-1]
        )
        assert told == (claims is not None)


@pytest.mark.thorough
async def test_that_one_takes_all_the_rest_stands_in_that_ones_hand_alone():
    """A button in public would tell of cards that nobody else can see."""
    async with discord_world() as world:
        settings = server_playing({"extends": "small"})
        await world.app.bot.services.settings.save_server(GuildId(world.guild.id), settings)
        players = await sit_down(world, [world.person(name) for name in NAMES])
        watch = Watch(world, players[0].table)

        def leads(player: Player) -> bool:
            return end_of_any(player) is not None

        await play(
            players,
            watch,
            until=lambda view: view.claim is None and any(map(leads, players)),
        )
        [leader] = filter(leads, players)
        assert "You take all that is left of this deal." in text_of(leader.hand)
        assert plays(leader)
        offer = end_of_any(leader)
        assert offer is not None
        assert not any(ids.write(offer) in custom_ids(post) for post in world.posts())
        other = next(player for player in players if player is not leader)
        refused = await world.forge(other.member, other.hand, ids.write(offer))
        assert CANNOT_END in text_of(refused.response)
        assert (await world.app.tables.view(leader.table)).votes == ()
        await leader.press(offer)
        assert "End this deal?" in text_of(world.posts()[-1])


def end_of_any(player: Player) -> vote_ids.EndDeal | None:
    """The offer to end a deal in somebody's hand, whichever deal it is."""
    found = [action for action in player.offers if isinstance(action, vote_ids.EndDeal)]
    return found[0] if found else None
