"""What a hand says above and below its cards."""

from collections.abc import Sequence

from bot.rules.cards import Seat
from bot.rules.errors import Reason
from bot.rules.phrases import whole_steps
from bot.rules.sentence import Sentence
from bot.rules.state import Phase
from bot.rules.view import PublicView, SeatView
from bot.table.state import Status
from bot.table.views import HandView, TableView
from cogs.names import Markup, safe_name
from cogs.ui.faces import chip
from cogs.ui.parts import bold, code, heading, link_to, quiet
from cogs.ui.passing import came_in
from cogs.ui.times import until
from cogs.ui.trick import play_words
from cogs.words import Voice, capital


def head(
    voice: Voice, view: HandView, server: str | None, headline: str, lines: Sequence[str]
) -> list[str]:
    """What was just refused or has moved on, a headline, which table this is, and *lines*."""
    table = view.table
    known = safe_name(server) if server else ""
    to_table = f"[{voice('go to the table')}]({link_to(table)})"
    notice = f"> {bold(voice.say(view.notice))}" if view.notice else ""
    return [
        notice,
        heading(headline),
        quiet(known, f"<#{table.channel_id}>", voice("table {code}", code=code(table)), to_table),
        quiet(*_deal_facts(voice, view.hand.public)) if view.hand else "",
        voice(_PAUSED) if table.status is Status.PAUSED else "",
        *lines,
    ]


def time_left(voice: Voice, table: TableView, seat: Seat) -> Markup:
    """Until when the move has to be made; nothing where no clock runs."""
    deadline = table.deadlines.get(seat)
    return Markup("") if deadline is None else voice("Time until {moment}.", moment=until(deadline))


def turn_headline(voice: Voice, hand: SeatView) -> Markup:
    """Whose turn it is, and what was led."""
    public = hand.public
    if hand.choice is None:
        return voice("Waiting for {seats}", seats=public.waiting)
    if public.trick is None or not public.trick.plays:
        return voice("It is your turn to lead")
    suit = public.trick.plays[0].card.suit
    if suit is None:
        return voice("It is your turn, a joker was led")
    return voice("It is your turn, {suit} were led", suit=suit)


def trick_lines(voice: Voice, table: TableView, hand: SeatView) -> list[Markup]:
    """The trick so far, and what the passing brought."""
    trick = hand.public.trick
    plays = trick.plays if trick else ()
    return [
        *(Markup(f"{chip(play.card)} {play_words(voice, plays, play)}") for play in plays),
        came_in(voice, hand),
        time_left(voice, table, hand.seat) if hand.choice else Markup(""),
    ]


def foot(voice: Voice, hand: SeatView) -> list[Markup]:
    """Why some cards are disabled, the last trick, and the scores."""
    return [quiet(_why_disabled(voice, hand)), *scores(voice, hand.public)]


def scores(voice: Voice, public: PublicView) -> list[Markup]:
    """The last trick, what was taken in this deal, and the totals."""
    return [
        quiet(_last_trick(voice, public)),
        _by_seat(voice, voice("taken in this deal"), public.taken),
        _by_seat(voice, voice("totals"), public.totals),
    ]


_PAUSED = "This table is paused because I cannot post in its channel. Your cards are safe."


def _deal_facts(voice: Voice, public: PublicView) -> list[Markup]:
    """Deal, pass direction and trick stand there all the time."""
    if public.step is None:
        return []
    what = whole_steps((public.step,), public.seats)
    passing = public.phase is Phase.PASSING
    facts = [
        capital(voice("deal {number}", number=public.deal)),
        voice("to pass: {what}", what=what) if passing else voice("passed: {what}", what=what),
    ]
    if public.phase is not Phase.PLAYING:
        return facts
    number = public.trick_number - public.tricks_before
    broken = voice("hearts are broken")
    return [
        *facts,
        voice("trick {number}", number=number),
        broken if public.hearts_broken else voice("hearts are not broken"),
    ]


def _why_disabled(voice: Voice, hand: SeatView) -> Markup:
    choice = hand.choice
    if choice is None or choice.because is None:
        return Markup("")
    trick = hand.public.trick
    facts: dict[str, object] = {}
    if choice.because is Reason.OPENING_CARD:
        facts["card"] = min(choice.cards, key=lambda card: card.order)
    if choice.because is Reason.MUST_FOLLOW and trick is not None:
        facts["suit"] = trick.plays[0].card.suit
    return voice(
        "Some cards cannot be played now. {reason}",
        reason=Sentence(choice.because.value, facts),
    )


def _last_trick(voice: Voice, public: PublicView) -> Markup:
    if not public.tricks:
        return Markup("")
    trick = public.tricks[-1]
    cards = Markup(
        ", ".join(f"{voice.seat_names[play.seat]} {chip(play.card)}" for play in trick.plays)
    )
    if trick.winner is None:
        return voice("Last trick: {cards}", cards=cards)
    return voice("Last trick to {seat}: {cards}", seat=trick.winner, cards=cards)


def _by_seat(voice: Voice, title: str, figures: tuple[int, ...]) -> Markup:
    """A figure for each seat; nothing while all are nought."""
    told = [
        f"{voice.seat_names[seat]} {voice('{number}', number=figure)}"
        for seat, figure in enumerate(figures)
    ]
    return quiet(capital(title), *told) if any(figures) else Markup("")
