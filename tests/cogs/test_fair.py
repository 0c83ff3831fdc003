"""Fair deals as people meet them: seals in posts, cuts, what is revealed, `/hearts verify`."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from bot import verify
from bot.rules.shuffle import commitment
from bot.table.erasures import COOLING_OFF
from bot.table.ids import TableId, UserId
from bot.verify import hands, order, seal
from cogs.names import escape
from cogs.ui import ids
from cogs.ui.fair import WORD
from cogs.ui.fair_ids import AskCut, GiveCut
from db.deals import drawer
from tests.support.discord import World, custom_ids, discord_world, text_of
from tests.support.games import Player, Watch, cards_named, is_over, play, sit_down
from tests.support.house import server_playing
from tests.support.seated import NAMES, in_play

PAGE = Path(verify.__file__).read_bytes()
_SEAL = re.compile(r"\b[0-9a-f]{64}\b")


async def lobby(world: World, *names: str) -> tuple[list[Any], TableId]:
    """People in the lobby of a game of one deal, and robots on the other chairs."""
    settings = server_playing({"end": "single"})
    await world.app.bot.services.settings.save_server(world.guild.id, settings)
    host, *others = people = [world.person(name) for name in names]
    await world.slash(host, "hearts start", robots=4 - len(people), seats=4)
    table = await world.table_id()
    for person in others:
        await world.press(person, world.newest_with(ids.Join(table)), ids.Join(table))
    return people, table


async def cut(world: World, person: Any, table: TableId, word: str, deal: int = 1) -> str:
    """Press the button, fill in the form, and read the answer."""
    asked = await world.press(person, world.newest_with(AskCut(table, deal)), AskCut(table, deal))
    assert asked.modal is not None
    given = await person.submit_modal(asked, {WORD: word})
    await world.show()
    return text_of(given.response)


async def secrets_of(world: World, table: TableId):
    return await world.database.read(lambda session: drawer(session, table))


async def play_out(world: World, people: list[Any], table: TableId) -> None:
    players = [Player(world, person, table, random.Random(1)) for person in people]
    for player in players:
        await player.open_hand()
    await play(players, Watch(world, table), until=is_over)


async def test_b133_a_seal_stands_in_the_lobby_and_in_the_opening_of_each_deal():
    """reliability.md 5: the commitment is public one deal ahead, so nobody waits for it."""
    async with discord_world() as world:
        [ann], table = await lobby(world, "Ann")
        [first] = _SEAL.findall(text_of(world.newest_with(ids.Start(table))))
        secret = (await secrets_of(world, table)).deals[1]
        assert first == secret.commitment == commitment(secret.seed, f"{table}|1")
        await world.press(ann, world.newest_with(ids.Start(table)), ids.Start(table))
        old_lobby, opening = (text_of(post) for post in world.posts()[-2:])
        assert _SEAL.findall(old_lobby) == [first]
        following = (await secrets_of(world, table)).deals[2]
        assert _SEAL.findall(opening) == [following.commitment]
        assert "The next deal is already sealed" in opening


async def test_a_word_is_secret_until_its_deal_is_over_but_not_who_gave_it():
    async with discord_world() as world:
        (ann, bea), table = await lobby(world, "Ann", "Bea")
        said = await cut(world, ann, table, "rhubarb")
        assert "“rhubarb” goes into the shuffle of deal 1" in said
        assert "Ann cut the deck of deal 1" in text_of(world.newest_with(ids.Start(table)))
        await cut(world, bea, table, "quince")
        await cut(world, ann, table, "medlar")
        await world.press(ann, world.newest_with(ids.Start(table)), ids.Start(table))
        dealt = (await secrets_of(world, table)).deals[1]
        assert [each.text for each in dealt.cuts or ()] == ["medlar", "", "", "quince"]
        for post in world.posts():
            assert not any(word in text_of(post) for word in ("rhubarb", "medlar", "quince"))
            assert dealt.seed.hex() not in text_of(post)


async def test_the_score_sheet_tells_seed_and_cuts_and_verify_proves_the_deal():
    async with discord_world() as world:
        people, table = await lobby(world, "Ann", "Bea")
        ann = people[0]
        await cut(world, ann, table, "*bold* <@1> `x`")
        await world.press(ann, world.newest_with(ids.Start(table)), ids.Start(table))
        await play_out(world, people, table)
        dealt = (await secrets_of(world, table)).deals[1]
        [sheet] = [post for post in world.posts() if "Score after deal 1" in text_of(post)]
        assert dealt.seed.hex() in text_of(sheet)
        assert dealt.cuts is not None
        assert f"Ann: “{escape(dealt.cuts[0].text)}”" in text_of(sheet)
        assert dealt.cuts[0].text == "*bold* <@1> `x`"
        assert f"Bea: press {dealt.cuts[3].text}" in text_of(sheet)
        asked = await world.slash(ann, "hearts verify", table=table, deal=1)
        assert asked.response is not None
        assert asked.response.ephemeral
        assert "agree with the cards that were dealt" in text_of(asked.response)
        attachment, page = asked.response.attachments
        told = json.loads(world.env.backend.cdn.get(attachment.url))
        assert world.env.backend.cdn.get(page.url) == PAGE
        assert seal(bytes.fromhex(told["seed"]), told["label"]) == told["seal"]
        found = order(told["deck"].split(), dealt.seed, f"{table}|1", told["cuts"])
        assert found == told["order"].split()
        held = hands(found, 4, told["dealer"], [], [])
        assert [set(hand.split()) for hand in told["hands"]] == list(map(set, held))


async def test_a_cut_for_a_deal_that_has_begun_names_the_next_one():
    async with discord_world() as world:
        [ann], table = await lobby(world, "Ann")
        post = world.newest_with(AskCut(table, 1))
        form = await world.press(ann, post, AskCut(table, 1))
        await world.press(ann, world.newest_with(ids.Start(table)), ids.Start(table))
        late = await ann.submit_modal(form, {WORD: "too late"})
        assert "Deal 1 has begun" in text_of(late.response)
        assert "Deal 2 can" in text_of(late.response)
        stale = await world.forge(ann, post, ids.write(AskCut(table, 1)))
        assert "Deal 2 can" in text_of(stale.response)
        assert "goes into the shuffle of deal 2" in await cut(world, ann, table, "in time", 2)


@pytest.mark.parametrize("word", ["   ", "\u200b\u202e", "\x00\n"])
async def test_a_word_of_nothing_is_refused_kindly(word: str):
    async with discord_world() as world:
        [ann], table = await lobby(world, "Ann")
        assert "type a word" in await cut(world, ann, table, word)
        assert (await secrets_of(world, table)).presses == {}


async def test_strangers_cut_nothing():
    async with discord_world() as world:
        _, table = await lobby(world, "Ann")
        asks = AskCut(table, 1)
        refused = await world.press(world.person("Eve"), world.newest_with(asks), asks)
        assert refused.modal is None
        assert "Only people who sit at this table" in text_of(refused.response)


async def test_verify_tells_the_seal_alone_of_a_deal_that_is_played():
    async with discord_world() as world:
        players = await sit_down(world, [world.person(name) for name in NAMES])
        table = players[0].table
        asked = await world.slash(players[0].member, "hearts verify")
        text = text_of(asked.response)
        secrets = (await secrets_of(world, table)).deals
        assert secrets[1].commitment in text
        assert secrets[1].seed.hex() not in text
        button = ids.write(AskCut(table, 2))
        assert button in custom_ids(asked.response)
        ahead = await world.slash(players[0].member, "hearts verify", deal=2)
        assert secrets[2].commitment in text_of(ahead.response)
        unknown = await world.slash(players[0].member, "hearts verify", deal=9)
        assert "has not begun" in text_of(unknown.response)


async def test_verify_works_in_private_for_whoever_sat_there_and_for_nobody_else():
    async with discord_world() as world:
        people, table = await lobby(world, "Ann")
        await world.press(people[0], world.newest_with(ids.Start(table)), ids.Start(table))
        await play_out(world, people, table)
        alone = await people[0].user.slash("hearts verify")
        assert "agree with the cards" in text_of(alone.response)
        offered = await people[0].user.autocomplete("hearts verify", "table", "")
        assert [choice["value"] for choice in offered] == [table]
        stranger = world.person("Eve").user
        refused = await stranger.slash("hearts verify", table=table)
        assert "I do not know that table" in text_of(refused.response)


async def test_the_scores_of_a_game_that_is_over_are_shown_as_hints_promise():
    """`/hearts score` knows the tables that `/hearts history` and `/hearts verify` know."""
    async with discord_world() as world:
        people, table = await lobby(world, "Ann")
        await world.press(people[0], world.newest_with(ids.Start(table)), ids.Start(table))
        await play_out(world, people, table)
        for asked in (
            await world.slash(people[0], "hearts score", table=table),
            await people[0].user.slash("hearts score"),
        ):
            assert "Scores at table" in text_of(asked.response)
            assert "**Ann**" in text_of(asked.response)
        offered = await people[0].user.autocomplete("hearts score", "table", "")
        assert [choice["value"] for choice in offered] == [table]
        refused = await world.person("Eve").user.slash("hearts score", table=table)
        assert "I do not know that table" in text_of(refused.response)


async def test_b140_once_a_word_is_erased_the_file_tells_of_no_fraud(tmp_path, capsys):
    """Whoever follows the answer to the letter must not read that order and hands differ."""
    async with discord_world() as world:
        people, table = await lobby(world, "Ann", "Bea")
        ann, bea = people
        await cut(world, ann, table, "rhubarb")
        await world.press(ann, world.newest_with(ids.Start(table)), ids.Start(table))
        await play_out(world, people, table)
        await world.app.bot.services.privacy.forgetting.ask(UserId(ann.id))
        await world.pass_time(COOLING_OFF.total_seconds())
        await world.app.caretaker.look_after()
        asked = await world.slash(bea, "hearts verify", table=table, deal=1)
        assert asked.response is not None
        told = text_of(asked.response)
        assert "Dealt by" in told
        assert "former player 1: a word that was erased" in told
        assert "It cannot check order and hands" in told
        file, _ = asked.response.attachments
        deal = tmp_path / "deal.json"
        deal.write_bytes(world.env.backend.cdn.get(file.url) or b"")
        assert verify.verify([str(deal)]) == 1
        checked = capsys.readouterr().out
        assert "seal    agrees\ndeck    agrees\norder   cannot be checked" in checked
        assert "differs" not in checked


async def test_whoever_sits_at_several_tables_is_asked_which_and_shown_none_that_is_over():
    async with discord_world() as world:
        ann = world.person("Ann")
        first, *others = [world.guild.create_text_channel(name) for name in ("a", "b", "c")]
        await world.slash(ann, "hearts start", channel=first, seats=4)
        over = await world.table_id()
        ending = await world.slash(ann, "hearts end", channel=first)
        await world.press(ann, ending.response, ids.ConfirmEnd(over))
        for channel in others:
            await world.slash(ann, "hearts start", channel=channel, seats=4)
        asked = await world.slash(ann, "hearts score")
        assert "You sit at several tables" in text_of(asked.response)
        assert over in text_of((await world.slash(ann, "hearts score", channel=first)).response)


async def test_of_a_deal_that_was_never_finished_the_seed_stays_secret_for_good():
    """docs/fairness.md: a table that was closed reveals nothing of the deal under way."""
    async with discord_world() as world:
        [ann], table = await lobby(world, "Ann")
        await world.press(ann, world.newest_with(ids.Start(table)), ids.Start(table))
        ending = await world.slash(ann, "hearts end")
        await world.press(ann, ending.response, ids.ConfirmEnd(table))
        told = text_of((await world.slash(ann, "hearts verify", table=table, deal=1)).response)
        assert "The game ended before this deal was over" in told
        assert "It is being played" not in told
        assert (await secrets_of(world, table)).deals[1].seed.hex() not in told
        unplayed = await world.slash(ann, "hearts history", table=table, deal=1)
        assert "closed before a trick of that deal was taken" in text_of(unplayed.response)


async def test_in_a_lobby_nothing_has_been_played_yet():
    async with discord_world() as world:
        [ann], table = await lobby(world, "Ann")
        told = text_of((await world.slash(ann, "hearts history", table=table)).response)
        assert "Nothing has been played at this table yet" in told
        assert "/hearts score" not in told


def test_the_ids_of_cuts_hold_no_word():
    assert ids.write(GiveCut(TableId("TABLE234"), 3)) == "h1:cut_with:TABLE234:3"


@pytest.mark.case("B127")
async def test_a_deal_that_is_over_is_shown_card_by_card():
    async with discord_world() as world:
        people, table = await lobby(world, "Ann", "Bea")
        await world.press(people[0], world.newest_with(ids.Start(table)), ids.Start(table))
        await play_out(world, people, table)
        shown = await world.slash(people[1], "hearts history", table=table, deal=1)
        assert shown.response is not None
        assert shown.response.ephemeral
        dealt, passed, tricks = re.split(r"\*\*(?:Passed|Tricks)\*\*", text_of(shown.response))
        assert len(cards_named(dealt)) == len(cards_named(tricks)) == 52
        assert len(cards_named(passed)) == 12
        assert len(tricks.strip().splitlines()) == 13


async def test_b134_of_a_deal_that_is_played_the_last_trick_alone_is_shown_again():
    """Of one under way no history is open before the hand ends; but posts show what fell."""
    async with discord_world() as world:
        players, player = await in_play(world, tricks=2)
        view = await world.app.tables.view(player.table)
        assert view.game is not None
        shown = await world.slash(player.member, "hearts history")
        last = {play.card for play in view.game.tricks[-1].plays}
        assert cards_named(text_of(shown.response)) == last
        assert len(players) == 4


async def test_before_the_first_trick_is_full_there_is_nothing_to_look_back_at():
    async with discord_world() as world:
        players, _ = await in_play(world)
        for deal in ({}, {"deal": 7}):
            told = text_of(
                (await world.slash(players[0].member, "hearts history", **deal)).response
            )
            assert "Nothing has been played at this table yet" in told
            assert "/hearts score" not in told
