"""The walls of the house: what ARCHITECTURE.md and CONTRIBUTING.md promise, measured."""

import ast
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import discord
import pytest

from bot.settings import Settings
from cogs.permissions import INVITE
from tests.conftest import NetworkForbiddenError, fail_if_skipped

ROOT = Path(__file__).parents[1]
ROOMS = ("bot", "cogs", "db")
GENERATED = ROOT / "db" / "migrations"
LOCKS = ("requirements.txt", "requirements-demo.txt", "requirements-dev.txt")
LONGEST_FILE, LONGEST_FUNCTION = 400, 30


def python_files(*roots: str) -> list[Path]:
    found = (path for root in roots for path in (ROOT / root).rglob("*.py"))
    return sorted(path for path in found if GENERATED not in path.parents)


def own_text_files() -> list[Path]:
    """Every file that git would carry, tracked or about to be."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return [path for name in listing.stdout.splitlines() if (path := ROOT / name).is_file()]


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def where(path: Path, line: int) -> str:
    return f"{path.relative_to(ROOT)}:{line}"


def lint_imports(folder: Path) -> "subprocess.CompletedProcess[str]":
    program = Path(sys.executable).with_name("lint-imports")
    return subprocess.run(
        [program, "--no-cache"], cwd=folder, check=False, capture_output=True, text=True
    )


def functions_of(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(text_of(path))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def length_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines from ``def`` to the end, the docstring left out."""
    first = function.body[0]
    is_docstring = ast.get_docstring(function) is not None
    words = (first.end_lineno or 0) - first.lineno + 1 if is_docstring else 0
    return (function.end_lineno or 0) - function.lineno + 1 - words


def test_the_rooms_import_only_what_they_may():
    done = lint_imports(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("room", "planted"),
    [
        ("bot/rules/cards.py", "import random"),
        ("bot/rules/cards.py", "from bot import table"),
        ("bot/ai/__init__.py", "import asyncio"),
        ("bot/table/ids.py", "import discord"),
        ("bot/table/ids.py", "import cogs"),
        ("cogs/__init__.py", "import sqlalchemy"),
        ("cogs/__init__.py", "import simcord"),
        ("cogs/__init__.py", "from bot import settings"),
        ("db/__init__.py", "import cogs"),
        ("bot/cli/robots.py", "import pyspiel"),
    ],
)
def test_a_planted_import_is_caught(tmp_path: Path, room: str, planted: str):
    for name in ROOMS:
        shutil.copytree(ROOT / name, tmp_path / name)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    with (tmp_path / room).open("a", encoding="utf-8") as file:
        file.write(f"\n{planted}\n")
    done = lint_imports(tmp_path)
    assert done.returncode == 1
    assert "is not allowed to import" in done.stdout, done.stdout + done.stderr


def test_no_file_is_longer_than_400_lines():
    lengths = {path: text_of(path).count("\n") for path in python_files(*ROOMS, "tests")}
    assert [where(path, lines) for path, lines in lengths.items() if lines > LONGEST_FILE] == []


def test_no_function_is_longer_than_30_lines():
    too_long = [
        f"{where(path, function.lineno)} {function.name}: {length_of(function)} lines"
        for path in python_files(*ROOMS)
        for function in functions_of(path)
        if length_of(function) > LONGEST_FUNCTION
    ]
    assert too_long == []


SILENCE = re.compile(r"#\s*(noqa|type:\s*ignore|pragma:\s*no\s+(?:cover|branch))(.*)")
REASONED = re.compile(
    r"# (?:noqa: [A-Z]+\d+(?:, ?[A-Z]+\d+)* {2}\w"
    r"|type: ignore\[[a-z, -]+\] {2}# \w"
    r"|pragma: no (?:cover|branch) {2}\w).*"
)


def silences_without_reason(line: str) -> bool:
    found = SILENCE.search(line)
    return found is not None and not REASONED.fullmatch(line[found.start() :])


