"""A deal as it may lie, in all that one seat cannot see, by a question to that seat."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from bot.arena.cards_left import CardsLeft
from bot.arena.question import Ask, Question, QuestionError
from bot.rules.cards import Card, Hand, Seat
from bot.rules.dimensions import Draw, Hold, PassStep, Rest, Settle
from bot.rules.passing import pass_count, receivers
from bot.rules.settlement import is_tiebreak
from bot.rules.state import Deal, Game, Phase, Score

_MOST_DEALS = 1_000


class Imagined:
    """Places every card of the deck; made for one question.

    Args:
        question: what is asked.
        players: who played each of its cards.

    Raises:
        QuestionError: the cards do not fit together.
    """

    def __init__(self, question: Question, players: Sequence[Seat]) -> None:
        self._question = question
        self._players = players
        self._before = _before(question)
        self._step = _step(self._before, question)
        _check_counts(question, self._step)
        rules = question.ruleset
        self._left = CardsLeft(rules.deck(question.seats))
        self._stock_size = (
            rules.rest_size(question.seats) if rules.draw is Draw.AFTER_EACH_CARD else 0
        )
        self._has_drawn = players[: self._stock_size]
        self._dealt = self._left.take("dealt", question.dealt)
        self._given = _named("passed", self._dealt, question.passed)
        self._received = self._left.take("received", question.received)
        self._own = self._own_cards()
        self._widow = self._left.take("widow", question.widow)
        self.plays = self._played()
        """The cards that were played, in order."""
        self.game = self._lay()
        """The game before the first lead, or as cards are passed."""

    def _own_cards(self) -> tuple[Card, ...]:
        """All that the seat ever held after passing: first what it held then, then what it drew.

        Drawn cards come in the order in which it played them, what it still holds at the end.
        """
        question = self._question
        held = tuple(card for card in self._dealt if card not in self._given) + self._received
        shown = [
            card
            for card, player in zip(question.plays, self._players, strict=True)
            if player == question.seat
        ]
        shown += question.hand
        known = Counter(card.face for card in held)
        drawn = []
        for card in shown:
            known[card.face] -= 1
            if known[card.face] < 0:
                drawn.append(card)
        lost = [face for face, count in known.items() if count > 0]
        if lost:
            raise QuestionError("hand", f"{lost[0]} is neither in it nor passed nor played")
        if len(drawn) != self._has_drawn.count(question.seat):
            raise QuestionError("hand", f"{len(shown)} cards held and played are not those it got")
        return held + self._left.take("hand", drawn)

    def _played(self) -> tuple[Card, ...]:
        own, given = list(self._own), list(self._given)
        takers = receivers(self._step, self._question.seat, self._question.seats)
        found = []
        for place, card in enumerate(self._question.plays):
            player = self._players[place]
            mine = own if player == self._question.seat else given if player in takers else []
            copy = next((other for other in mine if other.face == card.face), None)
            if copy is None:
                (copy,) = self._left.take(f"plays.{place}", [card])
            else:
                mine.remove(copy)
            found.append(copy)
        self._kept = given
        return tuple(found)

    def _lay(self) -> Game:
        question, rules = self._question, self._question.ruleset
        # Hidden places first: a club that is lower than the one led lies there, if anywhere.
        never = {card.face for card in rules.widow.never}
        widow = self._widow or self._left.take_first(
            _widow_size(question),
            may=lambda card: card.face not in never,
        )
        stock = self._left.take_first(self._stock_size - len(self._has_drawn))
        rows = [list(self._cards_of(Seat(seat))) for seat in range(question.seats)]
        size = rules.hand_size(question.seats)
        hands = tuple(frozenset(row[:size]) for row in rows)
        drawn = [iter(row[size:]) for row in rows]
        return self._game(hands, widow, (*(next(drawn[s]) for s in self._has_drawn), *stock))

    def _cards_of(self, seat: Seat) -> Iterator[Card]:
        """All that *seat* holds after passing, then what it draws, early enough to be played."""
        if seat == self._question.seat:
            yield from self._own
            return
        needed = self._question.ruleset.hand_size(self._question.seats)
        needed += self._has_drawn.count(seat)
        for card, player in zip(self.plays, self._players, strict=True):
            if player == seat:
                yield card
                needed -= 1
        kept = [self._kept.pop() for _ in range(min(needed, len(self._kept)))]
        yield from kept
        yield from self._left.take_first(needed - len(kept))

    def _game(
        self, hands: tuple[Hand, ...], widow: tuple[Card, ...], stock: tuple[Card, ...]
    ) -> Game:
        question, before = self._question, self._before
        deal = Deal(
            number=question.deal + 1,
            dealer=question.dealer,
            dealt=self._by_seat(frozenset(self._dealt)),
            widow=frozenset(widow),
            stock=stock,
            step=self._step,
            hands=hands,
            passes=self._by_seat(frozenset(self._given)),
            packets=((),) * question.seats,
            received=self._by_seat(frozenset(self._received)),
            is_tiebreak=is_tiebreak(before),
            drawn=(None,) * question.seats if stock else (),
        )
        if question.ask is Ask.PASS:
            deal = replace(deal, passes=(None,) * question.seats)
        return replace(before, phase=Phase.PASSING, deal=deal)

    def _by_seat(self, own: Hand) -> tuple[Hand, ...]:
        """What the seat has of its own; of others nobody needs to know."""
        seats = range(self._question.seats)
        return tuple(own if seat == self._question.seat else frozenset() for seat in seats)


def _before(question: Question) -> Game:
    """The game before the deal."""
    if question.deal > _MOST_DEALS:
        raise QuestionError("deal", f"{question.deal} is more than {_MOST_DEALS}")
    return Game(
        ruleset=question.ruleset,
        seats=question.seats,
        phase=Phase.DEALING,
        dealer=question.dealer,
        deal=None,
        past=(),
        scores=tuple(_scores(question)),
        totals=question.totals,
        tricks_before=question.deal * question.ruleset.tricks(question.seats),
        last_deal=question.last_deal,
    )


def _scores(question: Question) -> Iterator[Score]:
    """As many results as there were deals. The newest has all points, and all that was paid."""
    none = (0,) * question.seats
    by_deal = question.ruleset.settle is Settle.SUPER
    nothing = (Fraction(),) * question.seats if by_deal else ()
    for deal in range(1, question.deal + 1):
        newest = deal == question.deal
        yield Score(
            deal=deal,
            points=question.totals if newest else none,
            lines=(),
            moon=None,
            totals=question.totals if newest else none,
            money=question.money if newest and question.money and by_deal else nothing,
        )


def _step(before: Game, question: Question) -> PassStep:
    if is_tiebreak(before):
        return Hold()
    return question.ruleset.step(question.seats, question.deal + 1)


def _check_counts(question: Question, step: PassStep) -> None:
    rules, seats = question.ruleset, question.seats
    cards = rules.tricks(seats) * seats * rules.cards_per_player
    asks_pass = question.ask is Ask.PASS
    passed = 0 if asks_pass else pass_count(step, seats)
    if asks_pass and isinstance(step, Hold):
        raise QuestionError("ask", "nothing is passed in this deal")
    for key, found, wanted in (
        ("dealt", question.dealt, rules.hand_size(seats)),
        ("passed", question.passed, passed),
        ("received", question.received, passed),
        ("widow", question.widow, len(question.widow) and _widow_size(question)),
    ):
        if len(found) != wanted:
            raise QuestionError(key, f"{len(found)} cards, where there are {wanted}")
    bounds = {Ask.PASS: (0, 0), Ask.PLAY: (0, cards - 1), Ask.MOON: (cards, cards)}
    least, most = bounds[question.ask]
    if not least <= len(question.plays) <= most:
        raise QuestionError("plays", f"{len(question.plays)} cards, where {least} to {most} fit")


def _widow_size(question: Question) -> int:
    rules, seats = question.ruleset, question.seats
    return rules.rest_size(seats) if rules.rest.get(seats) is Rest.WIDOW else 0


def _named(path: str, cards: Sequence[Card], named: Sequence[Card]) -> tuple[Card, ...]:
    """Those of *cards* that are named."""
    return CardsLeft(cards).take(path, named)
