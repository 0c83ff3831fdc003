"""All that one viewer of a table is sent, or is told when trying something, as text."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cached_property, partial
from random import Random
from types import SimpleNamespace
from typing import Any

import discord

from bot.rules.cards import Card, Seat, sorted_cards
from bot.rules.errors import HeartsError
from bot.rules.passing import pass_count
from bot.rules.state import Phase, Trick
from bot.rules.view import SeatView
from bot.table import commands, lobby, posts, timers
from bot.table.away import PRESENT, Away
from bot.table.ballots import EndDeal, Kick, Pause
from bot.table.delivery import nonce_of
from bot.table.ids import Human, MessageId, UserId
from bot.table.looking_back import NothingToSeeError, past_deal
from bot.table.moments import turn
from bot.table.plans import OneCard
from bot.table.posting import Manner, Post
from bot.table.state import LIVE, Table
from bot.table.storing import PendingPost, PersonSettings, TableRow, TimerKind
from bot.table.table import decide
from bot.table.timers import Delays
from bot.table.viewing import hand_view, table_line
from bot.table.views import HandView, TableLine, TableView
from cogs import choosing, open_hands
from cogs.ui.admin import AdminLine, Place, render_admin
from cogs.ui.deal_history import render_last_trick
from cogs.ui.games import render_games
from cogs.ui.hand import render_hand
from cogs.ui.ping import render_direct, render_ping
from cogs.ui.plans import may_plan, render_plans
from cogs.ui.post import render_post
from cogs.ui.questions import end_question, leave_question, votable_deal
from cogs.ui.score_sheet import render_scores
from cogs.ui.seats import host_question, substitute_question
from cogs.ui.votes import last_deal_panel, pause_panel
from tests.support.looks import NOON, payload, view_of

_DELAYS = Delays(robot=3.0, plan=5.0)


@dataclass
class Sight:
    """A table as one viewer may see it."""

    table: Table
    viewer: Seat | None
    """``None``: whoever only looks on."""
    luck: int
    """Decides what is tried; the same for two tables that are compared."""

    @cached_property
    def view(self) -> TableView:
        return view_of(self.table)

    @cached_property
    def hand(self) -> HandView:
        return hand_view(self.table, self.view, self.user, PersonSettings())

    @property
    def user(self) -> UserId:
        """The viewer; somebody without a seat, if that is who looks on."""
        return UserId(99 if self.viewer is None else self.viewer + 1)

    @property
    def own(self) -> SeatView:
        assert self.hand.hand is not None
        return self.hand.hand

    @property
    def dice(self) -> Random:
        return Random(self.luck)


Shown = Callable[[Sight], object]


def _posts(sight: Sight) -> Iterator[Post]:
    """The one before the newest, and one of the older ones."""
    slots = posts.slots(sight.table)[:-1]
    older = [sight.dice.choice(slots[:-1])] if len(slots) > 1 else []
    for slot in [*older, *slots[-1:]]:
        yield posts.post(sight.table, sight.view, slot)


def _posted(sight: Sight) -> object:
    return [payload(render_post(post)) for post in _posts(sight)]


def _newest(sight: Sight) -> object:
    post = posts.post(sight.table, sight.view, posts.slots(sight.table)[-1])
    return payload(render_post(post))


def _kept_of_posts(sight: Sight) -> object:
    """Which posts there are and which are done with, and what each is sent under."""
    pending = [
        PendingPost(
            table_id=sight.table.id,
            slot=slot,
            channel_id=sight.table.channel_id,
            message_id=None,
            sent_at=None,
            digest=None,
            sends=1,
            attempted_at=None,
            shown=0,
            version=7,
            since=NOON,
        )
        for slot in posts.slots(sight.table)
    ]
    return list(map(nonce_of, pending)), posts.closed_slots(sight.table)


def _calls(sight: Sight) -> object:
    """Who is called, in the channel and in private, and when all else is due."""
    called = posts.pings(sight.table)
    said = [
        (text, payload(view))
        for ping in called
        for text, view in [
            render_ping(ping, Manner(deadline=NOON)),
            render_direct(ping, sight.view, Manner(deadline=NOON), server="Club"),
        ]
    ]
    aways = _whose_forced_cards_are_played(sight)
    wanted = timers.wanted(sight.table, now=NOON, current=(), delays=_DELAYS, aways=aways)
    # That a planned card is about to fall is known to its person alone, until it lies there.
    visible = [timer for timer in wanted if timer.kind is not TimerKind.PLAN]
    return called, said, posts.standing(sight.table), visible


def _whose_forced_cards_are_played(sight: Sight) -> Mapping[UserId, Away]:
    """Hangs on a hidden hand here, so that it differs between two tables that are compared."""
    game = sight.table.game
    assert game is not None
    hands = game.deal.hands if game.deal else ()
    hidden = [sorted(map(str, hand)) for seat, hand in enumerate(hands) if seat != sight.viewer]
    dice, people = Random(str(hidden)), lobby.people(sight.table.chairs)
    others = [user for user in people if user != sight.user]
    return {user: replace(PRESENT, plays_forced=dice.random() < 0.5) for user in others}


def _scores(sight: Sight) -> object:
    return payload(render_scores(sight.view))


def _looking_back(sight: Sight) -> object:
    """At the deal under way, as far as anybody may; one that is over is open."""
    game = sight.table.game
    deal = game.deal.number if game and game.deal else 0
    try:
        found = past_deal(sight.table, deal)
    except NothingToSeeError as refusal:
        return str(refusal.sentence)
    return payload(render_last_trick(sight.view, found)) if isinstance(found, Trick) else ""


def _questions(sight: Sight) -> object:
    """One of those that somebody may be asked, or ask."""
    view, user = sight.view, sight.user
    asked = [partial(end_question, view, asker=user), partial(pause_panel, view)]
    if votable_deal(view, user) is not None:
        asked.append(partial(last_deal_panel, view, view.game.deal if view.game else 0))
    if sight.table.status in LIVE:
        asked += [partial(substitute_question, view), partial(host_question, view)]
    if sight.viewer is not None:
        asked.append(partial(leave_question, view, asker=user))
    return payload(sight.dice.choice(asked)())


def line_of(sight: Sight) -> TableLine:
    """The table's line in a list, as the viewer sees it."""
    reader = None if sight.viewer is None else sight.user
    return table_line(sight.table, _row(sight), reader, names=sight.view.names)


