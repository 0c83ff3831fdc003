"""What the panel of a person's own preferences asks for."""

from dataclasses import dataclass
from typing import ClassVar, Self

from cogs.ui.id_shapes import Anywhere, Parts


class ChooseReminders(Anywhere):
    """A menu; its one value is a `bot.table.storing.Reminders`."""

    word = "pref_calls"


class AskHours(Anywhere):
    """Ask for time zone and quiet hours."""

    word = "pref_hours"


class SaveHours(Anywhere):
    """A form: keep the time zone and the quiet hours that were typed."""

    word = "pref_typed"


class NoHours(Anywhere):
    """Have no quiet hours any more."""

    word = "pref_loud"


@dataclass(frozen=True, slots=True)
class AskBeforePlaying:
    """Switch "ask once more" on or off."""

    word: ClassVar[str] = "pref_ask"
    on: bool

    def parts(self) -> Parts:
        return Parts(argument="on" if self.on else "off")

    @classmethod
    def read(cls, parts: Parts) -> Self:
        return cls(on=parts.argument == "on")


@dataclass(frozen=True, slots=True)
class PlayForced:
    """Have cards played that are the only ones, or not."""

    word: ClassVar[str] = "pref_forced"
    on: bool

    def parts(self) -> Parts:
        return Parts(argument="on" if self.on else "off")

    @classmethod
    def read(cls, parts: Parts) -> Self:
        return cls(on=parts.argument == "on")


PreferenceAction = ChooseReminders | AskHours | SaveHours | NoHours | AskBeforePlaying | PlayForced
"""Everything that can be pressed there."""
