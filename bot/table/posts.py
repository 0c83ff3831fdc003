"""Which public posts a table has, what stands in each, and whom it calls. Pure.

A post tells public facts only, and those of a finished deal still after the next one began.
"""

from collections.abc import Iterator
from itertools import accumulate, count, islice, takewhile

from bot.rules import describe, legal
from bot.rules.cards import Hand, Seat
from bot.rules.piles import piles, points_in, taker_of
from bot.rules.sentence import Sentence
from bot.rules.state import Deal, Game, Phase, Trick
from bot.rules.tricks import cancelled, next_to_play
from bot.rules.view import public_widow
from bot.table import votes
from bot.table.ballots import EndDeal
from bot.table.ids import Human
from bot.table.moments import first_turn, moment, tricks_of
from bot.table.posting import (
    VOTE,
    DealPost,
    LobbyPost,
    Ping,
    Post,
    ResultPost,
    SheetPost,
    Slot,
    TrickPost,
)
from bot.table.state import Status, Table
from bot.table.views import TableView

LOBBY = "lobby"
RESULT = "result"
_CALLS = {Phase.PASSING: "pass", Phase.MOON_CHOICE: "moon"}
_TIEBREAK = Sentence("This deal decides the tie, so nothing is passed.")
_ENDED = frozenset({Status.OVER, Status.CLOSED})


def slots(table: Table) -> tuple[Slot, ...]:
    """All posts that a table has, oldest first.

    The lobby, then for each deal its opening, its tricks from their lead on and its score sheet,
    then the result.
    """
    return tuple(_slots(table))


def closed_slots(table: Table) -> tuple[Slot, ...]:
    """The posts in which nothing can change any more, once they were shown as they are now."""
    found = slots(table)
    return found if table.status in _ENDED else found[:-1]


def post(table: Table, view: TableView, slot: Slot) -> Post:
    """What stands in a post now; *view* is the view of the same *table*.

    Raises:
        LookupError: the table has no such post.
    """
    live = slot == slots(table)[-1]
    kind, _, number = slot.partition(":")
    if kind == LOBBY:
        return LobbyPost(table=view, live=live and table.status not in _ENDED)
    if kind == RESULT:
        return ResultPost(table=view, closed_because=table.closed_because, live=live)
    if table.game is None:
        raise LookupError(slot)
    if kind == "deal":
        return _deal_post(table.game, view, int(number), live=live)
    if kind == "sheet":
        return _sheet_post(table, table.game, view, int(number), live=live)
    return _trick_post(table, table.game, view, int(number), live=live)


def pings(table: Table) -> tuple[Ping, ...]:
    """All people whom a table has to call now.

    Whoever is waited for, unless that person made the newest move and is here; and whoever is
    asked to vote.
    """
    waited = (call for call in calls(table) if call.user_id != table.last_actor)
    return (*waited, *_asked(table))


def standing(table: Table) -> tuple[Ping, ...]:
    """The calls of people who were here a moment ago; they are reminded like everybody else."""
    return tuple(call for call in calls(table) if call.user_id == table.last_actor)


def calls(table: Table) -> tuple[Ping, ...]:
    """Whoever is waited for, and the host of a lobby whose last chair was taken."""
    match table.status:
        case Status.LOBBY:
            called = [table.host] if all(table.chairs) else []
            kind, when = "full", 0
        case Status.PLAYING if table.game is not None and not table.agreed_pause:
            sitting = [table.chairs[seat] for seat in legal.to_move(table.game)]
            called = [person.user_id for person in sitting if isinstance(person, Human)]
            kind, when = _CALLS.get(table.game.phase, "turn"), moment(table.game)
        case _:
            return ()
    return tuple(
        Ping(
            table_id=table.id,
            channel_id=table.channel_id,
            user_id=user_id,
            kind=kind,
            moment=when,
        )
        for user_id in called
    )


def _asked(table: Table) -> Iterator[Ping]:
    """A call for each vote that is wanted. Nobody is called to end a deal: play goes on as well."""
    if table.status is not Status.PLAYING:
        return
    for vote in table.votes:
        if isinstance(vote.subject, EndDeal) or votes.is_stale(vote.subject, table):
            continue
        voted = vote.in_favour | vote.against
        for user_id in sorted(votes.voters(vote.subject, table.chairs) - voted):
            yield Ping(
                table_id=table.id,
                channel_id=table.channel_id,
                user_id=user_id,
                kind=VOTE,
                moment=vote.number,
            )


