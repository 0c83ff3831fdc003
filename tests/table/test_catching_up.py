"""What somebody missed since the own newest move by hand (cases.md B62, B127; discord.md 3)."""

from random import Random

import pytest

from bot.rules import variants
from bot.rules.cards import Seat
from bot.rules.commands import PlayedBy
from bot.rules.events import CardPlayed
from bot.rules.legal import to_move
from bot.rules.piles import points_in
from bot.rules.state import Phase
from bot.table import catching_up, commands, history
from bot.table.catching_up import Missed
from bot.table.ids import Human, Robot
from bot.table.moments import turn
from tests.support.histories import Story, game_of, in_play, on_turn, stand_in, started
from tests.support.looks import everybody_at
from tests.support.rulesets import EVERY_TABLE
from tests.support.seeded import course
from tests.support.tables import ANN, BEA, EVE, FOUR


def missed_by(story: Story, person=ANN) -> Missed:
    return catching_up.missed(story.table, game_of(story), person)


def by_hand(story: Story) -> None:
    """Whoever is on turn plays, by hand."""
    person, card = on_turn(story)
    story.ask(commands.PlayCard(person, card, turn(game_of(story))))


def everybody_but(story: Story, person, *, until) -> None:
    """People play by hand, *person* is late each time, and a robot that sits in plays on."""
    while not until(game_of(story)):
        seat = to_move(game_of(story))[0]
        chair = story.table.chairs[seat]
        late = chair == Human(person)
        if late or isinstance(chair, Robot) or game_of(story).phase is not Phase.PLAYING:
            story.ask(stand_in(story, seat, late=isinstance(chair, Human)))
        else:
            by_hand(story)


def tricks(number: int):
    return lambda game: game.deal is not None and len(game.deal.tricks) >= number


def test_who_moved_a_moment_ago_missed_nothing():
    story = in_play(*FOUR)
    while on_turn(story)[0] != ANN:
        by_hand(story)
    by_hand(story)
    missed = missed_by(story)
    assert missed.has_moved
    assert missed.own == ()
    assert missed.scores == ()
    assert not missed.own_pass


def test_the_trick_of_the_own_last_card_was_missed_from_that_card_on():
    """Everybody else's cards in it fell later, and so did its end."""
    story = in_play(*FOUR)
    while not tricks(1)(game_of(story)):
        by_hand(story)
    [only] = missed_by(story, FOUR[0]).tricks or [None]
    deal = game_of(story).deal
    last_player = deal.tricks[0].plays[-1].seat
    for seat, person in enumerate(FOUR):
        found = missed_by(story, person).tricks
        assert len(found) == (0 if seat == last_player else 1)
    assert only is None or only.trick == deal.tricks[0]


def test_b62_what_the_clock_and_a_robot_played_was_seen_by_nobody():
    story = in_play(*FOUR)
    everybody_but(story, ANN, until=tricks(5))
    missed = missed_by(story)
    assert isinstance(story.table.chairs[0], Robot)
    assert len(missed.own) == 5
    assert [taken.number for taken in missed.tricks] == [1, 2, 3, 4, 5]
    for other in FOUR[1:]:
        assert missed_by(story, other).own == (), "the control: they played by hand"


def test_to_take_the_seat_back_is_no_move():
    """Who comes back has still to read what happened."""
    story = in_play(*FOUR)
    everybody_but(story, ANN, until=tricks(5))
    before = missed_by(story)
    story.ask(commands.TakeSeatBack(ANN))
    assert missed_by(story) == before


def test_a_move_by_hand_brings_a_person_up_to_date():
    story = in_play(*FOUR)
    everybody_but(story, ANN, until=tricks(5))
    story.ask(commands.TakeSeatBack(ANN))
    while on_turn(story)[0] != ANN:
        by_hand(story)
    by_hand(story)
    assert missed_by(story).own == ()


