"""`/privacy`: export, deletion and how it is called off, as people use them (B140)."""

import json
import re
import sqlite3
from contextlib import closing
from datetime import timedelta
from typing import Any

import pytest

from bot.table.erasures import COOLING_OFF
from bot.table.exporting import ExportFile
from bot.table.history import replay
from bot.table.ids import GuildId, Human, Robot, UserId
from bot.table.privacy import Contacts
from bot.table.state import Status
from cogs.ui.privacy import CONFIRMATION, WORD, render_about, render_deletion
from cogs.ui.privacy_ids import AskDelete, ExportMine, KeepMine
from tests.support.discord import World, actions, discord_world, text_of
from tests.support.games import sit_down
from tests.support.looks import texts
from tests.support.seated import in_play

FORMER = re.compile(r"-\d{17,19}")
WEEK = COOLING_OFF.total_seconds()


def stored(world: World) -> str:
    """All that lies in the database, as SQL."""
    with closing(sqlite3.connect(world.file)) as database:
        return "\n".join(database.iterdump())


async def panel(world: World, person: Any) -> Any:
    answer: Any = (await world.slash(person, "privacy delete")).response
    assert answer.ephemeral
    return answer


async def ask(world: World, person: Any, typed: str = CONFIRMATION) -> Any:
    """Press the button and fill in the form; what came of it."""
    form = await world.press(person, await panel(world, person), AskDelete())
    return (await person.submit_modal(form, {WORD: typed})).response


async def look_after(world: World, seconds: float) -> None:
    """Let time go by, and the caretaker make a round at its end."""
    await world.pass_time(seconds)
    await world.app.caretaker.look_after()
    await world.show()


def document_of(world: World, answer: Any) -> dict[str, Any]:
    """The one file that was sent, read."""
    [file] = answer.attachments
    assert file.filename == "hearts-data.json"
    content = world.env.backend.cdn.get(file.url)
    assert content is not None
    return dict(json.loads(content))


async def test_the_export_is_one_private_file_with_all_of_ones_own():
    async with discord_world() as world:
        _, player = await in_play(world)
        await world.slash(player.member, "preferences", zone="Europe/Berlin")
        answer: Any = (await world.slash(player.member, "privacy export")).response
        assert answer.ephemeral
        told = document_of(world, answer)
        assert told["your_id"] == str(player.member.id)
        assert told["preferences"]["zone"] == "Europe/Berlin"
        assert told["made_at"].endswith("Z")
        [table] = told["tables"]
        assert table["id"] == player.table
        assert len(table["hands"][0]["cards"].split()) == 13
        assert table["events"][0]["click"].isdecimal()
        assert set(told["explained"]) >= set(told) - {"explained"}


async def test_the_export_works_in_a_direct_message_too():
    async with discord_world() as world:
        ann = world.person("Ann")
        answer: Any = (await ann.user.slash("privacy export")).response
        assert document_of(world, answer)["tables"] == []


@pytest.mark.parametrize(
    ("files", "said", "sent"),
    [(2, "comes packed", 2), (12, "the first 10 files", 10)],
)
async def test_an_export_that_is_large_comes_in_parts_with_a_word(files, said, sent, monkeypatch):
    parts = [ExportFile(f"hearts-data-{n}.zip", b"PK") for n in range(1, files + 1)]

    async def large(_user_id: UserId) -> list[ExportFile]:
        return parts

    async with discord_world() as world:
        monkeypatch.setattr(world.app.bot.services.privacy.exporting, "files", large)
        answer: Any = (await world.slash(world.person("Ann"), "privacy export")).response
        assert said in text_of(answer)
        assert len(answer.attachments) == sent


async def test_b140_a_typed_word_asks_and_one_press_calls_it_off():
    async with discord_world() as world:
        ann = world.person("Ann")
        refused = await ask(world, ann, "yes")
        assert "Nothing was deleted" in text_of(refused)
        forgetting = world.app.bot.services.privacy.forgetting
        assert await forgetting.wished(UserId(ann.id)) is None
        asked = await ask(world, ann, f" {CONFIRMATION.lower()} ")
        wish = await forgetting.wished(UserId(ann.id))
        assert wish is not None
        due = int(wish.due_at.timestamp())
        assert f"<t:{due}:f> (<t:{due}:R>)" in text_of(asked)
        assert AskDelete() not in actions(asked)
        about: Any = (await world.slash(ann, "privacy about")).response
        assert f"You asked me to delete all of it, which happens on <t:{due}:f>" in text_of(about)
        kept = await world.press(ann, asked, KeepMine())
        assert "called off" in text_of(kept.response)
        assert await forgetting.wished(UserId(ann.id)) is None
        about = (await world.slash(ann, "privacy about")).response
        assert "You asked" not in text_of(about)
        again = await world.forge(ann, kept.response, "h1:priv_keep:-:0")
        assert "no deletion to call off" in text_of(again.response)


