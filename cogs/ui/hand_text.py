"""What a hand says above and below its cards."""

from bot.rules.errors import Reason
from bot.rules.phrases import whole_steps
from bot.rules.sentence import Sentence
from bot.rules.state import Phase, Trick
from bot.rules.view import PublicView, SeatView
from bot.table.state import Status
from bot.table.views import HandView, TableView
from cogs.names import Markup, safe_name
from cogs.ui.faces import chip
from cogs.ui.parts import bold, code, heading, link_to, quiet
from cogs.ui.passing import came_in, order_words
from cogs.ui.times import until
from cogs.ui.trick import play_words
from cogs.words import Voice


def head(voice: Voice, view: HandView, server: str | None) -> list[Markup]:
    """What was just refused or has moved on, the title, and which table this is."""
    table = view.table
    place = f"<#{table.channel_id}>"
    known = safe_name(server) if server else Markup("")
    to_table = f"[{voice('go to the table')}]({link_to(table)})"
    notice = [Markup(f"> {bold(voice.say(view.notice))}")] if view.notice else []
    return [
        *notice,
        heading(voice("Your hand") if view.hand else voice("Your seat")),
        quiet(known, place, voice("table {code}", code=code(table)), to_table),
        *([quiet(_deal_facts(voice, view.hand.public))] if view.hand else []),
        *([voice(_PAUSED)] if table.status is Status.PAUSED else []),
    ]


def passing_status(
    voice: Voice, table: TableView, hand: SeatView, *, choosing: bool
) -> list[Markup]:
    """What to choose and for whom; nothing once it is chosen, unless it is being changed."""
    if hand.given and not choosing:
        return []
    order = bold(order_words(voice, hand))
    deadline = table.deadlines.get(hand.seat)
    return [order, voice("Time until {moment}.", moment=until(deadline))] if deadline else [order]


def playing_status(voice: Voice, table: TableView, hand: SeatView) -> list[Markup]:
    """Whose turn it is, and the trick so far."""
    public = hand.public
    plays = public.trick.plays if public.trick else ()
    lines = [
        Markup(f"{chip(play.card)} {play_words(voice, public.trick, play)}")
        for play in plays
        if public.trick
    ]
    return [_turn(voice, table, hand), *lines, came_in(voice, hand)]


def foot(voice: Voice, hand: SeatView) -> list[Markup]:
    """Why some cards are disabled, the last trick, and the scores."""
    public = hand.public
    return [
        quiet(_why_disabled(voice, hand)),
        quiet(_last_trick(voice, public)),
        quiet(voice("Taken in this deal"), *_by_seat(voice, public.taken)),
        quiet(voice("Totals"), *_by_seat(voice, public.totals)),
    ]


_PAUSED = "This table is paused because I cannot post in its channel. Your cards are safe."


def _deal_facts(voice: Voice, public: PublicView) -> Markup:
    """Deal, pass direction and trick stand there all the time."""
    if public.step is None:
        return Markup("")
    facts = [
        voice("deal {number}", number=public.deal),
        voice("passed: {what}", what=whole_steps((public.step,), public.seats)),
    ]
    if public.phase is Phase.PLAYING:
        number = public.trick_number - public.tricks_before
        facts.append(voice("trick {number}", number=number))
        broken = voice("hearts are broken")
        facts.append(broken if public.hearts_broken else voice("hearts are not broken"))
    return Markup(" · ".join(facts))


def _turn(voice: Voice, table: TableView, hand: SeatView) -> Markup:
    public = hand.public
    if hand.choice is None:
        return bold(voice("Waiting for {seats}.", seats=public.waiting))
    if public.trick and public.trick.plays:
        turn = voice("It is your turn. {suit} were led.", suit=_led(voice, public.trick))
    else:
        turn = voice("It is your turn to lead.")
    deadline = table.deadlines.get(hand.seat)
    if deadline is None:
        return bold(turn)
    return Markup(f"{bold(turn)} {voice('Time until {moment}.', moment=until(deadline))}")


def _led(voice: Voice, trick: Trick) -> Markup:
    suit = trick.plays[0].card.suit
    return voice("Jokers") if suit is None else Markup(voice("{suit}", suit=suit).capitalize())


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


def _by_seat(voice: Voice, figures: tuple[int, ...]) -> list[str]:
    return [
        f"{voice.seat_names[seat]} {voice('{number}', number=figure)}"
        for seat, figure in enumerate(figures)
    ]