def test_a_deal_that_ended_since_has_its_score_and_its_last_trick():
    story = in_play(*FOUR)
    everybody_but(story, ANN, until=lambda game: len(game.scores) == 1)
    missed, game = missed_by(story), game_of(story)
    assert game.deal.number == 2
    assert missed.scores == game.scores
    assert missed.tricks == ()
    assert missed.last is not None
    assert (missed.last.deal, missed.last.number) == (1, 13)
    assert missed.last.trick == game.past[0].tricks[-1]


def test_who_passes_by_hand_has_read_the_score_before():
    story = in_play(*FOUR)
    while not game_of(story).scores:
        by_hand(story)
    assert missed_by(story).scores == game_of(story).scores, "even of a deal of own cards alone"
    deal = game_of(story).deal
    cards = frozenset(sorted(deal.hands[0], key=str)[:3])
    story.ask(commands.PassCards(ANN, cards, deal.number))
    assert missed_by(story).scores == ()


def test_a_pass_by_the_clock_is_none_of_the_persons():
    story = started(*FOUR)
    story.ask(stand_in(story, 0, late=True))
    assert missed_by(story).own_pass
    assert not missed_by(story).has_moved
    assert not missed_by(in_play(*FOUR)).own_pass, "the control"


def test_who_takes_over_a_seat_missed_all_of_the_game():
    story = in_play(ANN, BEA)
    everybody_but(story, ANN, until=tricks(4))
    robots = [seat for seat, chair in enumerate(story.table.chairs) if chair == Robot("steady")]
    story.ask(commands.Substitute(EVE, Seat(robots[0])))
    missed = missed_by(story, EVE)
    assert not missed.has_moved
    assert len(missed.own) == 4


@pytest.mark.parametrize("by", [each for each in PlayedBy if each is not PlayedBy.HAND])
def test_only_a_card_laid_down_by_hand_counts(by):
    """Whoever agrees that the rest is certain has seen none of it, nor has a plan's person."""
    story = in_play(*FOUR)
    person, card = on_turn(story)
    seat = to_move(game_of(story))[0]
    before = story.table.marks[person]
    for kind, moved in ((by, False), (PlayedBy.HAND, True)):
        after = history.evolve(story.table, CardPlayed(seat, card, kind), person)
        assert (after.marks[person] != before) is moved


def test_a_move_in_somebody_elses_seat_counts_for_nobody():
    story = in_play(*FOUR)
    person, card = on_turn(story)
    seat = to_move(game_of(story))[0]
    other = next(each for each in FOUR if each != person)
    after = history.evolve(story.table, CardPlayed(seat, card, PlayedBy.HAND), other)
    assert after.marks == story.table.marks


def test_a_restart_forgets_none_of_it():
    story = in_play(*FOUR)
    everybody_but(story, ANN, until=tricks(3))
    again = history.replay(story.stored).table
    assert again.marks == story.table.marks


@pytest.mark.parametrize("at", EVERY_TABLE, ids=lambda at: f"{at[0]}_{at[1]}")
def test_the_tricks_of_a_deal_hold_all_its_points_but_those_of_a_widow_or_of_nobody(at):
    """Tricks that wait, two cards a seat, jokers: each point is told once, with who took it."""
    name, seats = at
    ruleset = variants.load(name)
    for game, _ in course(ruleset, seats, Random(f"{name} {seats}"), deals=1):
        if game.deal is None:
            continue
        found = catching_up.missed(everybody_at(game), game, everybody_at(game).host)
        assert [taken.trick for taken in found.tricks] == list(game.deal.tricks)
        fallen = frozenset(p.card for t in game.deal.tricks for p in t.plays)
        told = sum(taken.points for taken in found.tricks)
        waits = frozenset(
            play.card
            for taken in reversed(found.tricks)
            if _waits(found.tricks, taken.number)
            for play in taken.trick.plays
        )
        assert told == points_in(ruleset, fallen - waits)


def _waits(found, number: int) -> bool:
    return all(taken.taker is None for taken in found[number - 1 :])
