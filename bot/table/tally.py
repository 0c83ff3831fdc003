"""What happened since the start, counted by name: for the operator, never for a decision."""

from collections.abc import Mapping


class Tally:
    """Numbers under names such as ``clicks_total``. No person, place or card is in a name."""

    def __init__(self) -> None:
        self._figures: dict[str, float] = {}

    def count(self, name: str, by: float = 1, **labels: str) -> None:
        """Add to a number.

        Args:
            name: what was counted.
            by: how much.
            labels: words of ours that divide the number, as in ``kind="Forbidden"``.
        """
        key = _key(name, labels)
        self._figures[key] = self._figures.get(key, 0) + by

    def reach(self, name: str, value: float) -> None:
        """Keep the highest value that there has been."""
        self._figures[name] = max(self._figures.get(name, value), value)

    def figures(self) -> Mapping[str, float]:
        """All numbers, by name."""
        return dict(sorted(self._figures.items()))


def _key(name: str, labels: Mapping[str, str]) -> str:
    if not labels:
        return name
    words = ",".join(f'{label}="{word}"' for label, word in sorted(labels.items()))
    return f"{name}{{{words}}}"
