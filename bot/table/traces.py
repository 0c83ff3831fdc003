"""Where the ids of people stand in the bodies of stored events. Pure.

To forget a person is the one reason to rewrite history, and this is the list of what has to be
rewritten. A test holds it against the types of all events, so that no new one is forgotten here.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from bot.table.codec import Body
from bot.table.ids import UserId

_EACH = "*"
"""Stands in a path for every entry of a list."""

Path = tuple[str, ...]
"""The keys that lead to an id, from the outside in."""

_OCCUPANT = (("human",), ("keeps_for",))

PATHS: Mapping[str, tuple[Path, ...]] = {
    "table_opened": (("host",), ("invited", _EACH)),
    "seat_taken": tuple(("occupant", *path) for path in _OCCUPANT),
    "seat_handed_over": tuple(("occupant", *path) for path in _OCCUPANT),
    "game_started": tuple(("chairs", _EACH, *path) for path in _OCCUPANT),
    "host_changed": (("host",),),
    "substitute_sat": (("user",), ("instead_of",)),
    "person_removed": (("user",),),
    "person_invited": (("user",),),
    "vote_called": (("subject", "user"),),
}
"""By kind of event, of all versions of its body; where a path leads nowhere, nobody is named."""


def users_in(
    kind: str, body: Body, paths: Mapping[str, tuple[Path, ...]] = PATHS
) -> frozenset[UserId]:
    """Everybody whom an event of *kind* names; whoever caused it stands beside its body."""
    return frozenset(user for path in paths.get(kind, ()) for user in _found(body, path))


def with_users(kind: str, body: Body, change: Callable[[UserId], UserId | None]) -> Body:
    """The same body with each id replaced by what *change* makes of it."""
    for path in PATHS.get(kind, ()):
        body = _changed(body, path, change)
    return body


def _found(value: Any, path: Path) -> Iterator[UserId]:  # noqa: ANN401  whatever JSON held
    if not path:
        if value is not None:
            yield UserId(value)
        return
    step, rest = path[0], path[1:]
    if step == _EACH:
        for each in value:
            yield from _found(each, rest)
    elif step in value:
        yield from _found(value[step], rest)


def _changed(value: Any, path: Path, change: Callable[[UserId], UserId | None]) -> Any:  # noqa: ANN401  whatever JSON held
    if not path:
        return None if value is None else change(UserId(value))
    step, rest = path[0], path[1:]
    if step == _EACH:
        return [_changed(each, rest, change) for each in value]
    if step not in value:
        return value
    return {**value, step: _changed(value[step], rest, change)}
