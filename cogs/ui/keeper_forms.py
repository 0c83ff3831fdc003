"""The forms of a score keeper, and how what was typed into them is read."""

import re
from collections.abc import Mapping, Sequence

import discord
from discord import ui

from bot.rules.scorekeeper import (
    KeptRules,
    MoonForm,
    ScoreKeeperError,
    ScoreSheet,
    WrongCountError,
    with_jack,
)
from bot.rules.sentence import Sentence
from bot.table.keeping import Keeper
from cogs.names import plain_name
from cogs.ui import ids, keeper_ids
from cogs.words import Voice

MOST_FIELDS = 5
"""Fields that a form can have (discord.md 2.2)."""
_LONGEST_NUMBER = 5
"""Characters of one number: its sign, and up to `bot.rules.scorekeeper.LARGEST`."""
_LONGEST_LINE = 60
"""Characters of one line of numbers; as a draft it still fits into an id."""
_LINE = "line"
_TOTAL, _TARGET, _VALUE, _MOON, _JACK = "total", "target", "value", "moon", "jack"
_YES, _NO = "yes", "no"
_SEPARATORS = re.compile(r"[\s,;/]+")
_NO_NUMBER = Sentence(
    "“{typed}” is not a whole number: type numbers such as 4, 0 or -10 and enter them again."
)


class NotANumberError(ScoreKeeperError):
    """Something was typed that is no whole number."""

    def __init__(self, typed: str) -> None:
        self.sentence = Sentence(_NO_NUMBER.text, {"typed": typed[:40]})
        super().__init__(f"not a number: {typed[:40]!r}")


def points_form(
    keeper: Keeper, draft: Sequence[str] = (), locale: discord.Locale | None = None
) -> ui.Modal:
    """Ask for the points of the next deal: a field each up to five players, one line above that.

    Args:
        keeper: for whose players.
        draft: what stands in the fields at first.
        locale: the reader's.
    """
    voice = Voice(locale)
    sheet = keeper.sheet
    form = ui.Modal(
        title=voice("Points of deal {number}", number=len(sheet.deals) + 1),
        custom_id=ids.write(keeper_ids.EnterPoints(keeper.id, keeper.version)),
    )
    for label in _point_fields(voice, sheet, draft):
        form.add_item(label)
    return form


def rules_form(keeper: Keeper, locale: discord.Locale | None = None) -> ui.Modal:
    """Ask for what the people at the table have agreed on."""
    voice = Voice(locale)
    rules = keeper.sheet.rules
    form = ui.Modal(
        title=voice("The rules you play by"),
        custom_id=ids.write(keeper_ids.SaveRules(keeper.id, keeper.version)),
    )
    for label in (
        _number(voice("All points of a deal add up to"), _TOTAL, rules.total),
        _number(voice("The game is over when somebody reaches"), _TARGET, rules.target),
        _number(voice("Points of a moon"), _VALUE, rules.moon_value),
        _choice(voice("Who pays for a moon"), _MOON, _moon_forms(voice), rules.moon.value),
        _choice(voice("Jack of diamonds"), _JACK, _jacks(voice), _YES if rules.jack else _NO),
    ):
        form.add_item(label)
    return form


def typed_points(sheet: ScoreSheet, fields: Mapping[str, str]) -> tuple[str, ...]:
    """What was typed for each player, as it was typed; a line is cut where its numbers end."""
    if _asks_for_a_line(sheet):
        return tuple(part for part in _SEPARATORS.split(fields.get(_LINE, "")) if part)
    return tuple(fields.get(str(seat), "").strip() for seat in range(len(sheet.players)))


def read_points(sheet: ScoreSheet, typed: Sequence[str]) -> tuple[int, ...]:
    """The numbers of `typed_points`; an empty field is nought.

    Raises:
        NotANumberError: one of them is none.
        WrongCountError: not one for each player.
    """
    points = tuple(_read(text or "0") for text in typed)
    if len(points) != len(sheet.players):
        raise WrongCountError(len(points), len(sheet.players))
    return points


