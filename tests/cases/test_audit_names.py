"""Names come out as they went in, wherever they are shown: row B89 of the known cases."""

import random
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from bot.table.ids import UserId
from bot.table.views import PersonStats, Standing, StandingsPage
from cogs.names import Markup, safe_name
from cogs.ui.hand import render_hand
from cogs.ui.ids import Period
from cogs.ui.post import render_post
from cogs.ui.score_sheet import render_scores
from cogs.ui.standings import render_board, render_stats
from tests.support.looks import all_posts, buttons, hand_of, menus, states, table, texts, view_of

# Discord knows no HTML and decodes no entities; its strikethrough and spoilers are not CommonMark.
READER = MarkdownIt("commonmark").enable("strikethrough").disable(["entity", "html_inline"])
LISTS = {"ordered_list_open", "bullet_list_open", "blockquote_open", "fence", "code_block"}
NASTY = (
    "_under_score_",
    "*star* **bold**",
    "`tick` ```fence",
    "~~gone~~ ||spoiler||",
    "1. Bob",
    "- Bob",
    "# Bob",
    "> Bob",
    "[Bob](https://x.yz)",
    "back\\slash\\",
    "*",
    "a*b*c_d_e",
)
NAMES = st.text(st.characters(codec="ascii", categories=("L", "N", "P", "S", "Zs")), min_size=1)


def spoken(markdown: str) -> str:
    """What a reader sees of *markdown*: its words without its signs."""
    parts = [part for token in READER.parse(markdown) for part in token.children or ()]
    shown = [part.content if part.type in {"text", "code_inline"} else "\n" for part in parts]
    return "".join(shown).replace("\u200b", "")


def kinds(markdown: str) -> set[str]:
    return {token.type for token in READER.parse(markdown)}


def lines_of(shown: str) -> list[str]:
    """Each line by itself, without Discord's sign for small print."""
    return [re.sub(r"^-# ", "", line) for line in shown.splitlines()]


def one_line(name: str) -> str:
    return " ".join(name.split())[:32].strip() or "no name"


@settings(max_examples=200)
@given(NAMES)
@example("*" * 40)
def test_b89_any_name_is_read_back_as_it_was_written(name: str):
    shown = safe_name(name)
    for markdown in (shown, f"**{shown}**", f"`1` **{shown}** · 3 wins", f"led by {shown}, then"):
        assert one_line(name) in spoken(markdown)
        assert kinds(markdown) <= {"paragraph_open", "inline", "paragraph_close"}


@pytest.mark.parametrize("name", NASTY)
def test_b89_every_place_that_shows_a_name_shows_just_that_name(name: str):
    people = dict.fromkeys(map(UserId, range(1, 5)), name)
    games = [game for game in states(random.Random(5)) if not game.scores or game.places]
    sinks = [texts(render_scores(view_of(table(games[-1]), names=people)))]
    for game in (None, *games[:60:7], games[-1]):
        at = table(game)
        sinks += [texts(render_post(post)) for post in all_posts(at, names=people)]
        sinks.append(texts(render_hand(hand_of(game, names=people))))
    sinks += [texts(view) for view in boards(name)]
    named = 0
    for line in (line for sink in sinks for line in lines_of(sink)):
        assert not kinds(line) & LISTS, line
        named += one_line(name) in spoken(line)
    assert named > 50


def boards(name: str) -> list:
    line = Standing(rank=1, user_id=UserId(1), name=name, games=1, wins=1, mean_points=5.0, moons=0)
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
    page = StandingsPage(lines=(line,), page=1, pages=1, own=None)
    return [render_board(page, Period.ALL), render_stats(stats, name)]


@pytest.mark.parametrize("name", ["1. Bob", "_x_", "`x`"])
def test_b89_control_a_raw_name_is_found_to_be_read_as_something_else(name: str):
    assert name not in spoken(name) or kinds(name) & LISTS


def test_b89_labels_and_options_show_no_names_at_all_so_none_is_shown_escaped():
    """Discord shows labels without markdown: a backslash would be seen there."""
    people = dict.fromkeys(map(UserId, range(1, 5)), "_*_")
    for game in list(states(random.Random(6)))[:60:5]:
        views = [render_post(post) for post in all_posts(table(game), names=people)]
        views.append(render_hand(hand_of(game, names=people)))
        for view in views:
            plain = [str(button.get("label")) for button in buttons(view)]
            plain += [str(part.get("placeholder")) for part in menus(view)]
            plain += [option["label"] for part in menus(view) for option in part["options"]]
            assert not [words for words in plain if "\\" in words or "_" in words]


def test_b89_ranks_of_a_board_are_no_list():
    lines = tuple(
        Standing(
            rank=rank, user_id=UserId(rank), name="Bob", games=1, wins=1, mean_points=5, moons=0
        )
        for rank in range(1, 11)
    )
    page = StandingsPage(lines=lines, page=1, pages=1, own=None)
    shown = texts(render_board(page, Period.ALL))
    assert not kinds(shown.replace("-# ", "")) & LISTS
    assert [rank for rank in range(1, 11) if f"`{rank}` **Bob**" in shown] == [*range(1, 11)]
    assert isinstance(safe_name("Bob"), Markup)
