"""Rules in plain words, over combinations of all: what makes a difference is told, only that."""

from collections import Counter
from dataclasses import fields
from functools import cache, cached_property
from random import Random

import pytest

from bot.rules.cards import Card
from bot.rules.describe import at_a_glance, describe
from bot.rules.dimensions import MoonRules, NoTrickBonus, WidowRules
from bot.rules.errors import RulesetError
from bot.rules.ruleset import Ruleset
from tests.rules.test_describe import assert_gaps_are_filled
from tests.support.pairwise import SWITCHES, Refusal, Row, arrangement, rules_of

QUEEN = Card.parse("QS")
LOOKS = 2
"""At how many tables each value is looked at, with effect and without."""
TRIES = 8
"""How many tables are tried to find some without effect."""
NAMES = {"id", "title", "source", "aliases", "text"}
"""Fields that say what the rules are called, and nothing of how they are played."""
WITH_OTHERS = {"players", "default_players", "draw", "rest", "widow.size"}
"""Fields that follow from others or go with them, as `draw` and `rest` with the hands."""


@cache
def rows() -> list[Row]:
    return [row for row in arrangement(Random(5)) if not isinstance(row, Refusal)]


class Table:
    """A row as people play it, read from its plain values."""

    def __init__(self, row: Row) -> None:
        self.row, self.seats, self.rules = row, row["players"], rules_of(row)
        self.deck = Counter(card.face for card in self.rules.deck(self.seats))
        cards = self.rules.deck(self.seats)
        self.left = len(cards) - self.seats * self.rules.hand_size(self.seats)
        self.dealt = (self.deck, self.left, row["rest"] if self.left else "none")
        self.worth = {card.face: self.rules.points_of(card) for card in cards}

    @cached_property
    def told(self) -> list[str]:
        return list(map(str, describe(self.rules, self.seats)))

    @property
    def partners(self) -> bool:
        even = self.seats % 2 == 0
        return self.row["sides"] == "opposite" or (self.row["sides"] != "solo" and even)

    @property
    def widow(self) -> bool:
        return self.row["rest"] == "widow" and self.left > 0

    @property
    def seen(self) -> str:
        """Who sees the widow in the end."""
        seen = self.row["widow.seen"]
        if seen == "all_at_end":
            return "all"
        if seen == "none" or self.row["widow.take"] == "dead":
            return "nobody"
        return seen if self.partners else "taker"

    @property
    def equal(self) -> bool:
        return any(count > 1 for face, count in self.deck.items() if face != "JK")

    @property
    def jokers_alone(self) -> bool:
        return self.row["jokers"] >= self.seats * self.row["cards_per_player"]

    @property
    def cancels(self) -> bool:
        return self.equal and self.row["duplicates"] == "cancel_pairs"

    @property
    def dead_points(self) -> bool:
        """Whether a card that costs points can be nobody's, the widow aside that always is."""
        with_jokers = self.jokers_alone and self.widow and self.row["widow.take"] == "last_trick"
        return self.row["no_winner_last"] == "dead" and (self.cancels or with_jokers)

    @property
    def excused(self) -> bool:
        return self.row["moon.missing_ok"] == "dead_tricks" and self.dead_points

    @property
    def hidden_counts(self) -> bool:
        """Whether it matters for a moon that nobody may get the widow."""
        dead = self.row["widow.take"] == "dead"
        return self.widow and (dead or (self.dead_points and not self.excused))

    @property
    def moon_value(self) -> int | str:
        if self.row["moon.value"] != "sum":
            return int(self.row["moon.value"])
        not_void = self.hidden_counts and not self.row["moon.widow_points_void"]
        if self.excused or not_void:
            return "as taken"
        return sum(max(0, self.worth[face]) * count for face, count in self.deck.items())

    @property
    def has_bonus(self) -> bool:
        return self.row["moon.on"] and any(worth < 0 for worth in self.worth.values())

    @property
    def unbroken(self) -> bool:
        return self.row["hearts_lead"] == "after_broken"

    @property
    def has_queen(self) -> bool:
        return "QS" in self.deck

    @property
    def queen_forced(self) -> str:
        forced = self.row["void_play"] if self.has_queen else "any"
        beaten = {"KS", "AS"} & self.deck.keys()
        return "qs_first_chance" if forced == "qs_when_safe" and not beaten else forced

    @property
    def no_trick(self) -> bool:
        return self.row["no_trick_bonus.points"] != 0