def draft_of(typed: Sequence[str]) -> tuple[str, ...]:
    """What is kept of `typed_points` for a second try: what numbers are made of, and letters."""
    kept = tuple(re.sub(r"[^A-Za-z0-9-]", "", _ascii(text)) for text in typed)
    return kept if len(".".join(kept)) <= _LONGEST_LINE else ()


def read_rules(before: KeptRules, fields: Mapping[str, str]) -> KeptRules:
    """What the people agreed on; where the jack begins to count, an untouched total follows.

    Raises:
        NotANumberError: a number is none.
        TooLargeError: a number is out of bounds.
    """
    total = _read(fields.get(_TOTAL, str(before.total)))
    counts = fields.get(_JACK, _YES if before.jack else _NO) == _YES
    rules = KeptRules(
        total=total,
        target=_read(fields.get(_TARGET, str(before.target))),
        moon=_moon_form(fields, before),
        moon_value=_read(fields.get(_VALUE, str(before.moon_value))),
        jack=before.jack if total == before.total else counts,
    )
    return with_jack(rules, counts=counts)


def _point_fields(
    voice: Voice, sheet: ScoreSheet, draft: Sequence[str]
) -> list[ui.Label[ui.LayoutView]]:
    names = [plain_name(player) for player in sheet.players]
    if _asks_for_a_line(sheet):
        order = ", ".join(names)
        field: ui.TextInput[ui.LayoutView] = ui.TextInput(
            custom_id=_LINE, default=" ".join(draft), max_length=_LONGEST_LINE, required=True
        )
        label = voice("{count} numbers, in seat order", count=len(names))
        return [ui.Label(text=label, description=_short(order), component=field)]
    padded = [*draft, *[""] * len(names)]
    return [
        _typed(name, str(seat), padded[seat], required=False) for seat, name in enumerate(names)
    ]


def _asks_for_a_line(sheet: ScoreSheet) -> bool:
    return len(sheet.players) > MOST_FIELDS


def _typed(label: str, custom_id: str, default: str, *, required: bool) -> ui.Label[ui.LayoutView]:
    field: ui.TextInput[ui.LayoutView] = ui.TextInput(
        custom_id=custom_id,
        default=default or None,
        placeholder="0",
        max_length=_LONGEST_NUMBER,
        required=required,
    )
    return ui.Label(text=label, component=field)


def _number(label: str, custom_id: str, default: int) -> ui.Label[ui.LayoutView]:
    return _typed(label, custom_id, str(default), required=True)


def _choice(
    label: str, custom_id: str, options: Mapping[str, str], chosen: str
) -> ui.Label[ui.LayoutView]:
    select: ui.Select[ui.LayoutView] = ui.Select(
        custom_id=custom_id,
        options=[
            discord.SelectOption(label=text, value=value, default=value == chosen)
            for value, text in options.items()
        ],
    )
    return ui.Label(text=label, component=select)


def _moon_forms(voice: Voice) -> dict[str, str]:
    return {
        MoonForm.ADD_OTHERS.value: voice("Everybody else gets the points"),
        MoonForm.SUBTRACT_SELF.value: voice("The shooter takes them off the own total"),
    }


def _jacks(voice: Voice) -> dict[str, str]:
    return {
        _NO: voice("It counts nothing"),
        _YES: voice("It takes 10 points off"),
    }


def _moon_form(fields: Mapping[str, str], before: KeptRules) -> MoonForm:
    known = {form.value: form for form in MoonForm}
    return known.get(fields.get(_MOON, ""), before.moon)


def _read(text: str) -> int:
    plain = _ascii(text.strip()).removeprefix("+")
    if re.fullmatch(r"-?[0-9]{1,9}", plain) is None:
        raise NotANumberError(text.strip())
    return int(plain)


def _ascii(text: str) -> str:
    """With the hyphen for each sign that people type as a minus."""
    return re.sub("[−–—‒]", "-", text)


def _short(text: str) -> str:
    """At most a hundred characters, which is what a description takes."""
    return text if len(text) <= 100 else f"{text[:99]}…"
