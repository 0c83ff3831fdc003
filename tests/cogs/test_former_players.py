"""People who are forgotten are "former player" everywhere, and never mentioned (B140)."""

from bot.rules.cards import Seat
from bot.rules.sentence import Sentence
from bot.table.ids import Human, Occupant, Robot, UserId, former_id
from bot.table.views import Standing, StandingsPage
from cogs.ui.ids import Period
from cogs.ui.people import person_name, voice_of
from cogs.ui.seats import label_of
from cogs.ui.standings import render_board
from cogs.words import Voice, say
from tests.support.looks import texts

FORMER = former_id(b"any eight bytes")


class Company:
    """A table at which somebody left a name behind."""

    def __init__(self, *chairs: Occupant) -> None:
        self.chairs = chairs
        self.names = {FORMER: "Ann", UserId(7): "Bea"}


def line(user_id: UserId, name: str | None) -> Standing:
    return Standing(rank=1, user_id=user_id, name=name, games=3, wins=2, mean_points=6.5, moons=0)


def test_no_sentence_mentions_a_former_player():
    people = {"person": str(FORMER), "owner": "7"}
    said = say(Sentence("<@{person}> sits where <@{owner}> sat.", people))
    assert said == "A former player sits where <@7> sat."
    inside = say(Sentence("The seat of <@{person}> is free.", {"person": str(FORMER)}))
    assert inside == "The seat of a former player is free."


def test_a_name_that_is_left_somewhere_is_not_shown():
    assert person_name(Voice(), Company(), FORMER) == "a former player"
    assert label_of(Voice(), Company(), FORMER) == "a former player"
    assert person_name(Voice(), Company(), UserId(7)) == "Bea"


def test_at_a_table_their_seats_tell_former_players_apart():
    other = former_id(b"other eight bytes")
    company = Company(Human(UserId(7)), Human(FORMER), Robot("steady", keeps_for=other))
    voice = voice_of(company, None)
    assert voice.seat_names == ("Bea", "former player 2", "former player 3 (robot)")
    assert voice("Dealt by {seat}.", seat=Seat(1)) == "Dealt by former player 2."
    assert label_of(voice, company, FORMER) == "former player 2"


def test_a_board_keeps_the_line_and_not_the_name():
    page = StandingsPage(
        lines=(line(FORMER, None), line(UserId(7), None)), page=1, pages=1, own=None
    )
    told = texts(render_board(page, Period.ALL))
    assert "**former player** · 2 wins" in told
    assert "**former member** · 2 wins" in told
