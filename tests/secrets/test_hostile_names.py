"""No name makes a mention, a link, a layout or a direction of its own (reliability.md 6, row 15).

10,000 names go through the one function for names, and through everything that shows any: what is
drawn then is compared with the same drawing of harmless names.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import islice
from random import Random
from typing import Any

import pytest
from discord import ui
from markdown_it import MarkdownIt

from bot.rules.errors import HeartsError
from bot.rules.frozen import FrozenMap
from bot.rules.scorekeeper import KeptDeal, ScoreSheet
from bot.rules.sentence import Sentence
from bot.rules.state import Game
from bot.rules.variants import load
from bot.table import house
from bot.table.cuts import LONGEST_WORD, Cut, Reveal
from bot.table.ids import ChannelId, KeeperId, UserId
from bot.table.keeping import Keeper, KeptWhere
from bot.table.storing import HouseRules, ServerSettings
from bot.table.views import PersonStats, Standing, StandingsPage
from cogs.house_rules import typed_name
from cogs.names import LONGEST_NAME, one_line, plain_name, safe_name
from cogs.ui.customise import render_table_rules
from cogs.ui.games import render_games
from cogs.ui.hand import render_hand
from cogs.ui.house_rules import delete_question, house_name, render_house, render_houses
from cogs.ui.ids import Period
from cogs.ui.notice import render_notice
from cogs.ui.post import render_post
from cogs.ui.score_sheet import render_scores
from cogs.ui.scorekeeper import render_keeper, render_public_scores
from cogs.ui.seats import host_question
from cogs.ui.settings import render_settings
from cogs.ui.standings import render_board, render_stats
from tests.support import hostile
from tests.support.clock import NOON
from tests.support.forms import times
from tests.support.looks import (
    all_posts,
    beyond_limits,
    everybody_at,
    hand_of,
    parts,
    post_of,
    states,
    table,
    view_of,
)
from tests.support.sights import Sight, line_of

NAMES = times(10_000, 200_000)
_EACH = 6
"""Names that stand in one drawing."""
_SEEDS = 126
"""Positions that are drawn; a multiple of the ways to draw."""
# Discord knows no HTML and decodes no entities; its strikethrough and spoilers are not CommonMark.
_READER = MarkdownIt("commonmark").enable("strikethrough").disable(["entity", "html_inline"])
_MEANT = {
    "mention": re.compile(r"(?<!\\)<(?:@[!&]?|#|id:)\w|@(?:everyone|here)\b"),
    "command": re.compile(r"(?<!\\)</\w"),
    "time": re.compile(r"(?<!\\)<t:"),
    "emoji": re.compile(r"(?<!\\)<a?:\w+:"),
    "link": re.compile(r"(?:https?://|discord\.gg/|\]\()(?!discord\.com/channels)"),
    "spoiler": re.compile(r"(?<!\\)\|\|"),
    "small print": re.compile(r"^-# ", re.MULTILINE),
    "line": re.compile(r"[\n\r\u2028\u2029\x85\x0b\x0c]"),
}
_SHOWN_PLAIN = ("label", "description", "placeholder", "title", "value")


def meaning(text: str) -> Counter[str]:
    """What Discord would make of *text* beside showing its letters."""
    found = Counter({name: len(sign.findall(text)) for name, sign in _MEANT.items()})
    for line in text.splitlines():
        for token in _READER.parse(re.sub(r"^-# ", "", line)):
            found.update(each.type for each in (token, *(token.children or ())))
    del found["text"], found["text_special"]
    return +found


def turns(text: str) -> set[str]:
    """Characters that change how others are read, or that nobody sees."""
    kinds = ((character, unicodedata.category(character)) for character in text)
    return {repr(each) for each, kind in kinds if kind in {"Cf", "Cc", "Co", "Cs"} and each != "\n"}


def some_names(count: int, seed: str) -> list[str]:
    return list(islice(hostile.names(Random(seed)), count))


@pytest.mark.promise(15)
def test_no_name_comes_out_with_a_meaning():
    for name in some_names(NAMES, "names"):
        shown, plain = safe_name(name), plain_name(name)
        assert 1 <= len(plain) <= LONGEST_NAME
        assert len(shown) <= 3 * LONGEST_NAME
        assert set(meaning(f"{shown} passes")) <= {"paragraph_open", "inline", "paragraph_close"}
        assert turns(shown.replace("\u200b", "")) | turns(plain) == set()
        assert not set(" \n\r\t") & {plain[0], plain[-1]}
    print(f"promise 15: {NAMES:,} names, 0 with a meaning")


@pytest.mark.parametrize("name", [*hostile.MENTIONS, *hostile.MARKUP])
def test_control_a_raw_name_has_a_meaning_that_is_found(name: str):
    raw = f"{name.strip()} \u202e"
    bare = {"paragraph_open", "inline", "paragraph_close"}
    harmless = {"a\\", "\\", "| a | b |", "---", "===", "__under__"}
    assert set(meaning(raw)) - bare or name in harmless
    assert turns(raw)


Draw = Callable[[Sequence[str], Random], list[ui.LayoutView]]


def _people(names: Sequence[str]) -> Mapping[UserId, str]:
    return {UserId(number): name for number, name in enumerate(names, 1)}


_GAMES: list[Game] = [
    game
    for number, game in enumerate(states(Random(3), seats=_EACH))
    if number % 31 == 0 or game.places
]


def _at_a_table(names: Sequence[str], dice: Random) -> list[ui.LayoutView]:
    game, people = dice.choice(_GAMES), _people(names)
    at = everybody_at(game)
    post = dice.choice(all_posts(at, names=people))
    return [render_post(post), render_hand(hand_of(game, names=people, table=at), server=names[-1])]


def _in_a_lobby(names: Sequence[str], _dice: Random) -> list[ui.LayoutView]:
    at = table(invited=(UserId(5), UserId(6)))
    view = view_of(at, names=_people(names))
    drawn = [render_post(post) for post in all_posts(at, names=_people(names))]
    return [*drawn, render_table_rules(view, may_save=True), render_hand(hand_of(None, table=at))]


def _at_the_end(names: Sequence[str], _dice: Random) -> list[ui.LayoutView]:
    view = view_of(everybody_at(_GAMES[-1]), names=_people(names))
    return [render_scores(view), host_question(view)]


def _on_a_board(names: Sequence[str], _dice: Random) -> list[ui.LayoutView]:
    lines = tuple(
        Standing(
            rank=rank, user_id=UserId(rank), name=name, games=1, wins=1, mean_points=5.0, moons=0
        )
        for rank, name in enumerate(names, 1)
    )
    stats = PersonStats(
        user_id=UserId(1),
        games=1,
        rated_games=1,
        wins=1,
        places={1: 1},
        deals=4,
        points=20,
        moons=0,
        best_total=20,
    )
    page = StandingsPage(lines=lines, page=1, pages=1, own=lines[0])
    return [render_board(page, Period.ALL), render_stats(stats, names[0])]


def _of_house_rules(names: Sequence[str], dice: Random) -> list[ui.LayoutView]:
    """As they come out of a form, and raw as an older store may hold them."""
    settings = ServerSettings()
    for number, name in enumerate(names):
        with suppress(HeartsError):  # taken already, or empty
            settings = house.saved(settings, str(number), typed_name(name), load("standard"))
    raw = HouseRules("99", names[0], house._plain(load("standard")))
    houses = ServerSettings(house_rules=(*settings.house_rules, raw))
    found = dice.choice(houses.house_rules)
    deleted = Sentence("The house rules “{name}” are deleted.", {"name": house_name(found)})
    return [
        render_houses(houses, said=deleted),
        render_house(found, house.ruleset_of(found), usual=False),
        delete_question(found),
        render_settings(houses),
    ]


def _on_a_score_keeper(names: Sequence[str], _dice: Random) -> list[ui.LayoutView]:
    players = tuple(f"{plain_name(name, 28)} {number}" for number, name in enumerate(names))
    points = (26, *(0 for _ in players[1:]))
    keeper = Keeper(
        id=KeeperId(hostile.TABLE),
        where=KeptWhere(ChannelId(1), UserId(1), None),
        sheet=ScoreSheet(players, deals=(KeptDeal(points),)),
        version=2,
        opened_at=NOON,
        changed_at=NOON,
    )
    return [render_keeper(keeper), render_public_scores(keeper, names[0], None)]


def _in_a_sentence(names: Sequence[str], _dice: Random) -> list[ui.LayoutView]:
    """What was typed and is quoted, as facts of sentences are."""
    return [render_notice(Sentence("I know no “{typed}”.", {"typed": name})) for name in names]


def _in_lists(names: Sequence[str], _dice: Random) -> list[ui.LayoutView]:
    at = everybody_at(_GAMES[0])
    line = line_of(Sight(at, None, 0))
    # A channel without a name is shown by a mention of it, which is ours.
    servers, channels = {line.guild_id: names[0]}, {line.channel_id: names[1] or "general"}
    return [render_games([line], servers=servers, channels=channels)]


def _as_cuts(names: Sequence[str], _dice: Random) -> list[ui.LayoutView]:
    """Words that went into a shuffle, shown to everybody once the deal is over."""
    cuts = tuple(Cut(one_line(name, LONGEST_WORD), is_word=True) for name in names)
    reveal = Reveal(bytes(32), cuts)
    at = replace(everybody_at(_GAMES[-1]), reveals=FrozenMap({1: reveal}))
    return [render_post(post_of(at, "sheet:1"))]


DRAWINGS: tuple[Draw, ...] = (
    _as_cuts,
    _at_a_table,
    _in_a_lobby,
    _at_the_end,
    _on_a_board,
    _of_house_rules,
    _on_a_score_keeper,
    _in_a_sentence,
    _in_lists,
)
HARMLESS = [f"Maya{letter}" for letter in "abcdef"]


def texts_of(view: ui.LayoutView) -> str:
    return "\n".join(part["content"] for part in parts(view) if part["type"] == 10)


def plain_of(view: ui.LayoutView) -> Iterator[str]:
    """Where Discord reads no markdown, and a new line or a direction harms all the same."""
    for part in parts(view):
        options: list[dict[str, Any]] = part.get("options", [])
        for each in (part, *options):
            yield from (str(each[key]) for key in _SHOWN_PLAIN if each.get(key))


@cache
def usual(draw: Draw, seed: int) -> Counter[str]:
    """What stands in a drawing of harmless names."""
    return sum((meaning(texts_of(view)) for view in draw(HARMLESS, Random(seed))), Counter())


def faults(names: Sequence[str], draw: Draw, seed: int) -> Iterator[str]:
    """What is otherwise in a drawing of *names* than in one of harmless names."""
    drawn, found = draw(names, Random(seed)), Counter[str]()
    for view in drawn:
        said = texts_of(view)
        found += meaning(said)
        yield from beyond_limits(view)
        yield from turns(said.replace("\u200b", "").replace("\ufe0e", ""))
        for plain in plain_of(view):
            yield from (f"a label with {each}" for each in turns(plain) | set("\n") & {*plain})
    harmless = usual(draw, seed)
    yield from (f"{name} {found[name]} of {harmless[name]}" for name in found - harmless)


@pytest.mark.promise(15)
@pytest.mark.thorough
def test_no_drawing_of_any_name_has_a_meaning_that_it_has_not_with_harmless_names():
    dice = Random("drawings")
    named = hostile.names(dice)
    for number in range(NAMES // _EACH):
        names = list(islice(named, _EACH))
        assert list(faults(names, DRAWINGS[number % len(DRAWINGS)], number % _SEEDS)) == [], names
    print(f"promise 15: {NAMES:,} names in {NAMES // _EACH:,} drawings, 0 with a meaning")


@pytest.mark.parametrize("draw", DRAWINGS)
def test_control_a_drawing_that_shows_names_raw_is_found(draw: Draw, monkeypatch):
    monkeypatch.setattr("cogs.names._MARKUP", re.compile("((?!))"))
    monkeypatch.setattr("cogs.names._one_line", str)
    monkeypatch.setattr("discord.utils.escape_mentions", str)
    names = ["<@1> **x**", "</end:1>", "[a](https://b.c)", "||y||", "@everyone", "`z`\nq"]
    assert list(faults(names, draw, 1))
