"""The list of variants in the README is that of the presets."""

from pathlib import Path

from bot.rules import variants
from bot.rules.families import UNKNOWN_TITLES, Family, families

README = Path(__file__).parent.parent / "README.md"


def table() -> str:
    """As the README has it: one row a family, titles with their numbers of players."""
    rows = ["| family | variants, and for how many players |", "|---|---|"]
    return "\n".join([*rows, *map(row, families())]) + "\n"


def row(family: Family) -> str:
    return f"| {family.title} | {' · '.join(map(entry, family.presets))} |"


def entry(preset: str) -> str:
    rules = variants.load(preset)
    fewest, most = rules.players[0], rules.players[-1]
    players = str(fewest) if fewest == most else f"{fewest}–{most}"
    return f"{rules.title} ({players})"


def test_the_readme_lists_all_variants_by_family():
    assert table() in README.read_text("utf-8")


def test_titles_without_known_rules_are_no_variants():
    assert not any(title in table() for title in UNKNOWN_TITLES)
