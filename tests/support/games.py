"""People who play whole games through slash commands and clicks alone, and who watches them."""

import random
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from simcord.results import InteractionResult, ResponseMessage

from bot.rules.cards import Card, Hand, Rank, Suit
from bot.rules.describe import at_a_glance
from bot.table.ids import Human, Occupant, Robot, TableId
from bot.table.state import LIVE
from bot.table.views import TableView
from cogs.ui import ids
from cogs.words import Voice, card_words
from tests.support.discord import World, actions, components_of, walk

_MOST_TURNS = 5_000
_SUITS = {"♣": Suit.CLUBS, "♦": Suit.DIAMONDS, "♠": Suit.SPADES, "♥": Suit.HEARTS}
_RANKS = {str(n): Rank(n) for n in range(2, 11)} | {
    "J": Rank.JACK,
    "Q": Rank.QUEEN,
    "K": Rank.KING,
    "A": Rank.ACE,
}
_CHIP = re.compile(r"(10|[2-9JQKA])\s?([♣♦♠♥])")
_CODE = re.compile(r"(?<=[:,])[2-9TJQKA][CDSH](?:\.\d)?\b")
"""A card in the argument of a custom id."""
_WORDS = {card_words(Card(rank, suit)): Card(rank, suit) for rank in Rank for suit in Suit}
_IN_WORDS = re.compile(rf"\b({'|'.join(_WORDS)})\b", re.IGNORECASE)
_EPHEMERAL = 1 << 6
_REPLY, _UPDATE = 4, 7


@dataclass(slots=True)
class Player:
    """One person at one table. Knows only what stands in the private message with the hand."""

    world: World
    member: Any
    table: TableId
    dice: random.Random
    _shown: InteractionResult | None = None

    @property
    def hand(self) -> ResponseMessage:
        """The private message as it looks now."""
        assert self._shown is not None, "no hand was opened"
        message = self._shown.response
        assert message is not None, "the hand is gone"
        return message

    @property
    def offers(self) -> list[ids.Action]:
        """The enabled buttons and menus of the hand."""
        return actions(self.hand)

    async def open_hand(self) -> None:
        """Press My hand on the newest post."""
        action = ids.OpenHand(self.table)
        post = self.world.newest_with(action)
        self._shown = await self.world.press(self.member, post, action)
        assert self.hand.ephemeral

    @property
    def wants_to_act(self) -> bool:
        """Whether the hand asks for anything."""
        asking = (ids.PlayCard, ids.ChoosePass, ids.SettleMoon, ids.TakeSeatBack)
        return any(isinstance(action, asking) for action in self.offers)

    async def act(self) -> bool:
        """Do what the hand asks for, if it asks for anything; whether it did."""
        for action in self.offers:
            match action:
                case ids.PlayCard():
                    await self.press(self.dice.choice(self._playable()))
                    return True
                case ids.ChoosePass():
                    await self._pass(action)
                    return True
                case ids.SettleMoon() | ids.TakeSeatBack():
                    await self.press(action)
                    return True
                case _:
                    continue
        return False

    async def press(self, action: ids.Action) -> None:
        """Press a button of the hand; the message stays the same."""
        result = await self.world.press(self.member, self.hand, action)
        assert result.response is not None
        assert result.response.id == self.hand.id

    def _playable(self) -> list[ids.PlayCard]:
        return [action for action in self.offers if isinstance(action, ids.PlayCard)]

    async def _pass(self, menu: ids.ChoosePass) -> None:
        values, count = menu_of(self.hand, menu)
        await self.world.choose(self.member, self.hand, menu, self.dice.sample(values, count))
        [confirm] = [action for action in self.offers if isinstance(action, ids.ConfirmPass)]
        await self.press(confirm)


def menu_of(message: Any, action: ids.Action) -> tuple[list[str], int]:
    """The values a menu offers, and how many have to be chosen."""
    for part in walk(components_of(message)):
        if part.get("custom_id") == ids.write(action):
            return [option["value"] for option in part["options"]], part["min_values"]
    raise AssertionError(f"no menu {action}")


async def sit_down(
    world: World, people: Sequence[Any], *, robots: int = 0, **options: Any
) -> list[Player]:
    """The first opens a table, the others join it by its post, robots fill up, and it starts."""
    host, *others = people
    options.setdefault("seats", len(people) + robots)
    await world.slash(host, "hearts start", robots=robots, **options)
    table = await world.table_id()
    for person in others:
        await world.press(person, world.newest_with(ids.Join(table)), ids.Join(table))
    await world.press(host, world.newest_with(ids.Start(table)), ids.Start(table))
    players = [
        Player(world, person, table, random.Random(number)) for number, person in enumerate(people)
    ]
    for player in players:
        await player.open_hand()
    return players


