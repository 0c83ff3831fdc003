"""`python -m bot bench promises`: a row for each promise, and a planted breach in each way."""

import json
import re
import shutil
import sys
from pathlib import Path
from types import ModuleType

import pytest

from bot import OperatorError
from bot.cli import promises
from bot.cli.bench import bench
from bot.promises import by_tests
from bot.promises.catalogue import MODULES, WORDS
from bot.promises.measuring import measured
from bot.promises.promise import BY_TESTS, Promise, Verdict

PLANTED = """
import pytest

@pytest.mark.promise(3)
def test_a_kept_one():
    print("promise 3: 12 clicks, none twice")
    print("promise 4: not this one's")

@pytest.mark.promise(3)
@pytest.mark.promise(4)
@pytest.mark.parametrize("number", [1, 2])
def test_a_broken_one(number):
    print("promise 4: 1 of 9 lost")
    assert number == 1

@pytest.mark.promise(5)
def test_one_that_is_skipped():
    pytest.skip("no database")

@pytest.mark.promise(6)
@pytest.mark.whole
def test_a_long_one():
    from tests.support.forms import times
    print("promise 6:", times("short", "long"))

def test_nobodys():
    raise AssertionError("is not looked at")
"""


def module(monkeypatch: pytest.MonkeyPatch, measure: object) -> str:
    name = "planted_measure"
    planted = ModuleType(name)
    planted.__dict__["measure"] = measure
    monkeypatch.setitem(sys.modules, name, planted)
    return name


def catalogue(monkeypatch: pytest.MonkeyPatch, measure: object) -> None:
    planted = Promise(number=7, words="It is fast", module=module(monkeypatch, measure))
    monkeypatch.setattr(promises, "PROMISES", (planted,))


@pytest.mark.parametrize(("kept", "code", "word"), [(True, 0, "kept"), (False, 1, "broken")])
def test_a_broken_promise_is_the_exit_code(capsys, monkeypatch, kept: bool, code: int, word: str):
    catalogue(monkeypatch, lambda *, short: Verdict(figure=f"300 a second, {short}", kept=kept))
    assert bench(["promises", "--short"]) == code
    said = capsys.readouterr()
    assert said.out.splitlines()[-1] == f"| 7 | It is fast | 300 a second, True | {word} |"
    assert "promise 7: It is fast" in said.err


def test_the_table_says_when_and_on_what_it_was_measured(capsys, monkeypatch):
    catalogue(monkeypatch, lambda *, short: Verdict(figure="fine", kept=True))
    bench(["promises"])
    first, *_ = capsys.readouterr().out.splitlines()
    assert re.fullmatch(
        r"long form, \d{4}-\d\d-\d\d \d\d:\d\d UTC; \d+ cores, .*, Python 3[\d.]+, SQLite [\d.]+",
        first,
    )


def test_a_promise_that_cannot_be_looked_at_is_broken_and_the_next_is_looked_at(monkeypatch):
    def raises(*, short: bool) -> Verdict:
        raise RuntimeError("no room | here\nand more")

    broken = Promise(number=1, words="", module=module(monkeypatch, raises))
    missing = Promise(number=2, words="", module="bot.promises.nowhere")
    found = [row.verdict for row in measured([broken, missing], short=True, tell=print)]
    assert found[0] == Verdict(figure="RuntimeError: no room | here", kept=False)
    assert found[1].figure.startswith("ModuleNotFoundError: ")
    assert not found[1].kept


def test_the_report_is_also_written_as_json(monkeypatch, tmp_path: Path):
    catalogue(monkeypatch, lambda *, short: Verdict(figure="fine", kept=True))
    assert bench(["promises", "--short", "--json", str(tmp_path / "report.json")]) == 0
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert report["form"] == "short"
    assert report["rows"][0] | {"seconds": 0} == {
        "number": 7,
        "promise": "It is fast",
        "figure": "fine",
        "kept": True,
        "seconds": 0,
    }


def test_a_report_that_cannot_be_written_is_told_in_one_line(monkeypatch, tmp_path: Path):
    catalogue(monkeypatch, lambda *, short: Verdict(figure="fine", kept=True))
    with pytest.raises(OperatorError, match="can't be written"):
        bench(["promises", "--short", "--json", str(tmp_path)])


def test_a_promise_that_nothing_measures_is_told_in_one_line(monkeypatch):
    catalogue(monkeypatch, None)
    with pytest.raises(OperatorError, match="Nothing measures a promise 8; there are 7"):
        bench(["promises", "--only", "8"])


def test_every_promise_has_words_that_fit_a_cell():
    assert sorted(WORDS) == [*range(1, 21)]
    assert MODULES.keys() <= WORDS.keys()
    assert [words for words in WORDS.values() if re.search(r"[|\n]|\.$", words)] == []


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A source whose only tests are planted ones."""
    for name in ("pyproject.toml", "tests/conftest.py", "tests/support/forms.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(by_tests.ROOT / name, tmp_path / name)
    (tmp_path / "tests" / "test_planted.py").write_text(PLANTED, encoding="utf-8")
    return tmp_path


@pytest.mark.thorough
def test_the_tests_of_a_promise_are_run_and_a_failed_or_skipped_one_breaks_it(
    source: Path, monkeypatch
):
    monkeypatch.delenv("HEARTS_NO_SKIP", raising=False)
    found = by_tests.outcomes([3, 4, 5, 6], short=False, root=source)
    assert found[3].figure == (
        "12 clicks, none twice; 3 tests: 2 passed, 1 failed; test_a_broken_one[2] (assert 2 == 1)"
    )
    assert found[4].figure == (
        "1 of 9 lost; 1 of 9 lost; 2 tests: 1 passed, 1 failed; "
        "test_a_broken_one[2] (assert 2 == 1)"
    )
    assert found[5] == Verdict(figure="1 tests: 1 skipped", kept=False)
    assert found[6] == Verdict(figure="long; 1 tests: 1 passed", kept=True)
    assert not found[3].kept
    assert not found[4].kept


def test_a_promise_without_tests_is_not_kept(tmp_path: Path):
    assert not by_tests.outcomes([3], short=True, root=tmp_path)[3].kept


@pytest.mark.thorough
def test_a_file_that_cannot_be_read_breaks_the_promise(source: Path):
    (source / "tests" / "test_worse.py").write_text("import nowhere  # promise(3)\n")
    assert not by_tests.outcomes([3], short=True, root=source)[3].kept


def test_tests_that_cannot_be_started_break_their_promises(monkeypatch):
    def fails(*_args, **_kwargs):
        raise OSError("no process left")

    monkeypatch.setattr(by_tests, "outcomes", fails)
    tested = Promise(number=3, words="", module=BY_TESTS)
    [row] = measured([tested], short=True, tell=print)
    assert row.verdict == Verdict(figure="OSError: no process left", kept=False)