MATTERS = {
    "sides": lambda table: table.partners,
    "side_score": lambda table: table.partners and table.row["side_score"],
    "packs": lambda table: table.dealt,
    "ranks": lambda table: table.dealt,
    "jokers": lambda table: table.dealt,
    "remove": lambda table: table.dealt,
    "add": lambda table: table.dealt,
    "hand": lambda table: table.dealt,
    "rest": lambda table: table.dealt,
    "widow.positions": lambda table: table.widow and table.row["widow.positions"],
    "widow.take": lambda table: table.widow and table.row["widow.take"],
    "widow.seen": lambda table: table.widow and table.seen,
    "widow.never": lambda table: table.widow and "2C" in table.deck and table.row["widow.never"],
    "void_play": lambda table: table.queen_forced,
    "first_trick_exempt": lambda table: (
        bool(table.row["first_trick_ban"]) and table.has_queen and table.row["first_trick_exempt"]
    ),
    "breakers": lambda table: table.unbroken and table.has_queen and table.row["breakers"],
    "break_on_lead": lambda table: table.unbroken and table.row["break_on_lead"],
    "lead_exempt": lambda table: table.unbroken and table.has_queen and table.row["lead_exempt"],
    "duplicates": lambda table: table.equal and table.row["duplicates"],
    "no_winner_last": lambda table: (
        (table.cancels or table.jokers_alone) and table.row["no_winner_last"]
    ),
    "points": lambda table: table.worth,
    "heart_scale": lambda table: table.worth,
    "no_trick_bonus.if_moon": lambda table: (
        table.no_trick and table.row["moon.on"] and table.row["no_trick_bonus.if_moon"]
    ),
    "no_trick_bonus.floor_zero": lambda table: (
        table.no_trick and table.row["no_trick_bonus.floor_zero"]
    ),
    "moon.bonus": lambda table: table.has_bonus and table.row["moon.bonus"],
    "moon.bonus_score": lambda table: table.has_bonus and table.row["moon.bonus_score"],
    "moon.scope": lambda table: table.row["moon.on"] and table.partners and table.row["moon.scope"],
    "moon.missing_ok": lambda table: table.row["moon.on"] and table.excused,
    "moon.widow_points_void": lambda table: (
        table.row["moon.on"] and table.hidden_counts and table.row["moon.widow_points_void"]
    ),
    "moon.payoff": lambda table: table.row["moon.on"] and table.row["moon.payoff"],
    "moon.value": lambda table: table.row["moon.on"] and table.moon_value,
    "tiebreak_moon": lambda table: (
        table.row["moon.on"]
        and table.row["tie"] == "tiebreak_no_pass"
        and table.row["tiebreak_moon"]
    ),
}
"""By switch: what of it makes a difference at a table. Those that are not here always do."""


def difference_made(key: str, table: Table) -> object:
    return MATTERS[key](table) if key in MATTERS else table.row[key]


def changes(key: str, value: object) -> list[tuple[Table, Table]]:
    """Tables where *key* alone becomes *value*, before and after."""
    dice = Random(f"{key} {value}")
    pairs: dict[bool, list[tuple[Table, Table]]] = {True: [], False: []}
    for tried, row in enumerate(dice.sample(rows(), len(rows()))):
        other = dice.choice([each for each in SWITCHES[key] if each != value])
        before, after = row | {key: other}, row | {key: value}
        try:
            pair = (Table(before), Table(after))
        except RulesetError:
            continue
        differs = difference_made(key, pair[0]) != difference_made(key, pair[1])
        pairs[differs].append(pair)
        if len(pairs[True]) >= LOOKS and (len(pairs[False]) >= LOOKS or tried >= TRIES):
            break
    return [*pairs[True][:LOOKS], *pairs[False][:LOOKS]]


WITH_ANOTHER = [("duplicates", "none"), ("moon.payoff", "lose_value")]
"""Values that say something only together with another key, which excludes all other values."""
ALONE = [(key, value) for key in SWITCHES if key not in WITH_OTHERS for value in SWITCHES[key]]


@pytest.mark.parametrize(("key", "value"), ALONE)
@pytest.mark.thorough
def test_a_rule_is_told_where_it_makes_a_difference_and_nowhere_else(key: str, value: object):
    seen = changes(key, value)
    for before, after in seen:
        differs = difference_made(key, before) != difference_made(key, after)
        assert (before.told != after.told) is differs, (before.row, before.told, after.told)
    made = any(before.told != after.told for before, after in seen)
    assert made is ((key, value) not in WITH_ANOTHER)


def test_every_field_of_a_ruleset_is_looked_at():
    nested = {"widow": WidowRules, "no_trick_bonus": NoTrickBonus, "moon": MoonRules}
    keys = {field.name for field in fields(Ruleset) if field.init} - nested.keys() - NAMES
    keys |= {f"{name}.{field.name}" for name, kind in nested.items() for field in fields(kind)}
    assert keys == SWITCHES.keys() | WITH_OTHERS


@pytest.mark.thorough
def test_the_words_of_a_topic_are_there_where_the_topic_is():
    """rules.md 3.1, 3.2, 3.8, 1.9, 1.13."""
    for row in rows():
        table = Table(row)
        there = {
            "you draw": row["draw"] != "none",
            "stock": row["rest"] == "stock",
            "widow": table.widow,
            "oker": row["jokers"] > 0,
            "partner": table.partners,
            "pair": table.partners,
            "equal cards": table.equal,
            "counter": row["settle"] != "none",
            "brings": row["good_score"] == "high",
            "is the sun": row["sun"] != "off",
        }
        told = "\n".join(table.told)
        assert {word: word in told for word in there} == there, told


def test_a_slam_that_loses_is_told():
    """rules.md 1.11, option: the side that takes all points has 26 taken off instead."""
    losing = [row for row in rows() if row["good_score"] == "high" and row["moon.on"]]
    assert losing
    for row in losing:
        table = Table(row)
        [paid] = [line for line in table.told if line.startswith("A moon brings you nothing")]
        assert paid.endswith(f"goes down by {table.moon_value} points.") or "as many" in paid


def test_all_combinations_are_whole_sentences():
    for row in rows():
        rules, seats = rules_of(row), row["players"]
        for sentence in (*describe(rules, seats), *at_a_glance(rules, seats)):
            words = str(sentence)
            assert words[0].isupper(), words
            assert words.endswith("."), words
            assert "  " not in words
            assert_gaps_are_filled(sentence)
        assert 3 <= len(at_a_glance(rules, seats)) <= 6
