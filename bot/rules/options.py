"""Rules that people set: what a preset allows to change, what holds now, and one change at a time.

All of it is data of the files ``options_*.py``; a value of an option is a few keys of rules.md 3.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from bot.rules import ruleset_io, variants
from bot.rules.errors import HeartsError, RulesetError
from bot.rules.option import Keys, Option, OptionValue
from bot.rules.options_cards import CARDS, PASSING
from bot.rules.options_end import END
from bot.rules.options_moon import MOON
from bot.rules.options_play import PLAY
from bot.rules.options_points import POINTS
from bot.rules.ruleset import Ruleset
from bot.rules.sentence import Sentence

CATALOGUE: tuple[Option, ...] = (*CARDS, *PASSING, *PLAY, *POINTS, *MOON, *END)
"""Every rule that people may change, in the order in which they are shown."""

PRESET = "preset"
"""Id of the value that stands for what the preset has, where the catalogue has no word for it."""
Plain = Mapping[str, object]
_BY_SEATS = frozenset({"remove", "hand", "rest", "jokers", "pass_cycle"})
"""Keys with a table by number of seats, or one value for all of them."""
_WHOLE = frozenset({"exact", "end", "sun"})
"""Tables that are compared whole."""
_USUAL: Mapping[str, object] = {"hand": "even", "rest": "none", "jokers": 0, "remove": []}
"""What holds for a number of seats that a table does not name."""
_ZERO = {"points": 0}
"""What an entry means that is not in its table."""


class UnknownOptionError(HeartsError):
    """No such option, or a value that this preset does not offer."""

    sentence = Sentence("I do not know that choice. Open the menu again and choose from it.")


class ClashError(RulesetError):
    """Two choices that do not go together; the sentence names both."""

    def __init__(self, faults: list[str], sentence: Sentence) -> None:
        super().__init__(faults)
        self.sentence = sentence


def offered(ruleset: Ruleset, seats: int | None = None) -> tuple[Option, ...]:
    """The options that the preset of *ruleset* allows to change, each with the values it has there.

    Args:
        ruleset: rules whose ``id`` names the preset.
        seats: leave out what says nothing at a table of so many seats; ``None``: at any.
    """
    narrowed = (_narrowed(option, ruleset, seats) for option in CATALOGUE)
    return tuple(option for option in narrowed if len(option.values) > 1)


def value_of(ruleset: Ruleset, option: Option, seats: int | None = None) -> OptionValue | None:
    """What holds now; ``None``: something that *option* does not offer.

    It is the value whose keys change nothing, looked at for so many *seats* or for all.
    """
    return _current(ruleset_io.to_dict(ruleset), option, _numbers(ruleset, seats))


def with_value(ruleset: Ruleset, option_id: str, value_id: str) -> Ruleset:
    """The rules with one choice changed; the title says whether they are still the preset's.

    Raises:
        ClashError: the choice does not go with another one.
        UnknownOptionError: the preset of *ruleset* offers no such choice.
    """
    option, value = _chosen(ruleset, option_id, value_id)
    if value_of(ruleset, option) == value:
        return ruleset
    plain = _merged(ruleset, value)
    try:
        return _titled(ruleset_io.from_dict(plain))
    except RulesetError as error:
        sentence = _clash(ruleset, option, value, error)
        raise ClashError(list(error.faults), sentence) from error


def label(ruleset: Ruleset, option_id: str, value_id: str) -> Sentence:
    """What a choice is called, as “Packs and jokers: Two packs”.

    Raises:
        UnknownOptionError: the preset of *ruleset* offers no such choice.
    """
    option, value = _chosen(ruleset, option_id, value_id)
    return _named_choice(option, value)


def fault_sentence(error: RulesetError) -> Sentence:
    """Say in words of the catalogue which choices do not go together."""
    if isinstance(error, ClashError):
        return error.sentence
    titles = {
        option.title.text: _quoted(option.title)
        for key in _keys_named(error)
        for option in _about(key, CATALOGUE)[:1]
    }
    return _together([*titles.values()])


def own_title(ruleset: Ruleset) -> str:
    """What rules are called that differ from their preset, as ``Black Lady, own rules``."""
    known = ruleset.id in variants.names()
    return f"{variants.title(ruleset.id) if known else ruleset.title}, own rules"


def _titled(ruleset: Ruleset) -> Ruleset:
    if ruleset.id in variants.names():
        preset = variants.load(ruleset.id)
        if replace(ruleset, title=preset.title) == preset:
            return preset
        return replace(ruleset, title=own_title(ruleset))
    return ruleset


def _chosen(ruleset: Ruleset, option_id: str, value_id: str) -> tuple[Option, OptionValue]:
    for option in CATALOGUE:
        if option.id == option_id:
            narrowed = _narrowed(option, ruleset, None)
            for value in narrowed.values:
                if value.id == value_id:
                    return narrowed, value
    raise UnknownOptionError(f"{option_id}: {value_id}")


def _merged(ruleset: Ruleset, value: OptionValue) -> dict[str, object]:
    """All keys of *ruleset* with those of *value* over them."""
    # A list of totals is chosen whole; merging could never take one away.
    cleared: Plain = {"exact": {}} if "exact" in value.keys else {}
    merged = ruleset_io.merge({**ruleset_io.to_dict(ruleset), **cleared}, value.keys)
    if value.also is not None:
        also = value.also(merged) if callable(value.also) else value.also
        merged = ruleset_io.merge(merged, also)
    players = value.keys.get("players")
    if isinstance(players, list):
        usual = variants.load(ruleset.id).default_players
        merged["default_players"] = usual if usual in players else players[0]
    return merged


def _narrowed(option: Option, ruleset: Ruleset, seats: int | None) -> Option:
    """*option* with those values that differ at these numbers of seats; none: not offered."""
    if not _is_for(ruleset, option.only, option.never):
        return replace(option, values=())
    numbers = _numbers(ruleset, seats)
    kept: list[OptionValue] = []
    for value in (*_of_preset(option, ruleset), *option.values):
        told = not value.seats or value.seats & {*numbers}
        if told and _is_for(ruleset, value.only, value.never):
            meant = _meaning(value, numbers)
            if meant not in [_meaning(other, numbers) for other in kept]:
                kept.append(value)
    return replace(option, values=tuple(kept))


def _of_preset(option: Option, ruleset: Ruleset) -> Iterator[OptionValue]:
    """What the preset says, where that is none of the values of *option*."""
    if ruleset.id not in variants.names():
        return
    preset = variants.load(ruleset.id)
    plain = ruleset_io.to_dict(preset)
    if _current(plain, option, preset.players) is None:
        label = Sentence("As {title} has it", {"title": preset.title})
        keys = {path.partition(".")[0] for path in _paths(option)}
        yield OptionValue(PRESET, label, {key: plain[key] for key in sorted(keys)})


def _is_for(ruleset: Ruleset, only: frozenset[str], never: frozenset[str]) -> bool:
    return (not only or ruleset.id in only) and ruleset.id not in never


def _numbers(ruleset: Ruleset, seats: int | None) -> tuple[int, ...]:
    return ruleset.players if seats is None else (seats,)


def _current(plain: Plain, option: Option, numbers: tuple[int, ...]) -> OptionValue | None:
    for value in option.values:
        if value.seats and not value.seats & {*numbers}:
            continue
        if all(_holds(plain, key, each, numbers) for key, each in value.keys.items()):
            return value
    return None


def _holds(plain: Plain, key: str, wanted: object, numbers: tuple[int, ...]) -> bool:
    """Whether *plain* already says what *wanted* does."""
    present = plain.get(key)
    if key in _BY_SEATS:
        named = _named(wanted, numbers)
        return all(_at(key, present, n) == _at(key, wanted, n) for n in named)
    if isinstance(wanted, Mapping) and isinstance(present, Mapping) and key not in _WHOLE:
        return all(present.get(name, _ZERO.get(key)) == each for name, each in wanted.items())
    return present == wanted


def _meaning(value: OptionValue, numbers: tuple[int, ...]) -> dict[str, object]:
    """What *value* says at these numbers of seats, so that two can be compared."""
    return {
        key: [_at(key, each, n) for n in _named(each, numbers)] if key in _BY_SEATS else each
        for key, each in value.keys.items()
    }


def _named(table: object, numbers: tuple[int, ...]) -> list[int]:
    """Those *numbers* of seats about which *table*, or one value for all, says something."""
    return [n for n in numbers if not isinstance(table, Mapping) or str(n) in table]


def _at(key: str, table: object, seats: int) -> object:
    return table.get(str(seats), _USUAL.get(key)) if isinstance(table, Mapping) else table


_WORD = re.compile(r"[a-z_]+(?:\.[A-Za-z0-9_*:]+)*")


def _clash(ruleset: Ruleset, option: Option, value: OptionValue, error: RulesetError) -> Sentence:
    """Name the choice that was made and the one that stands against it."""
    mine = _quoted(_named_choice(option, value))
    rest = [other for other in offered(ruleset) if other.id != option.id]
    against = [other for key in _keys_named(error) for other in _about(key, rest)]
    if not against:
        seats: dict[str, object] = {"title": ruleset.title, "players": tuple(ruleset.players)}
        return _together([mine, Sentence("{title} for {players} players", seats)])
    held = _current(_merged(ruleset, value), against[0], ruleset.players)
    return _together([mine, _quoted(_named_choice(against[0], held))])


def _named_choice(option: Option, value: OptionValue | None) -> Sentence:
    if value is None:
        return option.title
    return Sentence("{option}: {value}", {"option": option.title, "value": value.label})


def _quoted(words: Sentence) -> Sentence:
    return Sentence("“{words}”", {"words": words})


def _keys_named(error: RulesetError) -> Iterator[str]:
    """Dotted keys that stand in the faults, in order; plain words are among them."""
    for fault in error.faults:
        yield from (word.rstrip(":") for word in _WORD.findall(fault))


def _about(key: str, among: tuple[Option, ...] | list[Option]) -> list[Option]:
    """The options that govern *key*, those first that govern it alone."""
    exact = [option for option in among if key in _paths(option)]
    near = [
        option
        for option in among
        if any(path.startswith(f"{key}.") or key.startswith(f"{path}.") for path in _paths(option))
    ]
    return [*exact, *near]


def _paths(option: Option) -> frozenset[str]:
    """Dotted keys that the values of *option* set."""
    return frozenset(path for value in option.values for path in _dotted(value.keys))


def _dotted(keys: Keys) -> Iterator[str]:
    for key, each in keys.items():
        if isinstance(each, Mapping) and key not in _BY_SEATS | _WHOLE:
            yield from (f"{key}.{name}" for name in each)
        else:
            yield key


def _together(sides: list[Sentence]) -> Sentence:
    match sides:
        case [one, other, *_]:
            return Sentence(
                "{one} and {other} do not go together. Change one of them.",
                {"one": one, "other": other},
            )
        case [one]:
            return Sentence(
                "{one} cannot be played like that. Choose something else.", {"one": one}
            )
        case _:
            return Sentence("These rules cannot be played together. Choose others.")