async def test_who_asks_twice_hears_that_the_first_wish_stands_with_its_date():
    async with discord_world() as world:
        ann = world.person("Ann")
        older = await panel(world, ann)
        assert "That is noted." in text_of(await ask(world, ann))
        wish = await world.app.bot.services.privacy.forgetting.wished(UserId(ann.id))
        assert wish is not None
        await world.pass_time(3600)
        form = await world.press(ann, older, AskDelete())
        again = text_of((await ann.submit_modal(form, {WORD: CONFIRMATION})).response)
        assert "That is noted." not in again
        assert "You had asked for it already, and the date has not moved." in again
        assert f"<t:{int(wish.due_at.timestamp())}:f>" in again


async def test_b140_a_week_later_the_person_is_gone_and_the_others_play_on():
    async with discord_world() as world:
        ann, bea, cyd = (world.person(name) for name in ("Ann", "Bea", "Cyd"))
        players = await sit_down(world, [ann, bea, cyd], robots=1, clock="off")
        table = players[0].table
        await world.slash(ann, "preferences", zone="Europe/Berlin")
        events = world.app.bot.services.events
        before = await events.load(table)
        await ask(world, ann)
        await look_after(world, WEEK - 1)
        assert str(ann.id) in stored(world)
        await look_after(world, 1)
        assert str(ann.id) not in stored(world)
        assert "Europe/Berlin" not in stored(world)
        view = await world.app.tables.view(table)
        assert view.status is Status.PLAYING
        assert view.host == bea.id
        assert sum(isinstance(chair, Robot) for chair in view.chairs) == 2
        after = (await events.load(table))[: len(before)]
        assert replay(after).table.game == replay(before).table.game
        assert any("left for good" in text_of(post) for post in world.posts())
        assert not any(chair == Human(UserId(ann.id)) for chair in view.chairs)


async def test_who_called_it_off_is_still_there_after_the_week():
    """The control of the test above: nothing but the wish makes the difference."""
    async with discord_world() as world:
        ann = world.person("Ann")
        await sit_down(world, [ann, world.person("Bea")], robots=2, clock="off")
        await world.press(ann, await ask(world, ann), KeepMine())
        before = stored(world)
        await world.app.caretaker.look_after()
        await look_after(world, WEEK + 60)
        assert before.count(str(ann.id)) == stored(world).count(str(ann.id)) > 0


async def test_it_happens_once_and_survives_restarts():
    async with discord_world() as world:
        ann = world.person("Ann")
        await sit_down(world, [ann, world.person("Bea")], robots=2, clock="off")
        await ask(world, ann)
        await world.restart()
        await look_after(world, WEEK)
        assert str(ann.id) not in stored(world)
        former = set(FORMER.findall(stored(world)))
        assert len(former) == 1
        await world.restart()
        await look_after(world, 60)
        assert set(FORMER.findall(stored(world))) == former


async def test_a_lobby_is_left_and_an_empty_one_closes():
    async with discord_world() as world:
        ann = world.person("Ann")
        await world.slash(ann, "hearts start", seats=4)
        await ask(world, ann)
        services = world.app.bot.services
        await services.privacy.forgetting._servers.part(UserId(ann.id))
        assert await world.app.tables.tables_in(GuildId(world.guild.id)) == []


async def test_who_comes_back_begins_anew_and_gets_the_own_new_data_alone():
    async with discord_world() as world:
        ann = world.person("Ann")
        await sit_down(world, [ann, world.person("Bea")], robots=2, clock="off")
        await ask(world, ann)
        await look_after(world, WEEK)
        told = document_of(world, (await world.slash(ann, "privacy export")).response)
        assert (told["preferences"], told["tables"], told["deletion"]) == (None, [], None)
        assert AskDelete() in actions(await panel(world, ann))


async def test_a_former_player_is_never_mentioned_and_named_as_one():
    async with discord_world() as world:
        ann, bea = world.person("Ann"), world.person("Bea")
        players = await sit_down(world, [ann, bea], robots=2, clock="off")
        await ask(world, ann)
        before = len(world.env.http_requests)
        await look_after(world, WEEK)
        said = [str(request) for request in world.env.http_requests[before:]]
        assert not [each for each in said if "<@-" in each or f"<@{ann.id}>" in each]
        await players[1].open_hand()
        assert "Ann" not in text_of(players[1].hand)


async def test_about_says_what_is_stored_and_offers_it():
    async with discord_world() as world:
        ann = world.person("Ann")
        answer: Any = (await world.slash(ann, "privacy about")).response
        assert "I read no messages" in text_of(answer)
        exported = await world.press(ann, answer, ExportMine())
        assert document_of(world, exported.response)["names"] == []


@pytest.mark.parametrize("render", [render_about, render_deletion])
def test_what_the_operator_gave_is_linked(render):
    contacts = Contacts(
        support="privacy@club.example",
        privacy_url="https://club.example/privacy",
        terms_url="https://club.example/terms",
    )
    told = texts(render(None, contacts))
    assert "[Privacy policy](https://club.example/privacy)" in told
    assert "[Terms of use](https://club.example/terms)" in told
    assert "privacy@club.example" in told
    assert "ask whoever brought me" in texts(render(None, Contacts()))


def test_the_week_is_what_the_panel_says():
    assert timedelta(days=7) == COOLING_OFF
    assert "7 days after you ask" in texts(render_deletion(None, Contacts()))