def _row(sight: Sight) -> TableRow:
    return TableRow(
        table_id=sight.table.id,
        guild_id=sight.table.guild_id,
        channel_id=sight.table.channel_id,
        status=sight.table.status.value,
        title=sight.table.ruleset.title,
        opened_at=NOON,
        changed_at=NOON + timedelta(hours=1),
        newest_message=MessageId(30),
    )


def _lists(sight: Sight) -> object:
    """Lists of tables, and what an option offers that completes itself."""
    line = line_of(sight)
    client: Any = SimpleNamespace(get_channel=lambda _id: SimpleNamespace(name="hearts"))
    asked: Any = SimpleNamespace(client=client, locale=discord.Locale.british_english)
    offered = [choice.to_dict() for choice in choosing.choices(asked, [line], "")]
    drawn = [render_games([line]), render_admin([AdminLine(_row(sight), Place.FINE)])]
    return offered, [payload(view) for view in drawn]


def _refusals(sight: Sight) -> object:
    """What comes of trying all sorts of things, allowed ones among them."""
    return [_outcome(sight.table, command) for command in _tries(sight)]


def _outcome(table: Table, command: commands.Command) -> object:
    try:
        events = decide(table, command)
    except HeartsError as refusal:
        return type(refusal).__name__, str(getattr(refusal, "sentence", ""))
    return [type(event).__name__ for event in events]


def _tries(sight: Sight) -> Iterator[commands.Command]:
    game, user, dice = sight.table.game, sight.user, sight.dice
    assert game is not None
    deck: list[Card] = sorted(game.ruleset.deck(game.seats), key=str)
    deal, now = (game.deal.number if game.deal else 0), turn(game)
    step = game.deal.step if game.deal else None
    number = pass_count(step, game.seats) if step else 3
    for card in dice.sample(deck, 4):
        yield commands.PlayCard(user, card, now)
        yield commands.MakePlan(user, OneCard(card), deal)
    yield commands.PassCards(user, frozenset(dice.sample(deck, number)), deal)
    yield commands.CallVote(user, EndDeal(deal))
    yield commands.CallVote(user, Pause())
    for seat, chair in enumerate(sight.table.chairs):
        if isinstance(chair, Human):
            yield commands.CallVote(user, Kick(Seat(seat), chair.user_id))
        yield commands.Substitute(user, Seat(seat))
    yield commands.CallLastDeal(user, deal)
    yield commands.Leave(user)
    yield commands.TakeSeatBack(user)


def _hand(sight: Sight) -> object:
    return payload(render_hand(sight.hand, server="Club"))


def _hand_otherwise(sight: Sight) -> object:
    """A hand while its owner chooses a pass, is asked about a card, or is refused something."""
    cards, dice = sorted_cards(sight.own.hand), sight.dice
    step = sight.own.public.step
    if sight.own.public.phase is Phase.PASSING and step is not None:
        picked = frozenset(
            dice.sample(cards, min(len(cards), pass_count(step, len(sight.table.chairs))))
        )
        return [
            payload(render_hand(sight.hand, choosing=True)),
            payload(render_hand(sight.hand, picked=picked)),
        ]
    return payload(render_hand(sight.hand, asking=dice.choice(cards))) if cards else ""


def _plans(sight: Sight) -> object:
    return (
        payload(render_plans(sight.hand, sight.own, server="Club")) if may_plan(sight.hand) else ""
    )


def _edits(sight: Sight) -> object:
    """What decides whether an open hand is edited: a needless edit would be seen by its person."""
    return open_hands._looks(sight.hand)


PUBLIC: Mapping[str, Shown] = {
    "newest post": _newest,
    "posts": _posted,
    "what is kept of posts": _kept_of_posts,
    "calls": _calls,
    "scores": _scores,
    "looking back": _looking_back,
    "questions": _questions,
    "lists": _lists,
    "refusals": _refusals,
}
"""What anybody may see or try."""
PRIVATE: Mapping[str, Shown] = {
    "hand": _hand,
    "hand otherwise": _hand_otherwise,
    "plans": _plans,
    "edits": _edits,
}
"""What only somebody with a seat sees."""


def sent(table: Table, viewer: Seat | None, luck: int, shown: Shown) -> str:
    """What is shown, as the very text in which two tables are compared."""
    return json.dumps(shown(Sight(table, viewer, luck)), default=str, ensure_ascii=False)