def _slots(table: Table) -> Iterator[Slot]:
    yield LOBBY
    if table.game is None:
        return
    numbers = count(1)
    for deal in _deals(table.game):
        yield f"deal:{deal.number}"
        for number in islice(numbers, len(tricks_of(deal))):
            if number not in table.claimed:
                yield f"trick:{number}"
        if deal.number <= len(table.game.scores):
            yield f"sheet:{deal.number}"
    if table.status in _ENDED:
        yield RESULT


def _deals(game: Game) -> tuple[Deal, ...]:
    return game.past if game.deal is None else (*game.past, game.deal)


def _deal_post(game: Game, view: TableView, number: int, *, live: bool) -> DealPost:
    deal = _deals(game)[number - 1]
    passing = deal is game.deal and game.phase is Phase.PASSING and view.status not in _ENDED
    return DealPost(
        table=view,
        deal=number,
        dealer=deal.dealer,
        direction=_where_cards_go(game, deal),
        waiting=legal.to_move(game) if passing else (),
        live=live,
    )


def _where_cards_go(game: Game, deal: Deal) -> Sentence:
    """What to pass, or what was passed."""
    if deal.is_tiebreak:
        return _TIEBREAK
    is_open = deal is game.deal and game.phase is Phase.PASSING
    tell = describe.direction if is_open else describe.passed
    return tell(deal.step, game.seats)


def _trick_post(table: Table, game: Game, view: TableView, number: int, *, live: bool) -> TrickPost:
    deal, place = _place_of_trick(game, number)
    trick = tricks_of(deal)[place - 1]
    turn = None if table.status in _ENDED else _turn(game, trick)
    tabled = _tabled(deal, place)
    lie = piles(game.ruleset, deal)
    return TrickPost(
        table=view,
        number=number,
        deal=deal.number,
        trick_of_deal=place,
        tricks_in_deal=game.ruleset.tricks(game.seats),
        trick=trick,
        size=_size(game),
        turn=turn,
        deadline=None if turn is None else view.deadlines.get(turn),
        cancelled=cancelled(game.ruleset, trick),
        tabled=tabled,
        points=points_in(game.ruleset, tabled | _cards(trick)),
        taker=taker_of(game.ruleset, deal, place - 1) if place <= len(deal.tricks) else None,
        widow=len(deal.widow) if lie.widow_trick == place else 0,
        by_clock=_by_clock(table, game, trick, number),
        live=live,
    )


def _sheet_post(table: Table, game: Game, view: TableView, number: int, *, live: bool) -> SheetPost:
    deals = _deals(game)
    deal, ends = deals[number - 1], accumulate(len(tricks_of(each)) for each in deals)
    last = next(islice(ends, number - 1, None))
    dead = piles(game.ruleset, deal).dead
    return SheetPost(
        table=view,
        score=game.scores[number - 1],
        widow=public_widow(game.ruleset, deal),
        dead_tricks=len(dead) // _size(game),
        dead_points=points_in(game.ruleset, dead),
        claimed=len(table.claimed.intersection(range(last - len(tricks_of(deal)) + 1, last + 1))),
        live=live,
    )


def _tabled(deal: Deal, place: int) -> Hand:
    """The cards that wait while trick number *place*, from 1, is played."""
    before = reversed(deal.tricks[: place - 1])
    waiting = takewhile(lambda trick: trick.winner is None, before)
    return frozenset().union(*map(_cards, waiting))


def _by_clock(table: Table, game: Game, trick: Trick, number: int) -> Hand:
    first = first_turn(game.ruleset, number)
    return frozenset(
        play.card
        for place, play in enumerate(trick.plays)
        if (first + place // game.seats, play.seat) in table.late_cards
    )


def _cards(trick: Trick) -> Hand:
    return frozenset(play.card for play in trick.plays)


def _size(game: Game) -> int:
    return game.seats * game.ruleset.cards_per_player


def _place_of_trick(game: Game, number: int) -> tuple[Deal, int]:
    """The deal that holds a trick of the game, and which of the deal's tricks it is."""
    deals = _deals(game)
    ends = accumulate(len(tricks_of(deal)) for deal in deals)
    for deal, end in zip(deals, ends, strict=True):
        if number <= end:
            return deal, number - end + len(tricks_of(deal))
    raise LookupError(f"trick:{number}")


def _turn(game: Game, trick: Trick) -> Seat | None:
    return None if len(trick.plays) == _size(game) else next_to_play(trick, game.seats)
