"""Whatever is sent, typed or given as a file is read or refused in words (reliability.md 6, 15).

A `HeartsError` is a refusal in words. Any other exception is a bug.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot import OperatorError
from bot.cli.records import replay
from bot.rules import options, variants
from bot.rules.cards import Card
from bot.rules.errors import HeartsError
from bot.rules.option import Group
from bot.rules.scorekeeper import KeptRules, ScoreSheet
from bot.table import away, house, plans, preferences
from bot.table.storing import PersonSettings, Reminders, ServerSettings
from cogs import choosing, scorekeeper, server
from cogs.house_rules import typed_name
from cogs.inputs import choice_of, fields_of, one_of, only, values_of
from cogs.ui import ids, server_ids
from cogs.ui.keeper_forms import draft_of, read_points, read_rules, typed_points
from cogs.ui.levels import LEVELS
from tests.support import hostile
from tests.support.clock import NOON
from tests.support.forms import times
from tests.support.records import RECORD

ITEMS = times(50_000, 1_000_000)
FILES = times(1_500, 30_000)
_STANDARD = variants.load("standard")


def _pressed(**data: Any) -> Any:
    return SimpleNamespace(data=data, locale=discord.Locale.british_english)


def read_an_id(dice: Random) -> None:
    custom_id = next(hostile.custom_ids(dice))
    assert ids.write(ids.parse(custom_id)) == custom_id


def read_a_menu(dice: Random) -> None:
    offered = ["QS", "2C", "standard", "casual", *(group.value for group in Group)]
    chosen = values_of(_pressed(values=hostile.values(dice, offered)))
    read: list[Callable[[list[str]], object]] = [
        ids.chosen_cards,
        lambda values: Card.parse(only(values)),
        lambda values: choice_of(Group, values),
        lambda values: choice_of(Reminders, values),
        lambda values: one_of(values, LEVELS),
        lambda values: scorekeeper._player(values, nobody=True),
        lambda values: house.made_usual(ServerSettings(), only(values)),
        lambda values: options.with_value(_STANDARD, "passing", only(values)),
        lambda values: server._changed(ServerSettings(), server_ids.ChooseChannels(), values),
        lambda values: server._changed(ServerSettings(), server_ids.ChooseVacation(), values),
        lambda values: server._changed(ServerSettings(), server_ids.ChooseClock(), values),
    ]
    dice.choice(read)(chosen)


def read_a_form(dice: Random) -> None:
    sheet = ScoreSheet(("Ana", "Ben", "Cy", "Dee"))
    names = ("0", "1", "2", "3", "total", "target", "moon", "value", "jack", "name", "zone")
    fields = fields_of(_pressed(**hostile.form(dice, (*names, "begins", "ends"))))
    typed = typed_points(sheet, fields)
    draft_of(typed)
    read: list[Callable[[], object]] = [
        lambda: read_points(sheet, typed),
        lambda: read_rules(KeptRules(), fields),
        lambda: house.saved(ServerSettings(), "1", typed_name(fields.get("name", "")), _STANDARD),
        lambda: preferences.in_zone(PersonSettings(), fields.get("zone", "")),
        lambda: preferences.quiet(
            PersonSettings(zone="Europe/Berlin"), fields.get("begins", ""), fields.get("ends", "")
        ),
    ]
    dice.choice(read)()


def read_typed_text(dice: Random) -> None:
    typed = next(hostile.texts(dice))
    person = PersonSettings(zone="Asia/Kathmandu")
    read: list[Callable[[], object]] = [
        lambda: choosing.choices(_OFFERING, [], typed),
        lambda: choosing._named(typed, []),
        lambda: away.zones(typed),
        lambda: variants.load(typed),
        lambda: preferences.on_vacation(person, typed, typed, now=NOON, most_days=21),
        lambda: scorekeeper._BETWEEN_NAMES.split(scorekeeper._MENTION.sub(r",<@\1>,", typed)),
        lambda: plans.decode({"plan": typed, "card": typed}),
    ]
    dice.choice(read)()


_OFFERING: Any = SimpleNamespace(client=SimpleNamespace(get_channel=lambda _id: None), locale=None)
READERS = (read_an_id, read_a_menu, read_a_form, read_typed_text)


def refusal_of(read: Callable[[Random], None], dice: Random) -> str | None:
    """In which words it is refused what *dice* send; any other error comes out."""
    try:
        read(dice)
    except HeartsError as refusal:
        return str(refusal.sentence)
    return None


@pytest.mark.promise(15)
@pytest.mark.thorough
def test_whatever_is_pressed_chosen_or_typed_is_read_or_refused_in_words():
    dice = Random("hostile")
    refusals = (refusal_of(READERS[number % len(READERS)], dice) for number in range(ITEMS))
    lengths = [len(refusal) for refusal in refusals if refusal is not None]
    assert ITEMS / 4 < len(lengths) < ITEMS
    # Discord takes 2,000 characters in an answer, and a refusal may quote what was typed.
    assert 0 < min(lengths) <= max(lengths) <= 1_000
    print(f"promise 15: {ITEMS:,} ids, menus, forms and texts, {len(lengths):,} refused in words")


@pytest.mark.parametrize("read", READERS)
def test_control_a_reader_that_stumbles_is_found(read, monkeypatch):
    def stumbling(*_: object) -> object:
        raise KeyError("as a reader that trusts what it reads")

    for place in ("cogs.ui.ids.parse", "cogs.inputs.values_of", "cogs.inputs.fields_of"):
        monkeypatch.setattr(place, stumbling)
    monkeypatch.setattr(f"{__name__}.values_of", stumbling)
    monkeypatch.setattr(f"{__name__}.fields_of", stumbling)
    monkeypatch.setattr("bot.table.away.zones", stumbling)
    dice = Random(7)
    with pytest.raises(KeyError):
        list(map(partial(refusal_of, read), [dice] * 200))


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("records") / "record.json"


def complaints(texts: Iterator[str], count: int, file: Path) -> Iterator[str]:
    """What the command says of each file that holds no record."""
    for _ in range(count):
        file.write_bytes(next(texts).encode("utf-8", "surrogatepass"))
        with suppress(StopIteration):
            try:
                assert replay([str(file)]) in {0, 1, 2}
            except OperatorError as error:
                yield str(error)


@pytest.mark.promise(15)
@pytest.mark.thorough
def test_a_file_that_is_no_record_gets_one_line(file, capsys):
    told = list(complaints(hostile.record_texts(Random("files")), FILES, file))
    assert len(told) > FILES / 4
    assert all(len(line.splitlines()) == 1 for line in told)
    said = capsys.readouterr()
    assert said.err == ""
    assert all(json.loads(line) for line in said.out.splitlines())
    print(f"promise 15: {FILES:,} files of records, {len(told):,} refused in one line")


@pytest.mark.parametrize("odd", ["\n", "\r", "\u2028", "\x85", "\x1b[2J", "\u202e"])
def test_a_key_that_would_break_the_line_is_written_out(odd: str, file: Path):
    """Of a record and of its rules: what is typed there steers nobody's terminal."""
    records = [RECORD | {f"de{odd}als": 1}, RECORD | {"rules": RECORD["rules"] | {f"mo{odd}on": 1}}]
    said_of = [*complaints(map(json.dumps, records), 2, file)]
    assert len(said_of) == 2
    for said in said_of:
        assert said.isprintable()
        assert ascii(odd)[1:-1] in said


def test_a_seat_that_no_table_has_is_no_seat_of_a_button():
    for seat in ("-1", "-4"):
        with pytest.raises(ids.UnknownButtonError):
            ids.parse(f"h1:sub:{hostile.TABLE}:0:{seat}")
