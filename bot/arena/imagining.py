"""From a question back to a `SeatView`.

Where the hidden cards lie is made up, and the deal is then played up to the question by the rules
themselves. That is no guess about them: no view of a seat depends on what it cannot see.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.arena.imagined import Imagined
from bot.arena.question import Ask, Question, QuestionError
from bot.rules.cards import Card, Seat, Suit
from bot.rules.commands import PlayedBy
from bot.rules.dimensions import Draw, FirstLead
from bot.rules.events import CardPlayed
from bot.rules.evolve import evolve
from bot.rules.legal import choice, to_move
from bot.rules.ruleset import Ruleset
from bot.rules.state import Game, Phase, Play, Trick
from bot.rules.tricks import after, led_suit, lowest_club, next_to_play, winner
from bot.rules.view import SeatView, seat_view

_PHASES = {Ask.PASS: Phase.PASSING, Ask.PLAY: Phase.PLAYING, Ask.MOON: Phase.MOON_CHOICE}


def view_of(question: Question) -> SeatView:
    """What the seat knows that is asked.

    Equal cards of two packs may have changed places. Not known again are the results of single
    deals before this one (the newest has all their points), which of its cards the seat drew
    last, and who of the others has chosen a pass.

    Raises:
        QuestionError: the position cannot be.
    """
    failed: QuestionError | None = None
    for leader in _leaders(question):
        try:
            return _view(question, leader)
        except QuestionError as error:
            # A hand that does not fit means most likely that somebody else has led.
            failed = error if failed is None or failed.path == "hand" else failed
    raise failed or QuestionError("plays", "this seat is not to play")


def _view(question: Question, leader: Seat) -> SeatView:
    seat = question.seat
    players = tuple(_players(question.ruleset, question.seats, question.plays, leader))
    imagined = Imagined(question, players[:-1])
    game = imagined.game
    if question.ask is not Ask.PASS:
        game = _begun(game, question, leader)
        game = _played(game, question, imagined.plays)
    if game.phase is not _PHASES[question.ask] or seat not in to_move(game):
        raise QuestionError("ask", f"{question.ask.value} is not what seat {seat} has to decide")
    view = seat_view(game, seat)
    if view.widow and not question.widow:
        raise QuestionError("widow", f"is missing, although seat {seat} has seen it")
    return replace(view, drawn=None)


def _leaders(question: Question) -> Iterator[Seat]:
    """Who may have led the first trick, from the place of whoever is asked now."""
    seats = question.seats
    *_, turn = _players(question.ruleset, seats, question.plays, Seat(0))
    first = after(question.seat, seats, -turn)
    # After the last card nobody is to play; whose cards they were tells who led.
    others = range(seats) if question.ask is Ask.MOON else ()
    yield from dict.fromkeys((first, *map(Seat, others)))


def _players(ruleset: Ruleset, seats: int, plays: Sequence[Card], leader: Seat) -> Iterator[Seat]:
    """Who played each card, and at the end who is next, once *leader* has led."""
    # Copies are told apart, since equal cards of one trick may cancel each other.
    met: Counter[str] = Counter()
    trick = Trick(leader)
    for face in plays:
        met[face.face] += 1
        play = Play(next_to_play(trick, seats), Card(face.rank, face.suit, met[face.face]))
        yield play.seat
        trick = Trick(trick.leader, (*trick.plays, play))
        if len(trick.plays) == seats * ruleset.cards_per_player:
            taker = winner(ruleset, trick)
            trick = Trick(trick.leader if taker is None else taker)
    yield next_to_play(trick, seats)


def _begun(game: Game, question: Question, leader: Seat) -> Game:
    """The game as *leader* leads the first trick."""
    if game.deal is None or not _may_lead(game, question, leader):
        raise QuestionError("plays", f"seat {leader} did not have to lead first")
    return replace(game, phase=Phase.PLAYING, deal=replace(game.deal, trick=Trick(leader)))


def _may_lead(game: Game, question: Question, leader: Seat) -> bool:
    """Whether *leader* may have led, as far as the seat that is asked can tell (rules.md 3.4)."""
    if game.deal is None:
        return False
    hands, rules = game.deal.hands, game.ruleset
    lowest = lowest_club(hands)
    if rules.first_lead is FirstLead.LEFT_OF_DEALER or lowest is None:
        return leader == after(game.dealer, game.seats)
    if leader == question.seat:
        return any(card.face == lowest.face for card in hands[leader])
    led = question.plays[0]
    if rules.first_lead is FirstLead.HOLDER_ANY_CLUB:
        return led.suit is Suit.CLUBS
    return led.face == lowest.face


def _played(game: Game, question: Question, plays: Sequence[Card]) -> Game:
    """The game after *plays*; those of the seat that is asked are held against the rules."""
    void: set[tuple[Seat, Suit | None]] = set()
    # Which cards it had drawn by then, a question does not say.
    knows_hand = question.ruleset.draw is Draw.NONE
    for place, card in enumerate(plays):
        seat = to_move(game)[0]
        if seat == question.seat and knows_hand and card not in choice(game).cards:
            raise QuestionError(f"plays.{place}", f"seat {seat} could not play {card.face}")
        if (seat, card.suit) in void:
            raise QuestionError(f"plays.{place}", f"seat {seat} had no {card.face} any more")
        void |= _shown_void(game, seat, card)
        game = evolve(game, CardPlayed(seat, card, PlayedBy.HAND))
    return game


def _shown_void(game: Game, seat: Seat, card: Card) -> set[tuple[Seat, Suit | None]]:
    """The suit that *seat* shows to lack, and never gets again, as it plays *card*."""
    trick = game.deal.trick if game.deal else None
    led = led_suit(trick) if trick else None
    if led is None or card.suit in {led, None} or game.ruleset.draw is not Draw.NONE:
        return set()
    return {(seat, led)}
