"""What the buttons and forms of fair deals ask for. No word of anybody's stands in an id."""

from cogs.ui.id_shapes import InDeal


class AskCut(InDeal):
    """Open the form for a word that goes into the shuffle of this deal."""

    word = "cut"


class GiveCut(InDeal):
    """A form; its one field is the word."""

    word = "cut_with"


FairAction = AskCut | GiveCut
"""All that is pressed about the shuffle."""
