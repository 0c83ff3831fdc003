"""`/hearts scorekeeper` on the simulated Discord: one person keeps, the channel sees on request."""

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from cogs.ui import ids, keeper_ids
from tests.support.discord import actions, components_of, discord_world, text_of
from tests.support.scorekeeping import Panel, defaults, opened, reopened


async def test_points_are_typed_into_one_form_and_added_up():
    async with discord_world() as world:
        panel = await opened(world)
        form = await panel.form()
        assert [label["label"] for label in form.modal["components"]] == ["Ana", "Ben", "Cy", "Dee"]
        await panel.submit(form, **{"0": "15", "1": "4", "2": "", "3": "+7"})
        assert await panel.totals() == (15, 4, 0, 7)
        assert "Score after deal 1" in panel.text
        assert world.posts() == []


async def test_a_whole_game_survives_a_restart_and_is_posted_once_it_is_over():
    """The worked example of rules.md 1.1: Ben shoots, 103/52/97/123, and Ben has won."""
    async with discord_world() as world:
        panel = await opened(world)
        await panel.agree(total="271")
        await panel.enter(62, 48, 71, 90)
        await panel.agree(total="26")
        await panel.enter(15, 4, 0, 7)
        await world.restart()
        await panel.choose(keeper_ids.ChooseShooter, "1")
        assert await panel.totals() == (103, 52, 97, 123)
        assert "Ben wins the game" in panel.text
        assert "Ben shot the moon" in panel.text
        panel = await reopened(panel)
        await panel.press(keeper_ids.PostScores)
        [post] = world.posts()
        assert "Ben wins the game" in text_of(post)
        assert "the score is kept by Ann" in text_of(post)
        assert not actions(post)
        assert list(await world.tables()) == []


async def test_a_game_with_real_cards_never_counts_for_the_leaderboard():
    async with discord_world() as world:
        panel = await opened(world)
        await panel.agree(target="1")
        await panel.enter(26, 0, 0, 0)
        await panel.press(keeper_ids.PostScores)
        board = await world.slash(panel.person, "leaderboard")
        assert "Ana" not in text_of(board.response)
        assert "Ann" not in text_of(board.response)


async def test_a_wrong_sum_names_both_and_keeps_what_was_typed():
    async with discord_world() as world:
        panel = await opened(world)
        result = await panel.enter(15, 4, "−1", 7)
        assert "add up to 25, and a deal has to add up to 26" in panel.text
        assert result.response.ephemeral
        assert await panel.totals() == (0, 0, 0, 0)
        await world.restart()
        again = await panel.form()
        assert defaults(again) == {"0": "15", "1": "4", "2": "-1", "3": "7"}
        await panel.submit(again, **{**defaults(again), "2": "0"})
        assert await panel.totals() == (15, 4, 0, 7)
        assert "Correct" not in str(components_of(panel.message))


async def test_what_is_no_number_is_quoted():
    async with discord_world() as world:
        panel = await opened(world)
        await panel.enter("15", "four", "0", "7")
        assert "“four” is not a whole number" in panel.text
        assert defaults(await panel.form())["1"] == "four"


async def test_eight_players_are_typed_in_one_line():
    async with discord_world() as world:
        panel = await opened(world, "A, B, C, D, E, F, G, H")
        form = await panel.form()
        [label] = form.modal["components"]
        assert label["description"] == "A, B, C, D, E, F, G, H"
        await panel.submit(form, line="13 1, 2,3 4 3 0")
        assert "I read 7 numbers, and there are 8 players" in panel.text
        again = await panel.form()
        assert defaults(again) == {"line": "13 1 2 3 4 3 0"}
        await panel.submit(again, line="13 1 2 3 4 3 0 0")
        assert await panel.totals() == (13, 1, 2, 3, 4, 3, 0, 0)


async def test_with_the_jack_a_moon_asks_who_took_it():
    async with discord_world() as world:
        panel = await opened(world)
        await panel.agree(jack="yes")
        assert (await panel.stored()).sheet.rules.total == 16
        await panel.choose(keeper_ids.ChooseShooter, "0")
        assert "Who took the jack of diamonds?" in panel.text
        assert await panel.totals() == (0, 0, 0, 0)
        await panel.choose(keeper_ids.ChooseJack, "2")
        assert await panel.totals() == (0, 26, 16, 26)
        await panel.choose(keeper_ids.ChooseShooter, "0")
        await panel.choose(keeper_ids.ChooseJack, keeper_ids.NOBODY)
        assert await panel.totals() == (0, 52, 42, 52)
        await panel.choose(keeper_ids.ChooseShooter, "0")
        await panel.press(keeper_ids.ShowKeeper)
        await panel.enter(-10, 26, 0, 0)
        assert await panel.totals() == (-10, 78, 42, 52)


