"""Who sees all that goes to Discord, and compares it with the truth of that moment."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from bot.rules.cards import Card, Hand, Rank, Suit
from bot.table.ids import UserId
from bot.table.state import LIVE
from tests.support.discord import World
from tests.support.games import cards_named
from tests.support.truth import Truth
from tests.support.wire import Request

PING_DELAY = timedelta(seconds=3)
EDIT_PACE = timedelta(seconds=1)
TOKEN_PACE = (5, timedelta(seconds=2))
"""So many calls on one interaction's token Discord bears in so much time (discord.md 2.4)."""
_EPHEMERAL = 1 << 6
_REPLY, _DEFERRED_REPLY, _UPDATE = 4, 5, 7
_ID_KEYS = frozenset({"nonce", "message_id", "channel_id", "guild_id"})
_SUITS = {"♣": Suit.CLUBS, "♦": Suit.DIAMONDS, "♠": Suit.SPADES, "♥": Suit.HEARTS}
_RANKS = {"J": Rank.JACK, "Q": Rank.QUEEN, "K": Rank.KING, "A": Rank.ACE, "T": Rank.TEN}
_RANKS |= {str(number): Rank(number) for number in range(2, 11)}
_CODE = re.compile(r"(?<![A-Za-z0-9])([2-9TJQKA])([CDSH])(?:\.\d)?(?![A-Za-z0-9])")
"""A card in notation, wherever it stands."""
_SIGN_FIRST = re.compile(r"([♣♦♠♥])(10|[2-9JQKA])(?![A-Za-z0-9♣♦♠♥])")
_SUIT_LINE = re.compile(
    r"([♣♦♠♥]) ?(?:Clubs|Diamonds|Spades|Hearts)?((?:[ ·,]+(?:10|[2-9JQKA])\b(?!\s?[♣♦♠♥]))+)"
)
"""A suit and the ranks held of it: ``♠ Spades 2 9 Q``."""
_REMINDER = re.compile(r"(?:Y|Most of your time is over: y)ou have time until")
_TRICK = re.compile(r"Trick (\d+) of \d+ · deal (\d+)")
_LATE = "ran out of time"
"""Stands where the table is told what the clock played for somebody."""
_SHEET = re.compile(r"Score after deal (\d+)")
_BLANKS = str.maketrans({"\ufe0e": "", "\ufe0f": "", "\u2007": " ", "\u00a0": " "})


@dataclass(frozen=True, slots=True)
class Ping:
    """One call of one person."""

    person: UserId
    at: datetime
    turn: tuple[str, int]
    """What the game waited for: the kind, and the trick or deal."""


@dataclass(slots=True)
class Witness:
    """Hears every request of a table's channel, and judges each by what is stored just then."""

    world: World
    truth: Truth
    channel: int
    leaks: list[str] = field(default_factory=list)
    """Public payloads that name a card which does not lie on the table."""
    faults: list[str] = field(default_factory=list)
    """Calls that came too early, too often, or to the wrong person."""
    pings: list[Ping] = field(default_factory=list)
    reminders: list[tuple[UserId, object, str]] = field(default_factory=list)
    """Whom, for which turn, and in the words that tell the first from the second."""
    shown: dict[int, set[Card]] = field(default_factory=dict)
    """By deal: all cards that public trick posts named."""
    posts_of_trick: Counter[tuple[int, int]] = field(default_factory=Counter)
    """How many calls each trick took, by deal and trick of the deal."""
    calls: Counter[str] = field(default_factory=Counter)
    """How many requests the channel took, by method; calls of people apart, as ``PING``."""
    _edited_at: datetime | None = None
    _token_used: dict[str, list[datetime]] = field(default_factory=dict)

    @property
    def posts(self) -> int:
        """How many sends and edits of posts there were."""
        return self.calls["POST"] + self.calls["PATCH"]

    def hear(self, request: Request) -> None:
        """Judge one request. To be put among `Wire.listeners`."""
        if request.method == "GET" or not self._is_of_channel(request):
            return
        self._count_token(request)
        if is_private(self.world.env.backend, request):
            return
        self.truth.look()
        text = "\n".join(words_of(request)).translate(_BLANKS)
        self._judge_cards(request, text)
        if request.path.startswith("/channels/"):
            self._count_call(request, text)

    def _is_of_channel(self, request: Request) -> bool:
        backend = self.world.env.backend
        match request.path.strip("/").split("/"):
            case ["channels", channel, *_]:
                return int(channel) == self.channel
            case ["interactions", number, *_]:
                return backend.interactions[int(number)].channel_id == self.channel
            case ["webhooks", _, token, *_]:
                return _interaction(backend, token).channel_id == self.channel
            case _:
                return True

    def _judge_cards(self, request: Request, text: str) -> None:
        named = cards_in(text)
        deal, allowed = self._allowed(text)
        self.shown.setdefault(deal, set()).update(named & allowed)
        if unplayed := named - allowed:
            cards = " ".join(sorted(map(str, unplayed)))
            self.leaks.append(f"{cards} in {request.method} {request.path}: {text!r}")

    def _allowed(self, text: str) -> tuple[int, Hand]:
        """The deal that *text* is about, 0: none, and the cards that it may name."""
        if trick := _TRICK.search(text):
            number, deal = int(trick[1]), int(trick[2])
            tricks = self.truth.tricks.get(deal, [])
            return deal, frozenset(tricks[number - 1]) if number <= len(tricks) else frozenset()
        if sheet := _SHEET.search(text):
            deal = int(sheet[1])
            whole = self.truth.played(deal) == self.truth.decks[deal]
            return deal, self.truth.decks[deal] if whole else frozenset()
        if _LATE in text:
            return 0, self.truth.by_clock()
        under_way = self.truth.decks and self.truth.table.status in LIVE
        return 0, frozenset() if under_way else _ALL_CARDS

    def _count_call(self, request: Request, text: str) -> None:
        now = self.world.clock.now()
        if trick := _TRICK.search(text):
            self.posts_of_trick[int(trick[2]), int(trick[1])] += 1
        if request.method == "PATCH":
            if self._edited_at and now - self._edited_at < EDIT_PACE:
                self.faults.append(f"{now}: two edits within {now - self._edited_at}")
            self._edited_at = now
        called = _called(request)
        self.calls["PING" if called else request.method] += 1
        for person in called if self.truth.game else ():
            if reminds := _REMINDER.search(text):
                self._judge_reminder(person, now, reminds[0])
            else:
                self._judge_ping(person, now)

    def _judge_reminder(self, person: UserId, now: datetime, words: str) -> None:
        """Each of the two once a turn, and only for who is to move."""
        if person not in self.truth.awaited():
            self.faults.append(f"{now}: {person} was reminded, who is not to move")
        reminder = (person, self.truth.turn, words)
        if reminder in self.reminders:
            self.faults.append(f"{now}: {person} was reminded twice: {words}")
        self.reminders.append(reminder)

    def _judge_ping(self, person: UserId, now: datetime) -> None:
        if person not in self.truth.awaited():
            self.faults.append(f"{now}: {person} was called, who is not to move")
            return
        if now - self.truth.awaited_since(person) < PING_DELAY:
            self.faults.append(f"{now}: {person} was called too early")
        if person == self.truth.last_by_hand:
            self.faults.append(f"{now}: {person} was called, who made the last move")
        turn = self.truth.turn
        if any(ping.person == person and ping.turn == turn for ping in self.pings):
            self.faults.append(f"{now}: {person} was called twice for one turn")
        self.pings.append(Ping(person, now, turn))

    def _count_token(self, request: Request) -> None:
        kind, _, token, *_ = [*request.path.strip("/").split("/"), "", ""]
        if kind not in {"interactions", "webhooks"}:
            return
        most, span = TOKEN_PACE
        now = self.world.clock.now()
        used = [at for at in self._token_used.get(token, []) if now - at < span]
        self._token_used[token] = [*used, now]
        if len(used) >= most:
            self.faults.append(f"{now}: {len(used) + 1} calls on one token in {span}")


