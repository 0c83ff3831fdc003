"""One trick, from its lead to its winner."""

from typing import assert_never

import discord
from discord import ui

from bot.rules.cards import Hand, Seat
from bot.rules.dimensions import Duplicates, NoWinnerLast, WidowSeen
from bot.rules.sides import side_of
from bot.rules.state import Phase, Play, Trick
from bot.rules.tricks import led_suit
from bot.table.posting import TrickPost
from cogs.names import Markup
from cogs.ui.faces import chip, chips
from cogs.ui.moon import shooters
from cogs.ui.parties import taken_line
from cogs.ui.parts import (
    SETTLED,
    UNDER_WAY,
    Part,
    bold,
    heading,
    panel,
    quiet,
    text,
)
from cogs.ui.people import missing, voice_of
from cogs.ui.times import until
from cogs.ui.turns import lead_line, time_up
from cogs.ui.votes import table_foot
from cogs.words import Voice, capital


def render_trick(post: TrickPost, locale: discord.Locale | None = None) -> ui.LayoutView:
    """Draw a trick, under way or full."""
    voice = voice_of(post.table, locale)
    parts: list[Part] = [
        text(
            heading(
                voice(
                    "Trick {number} of {all} · deal {deal}",
                    number=post.trick_of_deal,
                    all=post.tricks_in_deal,
                    deal=post.deal,
                )
            ),
            waiting_line(voice, post.tabled),
            *(_played(voice, post, play) for play in post.trick.plays),
            joker_line(voice, post.trick) if post.turn is not None else "",
            *_to_come(voice, post),
            *_outcome(voice, post),
            *_moon_choice(voice, post),
            lead_line(voice, post.table) if post.live else "",
        )
    ]
    if post.live:
        parts += [text(*facts)] if (facts := _side_facts(voice, post)) else []
        parts += table_foot(voice, post.table)
    return panel(UNDER_WAY if post.live else SETTLED, parts)


def play_line(voice: Voice, trick: Trick, play: Play, cancelled: Hand) -> Markup:
    """One card of a *trick*, as a sign and in words, and whether it has lost its power."""
    line = Markup(f"{chip(play.card)} {_words(voice, trick, play)}")
    return line if play.card not in cancelled else Markup(f"{line} · {voice('cancelled')}")


def waiting_line(voice: Voice, tabled: Hand) -> Markup:
    """The cards that wait for the winner of a trick; nothing where none do."""
    if not tabled:
        return Markup("")
    return voice("Waiting for the winner of this trick: {cards}", cards=chips(tabled))


def joker_line(voice: Voice, trick: Trick) -> Markup:
    """That the suit is still open; nothing once it is not (rules.md 2.1.2a)."""
    if not trick.plays or led_suit(trick) is not None:
        return Markup("")
    return quiet(voice("A joker was led: the first other card sets the suit."))


def _words(voice: Voice, trick: Trick, play: Play) -> Markup:
    """One card in words; a card that does not follow suit was thrown."""
    facts = {"name": bold(voice.seat_names[play.seat]), "card": play.card}
    is_lead = play == trick.plays[0]
    if play.card.suit is None:
        return voice("{name} led a joker" if is_lead else "{name} threw a joker", **facts)
    if is_lead:
        return voice("{name} led the {card}", **facts)
    if play == next(each for each in trick.plays if each.card.suit is not None):
        return voice("{name} set the suit with the {card}", **facts)
    if play.card.suit is led_suit(trick):
        return voice("{name} played the {card}", **facts)
    return voice("{name} threw the {card}", **facts)


def _played(voice: Voice, post: TrickPost, play: Play) -> str:
    line = play_line(voice, post.trick, play, post.cancelled)
    if play.card not in post.by_clock:
        return line
    return f"{line} · {voice('a robot chose it, the time was up')}"


def _to_come(voice: Voice, post: TrickPost) -> list[str]:
    """Who is to play, until when, and who comes after."""
    if post.turn is None:
        return []
    seats = post.table.seats
    order = [Seat((post.trick.leader + place) % seats) for place in range(post.size)]
    then = order[len(post.trick.plays) + 1 :]
    name = bold(voice.seat_names[post.turn])
    if post.deadline is None:
        turn = voice("▸ {name} is to play", name=name)
    else:
        turn = voice("▸ {name} is to play until {moment}", name=name, moment=until(post.deadline))
    return [turn, quiet(voice("Then {seats}", seats=then))] if then else [turn]


def _outcome(voice: Voice, post: TrickPost) -> list[str]:
    if len(post.trick.plays) < post.size:
        return []
    if post.trick.winner is None:
        lines = [f"→ {_nobody_wins(voice, post)}"]
    else:
        lines = [f"→ {_taken(voice, post, post.trick.winner)}", _equal_cards(voice, post)]
    return [*lines, _with_widow(voice, post)]


