"""What `/privacy export` gives: all of one's own, and no card that somebody else still holds."""

import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from random import Random
from typing import Any, get_args

import pytest

from bot.rules.cards import write_cards
from bot.rules.events import CardsPassed, DealBegan
from bot.rules.legal import to_move
from bot.rules.view import seat_view
from bot.table import codec, commands, export_of_table
from bot.table.events import TableEvent
from bot.table.export_of_table import own_course
from bot.table.exporting import packed
from bot.table.moments import turn
from tests.support.hidden import hidden_from
from tests.support.histories import started
from tests.support.tables import ANN, BEA, CYD, DAN, EVE, FOUR, first_move


def under_way(cards=6):
    """A game in the middle of its first deal, which the host's press began."""
    story = started(*FOUR)
    for person in story.table.chairs:
        story.ask(passes(story, person.user_id))
    for _ in range(cards):
        story.ask(plays(story))
    return story


def passes(story, person):
    seat = next(n for n, chair in enumerate(story.table.chairs) if chair.user_id == person)
    move = first_move(seat_view(story.table.game, seat))
    return commands.PassCards(person, move.cards, story.table.game.deal.number)


def plays(story):
    game = story.table.game
    [seat] = to_move(game)
    move = first_move(seat_view(game, seat))
    return commands.PlayCard(story.table.chairs[seat].user_id, move.card, turn(game))


def otherwise(story, viewer, dice):
    """The same history for *viewer*: the cards that cannot be seen from there lie elsewhere."""
    hidden = hidden_from(story.table.game, viewer)
    moved = dict(zip(hidden, dice.sample(hidden, len(hidden)), strict=True))
    return [replace(entry, event=_moved(entry.event, viewer, moved)) for entry in story.stored]


def _moved(event, viewer, moved):
    if isinstance(event, DealBegan):
        return replace(event, order=tuple(moved.get(card, card) for card in event.order))
    if isinstance(event, CardsPassed) and event.seat != viewer:
        return replace(event, cards=frozenset(moved.get(card, card) for card in event.cards))
    return event


@pytest.mark.parametrize("viewer", range(4))
def test_hidden_cards_of_others_make_no_difference(viewer):
    """Non-interference (reliability.md 5): also for the host, whose press began the deal."""
    story, dice = under_way(), Random(viewer)
    seen = own_course(story.stored, FOUR[viewer])
    for _ in range(20):
        other = otherwise(story, viewer, dice)
        assert other != story.stored
        assert own_course(other, FOUR[viewer]) == seen


def test_a_leak_would_be_found(monkeypatch):
    """The control: were a deal the own of whoever began it, hidden cards would show."""
    story = under_way()
    leaky = export_of_table._OfPerson | DealBegan
    monkeypatch.setattr(export_of_table, "_OfPerson", leaky)
    others = (otherwise(story, 0, Random(seed)) for seed in range(5))
    assert any(own_course(each, ANN) != own_course(story.stored, ANN) for each in others)


def test_own_cards_and_moves_are_there():
    story = under_way()
    course = own_course(story.stored, BEA)
    [hand] = course["hands"]
    assert hand["cards"] == write_cards(story.table.game.deal.dealt[1])
    assert (hand["deal"], hand["seat"]) == (1, 1)
    assert [each["what"] for each in course["events"]][:2] == ["seat_taken", "game_started"]
    assert {each["seat"] for each in course["events"] if each["what"] == "card_played"} == {1}


def test_of_a_deal_under_way_nothing_is_told_of_a_seat_that_another_plays():
    story = under_way()
    story.ask(commands.Leave(BEA))
    assert own_course(story.stored, BEA)["hands"] == []
    story.ask(commands.Substitute(EVE, 1))
    played = _cards(own_course(story.stored, BEA)["events"])
    assert own_course(story.stored, BEA)["hands"] == []
    assert len(played) == len(_cards(own_course(under_way().stored, BEA)["events"]))


def _cards(told: Sequence[Any]) -> list[str]:
    return [each["card"] for each in told if each["what"] == "card_played"]


def test_others_are_not_named():
    """Their ids are theirs, also where an event that names the person names them too."""
    story = under_way()
    story.ask(commands.RemovePerson(ANN, BEA))
    told = json.dumps(own_course(story.stored, BEA), default=str)
    assert str(BEA) in told
    assert not [person for person in (ANN, CYD, DAN) if str(person) in told]


def test_what_is_done_about_a_person_is_told_with_who_did_it_left_open():
    story = under_way()
    story.ask(commands.RemovePerson(ANN, BEA))
    removed = [
        each for each in own_course(story.stored, BEA)["events"] if "removed" in each["what"]
    ]
    assert [(each["by"], each["user"]) for each in removed] == [("somebody else", BEA)]


def test_every_kind_of_event_is_told_or_left_out_on_purpose():
    """A new event has to be put into one of the lists of the export."""
    silent = {
        "DealBegan",
        "DealScored",
        "GameEnded",
        "DealSealed",
        "DealRevealed",
        "VoteSettled",
        "PauseAgreed",
        "ClockChanged",
        "TablePaused",
        "TableResumed",
    }
    told = {*get_args(export_of_table._OfSeat), *get_args(export_of_table._OfPerson)}
    assert {kind.__name__ for kind in set(get_args(TableEvent)) - told} == silent


def document(tables: int = 1) -> dict[str, Any]:
    dice = Random(1)
    noise = [{"id": number, "events": dice.getrandbits(4_000)} for number in range(tables)]
    moment = datetime(2026, 1, 5, 12, 30, tzinfo=UTC)
    return {"made_at": moment, "you": 2**60 + 1, "sound": True, "tables": noise}


def test_times_are_iso_utc_and_large_numbers_are_exact_in_every_program():
    [file] = packed(document(0))
    assert file.name == "hearts-data.json"
    read = json.loads(file.content)
    assert read["made_at"] == "2026-01-05T12:30:00Z"
    assert read["you"] == str(2**60 + 1)
    assert read["sound"] is True


def test_a_large_account_comes_packed_and_in_several_files_each_small_enough():
    files = packed(document(64), largest=20_000)
    assert [file.name for file in files] == [
        f"hearts-data-{number}.zip" for number in range(1, len(files) + 1)
    ]
    assert all(len(file.content) <= 20_000 for file in files)
    found = []
    for file in files:
        with zipfile.ZipFile(io.BytesIO(file.content)) as archive:
            found += json.loads(archive.read("hearts-data.json"))["tables"]
    assert [each["id"] for each in found] == list(range(64))


def test_an_account_that_fits_when_packed_is_one_file():
    written = {**document(0), "tables": [{"events": "x" * 50_000}]}
    [file] = packed(written, largest=20_000)
    assert file.name == "hearts-data-1.zip"


def test_bodies_are_told_as_they_are_stored():
    story = under_way()
    told = own_course(story.stored, ANN)["events"][0]
    assert told["what"] == codec.encode(story.stored[0].event).kind
    assert told["by"] == "you"
