"""Goes through the promises and finds a verdict for each, whatever happens on the way."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module

from bot.promises import by_tests
from bot.promises.promise import BY_TESTS, Promise, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A promise, and what came of looking."""

    promise: Promise
    verdict: Verdict
    seconds: float
    """How long it took; 0 for a promise whose tests ran together with others'."""


def measured(
    promises: Sequence[Promise], *, short: bool, tell: Callable[[str], None]
) -> Iterator[Row]:
    """Put *promises* to the test, those by tests first, and the rest in their order.

    Args:
        promises: what to look at.
        short: the form for every day.
        tell: hears what is under way.
    """
    tested = {promise.number: promise for promise in promises if promise.module == BY_TESTS}
    if tested:
        tell(f"tests of the promises {', '.join(map(str, tested))}")
        start = time.perf_counter()
        verdicts = _by_tests(tested, short=short)
        tell(f"tests: {time.perf_counter() - start:.0f} s")
        for number, verdict in verdicts.items():
            yield Row(promise=tested[number], verdict=verdict, seconds=0)
    for promise in promises:
        if promise.module != BY_TESTS:
            tell(f"promise {promise.number}: {promise.words}")
            start = time.perf_counter()
            verdict = _verdict(promise, short=short)
            seconds = time.perf_counter() - start
            tell(f"promise {promise.number}: {seconds:.0f} s, {verdict.figure}")
            yield Row(promise=promise, verdict=verdict, seconds=seconds)


def _by_tests(tested: Mapping[int, Promise], *, short: bool) -> Mapping[int, Verdict]:
    try:
        return by_tests.outcomes(tested.keys(), short=short)
    except Exception as error:  # noqa: BLE001  a promise that cannot be looked at is not kept
        return dict.fromkeys(tested, _broken_by(error))


def _verdict(promise: Promise, *, short: bool) -> Verdict:
    try:
        verdict: Verdict = import_module(promise.module).measure(short=short)
    except Exception as error:  # noqa: BLE001  a promise that cannot be looked at is not kept
        return _broken_by(error)
    return verdict


def _broken_by(error: Exception) -> Verdict:
    first, *_ = [*str(error).splitlines(), ""]
    return Verdict(figure=f"{type(error).__name__}: {first}", kept=False)
