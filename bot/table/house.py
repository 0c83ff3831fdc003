"""A server's named house rules: saved, changed, renamed, deleted, made the usual ones. Pure."""

from collections.abc import Mapping
from dataclasses import replace

from bot.rules import families, options, ruleset_io, variants
from bot.rules.ruleset import Ruleset
from bot.rules.sentence import Sentence
from bot.table.errors import TableError
from bot.table.storing import HouseRules, ServerSettings

MOST_HOUSE_RULES = 25
"""House rules of one server; a menu offers no more."""
LONGEST_NAME = 50
"""Characters of a name."""


class UnknownHouseRulesError(TableError):
    """No house rules of that id; somebody deleted them."""

    sentence = Sentence("These house rules are gone. `/settings` lists those of this server.")


class TooManyHouseRulesError(TableError):
    """The server has as many as allowed."""

    sentence = Sentence(
        "A server keeps at most {most} house rules. Delete some in `/settings` first.",
        {"most": MOST_HOUSE_RULES},
    )


class HouseNameError(TableError):
    """A name that cannot be given."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        super().__init__(str(sentence))


_LENGTH = "A name has 1 to {most} characters. Choose another one."
_KIND = "“{name}” is the name of a kind of Hearts. Choose another name."
_TAKEN = "There are house rules called “{name}” already. Choose another name."


def find(settings: ServerSettings, house_id: str) -> HouseRules:
    """The house rules of an id.

    Raises:
        UnknownHouseRulesError: there are none.
    """
    for house in settings.house_rules:
        if house.id == house_id:
            return house
    raise UnknownHouseRulesError(house_id)


def called(settings: ServerSettings, name: str) -> HouseRules | None:
    """The house rules of a name, however it is capitalised."""
    wanted = _key(name)
    return next((house for house in settings.house_rules if _key(house.name) == wanted), None)


def ruleset_of(house: HouseRules) -> Ruleset:
    """The rules to play by; their title is the name.

    Raises:
        RulesetError: they cannot be played any more.
    """
    return replace(ruleset_io.from_dict(house.rules), title=house.name)


def usual_rules(settings: ServerSettings) -> Ruleset:
    """The rules that `/hearts start` uses when none are named.

    Raises:
        RulesetError: they cannot be played any more.
    """
    if settings.default_house is None:
        return variants.load(settings.variant)
    return ruleset_of(find(settings, settings.default_house))


def saved(settings: ServerSettings, house_id: str, name: str, ruleset: Ruleset) -> ServerSettings:
    """The settings with *ruleset* kept as further house rules; the same id again changes nothing.

    Raises:
        HouseNameError: the name is taken, that of a preset, empty or too long.
        TooManyHouseRulesError: there are as many as allowed.
    """
    if house_id in {house.id for house in settings.house_rules}:
        return settings
    if len(settings.house_rules) >= MOST_HOUSE_RULES:
        raise TooManyHouseRulesError
    house = HouseRules(house_id, _checked(settings, name, None), _plain(ruleset))
    return replace(settings, house_rules=(*settings.house_rules, house))


def with_rule(settings: ServerSettings, house_id: str, option: str, value: str) -> ServerSettings:
    """The settings with one rule of some house rules changed; see `bot.rules.options`.

    Raises:
        ClashError: the choice does not go with another rule.
        UnknownHouseRulesError: there are no such house rules.
        UnknownOptionError: their preset offers no such choice.
    """
    after = options.with_value(ruleset_of(find(settings, house_id)), option, value)
    return _changed(settings, house_id, rules=_plain(after))


def with_presets_rules(settings: ServerSettings, house_id: str) -> ServerSettings:
    """The settings with some house rules put back to those of their preset.

    Raises:
        RulesetError: their preset is gone.
        UnknownHouseRulesError: there are no such house rules.
    """
    preset = variants.load(ruleset_of(find(settings, house_id)).id)
    return _changed(settings, house_id, rules=_plain(preset))


def renamed(settings: ServerSettings, house_id: str, name: str) -> ServerSettings:
    """The settings with another name for some house rules.

    Raises:
        HouseNameError: the name is taken, that of a preset, empty or too long.
        UnknownHouseRulesError: there are no such house rules.
    """
    return _changed(settings, house_id, name=_checked(settings, name, house_id))


def deleted(settings: ServerSettings, house_id: str) -> ServerSettings:
    """The settings without some house rules; tables that were opened by them keep them."""
    kept = tuple(house for house in settings.house_rules if house.id != house_id)
    usual = settings.default_house if settings.default_house != house_id else None
    return replace(settings, house_rules=kept, default_house=usual)


def made_usual(settings: ServerSettings, house_id: str) -> ServerSettings:
    """The settings with some house rules as those that `/hearts start` uses.

    Raises:
        UnknownHouseRulesError: there are no such house rules.
    """
    return replace(settings, default_house=find(settings, house_id).id)


def _changed(
    settings: ServerSettings,
    house_id: str,
    *,
    name: str | None = None,
    rules: Mapping[str, object] | None = None,
) -> ServerSettings:
    before = find(settings, house_id)
    after = HouseRules(house_id, name or before.name, rules or before.rules)
    houses = tuple(after if house is before else house for house in settings.house_rules)
    return replace(settings, house_rules=houses)


def _checked(settings: ServerSettings, name: str, own: str | None) -> str:
    """The name in one line, if neither a preset nor other house rules have it."""
    plain = " ".join(name.split())
    if not 1 <= len(plain) <= LONGEST_NAME:
        raise HouseNameError(Sentence(_LENGTH, {"most": LONGEST_NAME}))
    if families.find(plain):
        raise HouseNameError(Sentence(_KIND, {"name": plain}))
    other = called(settings, plain)
    if other is not None and other.id != own:
        raise HouseNameError(Sentence(_TAKEN, {"name": plain}))
    return plain


def _key(name: str) -> str:
    return " ".join(name.split()).casefold()


def _plain(ruleset: Ruleset) -> Mapping[str, object]:
    return ruleset_io.to_dict(ruleset)