@pytest.mark.parametrize(
    ("taker", "totals"), [("1", (13, 3, 0, 0)), (keeper_ids.NOBODY, (13, 13, 0, 0))]
)
async def test_points_that_lack_only_the_jack_ask_who_took_it(taker, totals):
    async with discord_world() as world:
        panel = await opened(world)
        await panel.agree(jack="yes")
        await panel.enter(13, 13, "", 0)
        assert "Who took the jack of diamonds?" in panel.text
        assert await panel.totals() == (0, 0, 0, 0)
        await world.restart()
        await panel.choose(keeper_ids.ChooseMissingJack, taker)
        assert await panel.totals() == totals


async def test_a_moon_may_be_taken_off_the_shooters_total():
    async with discord_world() as world:
        panel = await opened(world)
        await panel.agree(moon="subtract_self")
        await panel.choose(keeper_ids.ChooseShooter, "1")
        assert await panel.totals() == (0, -26, 0, 0)


async def test_undo_takes_the_newest_deal_back():
    async with discord_world() as world:
        panel = await opened(world)
        await panel.enter(26, 0, 0, 0)
        await panel.enter(0, 26, 0, 0)
        await panel.press(keeper_ids.UndoDeal)
        assert await panel.totals() == (26, 0, 0, 0)


async def test_a_press_on_old_ground_counts_nothing_and_shows_how_things_stand():
    async with discord_world() as world:
        panel = await opened(world)
        await panel.enter(26, 0, 0, 0)
        await panel.enter(0, 26, 0, 0)
        undo = panel.offers(keeper_ids.UndoDeal)
        await panel.press(keeper_ids.UndoDeal)
        result = await world.forge(panel.person, panel.message, ids.write(undo))
        assert "moved on in the meantime" in text_of(result.response)
        assert await panel.totals() == (26, 0, 0, 0)


async def test_two_clicks_that_race_post_the_scores_once():
    async with discord_world() as world:
        panel = await opened(world)
        await panel.enter(26, 0, 0, 0)
        custom_id = ids.write(panel.offers(keeper_ids.PostScores))
        clicks = [world.send_raw(panel.person, panel.message, custom_id) for _ in range(2)]
        await world.env.settle()
        assert all(click.acknowledged for click in clicks)
        assert len(world.posts()) == 1


async def test_a_form_from_before_a_change_keeps_what_was_typed():
    async with discord_world() as world:
        panel = await opened(world)
        old = await panel.form()
        await panel.choose(keeper_ids.ChooseShooter, "1")
        await panel.submit(old, **{"0": "20", "1": "6"})
        assert "moved on in the meantime" in panel.text
        assert await panel.totals() == (26, 0, 26, 26)
        assert defaults(await panel.form()) == {"0": "20", "1": "6", "2": "", "3": ""}


async def test_a_shared_lowest_total_asks_for_another_deal():
    async with discord_world() as world:
        panel = await opened(world)
        await panel.agree(target="13")
        await panel.enter(0, 0, 13, 13)
        assert "play another deal" in panel.text
        await panel.enter(0, 26, 0, 0)
        assert "Ana wins the game" in panel.text
        await panel.press(keeper_ids.UndoDeal)
        assert "play another deal" in panel.text


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"target": "0"}, "have to be at least 1"),
        ({"total": "many"}, "“many” is not a whole number"),
        ({"value": "99999"}, "may go up to 9999"),
    ],
)
async def test_rules_that_make_no_sense_are_refused_with_words(values, said):
    async with discord_world() as world:
        panel = await opened(world)
        before = await panel.stored()
        await panel.agree(**values)
        assert said in panel.text
        assert await panel.stored() == before


@pytest.mark.parametrize(
    ("players", "said"),
    [
        (None, "Name the players in seat order"),
        ("Ana, Ben", "I keep the score of 3 to 10 players, and read 2"),
        (", ".join("ABCDEFGHIJK"), "and read 11"),
        ("Ana, ben, Ben", "Two players have the same name"),
        ("Ana, Ben, <@123>", "I do not find"),
    ],
)
async def test_a_game_is_opened_only_for_players_that_can_be_kept(players, said):
    async with discord_world() as world:
        options = {} if players is None else {"players": players}
        result = await world.slash(world.person("Ann"), "hearts scorekeeper", **options)
        assert result.response.ephemeral
        assert said in text_of(result.response)


async def test_players_may_be_mentioned_and_their_names_are_harmless():
    async with discord_world() as world:
        bea = world.person("B*e*a @everyone")
        panel = await opened(world, f"@Cy <@{bea.id}>, [x](https://example.com)\nDee")
        players = (await panel.stored()).sheet.players
        assert players == ("Cy", "B*e*a @everyone", "[x](https://example.com)", "Dee")
        await panel.enter(26, 0, 0, 0)
        await panel.press(keeper_ids.PostScores)
        for told in (panel.text, text_of(world.posts()[-1])):
            assert "B\\*e\\*a" in told
            assert "@everyone" not in told
            assert "](https:" not in told


