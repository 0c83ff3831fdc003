"""What the panel of a server's settings asks for, besides rules."""

from cogs.ui.id_shapes import Anywhere


class ChooseClock(Anywhere):
    """A menu; its one value is the id of a move clock."""

    word = "set_clock"


class ChooseVacation(Anywhere):
    """A menu; its one value is a number of days, 0 for none."""

    word = "set_vacation"


class ChooseChannels(Anywhere):
    """A menu; its values are ids of channels, none meaning everywhere."""

    word = "set_channels"


class ChooseThreads(Anywhere):
    """A menu; its one value is a word of `cogs.ui.settings.STANDS`."""

    word = "set_threads"


class ChooseClaims(Anywhere):
    """A menu; its one value is one of `bot.table.storing.CLAIMS`."""

    word = "set_claims"


class ResetSettings(Anywhere):
    """Put a server's settings back to the defaults."""

    word = "set_reset"


ServerAction = (
    ChooseClock | ChooseVacation | ChooseChannels | ChooseThreads | ChooseClaims | ResetSettings
)
"""Everything a press can mean on that panel, besides rules."""
