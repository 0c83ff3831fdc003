"""Coming back after a while, from wherever one is (cases.md, Client layout 34; B43, B62)."""

from typing import Any

from bot.rules.cards import Card
from bot.table.ids import TableId
from cogs.ui import ids
from tests.support.discord import World, actions, discord_world, text_of
from tests.support.games import Player, sit_down
from tests.support.seated import NAMES, in_play, plays

DAY = 24 * 3_600


async def _games(world: World, player: Player, where: Any) -> Any:
    result = await where.slash("hearts games")
    await world.show()
    assert result.response.ephemeral
    return result.response


async def test_a_list_in_a_direct_message_opens_the_hand_that_waits_with_one_press():
    async with discord_world() as world:
        _, player = await in_play(world)
        games = await _games(world, player, player.member.user)
        assert "Card Club" in text_of(games)
        assert "It is your turn." in text_of(games)
        opened = await player.member.user.click(
            games, custom_id=ids.write(ids.OpenHand(player.table))
        )
        assert opened.acknowledged
        hand = opened.response
        assert hand.ephemeral
        [card, *_] = [each for each in actions(hand) if isinstance(each, ids.PlayCard)]
        await player.member.user.click(hand, custom_id=ids.write(card))
        await world.show()
        assert await _last_card(world, player.table) == card.card, "played from there, too"


async def _last_card(world: World, table: TableId) -> Card:
    game = (await world.app.tables.view(table)).game
    assert game is not None
    trick = game.trick if game.trick and game.trick.plays else game.tricks[-1]
    return trick.plays[-1].card


async def test_a_hand_opens_from_a_channel_of_another_server_and_is_played_there():
    async with discord_world() as world:
        _, player = await in_play(world)
        other = world.env.create_guild("Chess Club")
        channel = other.create_text_channel("elsewhere")
        there = other.add_member(player.member.user)
        result = await there.slash(channel, "hearts hand")
        assert result.response.ephemeral
        assert "Card Club" in text_of(result.response)
        [card, *_] = [each for each in actions(result.response) if isinstance(each, ids.PlayCard)]
        played = await there.click(result.response, custom_id=ids.write(card))
        assert played.acknowledged
        await world.show()
        assert await _last_card(world, player.table) == card.card
        assert channel.history() == [], "nobody else there saw anything"


async def test_a_list_in_another_server_names_the_server_of_each_table():
    async with discord_world() as world:
        _, player = await in_play(world)
        other = world.env.create_guild("Chess Club")
        channel = other.create_text_channel("elsewhere")
        there = other.add_member(player.member.user)
        await world.slash(there, "hearts start", channel=channel, seats=4, robots=3)
        listed = text_of((await there.slash(channel, "hearts games")).response)
        assert "Card Club" in listed
        assert "Chess Club" in listed
        assert listed.index("It is your turn.") < listed.index("Chess Club")


async def _play_on_without(world: World, ann: Player, bea: Player, *, tricks: int) -> None:
    """Bea plays whenever it is her turn; Ann is late until a robot sits in."""
    while True:
        view = await world.app.tables.view(ann.table)
        assert view.game is not None
        if len(view.game.tricks) >= tricks:
            return
        await bea.open_hand()
        if bea.wants_to_act:
            await bea.act()
        elif view.deadlines:
            late = min(view.deadlines.values()) - world.clock.now()
            await world.pass_time(late.total_seconds() + 1)
        await world.let_robots_move()


async def test_b62_who_comes_back_after_two_days_reads_what_was_played_meanwhile():
    async with discord_world() as world:
        people = [world.person(name) for name in NAMES[:2]]
        ann, bea = await sit_down(world, people, robots=2, clock="24h")
        await ann.act()
        left = world.clock.now()
        await _play_on_without(world, ann, bea, tricks=6)
        assert (world.clock.now() - left).total_seconds() > 2 * DAY
        listed = await _games(world, ann, ann.member.user)
        assert "A robot plays in your seat" in text_of(listed)
        opened = await ann.member.user.click(listed, custom_id=ids.write(ids.OpenHand(ann.table)))
        told = text_of(opened.response)
        assert "Since your last move" in told
        assert "3 earlier tricks" in told
        assert "Played for you: " in told
        assert ids.TakeSeatBack(ann.table) in actions(opened.response)
        await bea.open_hand()
        assert "Since your last move" not in text_of(bea.hand), "the control: she was there"


async def test_who_moved_a_moment_ago_reads_of_the_trick_under_way_alone():
    async with discord_world() as world:
        _, player = await in_play(world)
        await player.press(plays(player)[0])
        assert "Since your last move" not in text_of(player.hand)