_ALL_CARDS = frozenset(Card(rank, suit) for rank in _RANKS.values() for suit in Suit)


def _called(request: Request) -> list[UserId]:
    """The people whom a new message pings."""
    if request.method != "POST":
        return []
    return [UserId(int(user)) for user in request.body["allowed_mentions"].get("users", ())]


def cards_in(text: str) -> Hand:
    """Every card that *text* names in any way: as a chip, in words, in notation, in a list."""
    found = set(cards_named(text))
    found |= {Card(_RANKS[rank], Suit(suit)) for rank, suit in _CODE.findall(text)}
    found |= {Card(_RANKS[rank], _SUITS[suit]) for suit, rank in _SIGN_FIRST.findall(text)}
    for suit, ranks in _SUIT_LINE.findall(text):
        found |= {Card(_RANKS[rank], _SUITS[suit]) for rank in re.findall(r"10|[2-9JQKA]", ranks)}
    return frozenset(found)


def words_of(request: Request) -> Iterator[str]:
    """Every text that a request carries: words, labels, custom ids, file names, alt texts."""
    yield from _texts_in(request.body)
    for file in request.files:
        yield from (text for text in (file.filename, file.description) if text)


def _texts_in(part: Any) -> Iterator[str]:
    match part:
        case str():
            yield part
        case dict():
            for key, value in part.items():
                if key not in _ID_KEYS:
                    yield from _texts_in(value)
        case list() | tuple():
            for value in part:
                yield from _texts_in(value)
        case _:
            pass


def is_private(backend: Any, request: Request) -> bool:
    """Whether one person alone sees what a request carries. What is not known to be is not."""
    match request.path.strip("/").split("/"):
        case ["interactions", number, _, "callback"]:
            return _is_private_answer(backend, backend.interactions[int(number)], request.body)
        case ["webhooks", _, token, "messages", "@original"]:
            record = _interaction(backend, token)
            return _is_ephemeral(backend, record.channel_id, record.message_id)
        case ["webhooks", _, _]:
            return bool((request.body.get("flags") or 0) & _EPHEMERAL)
        case _:
            return False


def _is_private_answer(backend: Any, record: Any, body: dict[str, Any]) -> bool:
    match body["type"]:
        case kind if kind in {_REPLY, _DEFERRED_REPLY}:
            return bool(((body.get("data") or {}).get("flags") or 0) & _EPHEMERAL)
        case kind if kind == _UPDATE:
            return _is_ephemeral(backend, record.channel_id, record.source_message_id)
        case _:
            return True  # a nod, a choice offered while typing, a form


def _is_ephemeral(backend: Any, channel: int, message: int | None) -> bool:
    if message is None:
        return False
    return bool(backend.get_message(channel, message).flags & _EPHEMERAL)


def _interaction(backend: Any, token: str) -> Any:
    return backend.interactions[backend.interaction_tokens[token]]


def standing_calls(world: World, channel: int) -> list[Any]:
    """The calls that stand in a channel now."""
    stored = world.env.backend.messages[channel].values()
    return [message for message in stored if message.content.startswith("<@")]
