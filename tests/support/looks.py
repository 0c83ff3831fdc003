"""Tables as renders get them, around a game, and ways to look into what was drawn."""

import json
import random
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from discord import ui

from bot.rules.cards import Card, Seat
from bot.rules.decide import decide, new_game
from bot.rules.evolve import replay
from bot.rules.legal import to_move
from bot.rules.ruleset import Ruleset
from bot.rules.state import Game, Phase
from bot.table import posts
from bot.table.clocks import move_clock
from bot.table.ids import ChannelId, GuildId, Human, MessageId, Occupant, Robot, TableId, UserId
from bot.table.posting import Post
from bot.table.state import Status, Table
from bot.table.storing import PersonSettings, Timer, TimerKind
from bot.table.viewing import hand_view, table_view
from bot.table.views import HandView, TableView
from cogs.ui import faces, ids
from cogs.words import card_words
from tests.support.deals import STANDARD, next_command

NAMES = {UserId(1): "Maya", UserId(2): "Theo", UserId(3): "Priya", UserId(4): "Sam"}
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def people(count: int) -> tuple[Occupant, ...]:
    """Up to four people, and robots on the chairs behind them."""
    return tuple(Human(UserId(seat + 1)) if seat < 4 else Robot("steady") for seat in range(count))


def table(
    game: Game | None = None,
    *,
    chairs: tuple[Occupant | None, ...] | None = None,
    status: Status | None = None,
    ruleset: Ruleset = STANDARD,
    **more: Any,
) -> Table:
    """A table around *game*, or a lobby of four; its status follows from the game."""
    if status is None:
        status = Status.LOBBY if game is None else Status.PLAYING
        status = Status.OVER if game is not None and game.phase is Phase.OVER else status
    return Table(
        id=TableId("K7Q2M9XA"),
        guild_id=GuildId(10),
        channel_id=ChannelId(20),
        host=UserId(1),
        status=status,
        ruleset=game.ruleset if game else ruleset,
        clock=move_clock("24h"),
        chairs=people(game.seats if game else 4) if chairs is None else chairs,
        invited=more.pop("invited", ()),
        game=game,
        **more,
    )


def view_of(
    table: Table, *, names: Mapping[UserId, str] | None = None, hours: int | None = 20
) -> TableView:
    """The public view of *table*; whoever is waited for has *hours* left from `NOON`."""
    waiting = to_move(table.game) if table.game and table.status is Status.PLAYING else ()
    timers = [
        Timer(
            table_id=table.id,
            seat=seat,
            kind=TimerKind.DEADLINE,
            moment=1,
            due_at=NOON + timedelta(hours=hours),
        )
        for seat in waiting
        if hours is not None and isinstance(table.chairs[seat], Human)
    ]
    return table_view(
        table,
        version=7,
        timers=timers,
        names=NAMES if names is None else names,
        newest_message=MessageId(30),
    )


def hand_of(game: Game | None, seat: int = 0, **changes: Any) -> HandView:
    """What the person on *seat* is shown."""
    at = changes.pop("table", None) or table(game)
    seen = view_of(at, names=changes.pop("names", None))
    shown = hand_view(at, seen, UserId(seat + 1), PersonSettings())
    return replace(shown, **changes)


def post_of(at: Table, slot: str, *, names: Mapping[UserId, str] | None = None) -> Post:
    """One post of a table."""
    return posts.post(at, view_of(at, names=names), slot)


def all_posts(at: Table, *, names: Mapping[UserId, str] | None = None) -> list[Post]:
    """Every post that a table has now."""
    seen = view_of(at, names=names)
    return [posts.post(at, seen, slot) for slot in posts.slots(at)]


def states(rng: random.Random, ruleset: Ruleset = STANDARD, seats: int = 4) -> Iterator[Game]:
    """A whole random game, state by state."""
    game = new_game(ruleset, seats, Seat(rng.randrange(seats)))
    yield game
    while game.phase is not Phase.OVER:
        game = replay(game, decide(game, next_command(game, rng.sample)))
        yield game


def payload(view: ui.LayoutView | ui.View) -> str:
    """All that Discord would be sent, as text."""
    return json.dumps(view.to_components(), ensure_ascii=False)


