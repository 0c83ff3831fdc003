"""What was chosen in a menu, or typed into a form."""

from collections.abc import Collection, Mapping
from enum import Enum
from typing import Any, TypeVar

from cogs.errors import UnknownChoiceError
from cogs.services import Interaction

_E = TypeVar("_E", bound=Enum)


def values_of(interaction: Interaction) -> list[str]:
    """What was chosen in a menu. The library does not compare it with what was offered."""
    data: Any = interaction.data or {}
    return [str(value) for value in data.get("values", [])]


def only(values: list[str]) -> str:
    """The one value of a menu that takes one.

    Raises:
        UnknownChoiceError: there are none or several.
    """
    if len(values) != 1:
        raise UnknownChoiceError
    return values[0]


def one_of(values: list[str], offered: Collection[str]) -> str:
    """The one value of a menu, if it is among those *offered*.

    Raises:
        UnknownChoiceError: it is not, or there are none or several.
    """
    if only(values) not in offered:
        raise UnknownChoiceError
    return values[0]


def choice_of(kind: type[_E], values: list[str]) -> _E:
    """The one value of a menu that offers members of *kind*.

    Raises:
        UnknownChoiceError: it is none of them, or there are none or several.
    """
    try:
        return kind(only(values))
    except ValueError as cause:
        raise UnknownChoiceError from cause


def fields_of(interaction: Interaction) -> Mapping[str, str]:
    """What was typed into a form, or chosen in it, by the ids of its fields."""
    data: Any = interaction.data or {}
    fields = [label.get("component", {}) for label in data.get("components", [])]
    return {field["custom_id"]: _content(field) for field in fields if "custom_id" in field}


def _content(field: Mapping[str, Any]) -> str:
    """The text of a field, or the one value that was chosen in its menu."""
    chosen: list[str] = field.get("values") or [""]
    return str(field.get("value", chosen[0]))
