"""What a hand says above and below its cards."""

from collections.abc import Sequence
from datetime import timedelta

from bot.rules.cards import Seat
from bot.rules.dimensions import HeartsLead, Hold
from bot.rules.errors import Reason
from bot.rules.phrases import whole_steps
from bot.rules.sentence import Sentence
from bot.rules.state import Phase
from bot.rules.tricks import cancelled, led_suit
from bot.rules.view import PublicView, SeatView
from bot.table.lengths import in_words
from bot.table.state import Status
from bot.table.views import HandView, TableView
from cogs.names import Markup, safe_name
from cogs.ui.catching_up import has_missed, last_trick
from cogs.ui.parties import taken_line, totals_line
from cogs.ui.parts import bold, code, heading, link_to, quiet
from cogs.ui.passing import came_in
from cogs.ui.people import absent
from cogs.ui.times import until
from cogs.ui.trick import play_line, waiting_line
from cogs.words import Voice, capital

_WORTH_SAYING = timedelta(minutes=1)


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
        _partner(voice, view.hand) if view.hand else "",
        *map(quiet, absent(voice, table)),
        *_paused(voice, table),
        *lines,
    ]


def time_left(voice: Voice, table: TableView, seat: Seat) -> Markup:
    """Until when the move has to be made; nothing where no clock runs."""
    deadline = table.deadlines.get(seat)
    if deadline is None:
        return Markup("")
    bank = table.banks[seat] if table.banks else timedelta()
    if bank < _WORTH_SAYING:
        return voice("Time until {moment}.", moment=until(deadline))
    return voice(
        "Time until {moment}, with the {bank} in your bank.",
        moment=until(deadline),
        bank=in_words(bank),
    )


def _others_time(voice: Voice, table: TableView, hand: SeatView) -> Markup:
    """Until when the seat that is waited for has time; nothing where no clock runs for it."""
    [seat] = hand.public.waiting[:1] or (hand.seat,)
    deadline = table.deadlines.get(seat)
    if seat == hand.seat or deadline is None:
        return Markup("")
    return voice("{seat} has time until {moment}.", seat=seat, moment=until(deadline))


def turn_headline(voice: Voice, hand: SeatView) -> Markup:
    """Whose turn it is, and what was led."""
    trick = hand.public.trick
    if hand.choice is None:
        return voice("Waiting for {seats}", seats=hand.public.waiting)
    if trick is None or not trick.plays:
        return voice("It is your turn to lead")
    suit = led_suit(trick)
    if suit is None:
        return voice("It is your turn, and you set the suit: a joker was led")
    return voice("It is your turn, {suit} were led", suit=suit)


def trick_lines(voice: Voice, table: TableView, hand: SeatView) -> list[Markup]:
    """The trick so far, and which cards of the reader are new."""
    trick, tabled = hand.public.trick, hand.public.tabled
    played: list[Markup] = []
    if trick is not None:
        dead = cancelled(table.ruleset, trick)
        played = [play_line(voice, trick, play, dead) for play in trick.plays]
    return [
        waiting_line(voice, tabled),
        *played,
        came_in(voice, hand),
        _drawn(voice, hand),
        _widow(voice, hand),
        time_left(voice, table, hand.seat) if hand.choice else _others_time(voice, table, hand),
    ]


def foot(voice: Voice, view: HandView, hand: SeatView) -> list[Markup]:
    """Why some cards are disabled, the last trick, and the scores."""
    return [quiet(_why_disabled(voice, hand)), *scores(voice, view, hand)]


def scores(voice: Voice, view: HandView, hand: SeatView) -> list[Markup]:
    """The last trick unless `catch_up` tells it, what was taken in this deal, and the totals."""
    last = view.missed.last if view.missed and not has_missed(view) else None
    return [
        quiet(last_trick(voice, hand, last)) if last else Markup(""),
        taken_line(voice, hand.public),
        totals_line(voice, hand.public),
    ]


_PAUSED = "This table is paused because I cannot post in its channel. Your cards are safe."
_MOVE_IT = "`/hearts move` takes it to another channel; if it stays where it is, it ends {moment}."


def _paused(voice: Voice, table: TableView) -> list[Markup]:
    """Why a table without a place to post stands still, and what becomes of it."""
    if table.status is not Status.PAUSED:
        return []
    how = voice(_MOVE_IT, moment=until(table.ends_at)) if table.ends_at else Markup("")
    return [voice(_PAUSED), how]


def _deal_facts(voice: Voice, public: PublicView) -> list[Markup]:
    """Deal, pass direction and trick stand there all the time."""
    if public.step is None:
        return []
    facts = [capital(voice("deal {number}", number=public.deal)), *_passed(voice, public)]
    if public.last_deal:
        facts.append(voice("the last"))
    if public.phase is not Phase.PLAYING:
        return facts
    number = len(public.tricks) + 1
    of_all = public.ruleset.tricks(public.seats)
    facts.append(voice("trick {number} of {all}", number=number, all=of_all))
    if public.ruleset.hearts_lead is HeartsLead.AFTER_BROKEN:
        broken = voice("hearts are broken")
        facts.append(broken if public.hearts_broken else voice("hearts are not broken"))
    if public.stock:
        facts.append(voice("{count} card to draw", "{count} cards to draw", count=public.stock))
    return facts


def _partner(voice: Voice, hand: SeatView) -> Markup:
    if hand.partner is None:
        return Markup("")
    return quiet(voice("Your partner is {seat}.", seat=hand.partner))


def _passed(voice: Voice, public: PublicView) -> list[Markup]:
    """Where cards go or went; nothing where none are ever passed."""
    cycle = public.ruleset.pass_cycle[public.seats]
    if public.step is None or all(step == Hold() for step in cycle):
        return []
    if public.is_tiebreak:
        return [voice("it decides the tie")]
    what = whole_steps((public.step,), public.seats)
    if public.phase is Phase.PASSING:
        return [voice("to pass: {what}", what=what)]
    return [voice("passed: {what}", what=what)]


def _why_disabled(voice: Voice, hand: SeatView) -> Markup:
    choice = hand.choice
    if choice is None or choice.because is None:
        return Markup("")
    trick = hand.public.trick
    facts: dict[str, object] = {}
    if choice.because is Reason.OPENING_CARD:
        facts["card"] = min(choice.cards, key=lambda card: card.order)
    if choice.because is Reason.MUST_FOLLOW and trick is not None:
        facts["suit"] = led_suit(trick)
    return voice(
        "Some cards cannot be played now. {reason}",
        reason=Sentence(choice.because.value, facts),
    )


def _drawn(voice: Voice, hand: SeatView) -> Markup:
    if hand.drawn is None:
        return Markup("")
    return voice("You drew the {card}.", card=hand.drawn)


def _widow(voice: Voice, hand: SeatView) -> Markup:
    """The widow, for those who may look into it while others may not."""
    taker = hand.public.widow_taker
    if not hand.widow or taker is None:
        return Markup("")
    if taker == hand.seat:
        return voice("You took the widow: {cards}.", cards=hand.widow)
    return voice("{seat} took the widow: {cards}.", seat=taker, cards=hand.widow)
