"""What the buttons, menus and forms ask for with which people set rules.

Those of a table name it where all ids do; those of a server's house rules have the id of the
rules in front of their argument.
"""

from dataclasses import dataclass
from typing import ClassVar, Self

from bot.table.ids import TableId
from cogs.ui.id_shapes import Anywhere, AtTable, Parts, whole


class Customise(AtTable):
    """Open the panel of a table's rules in a new private message."""

    word = "rules_open"


class TurnRules(AtTable):
    """A menu; its one value is the `bot.rules.option.Group` to show."""

    word = "rules_page"


@dataclass(frozen=True, slots=True)
class ChooseRule:
    """A menu; its one value is an id of a value of this option."""

    word: ClassVar[str] = "rule"
    table: TableId
    option: str

    def parts(self) -> Parts:
        return Parts(self.table, argument=self.option)

    @classmethod
    def read(cls, parts: Parts) -> Self:
        return cls(parts.table_id, parts.argument)


class RestoreRules(AtTable):
    """Put the table's rules back to those of its preset."""

    word = "rules_reset"


class AskSaveRules(AtTable):
    """Ask under which name the server shall keep the table's rules."""

    word = "rules_keep"


class SaveRules(AtTable):
    """A form: keep the table's rules among the server's under the name that was typed."""

    word = "rules_kept"


@dataclass(frozen=True, slots=True)
class OfHouse:
    """An action about some house rules of the server where it is pressed."""

    word: ClassVar[str]
    house: str

    def parts(self) -> Parts:
        return Parts(argument=self.house)

    @classmethod
    def read(cls, parts: Parts) -> Self:
        return cls(parts.argument)


class ShowSettings(Anywhere):
    """Go back to the panel of settings."""

    word = "set"


class ChooseUsualHouse(Anywhere):
    """A menu; its one value is the id of the house rules that `/hearts start` uses."""

    word = "set_house"


class ListHouses(Anywhere):
    """List the house rules of the server."""

    word = "houses"


class OpenHouse(Anywhere):
    """A menu; its one value is the id of some house rules."""

    word = "house_open"


@dataclass(frozen=True, slots=True)
class OfShelf:
    """A menu of presets; there are several, since one does not take them all."""

    word: ClassVar[str]
    shelf: int
    """Counted from 1."""

    def parts(self) -> Parts:
        return Parts(argument=str(self.shelf))

    @classmethod
    def read(cls, parts: Parts) -> Self:
        return cls(whole(parts.argument))


class ChooseUsual(OfShelf):
    """Its one value is the preset that `/hearts start` uses."""

    word = "set_usual"


class AskNewHouse(OfShelf):
    """Its one value is the preset that new house rules are made from."""

    word = "house_new"


@dataclass(frozen=True, slots=True)
class SaveNewHouse:
    """A form: make house rules from this preset under the name that was typed."""

    word: ClassVar[str] = "house_made"
    preset: str

    def parts(self) -> Parts:
        return Parts(argument=self.preset)

    @classmethod
    def read(cls, parts: Parts) -> Self:
        return cls(parts.argument)


class TurnHouse(OfHouse):
    """A menu; its one value is the `bot.rules.option.Group` to show."""

    word = "house_page"


@dataclass(frozen=True, slots=True)
class ChooseHouseRule:
    """A menu; its one value is an id of a value of this option."""

    word: ClassVar[str] = "house_rule"
    house: str
    option: str

    def parts(self) -> Parts:
        return Parts(argument=f"{self.house}.{self.option}")

    @classmethod
    def read(cls, parts: Parts) -> Self:
        house, _, option = parts.argument.partition(".")
        return cls(house, option)


class RestoreHouse(OfHouse):
    """Put house rules back to those of their preset."""

    word = "house_reset"


class AskRename(OfHouse):
    """Ask for another name."""

    word = "house_rename"


class Rename(OfHouse):
    """A form with another name."""

    word = "house_named"


class UseHouse(OfHouse):
    """Make house rules the ones that `/hearts start` uses."""

    word = "house_use"


class AskDelete(OfHouse):
    """Ask whether house rules shall really be deleted."""

    word = "house_delete"


class Delete(OfHouse):
    """Delete house rules."""

    word = "house_gone"


class ShowHouseRules(OfHouse):
    """Tell house rules in words, in a new private message."""

    word = "house_tell"


class ChooseVariantFamily(Anywhere):
    """A menu of `/hearts variants`; its one value is a family."""

    word = "family"


TableRulesAction = Customise | TurnRules | ChooseRule | RestoreRules | AskSaveRules | SaveRules
"""Everything a press can mean on the panel of a table's rules."""
SettingsAction = ShowSettings | ChooseUsual | ChooseUsualHouse
"""What the panel of settings offers about rules."""
HouseAction = (
    ListHouses
    | OpenHouse
    | AskNewHouse
    | SaveNewHouse
    | TurnHouse
    | ChooseHouseRule
    | RestoreHouse
    | AskRename
    | Rename
    | UseHouse
    | AskDelete
    | Delete
    | ShowHouseRules
)
"""Everything a press can mean on a server's house rules."""
