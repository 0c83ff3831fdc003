"""Verdicts from tests: a promise is kept if all tests that are marked with its number pass.

The tests run in processes of their own, all promises together, so that a test that stands for two
of them runs once. What a test prints in a line that begins as in ``promise 13: `` goes into the
figure of that promise.
"""

import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

from bot.promises.promise import Verdict

ROOT = Path(__file__).parents[2]
_PROCESSES = 2
_MOST_NAMED = 3
"""Tests that are named where several failed."""
_NOT_HERE = Verdict(
    figure="not measured: its tests need the source and what `make test` installs", kept=False
)


def outcome(number: int, *, short: bool) -> Verdict:
    """Run the tests of one promise; see `outcomes`."""
    return outcomes([number], short=short)[number]


def outcomes(numbers: Collection[int], *, short: bool, root: Path = ROOT) -> Mapping[int, Verdict]:
    """Run the tests marked ``promise(N)`` of all these promises, each test once.

    A promise without a test, or with one that was skipped, is not kept: nothing shows it.

    Args:
        numbers: of promises.
        short: the form for every day; tests see the long one as ``HEARTS_LONG=1``.
        root: of the source, with the folder ``tests`` in it.
    """
    files = sorted(_marked(root / "tests", numbers))
    if find_spec("pytest") is None or not files:
        return dict.fromkeys(numbers, _NOT_HERE)
    with tempfile.TemporaryDirectory(prefix="hearts-promises-") as folder:
        report = Path(folder) / "report.xml"
        said = _run(root, files, numbers, report, short=short)
        if not report.exists():
            return dict.fromkeys(numbers, Verdict(figure=_last_line(said), kept=False))
        cases = [*ET.parse(report).iter("testcase")]  # noqa: S314  pytest wrote it a moment ago
    return {number: _verdict(number, cases) for number in numbers}


def _marked(tests: Path, numbers: Collection[int]) -> Iterator[Path]:
    """Files in which one of the marks stands; the others need not be imported."""
    mark = re.compile(rf"\bpromise\((?:{'|'.join(map(str, numbers))})\)")
    for path in tests.rglob("test_*.py"):
        if mark.search(path.read_text(encoding="utf-8")):
            yield path


def _run(
    root: Path, files: Collection[Path], numbers: Collection[int], report: Path, *, short: bool
) -> str:
    command = [sys.executable, "-m", "pytest", "-q", "-m", "promise"]
    command += ["-k", " or ".join(f"promise_{number:02}" for number in numbers)]
    command += ["-n", str(_PROCESSES), "--dist", "worksteal", "-p", "no:cacheprovider"]
    command += [f"--junitxml={report}", "-o", "junit_logging=system-out", *map(str, files)]
    environment = os.environ | {"HEARTS_LONG": "0" if short else "1"}
    done = subprocess.run(  # noqa: S603  the arguments are our own
        command, cwd=root, env=environment, check=False, capture_output=True, text=True
    )
    return done.stdout + done.stderr


def _last_line(said: str) -> str:
    lines = [line for line in said.splitlines() if line.strip()]
    return f"pytest did not run: {lines[-1] if lines else 'it said nothing'}"


def _verdict(number: int, cases: Collection[ET.Element]) -> Verdict:
    own = [case for case in cases if str(number) in _promises(case)]
    ends = Counter(map(_end, own))
    if not own:
        return Verdict(figure="none of its tests could be run", kept=False)
    counts = ", ".join(f"{ends[end]} {end}" for end in ("passed", "failed", "skipped") if ends[end])
    told = [line for case in own for line in _told(number, case)]
    failed = [_why(case) for case in own if _end(case) == "failed"][:_MOST_NAMED]
    figure = "; ".join([*told, f"{len(own)} tests: {counts}", *failed])
    return Verdict(figure=figure, kept=ends["passed"] == len(own))


def _promises(case: ET.Element) -> set[str]:
    found = case.iterfind("properties/property[@name='promise']")
    return {each.get("value", "") for each in found}


def _end(case: ET.Element) -> str:
    if case.find("failure") is not None or case.find("error") is not None:
        return "failed"
    return "passed" if case.find("skipped") is None else "skipped"


def _why(case: ET.Element) -> str:
    """The name of a test that failed, and the first line of what it found."""
    found = case.find("failure")
    fault = found if found is not None else case.find("error")
    message = "" if fault is None else fault.get("message", "")
    first, *_ = [*message.splitlines(), ""]
    return f"{case.get('name', '')} ({first})"


def _told(number: int, case: ET.Element) -> Iterator[str]:
    start = f"promise {number}: "
    for said in case.iterfind("system-out"):
        for line in (said.text or "").splitlines():
            if line.startswith(start):
                yield line.removeprefix(start).strip()
