"""What the panel of a person's own preferences asks for."""

from cogs.ui.id_shapes import Anywhere, Switch


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


class AskBeforePlaying(Switch):
    """Switch "ask once more" on or off."""

    word = "pref_ask"


class PlayForced(Switch):
    """Have cards played that are the only ones, or not."""

    word = "pref_forced"


PreferenceAction = ChooseReminders | AskHours | SaveHours | NoHours | AskBeforePlaying | PlayForced
"""Everything that can be pressed there."""
