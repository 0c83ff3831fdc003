"""What the demo's page shows at a moment: whether a scene has come, and what may be pressed."""

from collections.abc import Mapping
from typing import Any

from cogs.ui import ids
from tests.support.tab import controls, newest, target, with_words

_NEAR = 20
"""Messages."""


def in_trick(number: int, look: Mapping[str, Any]) -> bool:
    """Whether a trick of this number, of 13, is being played or was."""
    return with_words(look, f"Trick {number} of 13") is not None


def half_full(look: Mapping[str, Any]) -> bool:
    """Whether Ada is to play to a trick, not the first, in which others have played."""
    trick = with_words(look, "**Ada** is to play") or ""
    return "Trick 1 " not in trick and trick.count(" of ") >= 3


def hand_is_near(look: Mapping[str, Any]) -> bool:
    """Whether there is a hand not far from the newest post; it grows old, as in Discord."""
    refresh = newest(look, "Refresh")
    return refresh is not None and target(refresh)["target_id"] in look["timeline"][-_NEAR:]


def menu_of_hand(look: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The menu of the hand in which a pass is chosen, if it is there."""
    return next((control for control in of_newest_hand(look) if "options" in control), None)


def cards_of_hand(look: Mapping[str, Any]) -> list[Mapping[str, Any]] | None:
    """The buttons of the cards that may be played, if any may."""
    actions = [(control, ids.parse(control["custom_id"])) for control in of_newest_hand(look)]
    return [control for control, action in actions if isinstance(action, ids.PlayCard)] or None


def of_newest_hand(look: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The controls of the hand that is kept fresh: the one that was used last."""
    refresh = newest(look, "Refresh")
    if refresh is None:
        return []
    hand = target(refresh)["target_id"]
    return [control for control in controls(look) if target(control)["target_id"] == hand]
