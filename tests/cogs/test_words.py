"""Sentences become words at the edge (house.md 4.1; cases B86, B89, B129, B142)."""

from decimal import Decimal
from pathlib import Path

import discord
import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.cards import Card, Seat, Suit, pack
from bot.rules.errors import IllegalMoveError, Reason
from bot.rules.sentence import Sentence
from cogs import words
from cogs.names import LONGEST_NAME, Markup, escape, safe_name
from cogs.words import Voice, capital, language, say

ANN = (Markup("Ann"), Markup("Bo"), Markup("Cy"))


def test_cards_and_suits_are_told_in_words():
    told = say(Sentence("The {card} beats {suit}.", {"card": Card.parse("QS"), "suit": Suit.CLUBS}))
    assert told == "The queen of spades beats clubs."


def test_a_sentence_that_opens_with_a_suit_opens_large():
    assert say(Sentence("{suit} were led.", {"suit": Suit.CLUBS})) == "Clubs were led."


def test_many_cards_are_listed_in_order():
    cards = frozenset({Card.parse("QS"), Card.parse("2C"), Card.parse("TD")})
    told = say(Sentence("You pass {cards}.", {"cards": cards}))
    assert told == "You pass 2 of clubs, 10 of diamonds, and queen of spades."


def test_every_card_has_words_of_its_own():
    assert len({words.card_words(card) for card in pack()}) == 52
    assert words.card_words(Card.parse("JK")) == "joker"


def test_seats_get_their_names_and_else_their_numbers():
    error = IllegalMoveError(Reason.NOT_YOUR_TURN, whom=Seat(2))
    assert say(error.sentence, None, ANN) == "It is not your turn: waiting for Cy."
    assert say(error.sentence) == "It is not your turn: waiting for seat 3."
    several = Sentence("Still to pass: {seats}.", {"seats": (Seat(0), Seat(1))})
    assert say(several, None, ANN) == "Still to pass: Ann and Bo."


def test_sentences_may_hold_sentences():
    inner = Sentence("{suit} were led.", {"suit": Suit.HEARTS})
    assert say(Sentence("No: {why}", {"why": inner})) == "No: Hearts were led."


def test_text_that_is_not_ours_is_escaped_and_our_own_is_not():
    assert say(Sentence("Hi {name}", {"name": "*x*"})) == r"Hi \*x\*"
    assert say(Sentence("Hi {name}", {"name": Markup("*x*")})) == "Hi *x*"


def test_numbers_have_a_true_minus_and_two_places():
    told = Voice()("{whole} {part}", whole=-26, part=5.314)
    assert told == "−26 5.31"
    assert Voice(discord.Locale.german)("{part}", part=5.314) == "5,31"


def test_a_number_of_another_kind_is_told_as_text():
    assert Voice()("{part}", part=Decimal("1.5")) == "1.5"


@pytest.mark.parametrize(
    ("count", "told"), [(0, "0 points"), (1, "1 point"), (2, "2 points"), (-1, "−1 point")]
)
def test_b129_nobody_takes_1_points(count, told):
    assert Voice()("{count} point", "{count} points", count=count) == told


def test_a_count_has_to_be_a_whole_number():
    with pytest.raises(TypeError):
        Voice()("{count} point", "{count} points", count="many")


@pytest.mark.parametrize("locale", list(discord.Locale))
def test_every_locale_of_discord_is_understood(locale):
    assert language(locale).language
    assert Voice(locale)("{count} point", "{count} points", count=2)


def test_a_catalogue_speaks_for_its_language_and_english_for_the_rest(tmp_path, monkeypatch):
    _write_german(tmp_path / "de" / "LC_MESSAGES" / "messages.mo")
    monkeypatch.setattr(words, "CATALOGUES", tmp_path)
    words._catalogue.cache_clear()
    try:
        german = Voice(discord.Locale.german)
        assert german("You lead.") == "Du spielst aus."
        assert german("{count} point", "{count} points", count=2) == "2 Punkte"
        assert german("the {card}", card=Card.parse("QS")) == "the Pik-Dame"
        assert german("Not in the catalogue.") == "Not in the catalogue."
        assert Voice(discord.Locale.french)("You lead.") == "You lead."
    finally:
        words._catalogue.cache_clear()


def _write_german(path: Path) -> None:
    catalogue = Catalog(locale="de")
    catalogue.add("You lead.", "Du spielst aus.")
    catalogue.add("queen of spades", "Pik-Dame")
    catalogue.add(("{count} point", "{count} points"), ("{count} Punkt", "{count} Punkte"))
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        write_mo(file, catalogue)


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("Maya", "Maya"),
        ("J.R. Ewing-Smith 3rd", "J.R. Ewing-Smith 3rd"),
        ("@everyone", "@\u200beveryone"),
        ("<@&123>", r"\<@&123\>"),
        ("<#5>", r"\<\#5\>"),
        ("</hearts start:1>", r"\<\/hearts start\:1\>"),
        ("<t:1:R>", r"\<t\:1\:R\>"),
        ("<:card:1>", r"\<\:card\:1\>"),
        ("https://x.yz/a_b", r"https\:\/\/x.yz\/a\_b"),
        ("1. Bob", r"1\. Bob"),
        ("12) Bob", r"12\) Bob"),
        ("- Bob", r"\- Bob"),
        ("# Bob", r"\# Bob"),
        ("> Bob", r"\> Bob"),
        ("`code` **bold** ||spoiler||", r"\`code\` \*\*bold\*\* \|\|spoiler\|\|"),
        ("a\nb\r\tc", "a b c"),
        ("\u202eevil\u2066", "evil"),
        ("a\u200bb\u00adc\ufeff", "abc"),
        ("Z" + "\u0301" * 40 + "z", "Ź\u0301\u0301z"),
        ("   ", "no name"),
        ("", "no name"),
        ("\u200b\u202e", "no name"),
        ("\u3164\u2800\uffa0", "no name"),
        ("Hangul\u3164filler", "Hangul filler"),
        ("x" * 99, "x" * LONGEST_NAME),
    ],
)
def test_b89_a_name_means_nothing_but_itself(raw, shown):
    assert safe_name(raw) == shown


@given(st.text(max_size=60))
def test_a_name_is_one_line_without_hidden_characters(raw):
    shown = safe_name(raw)
    assert shown
    assert len(shown.splitlines()) == 1
    assert len(shown.replace("\\", "").replace("\u200b", "")) <= LONGEST_NAME
    assert not any(character in shown for character in "\u202a\u202b\u202d\u202e\u2066\u2067")


@given(st.text(max_size=60))
def test_every_sign_of_markdown_is_taken_its_meaning(raw):
    shown = escape(raw).replace(r"\\", "")
    for sign in "*_~|`[]()<>#:/":
        assert shown.count(sign) == shown.count(f"\\{sign}")


def test_a_large_first_letter():
    assert capital("clubs 2") == "Clubs 2"
    assert capital("") == ""
