"""What the people at a table put into a shuffle beside the secret seed.

Fixed after the seed was sealed and before the deal begins, so that whoever drew the seed could not
choose it with the cuts in mind.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.table.ids import Human, InteractionId, Occupant, UserId

LONGEST_WORD = 40
"""Characters of a word."""


@dataclass(frozen=True, slots=True)
class Cut:
    """What one seat put in."""

    text: str = field(default="", repr=False)
    """As it goes into the shuffle; empty: nothing, or a word that is kept no more."""
    is_word: bool = False
    """Whether a person typed it. Else it is the number of that person's last press, in decimal."""

    @property
    def is_erased(self) -> bool:
        """Whether it was a word of somebody who asked to be forgotten: nobody has it any more."""
        return self.is_word and not self.text


@dataclass(frozen=True, slots=True)
class Reveal:
    """Where the order of a deal that is over came from."""

    seed: bytes
    cuts: tuple[Cut, ...]
    """By seat."""


def by_seat(
    chairs: Sequence[Occupant | None],
    words: Mapping[UserId, str],
    presses: Mapping[UserId, InteractionId],
) -> tuple[Cut, ...]:
    """The cut of each seat: the word of the person who sits there, else that person's last press.

    A seat that a robot plays has none, whoever it keeps the seat for.
    """
    return tuple(_cut(chair, words, presses) for chair in chairs)


def _cut(
    chair: Occupant | None, words: Mapping[UserId, str], presses: Mapping[UserId, InteractionId]
) -> Cut:
    if not isinstance(chair, Human):
        return Cut()
    if (word := words.get(chair.user_id)) is not None:
        return Cut(word, is_word=True)
    press = presses.get(chair.user_id)
    return Cut() if press is None else Cut(str(press))


def encode(cuts: Sequence[Cut]) -> list[Mapping[str, str] | None]:
    """Write cuts as JSON values, by seat."""
    return [_encode(cut) for cut in cuts]


def _encode(cut: Cut) -> Mapping[str, str] | None:
    if cut.is_word:
        return {"word": cut.text}
    return {"press": cut.text} if cut.text else None


def decode(written: Sequence[Mapping[str, Any] | None]) -> tuple[Cut, ...]:
    """Read what `encode` wrote.

    Raises:
        KeyError: it is something else.
    """
    return tuple(map(_decode, written))


def _decode(written: Mapping[str, Any] | None) -> Cut:
    if written is None:
        return Cut()
    return Cut(written["word"], is_word=True) if "word" in written else Cut(written["press"])