def test_every_silenced_checker_is_silenced_by_code_and_with_words():
    bare = [
        where(path, number)
        for path in python_files(*ROOMS, "tests")
        if path != Path(__file__)
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if silences_without_reason(line)
    ]
    assert bare == []


@pytest.mark.parametrize(
    ("line", "bad"),
    [
        ("x = 1  # noqa", True),
        ("x = 1  # noqa: E501", True),
        ("x = 1  # type: ignore", True),
        ("x = 1  # type: ignore[misc]", True),
        ("x = 1  # pragma: no cover", True),
        ("x = 1  # noqa: BLE001  the edge: whatever it was becomes words", False),
        ("x = 1  # type: ignore[misc]  # the library's stub is wrong", False),
        ("x = 1  # says what it is", False),
    ],
)
def test_a_silence_counts_as_reasoned_only_with_code_and_words(line: str, bad: bool):
    assert silences_without_reason(line) is bad


def test_annotations_are_there_at_run_time():
    """discord.py and SQLModel read them; a type imported only for checking breaks both."""
    postponed = re.compile(r"^from __future__ import annotations|\bTYPE_CHECKING\b", re.MULTILINE)
    files = python_files(*ROOMS)
    assert [str(path) for path in files if postponed.search(text_of(path))] == []


def test_no_class_is_named_after_nothing():
    empty = re.compile(r"^class \w*(?:Helper|Util|Utils|Data|Info|Handler)\b", re.MULTILINE)
    assert [str(path) for path in python_files(*ROOMS) if empty.search(text_of(path))] == []


def keywords_of(call: ast.expr) -> set[str]:
    if not isinstance(call, ast.Call):
        return set()
    return {word.arg or "" for word in call.keywords if ast.unparse(word.value) == "True"}


def is_needed_field(line: ast.stmt) -> bool:
    """Whether the statement makes a field that every caller has to give."""
    if not isinstance(line, ast.AnnAssign) or line.value is not None:
        return False
    return "ClassVar" not in ast.unparse(line.annotation)


def keeps_state(node: ast.ClassDef) -> bool:
    """Whether all fields are private: no value, but something that remembers."""
    fields = [line for line in node.body if isinstance(line, ast.AnnAssign)]
    return bool(fields) and all(ast.unparse(field.target).startswith("_") for field in fields)


def dataclass_faults(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(text_of(path))):
        if not isinstance(node, ast.ClassDef):
            continue
        if keeps_state(node):
            continue
        needed = sum(is_needed_field(line) for line in node.body)
        wanted = {"frozen", "slots"} | ({"kw_only"} if needed >= 4 else set())
        for mark in node.decorator_list:
            if re.match(r"(dataclasses\.)?dataclass\b", ast.unparse(mark)):
                missing = wanted - keywords_of(mark)
                yield from (f"{where(path, node.lineno)} {node.name}: {word}" for word in missing)


def test_values_are_frozen_slotted_and_named_from_four_needed_fields_on():
    assert [fault for path in python_files(*ROOMS) for fault in dataclass_faults(path)] == []


def is_guess(match: ast.Match) -> bool:
    """Whether the last case takes whatever is left and neither hands it on nor refuses it."""
    last = match.cases[-1]
    is_wildcard = isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None
    body = "\n".join(map(ast.unparse, last.body))
    is_handed_on = re.search(rf"\b{re.escape(ast.unparse(match.subject))}\b", body) is not None
    return is_wildcard and not is_handed_on and "raise " not in body


def test_no_match_over_a_closed_union_guesses():
    guesses = [
        where(path, node.lineno)
        for path in python_files(*ROOMS)
        for node in ast.walk(ast.parse(text_of(path)))
        if isinstance(node, ast.Match)
        and any(isinstance(case.pattern, ast.MatchClass) for case in node.cases)
        and is_guess(node)
    ]
    assert guesses == []


# Put together from pieces, so that this file does not name them.
ELSEWHERE = re.compile(
    "|".join(
        [
            r"(?<![\w.])/(?:work|root|home|opt)/" + r"\w",
            "pypi" + r"\.org|pythonhosted" + r"\.org",
            "(?<!no-emit)-(?:extra-)?index" + "-url",
            "(?<!no-emit)-find" + "-links",
        ]
    )
)


