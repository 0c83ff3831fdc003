"""Known failures of other bots' looks: each test is named by its row of cases.md."""

import random
import re
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cogs
from bot.rules.cards import Card, pack, parse_cards
from bot.rules.state import Phase
from cogs.ui import faces, ids
from cogs.ui.hand import render_hand
from cogs.ui.post import render_post
from cogs.words import Voice, card_words
from tests.support.looks import (
    all_posts,
    buttons,
    custom_ids,
    hand_of,
    payload,
    states,
    table,
    texts,
)

ALL_CARDS = (*pack(), *parse_cards("JK JK.2 QS.2"))
SEED = st.integers(0, 2**32)


def _source():
    (folder,) = cogs.__path__
    return {path: path.read_text("utf-8") for path in Path(folder).rglob("*.py")}


def _views_with_a_default_timeout(sources):
    """Calls that make a view and leave its timeout at the library's 180 s."""
    made = re.compile(r"\b(?:ui|discord\.ui)\.(?:Layout)?View\(([^)]*)\)")
    return [
        path
        for path, text in sources.items()
        for arguments in made.findall(text)
        if "timeout=None" not in arguments
    ]


def test_b02_no_view_in_the_code_keeps_the_default_timeout():
    assert not _views_with_a_default_timeout(_source())


def test_b02_control_a_view_with_the_default_timeout_is_found():
    assert _views_with_a_default_timeout({"here": "view = ui.LayoutView()"}) == ["here"]


def _visible(label):
    return re.sub("[\ufe0e\ufe0f]", "", label)


@pytest.mark.parametrize("card", ALL_CARDS, ids=str)
def test_b25_b26_card_labels_are_three_visible_characters_all_alike(card):
    assert len(_visible(faces.label(card))) == 3


def test_b26_cards_that_look_alike_are_alike():
    labels = {faces.label(card) for card in pack()}
    assert len(labels) == 52
    assert faces.label(Card.parse("QS")) == faces.label(Card.parse("QS.2"))


@pytest.mark.parametrize("card", pack(), ids=str)
def test_b27_a_suit_is_always_the_plain_sign_and_never_the_dark_emoji(card):
    for shown in (
        faces.label(card),
        faces.chip(card),
        *faces.suit_line(Voice(), card.suit, [card]).split()[:1],
    ):
        assert re.search("[♣♦♠♥](?!\ufe0e)", shown) is None


def _some_game(seed, wanted=lambda _: True):
    """A game at any point of its first deal, or the first point after it that is *wanted*."""
    rng = random.Random(seed)
    game = islice(states(rng), rng.randrange(56), None)
    return next(filter(wanted, game))


@settings(max_examples=20)
@given(SEED)
def test_b27_b30_every_suit_with_buttons_is_named_beside_them(seed):
    game = _some_game(seed, lambda game: game.phase is Phase.PLAYING)
    view = render_hand(hand_of(game))
    told = texts(view)
    for suit, group in faces.by_suit(game.deal.hands[0]):
        assert faces.suit_line(Voice(), suit, group) in told
        assert told.count(f"\n{faces.SUIT_SIGNS[suit]}") <= 1


def test_b28_cards_need_no_emoji_of_any_server():
    rng = random.Random(1)
    for game in islice(states(rng), 60):
        at = table(game)
        shown = "".join(payload(render_post(post)) for post in all_posts(at))
        shown += payload(render_hand(hand_of(game)))
        assert not re.search(r"<a?:\w+:\d+>", shown)
        assert '"emoji"' not in shown


def test_b29_the_colours_say_nothing_that_words_do_not():
    """The same texts and labels stand in a hand drawn without any colour or style."""
    game = next(g for g in states(random.Random(2)) if g.phase is Phase.PLAYING and g.deal.received)
    view = render_hand(hand_of(game))
    green = [button for button in buttons(view) if button["style"] == 3]
    named = texts(view).split("New from", 1)[1].splitlines()[0]
    assert green
    for button in green:
        card = ids.parse(button["custom_id"]).card
        assert card_words(card) in named


def test_b32_emojis_stand_beside_words():
    game = list(states(random.Random(3)))[-1]
    told = "\n".join(texts(render_post(post)) for post in all_posts(table(game)))
    for line in told.splitlines():
        if re.search("[\U0001f300-\U0001faff]", line):
            assert re.search("[A-Za-z]{3}", line)


@settings(max_examples=20)
@given(SEED)
def test_b04_every_id_of_a_table_names_its_table(seed):
    game = _some_game(seed)
    at = table(game)
    views = [render_post(post) for post in all_posts(at)] + [render_hand(hand_of(game))]
    for view in views:
        assert all(f":{at.id}:" in custom_id for custom_id in custom_ids(view))


@settings(max_examples=20)
@given(SEED)
def test_b06_every_id_that_is_drawn_is_read_as_one_action(seed):
    game = _some_game(seed)
    views = [render_post(post) for post in all_posts(table(game))] + [render_hand(hand_of(game))]
    for view in views:
        for custom_id in custom_ids(view):
            assert ids.write(ids.parse(custom_id)) == custom_id


def test_b08_a_render_never_returns_a_view_twice():
    post = all_posts(table())[0]
    assert render_post(post) is not render_post(post)
    assert render_hand(hand_of(None)) is not render_hand(hand_of(None))
