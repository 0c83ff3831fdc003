"""What the buttons, menus and forms of a score keeper ask for.

Where the ids of tables have a moment, these have the version that was seen.
"""

from dataclasses import dataclass
from typing import ClassVar, Self

from bot.table.ids import KeeperId
from bot.table.keeping import SeenKeeper
from cogs.ui.id_shapes import Parts, whole

_BETWEEN = "."
"""Stands between the drafts of two fields; typed numbers have none."""


@dataclass(frozen=True, slots=True)
class OfKeeper:
    """An action at a score keeper for which no version matters."""

    word: ClassVar[str]
    keeper: KeeperId

    def parts(self) -> Parts:
        return Parts(self.keeper)

    @classmethod
    def read(cls, parts: Parts) -> Self:
        return cls(KeeperId(parts.table_id))


@dataclass(frozen=True, slots=True)
class AtVersion:
    """An action at one version of a score keeper."""

    word: ClassVar[str]
    keeper: KeeperId
    version: int

    @property
    def seen(self) -> SeenKeeper:
        """What the person saw who pressed."""
        return SeenKeeper(self.keeper, self.version)

    def parts(self) -> Parts:
        return Parts(self.keeper, self.version)

    @classmethod
    def read(cls, parts: Parts) -> Self:
        return cls(KeeperId(parts.table_id), parts.moment)


class ShowKeeper(OfKeeper):
    """Draw the panel anew in the private message that was clicked."""

    word = "sk_show"


@dataclass(frozen=True, slots=True)
class WithDraft(AtVersion):
    """An action at one version of a score keeper that carries what was typed before."""

    draft: tuple[str, ...] = ()
    """By player, as `cogs.ui.keeper_forms.draft_of` keeps it."""

    def parts(self) -> Parts:
        return Parts(self.keeper, self.version, _BETWEEN.join(self.draft))

    @classmethod
    def read(cls, parts: Parts) -> Self:
        draft = tuple(parts.argument.split(_BETWEEN)) if parts.argument else ()
        return cls(KeeperId(parts.table_id), parts.moment, draft)


class OpenPoints(WithDraft):
    """Open the form for the points of the next deal."""

    word = "sk_enter"


class ChooseMissingJack(WithDraft):
    """A menu as `ChooseJack`, for a deal whose points were typed without the jack."""

    word = "sk_jack_of"


class EnterPoints(AtVersion):
    """The form with the points of a deal."""

    word = "sk_points"


class ChooseShooter(AtVersion):
    """A menu; its one value is the player who shot the moon, counted from 0."""

    word = "sk_moon"


@dataclass(frozen=True, slots=True)
class ChooseJack(AtVersion):
    """A menu; its one value is the player who took the jack of diamonds, or `NOBODY`."""

    word: ClassVar[str] = "sk_jack"
    shooter: int
    """Who shot the moon, counted from 0."""

    def parts(self) -> Parts:
        return Parts(self.keeper, self.version, str(self.shooter))

    @classmethod
    def read(cls, parts: Parts) -> Self:
        return cls(KeeperId(parts.table_id), parts.moment, whole(parts.argument))


NOBODY = "nobody"


class UndoDeal(AtVersion):
    """Take the newest deal back."""

    word = "sk_undo"


class PostScores(AtVersion):
    """Put the score sheet into the channel."""

    word = "sk_post"


class OpenRules(AtVersion):
    """Open the form with what the people at the table have agreed on."""

    word = "sk_rules"


class SaveRules(AtVersion):
    """The form with what the people at the table have agreed on."""

    word = "sk_agree"


class AskClose(OfKeeper):
    """Ask whether the score keeper shall really be closed."""

    word = "sk_close"


class ConfirmClose(OfKeeper):
    """Close the score keeper and forget its scores."""

    word = "sk_close_sure"


KeeperAction = (
    ShowKeeper
    | OpenPoints
    | EnterPoints
    | ChooseShooter
    | ChooseJack
    | ChooseMissingJack
    | UndoDeal
    | PostScores
    | OpenRules
    | SaveRules
    | AskClose
    | ConfirmClose
)
"""Everything a press at a score keeper can mean: a closed union."""
