"""Runs of the arena as files of JSON lines: what was set up, then one line a deal.

Each deal is written when it is done, so a run that was interrupted goes on where it stopped.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from bot.arena.duplicate import PlayedDeal, Setup, Sitting
from bot.arena.measure import margin
from bot.rules.cards import Seat
from bot.rules.errors import HeartsError, RulesetError
from bot.rules.reading import quoted
from bot.rules.ruleset_io import from_dict, to_dict
from bot.rules.sentence import Sentence

Plain = dict[str, Any]

_VERSION = 1
_MICROSECONDS = 1_000_000


class RunError(HeartsError):
    """A file that holds no run, or another one."""

    def __init__(self, path: Path, fault: str) -> None:
        text = f"{path} {fault}."
        self.sentence = Sentence("{text}", {"text": text})
        super().__init__(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What was set up, and what has been played of it."""

    setup: Setup
    a: str
    """The level of A, or its program's command."""
    b: str
    moves_of_a: int | None = None
    """The budget of A, if it searches, in moves a decision; ``None``: its level's own."""
    moves_of_b: int | None = None
    deals: tuple[PlayedDeal, ...] = ()


def read(path: Path) -> Run:
    """The run in a file.

    Raises:
        RunError: it cannot be read, or holds none.
    """
    try:
        lines = path.read_bytes().splitlines(keepends=True)
    except OSError as error:
        raise RunError(path, f"cannot be read: {error.strerror}") from error
    try:
        # The last line is not whole if the run was interrupted as it was written.
        head, *rest = [json.loads(line) for line in lines if line.endswith(b"\n")]
        return _run(head, {plain["deal"]: plain for plain in rest})
    except (ValueError, KeyError, TypeError, RecursionError, RulesetError) as error:
        raise RunError(path, "is not a run of the arena") from error


def open_for(path: Path, run: Run) -> Run:
    """The same run with the deals that a file already has; a file that is not there is begun.

    Raises:
        RunError: it holds another run, or none, or cannot be written.
    """
    try:
        if not path.exists() or not path.stat().st_size:
            path.write_text(json.dumps(_head(run)) + "\n", encoding="utf-8")
            return run
        found = read(path)
        if others := _differences(_head(run), _head(found)):
            raise RunError(path, f"holds another run ({others}); say another file")
        _cut_off_half_a_line(path)
    except OSError as error:
        raise RunError(path, f"cannot be written: {error.strerror}") from error
    return found


def append(path: Path, setup: Setup, deal: PlayedDeal) -> None:
    """Add a deal that has been played.

    Raises:
        RunError: the file cannot be written.
    """
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(_deal_to_plain(setup, deal)) + "\n")
    except OSError as error:
        raise RunError(path, f"cannot be written: {error.strerror}") from error


def _cut_off_half_a_line(path: Path) -> None:
    whole = path.read_bytes().rfind(b"\n") + 1
    with path.open("r+b") as file:
        file.truncate(whole)


def _differences(wanted: Plain, found: Plain) -> str:
    """What is set up otherwise, in words; rules only where they have the same name."""
    keys = [key for key in wanted if wanted[key] != found.get(key)]
    if keys == ["rules"]:
        return f"under rules of {wanted['variant']} that have changed since"
    return ", ".join(
        f"{key} {quoted(found.get(key))}, not {quoted(wanted[key])}"
        for key in keys
        if key != "rules"
    )


def _head(run: Run) -> Plain:
    setup = run.setup
    return {
        "arena": _VERSION,
        "a": run.a,
        "b": run.b,
        "variant": setup.ruleset.id,
        "seats": setup.seats,
        "sides_of_a": setup.sides_of_a,
        "seed": setup.seed,
        "moves_of_a": run.moves_of_a,
        "moves_of_b": run.moves_of_b,
        "rules": to_dict(setup.ruleset),
    }


def _run(head: Mapping[str, Any], deals: Mapping[int, Plain]) -> Run:
    if head["arena"] != _VERSION:
        raise ValueError(f"version {head['arena']!r} of the format")
    setup = Setup(
        ruleset=from_dict(head["rules"]),
        seats=head["seats"],
        seed=head["seed"],
        sides_of_a=head["sides_of_a"],
    )
    return Run(
        setup=setup,
        a=head["a"],
        b=head["b"],
        moves_of_a=head["moves_of_a"],
        moves_of_b=head["moves_of_b"],
        deals=tuple(_deal(deals[number], setup) for number in sorted(deals)),
    )


def _deal_to_plain(setup: Setup, deal: PlayedDeal) -> Plain:
    return {
        "deal": deal.number,
        "margin": round(float(margin(setup, deal)), 3),
        "sittings": [_sitting_to_plain(sitting) for sitting in deal.sittings],
        "us_a": [round(seconds * _MICROSECONDS) for seconds in deal.seconds_of_a],
        "us_b": [round(seconds * _MICROSECONDS) for seconds in deal.seconds_of_b],
    }


def _sitting_to_plain(sitting: Sitting) -> Plain:
    plain: Plain = {"a": list(sitting.seats_of_a), "points": list(sitting.points)}
    if sitting.money:
        plain["money"] = [str(part) for part in sitting.money]
    if sitting.shooters:
        plain["moon"] = list(sitting.shooters)
    return plain


def _deal(plain: Mapping[str, Any], setup: Setup) -> PlayedDeal:
    sittings = tuple(_sitting(each, setup) for each in plain["sittings"])
    if tuple(sitting.seats_of_a for sitting in sittings) != setup.seatings:
        raise ValueError(f"deal {plain['deal']!r} has not been played in every seating")
    return PlayedDeal(
        number=int(plain["deal"]),
        sittings=sittings,
        seconds_of_a=_seconds(plain["us_a"]),
        seconds_of_b=_seconds(plain["us_b"]),
    )


def _sitting(plain: Mapping[str, Any], setup: Setup) -> Sitting:
    if len(plain["points"]) != setup.seats:
        raise ValueError("not as many points as seats")
    return Sitting(
        seats_of_a=tuple(Seat(int(seat)) for seat in plain["a"]),
        points=tuple(map(int, plain["points"])),
        money=tuple(map(Fraction, plain.get("money", ()))),
        shooters=tuple(Seat(int(seat)) for seat in plain.get("moon", ())),
    )


def _seconds(microseconds: Sequence[float]) -> tuple[float, ...]:
    return tuple(each / _MICROSECONDS for each in microseconds)
