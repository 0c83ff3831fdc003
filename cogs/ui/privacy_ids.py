"""What the panel of a person's own data asks for."""

from cogs.ui.id_shapes import Anywhere


class ExportMine(Anywhere):
    """Send all that is stored about me, in a new private message."""

    word = "priv_export"


class AskDelete(Anywhere):
    """Ask for the word that confirms a deletion."""

    word = "priv_ask"


class DeleteMine(Anywhere):
    """A form: delete all that is stored about me, if the word was typed."""

    word = "priv_typed"


class KeepMine(Anywhere):
    """Call the deletion off."""

    word = "priv_keep"


PrivacyAction = ExportMine | AskDelete | DeleteMine | KeepMine
"""Everything that can be pressed there."""