def parts(view: ui.LayoutView | ui.View) -> list[dict[str, Any]]:
    """Every component, nested ones included."""
    found: list[dict[str, Any]] = []
    waiting: list[Any] = list(view.to_components())
    while waiting:
        part = waiting.pop(0)
        found.append(part)
        waiting += part.get("components", [])
        if "accessory" in part:
            waiting.append(part["accessory"])
    return found


def texts(view: ui.LayoutView) -> str:
    """All running text, in order."""
    return "\n".join(part["content"] for part in parts(view) if part["type"] == 10)


def buttons(view: ui.LayoutView | ui.View) -> list[dict[str, Any]]:
    return [part for part in parts(view) if part["type"] == 2]


def menus(view: ui.LayoutView) -> list[dict[str, Any]]:
    return [part for part in parts(view) if part["type"] in {3, 5, 6, 7, 8}]


def custom_ids(view: ui.LayoutView | ui.View) -> list[str]:
    return [part["custom_id"] for part in parts(view) if "custom_id" in part]


def actions(view: ui.LayoutView | ui.View) -> list[ids.Action]:
    """What every button and menu asks for, in order."""
    return [ids.parse(custom_id) for custom_id in custom_ids(view)]


def labels(view: ui.LayoutView | ui.View) -> dict[str, dict[str, Any]]:
    """The buttons by what is written on them."""
    return {button["label"]: button for button in buttons(view)}


def everybody_at(game: Game) -> Table:
    """A table around *game* with a person on every chair."""
    return table(game, chairs=tuple(Human(UserId(seat + 1)) for seat in range(game.seats)))


def beyond_limits(view: ui.LayoutView) -> list[str]:
    """What Discord would refuse in *view*, or show in a way that is not meant (discord.md 2.2)."""
    found = parts(view)
    told = [part["content"] for part in found if part["type"] == 10]
    written = custom_ids(view)
    checks = {
        f"{len(found)} components": len(found) <= 40,
        f"{sum(map(len, told))} characters": sum(map(len, told)) <= 4_000,
        "an empty text": all(told),
        "two equal custom ids": len(set(written)) == len(written),
        "a long custom id": all(len(custom_id) <= 100 for custom_id in written),
        "a timeout": view.timeout is None,
        "a row of more than five": all(
            len(part["components"]) <= 5 for part in found if part["type"] == 1
        ),
        "a button without a fitting label": all(
            1 <= len(button["label"]) <= 80 for button in buttons(view)
        ),
        "a menu": all(map(_fits, menus(view))),
    }
    return [fault for fault, fine in checks.items() if not fine]


def _fits(menu: Mapping[str, Any]) -> bool:
    if menu["type"] != 3:  # Discord fills the others itself
        return "options" not in menu
    options = menu.get("options", [])
    values = {option["value"] for option in options}
    return (
        1 <= len(options) <= 25
        and len(values) == len(options)
        and menu["max_values"] <= len(options)
        and all(len(option.get("description") or "") <= 100 for option in options)
        and all(1 <= len(option["label"]) <= 100 for option in options)
    )


def unplayed(game: Game) -> frozenset[Card]:
    """Cards that nobody may read of in public: not laid down yet, and no equal card is either."""
    deal = game.deal
    if deal is None or not any(deal.hands):
        return frozenset()
    tricks = (*deal.tricks, *([deal.trick] if deal.trick else []))
    known = {play.card.face for trick in tricks for play in trick.plays}
    hidden = frozenset().union(*deal.hands, deal.widow, deal.stock)
    return frozenset(card for card in hidden if card.face not in known)


@cache
def tokens(card: Card) -> re.Pattern[str]:
    """Every way in which a message can name *card*: notation, label, chip, words."""
    sign = re.escape(faces.sign(card)[:1])
    rank = re.escape(faces.rank_text(card))
    return re.compile(
        rf"(?-i:(?<![0-9A-Za-z]){card.face}(?![0-9A-Za-z]))"
        rf"|(?<![0-9A-Z]){rank}\s?{sign}"
        rf"|(?<![0-9]){card_words(card)}",
        re.IGNORECASE,
    )


def named_in(shown: str, cards: Iterable[Card]) -> set[Card]:
    """Those of *cards* that the payload *shown* names in any way."""
    return {card for card in cards if tokens(card).search(shown)}