@dataclass(slots=True)
class Watch:
    """Looks at all that everybody can see, for cards that nobody has played."""

    world: World
    table: TableId
    leaks: list[str] = field(default_factory=list)
    _seen: int = 0

    async def look(self) -> TableView:
        """Look at what was sent since the last look; return the table."""
        view = await self.world.app.tables.view(self.table)
        payloads = self.world.wire.payloads[self._seen :]
        self._seen += len(payloads)
        for method, path, body in payloads:
            if isinstance(body, dict) and self._is_public(method, path, body):
                self._compare(view, body.get("data") or body)
        return view

    def _compare(self, view: TableView, body: dict[str, Any]) -> None:
        text = _public_text(view, body)
        unplayed = cards_named(text) - _played(view, text)
        if unplayed:
            self.leaks.append(f"{sorted(map(str, unplayed))} in {text!r}")

    def _is_public(self, method: str, path: str, body: dict[str, Any]) -> bool:
        if path.startswith("/channels/"):
            return "/messages" in path and method in {"POST", "PATCH"}
        if path.startswith("/users/"):
            return False
        if not path.startswith("/interactions/"):
            return not self._is_private_followup(path, body)
        record = self.world.env.backend.interactions[int(path.split("/")[2])]
        flags = (body.get("data") or {}).get("flags") or 0
        if body["type"] == _REPLY:
            return not flags & _EPHEMERAL
        if body["type"] != _UPDATE or record.source_message_id is None:
            return False
        source = self.world.env.backend.get_message(record.channel_id, record.source_message_id)
        return not source.flags & _EPHEMERAL

    def _is_private_followup(self, path: str, body: dict[str, Any]) -> bool:
        """Whether a message that hangs on an interaction's token is for one pair of eyes."""
        backend = self.world.env.backend
        record = backend.interaction_by_token(path.split("/")[3])
        if record.ephemeral or (body.get("flags") or 0) & _EPHEMERAL:
            return True
        if not path.endswith("/@original") or record.message_id is None:
            return False
        return bool(backend.get_message(record.channel_id, record.message_id).flags & _EPHEMERAL)


def cards_named(text: str) -> Hand:
    """Every card that *text* names: as a chip, in words, or in a custom id.

    Two equal cards are one here: nobody can tell them apart.
    """
    chips = {Card(_RANKS[rank], _SUITS[suit]) for rank, suit in _CHIP.findall(text)}
    words = {_WORDS[words.lower()] for words in _IN_WORDS.findall(text)}
    written = {Card.parse(code) for code in _CODE.findall(text)}
    return _faces(chips | words | written)


def _faces(cards: Iterable[Card]) -> Hand:
    return frozenset(Card(card.rank, card.suit) for card in cards)


def _public_text(view: TableView, body: dict[str, Any]) -> str:
    """All texts and custom ids of a payload, but for the rules at a glance in the lobby."""
    texts = [str(body.get("content") or "")]
    for part in walk(body.get("components") or []):
        texts += [str(part[key]) for key in ("content", "label", "custom_id") if key in part]
    text = "\n".join(texts)
    for fact in at_a_glance(view.ruleset, view.seats):
        text = text.replace(Voice().say(fact), "")
    return text.replace("\ufe0e", "").replace("\u2007", "")


def _played(view: TableView, text: str) -> Hand:
    """What has been played in the deal that *text* is about: all cards, once it is scored."""
    game = view.game
    about = re.search(r"[Dd]eal (\d+)", text)
    if game is None or about is None:
        return frozenset()
    if int(about[1]) <= len(game.scores):
        return _faces(view.ruleset.deck(view.seats))
    tricks = [*game.tricks, *([game.trick] if game.trick else [])]
    return _faces(play.card for trick in tricks for play in trick.plays)


async def play(
    players: Sequence[Player], watch: Watch, *, until: Callable[[TableView], bool]
) -> TableView:
    """Let everybody do what their hand asks for until the table is as wanted; return it then."""
    world = players[0].world
    for _ in range(_MOST_TURNS):
        view = await watch.look()
        if until(view):
            return view
        if await _somebody_acts(_awaited(view, players)):
            continue
        await world.let_robots_move()
        if (await watch.look()).version == view.version:
            await _open_again(players)
    raise AssertionError("the game does not come to its end")


def _awaited(view: TableView, players: Sequence[Player]) -> list[Player]:
    """The people whom everybody sees the game wait for; those a robot plays for as well."""
    waiting = view.game.waiting if view.game else ()
    people = {_owner(view.chairs[seat]) for seat in waiting}
    return [player for player in players if player.member.id in people]


def _owner(chair: Occupant | None) -> int | None:
    match chair:
        case Human(user_id):
            return user_id
        case Robot(_, keeps_for):
            return keeps_for
        case None:
            return None


async def _somebody_acts(players: Sequence[Player]) -> bool:
    for player in players:
        if await player.act():
            return True
    return False


async def _open_again(players: Sequence[Player]) -> None:
    """Open the hands that went out of date unseen; one of them has to ask for something."""
    for player in players:
        await player.open_hand()
    assert any(player.wants_to_act for player in players), "the table waits for nobody"


def is_over(view: TableView) -> bool:
    """Whether nothing more can happen."""
    return view.status not in LIVE


def deals_done(count: int) -> Callable[[TableView], bool]:
    """Whether so many deals are scored, or the game is over before."""

    def reached(view: TableView) -> bool:
        return is_over(view) or (view.game is not None and len(view.game.scores) >= count)

    return reached