def _taken(voice: Voice, post: TrickPost, winner: Seat) -> Markup:
    name = bold(voice.seat_names[winner])
    if not post.points:
        return voice("{name} takes the trick, without a point.", name=name)
    one, many = _TAKEN[bool(post.tabled), post.points < 0]
    return voice(one, many, name=name, count=post.points)


_TAKEN = {
    (False, False): (
        "{name} takes the trick and {count} point.",
        "{name} takes the trick and {count} points.",
    ),
    (False, True): (
        "{name} takes the trick: {count} point.",
        "{name} takes the trick: {count} points.",
    ),
    (True, False): (
        "{name} takes the trick with all that waited, and {count} point.",
        "{name} takes the trick with all that waited, and {count} points.",
    ),
    (True, True): (
        "{name} takes the trick with all that waited: {count} point.",
        "{name} takes the trick with all that waited: {count} points.",
    ),
}
"""By whether earlier tricks go with it, and whether it takes points off."""


def _nobody_wins(voice: Voice, post: TrickPost) -> Markup:
    if post.trick_of_deal < post.tricks_in_deal:
        return voice("Nobody wins this trick: its cards wait for the winner of the next.")
    if post.taker is None:
        return voice("Nobody wins the last trick: what lies there counts for nobody.")
    name = bold(voice.seat_names[post.taker])
    if post.table.ruleset.no_winner_last is NoWinnerLast.LEADER:
        text_of = "Nobody wins the last trick, so its cards go to {name}, who led it."
    else:
        text_of = "Nobody wins the last trick, so its cards go to {name}, who won one before."
    return voice(text_of, name=name)


def _equal_cards(voice: Voice, post: TrickPost) -> Markup:
    """Which of two equal highest cards wins, where that has just decided a trick."""
    won = next(play for play in post.trick.plays if play.seat == post.trick.winner)
    copies = [play for play in post.trick.plays if play.card.face == won.card.face]
    rule = _LATER_OR_EARLIER.get(post.table.ruleset.duplicates)
    return quiet(voice(rule)) if rule and len(copies) > 1 else Markup("")


_LATER_OR_EARLIER = {
    Duplicates.LATER_WINS: "Of two equal cards the later one wins.",
    Duplicates.EARLIER_WINS: "Of two equal cards the earlier one wins.",
}


def _with_widow(voice: Voice, post: TrickPost) -> Markup:
    if not post.widow or post.taker is None:
        return Markup("")
    words = voice(
        "with it goes the widow of {count} card",
        "with it goes the widow of {count} cards",
        count=post.widow,
    )
    return quiet(capital(words), _who_looks(voice, post, post.taker))


def _who_looks(voice: Voice, post: TrickPost, taker: Seat) -> Markup:
    """Who may look into the widow."""
    ruleset = post.table.ruleset
    match ruleset.widow.seen:
        case WidowSeen.NONE:
            return voice("nobody looks at it")
        case WidowSeen.TAKER:
            return voice("only {seat} may look at it", seat=taker)
        case WidowSeen.SIDE:
            side = side_of(ruleset, taker, post.table.seats)
            return voice("only {seats} may look at it", seats=side)
        case WidowSeen.ALL_AT_END:
            return voice("all see it after the deal")
        case _:
            assert_never(ruleset.widow.seen)


def _moon_choice(voice: Voice, post: TrickPost) -> list[str]:
    """What the table waits for after the last card, where the shooter decides."""
    game = post.table.game
    if not post.live or game is None or game.phase is not Phase.MOON_CHOICE:
        return []
    [chooser] = game.waiting
    name = bold(voice.seat_names[chooser])
    together = shooters(game)
    if len(together) > 1:
        shot = bold(voice("{seats} shot the moon", seats=together))
        chooses = voice("{shot}, and {name} chooses how it is paid", shot=shot, name=name)
    else:
        chooses = voice("{name} shot the moon and chooses how it is paid", name=name)
    deadline = post.table.deadlines.get(chooser)
    if deadline is None:
        return [f"▸ {chooses}"]
    return [f"▸ {voice('{chooses} until {moment}', chooses=chooses, moment=until(deadline))}"]


def _side_facts(voice: Voice, post: TrickPost) -> list[Markup]:
    """What people ask about in the middle of a deal: only the newest post answers."""
    game = post.table.game
    facts = list(map(quiet, [*time_up(voice, post.table), *missing(voice, post.table)]))
    if game is None:
        return facts
    stock = voice("{count} card to draw", "{count} cards to draw", count=game.stock)
    drawn = quiet(capital(voice("stock")), stock) if game.stock else Markup("")
    return [*filter(None, (taken_line(voice, game, briefly=True), drawn)), *facts]
