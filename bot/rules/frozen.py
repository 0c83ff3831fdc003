"""A mapping that never changes, so that values which hold one can be hashed and pickled."""

from collections.abc import Iterator, Mapping
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class FrozenMap(Mapping[Key, Value]):
    """A read-only copy of a mapping; equal to every mapping of the same items.

    >>> FrozenMap({100: 50})
    FrozenMap({100: 50})
    """

    # types.MappingProxyType cannot be pickled, and rules travel to other processes.
    __slots__ = ("_items",)

    def __init__(self, items: Mapping[Key, Value]) -> None:
        self._items = dict(items)

    def __getitem__(self, key: Key) -> Value:
        return self._items[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __repr__(self) -> str:
        return f"FrozenMap({self._items!r})"