async def test_the_command_opens_the_same_score_again():
    async with discord_world() as world:
        panel = await opened(world)
        await panel.enter(26, 0, 0, 0)
        again = await world.slash(panel.person, "hearts scorekeeper", players="X, Y, Z")
        assert "You keep this score here already" in text_of(again.response)
        assert "Ana" in text_of(again.response)


async def test_closing_asks_first_and_makes_room():
    async with discord_world() as world:
        panel = await opened(world)
        await panel.press(keeper_ids.AskClose)
        await panel.press(keeper_ids.ShowKeeper)
        undo = ids.write(keeper_ids.UndoDeal(panel.offers(keeper_ids.AskClose).keeper, 1))
        await panel.press(keeper_ids.AskClose)
        await panel.press(keeper_ids.ConfirmClose)
        assert "is closed" in panel.text
        late = await world.forge(panel.person, panel.message, undo)
        assert "has been closed" in text_of(late.response)
        await opened(world, "X, Y, Z", name="Bea")


async def test_only_its_keeper_may_press_and_moderators_may_look_and_close():
    async with discord_world() as world:
        panel = await opened(world)
        await panel.enter(26, 0, 0, 0)
        bea = world.person("Bea")
        for action in (
            panel.offers(keeper_ids.UndoDeal),
            panel.offers(keeper_ids.PostScores),
            keeper_ids.ConfirmClose((await panel.stored()).id),
        ):
            result = await world.forge(bea, panel.message, ids.write(action))
            assert "Somebody else keeps this score" in text_of(result.response)
        asked = await world.slash(bea, "hearts scorekeeper", keeper=panel.person)
        assert "Somebody else keeps this score" in text_of(asked.response)
        assert await panel.totals() == (26, 0, 0, 0)

        role = world.guild.create_role("mod", permissions=discord.Permissions(manage_messages=True))
        mod = world.person("Mod", roles=[role])
        nothing = await world.slash(mod, "hearts scorekeeper", keeper=bea)
        assert "Bea keeps no score in this channel" in text_of(nothing.response)
        shown = await world.slash(mod, "hearts scorekeeper", keeper=panel.person)
        theirs = Panel(world, mod, shown.response)
        assert [type(each) for each in actions(theirs.message)] == [keeper_ids.AskClose]
        await theirs.press(keeper_ids.AskClose)
        await theirs.press(keeper_ids.ShowKeeper)
        await theirs.press(keeper_ids.AskClose)
        await theirs.press(keeper_ids.ConfirmClose)
        late = await world.slash(panel.person, "hearts scorekeeper")
        assert "Name the players" in text_of(late.response)


async def test_who_may_not_write_in_a_channel_puts_no_scores_there():
    async with discord_world() as world:
        panel = await opened(world)
        await panel.enter(26, 0, 0, 0)
        silence = Overwrite(
            target_id=world.guild.id,
            type=OverwriteType.ROLE,
            allow=0,
            deny=discord.Permissions(send_messages=True).value,
        )
        world.env.backend.set_overwrite(world.channel.id, silence)
        result = await world.forge(
            panel.person, panel.message, ids.write(panel.offers(keeper_ids.PostScores))
        )
        assert "may not write in this channel" in text_of(result.response)
        assert world.posts() == []


async def test_it_works_in_a_direct_message_too():
    async with discord_world() as world:
        ann = world.person("Ann")
        result = await ann.user.slash("hearts scorekeeper", players="Ann, Bea, Cy")
        assert "Score keeper" in text_of(result.response)
        stranger = await ann.user.slash("hearts scorekeeper", players=f"Ann, <@{ann.id + 1}>, Cy")
        assert "You keep this score" in text_of(stranger.response)


@pytest.mark.parametrize("values", [[], ["9"], ["x"], ["0", "1"], ["-1"], [keeper_ids.NOBODY]])
async def test_a_player_that_was_never_offered_changes_nothing(values):
    async with discord_world() as world:
        panel = await opened(world)
        for action in (
            panel.offers(keeper_ids.ChooseShooter),
            keeper_ids.ChooseJack((await panel.stored()).id, 1, 7),
        ):
            await world.forge(
                panel.person, panel.message, ids.write(action), component_type=3, values=values
            )
        assert await panel.totals() == (0, 0, 0, 0)


async def test_a_message_that_discord_does_not_take_is_told_of():
    async with discord_world() as world:
        panel = await opened(world)
        await panel.enter(26, 0, 0, 0)
        world.env.inject_error("POST", "/webhooks/*", status=400, code=50035)
        result = await panel.press(keeper_ids.PostScores)
        assert any("did not take" in text_of(each) for each in result.followups)
