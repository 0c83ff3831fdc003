"""`python -m bot bench rules`: how fast the rules are, beside OpenSpiel's."""

import re
import sys

import pytest

from bot import OperatorError
from bot.cli import bench
from bot.rules import variants

LINE = re.compile(r"^(\w+) +(\d+) +(\d+) +([\d,]+)$", re.MULTILINE)


def measured(said: str) -> dict[str, tuple[int, int]]:
    """Seats and steps of every game that has a speed above 0."""
    found = LINE.findall(said)
    return {name: (int(seats), int(steps)) for name, seats, steps, rate in found if rate != "0"}


def test_it_prints_the_speed_of_the_rules_and_of_openspiel_in_one_run(capsys):
    assert bench.bench(["rules", "--deals", "2"]) == 0
    speeds = measured(capsys.readouterr().out)
    killer = variants.load("killer")
    assert speeds["standard"] == speeds["OpenSpiel"] == (4, 2 * 52)
    assert speeds["killer_10"] == (10, 2 * 10 * killer.tricks(10))


def test_a_preset_that_is_not_there_is_named_in_one_line(capsys, monkeypatch):
    monkeypatch.setattr(variants, "names", lambda: ("standard",))
    assert bench.bench(["rules", "--deals", "1"]) == 0
    said = capsys.readouterr().out
    assert "killer_10: there is no preset killer.\n" in said
    assert list(measured(said)) == ["standard", "OpenSpiel"]


def test_without_openspiel_one_line_says_so(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.setattr(variants, "names", lambda: ("standard",))
    assert bench.bench(["rules", "--deals", "1"]) == 0
    said = capsys.readouterr().out
    assert said.endswith("\nOpenSpiel is not installed; `make test` brings it.\n")
    assert list(measured(said)) == ["standard"]


def test_an_openspiel_that_lacks_something_is_not_taken_for_a_missing_one(tmp_path, monkeypatch):
    (tmp_path / "pyspiel.py").write_text("import nowhere_at_all\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "pyspiel", raising=False)
    monkeypatch.setattr(variants, "names", lambda: ())
    with pytest.raises(ModuleNotFoundError, match="nowhere_at_all"):
        bench.bench(["rules", "--deals", "1"])


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "the following arguments are required: part"),
        (["robots"], "invalid choice: 'robots'"),
        (["rules", "--deals", "0"], "0 is less than 1"),
    ],
)
def test_what_cannot_be_measured_is_said_in_one_sentence(arguments, complaint):
    with pytest.raises(OperatorError, match=re.escape(complaint)):
        bench.bench(arguments)