def test_no_file_names_a_machine_or_a_package_index():
    named = [
        where(path, number)
        for path in own_text_files()
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if ELSEWHERE.search(line)
    ]
    assert named == []


def test_a_planted_machine_path_is_found():
    assert ELSEWHERE.search("see " + "/home" + "/somebody/notes")
    assert ELSEWHERE.search("-" + "-index" + "-url something")


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_has_no_address_and_a_hash_for_every_package(lock: str):
    text = text_of(ROOT / lock)
    packages = re.findall(r"^[\w.-]+==.*(?:\n    .*)*", text, re.MULTILINE)
    assert "://" not in text
    assert packages
    assert [package for package in packages if "--hash=sha256:" not in package] == []


def versions_in(lock: str) -> set[str]:
    return set(re.findall(r"^[\w.-]+==[\w.]+", text_of(ROOT / lock), re.MULTILINE))


def test_one_environment_satisfies_all_locks():
    for smaller in LOCKS[:2]:
        assert versions_in(smaller) <= versions_in(LOCKS[2])


def test_production_installs_nothing_of_the_demo():
    assert "simcord" not in text_of(ROOT / LOCKS[0])


@pytest.mark.parametrize("package", ["open-spiel", "numpy", "scipy"])
def test_only_developers_install_openspiel_and_what_it_brings(package: str):
    having = [lock for lock in LOCKS if f"\n{package}==" in text_of(ROOT / lock)]
    assert having == ["requirements-dev.txt"]


def test_the_example_names_every_setting_with_its_default():
    example = text_of(ROOT / ".env.example")
    for name, field in Settings.model_fields.items():
        default = re.escape("" if field.default is None else str(field.default))
        assert re.search(rf"^(?:# )?{name.upper()}={default}$", example, re.MULTILINE)


def test_the_invitation_asks_for_the_rights_that_the_bot_checks():
    asked = re.search(r"permissions=(\d+)", text_of(ROOT / "README.md"))
    assert asked is not None
    assert discord.Permissions(int(asked[1])) == INVITE


PLACE = re.compile(r"`((?:bot|cogs|db|tests)(?:[./]\w+)*(?:/|\.py|\.toml)?)`")


def exists(place: str) -> bool:
    if "/" in place or place.endswith((".py", ".toml")):
        return (ROOT / place).exists()
    path = ROOT.joinpath(*place.split("."))
    if path.is_dir() or path.with_suffix(".py").is_file():
        return True
    # `bot.settings.Settings`: a name inside a module
    module = path.parent.with_suffix(".py")
    return module.is_file() and re.search(rf"\b{path.name}\b", text_of(module)) is not None


@pytest.mark.parametrize(
    "page", ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "tests/README.md"]
)
def test_every_place_that_a_page_names_exists(page: str):
    places = set(PLACE.findall(text_of(ROOT / page)))
    assert sorted(place for place in places if not exists(place)) == []


def test_a_place_that_is_not_there_is_noticed():
    assert not exists("bot.nowhere")
    assert not exists("bot/nowhere.py")


def test_the_architecture_page_names_every_room():
    rooms = {path.parent.relative_to(ROOT) for path in python_files(*ROOMS)}
    page = text_of(ROOT / "ARCHITECTURE.md")
    unnamed = {room for room in rooms if f"`{'.'.join(room.parts)}`" not in page}
    assert unnamed == set()


def test_tests_cannot_leave_this_machine():
    with pytest.raises(NetworkForbiddenError):
        socket.create_connection(("192.0.2.1", 9), timeout=0.1)
    with pytest.raises(NetworkForbiddenError):
        socket.getaddrinfo("discord.com", 443)


def test_where_nothing_may_be_skipped_a_skip_fails():
    report = pytest.CollectReport("tests/x.py", "skipped", ("tests/x.py", 1, "no Chromium"), [])
    fail_if_skipped(report)
    assert report.outcome == "failed"
    assert "no Chromium" in str(report.longrepr)
