"""Takes the pictures in docs/pictures anew: `python -m tests.support.pictures [FOLDER]`.

The same game each time: its cards come from counted seeds, and time passes only between two
pictures. They show the demo's page without its toolbar, one message or a few of them.
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import time, timedelta
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

from PIL import Image
from playwright.async_api import (
    Browser,
    FloatRect,
    Locator,
    Page,
    ViewportSize,
    async_playwright,
)

from bot import demo
from bot.ai import LEVELS
from bot.rules import variants
from bot.rules.cards import sorted_cards
from bot.rules.view import SeatView
from bot.table import dealing
from bot.table.away import QuietHours
from bot.table.clocks import move_clock
from bot.table.commands import CutDeck
from bot.table.cuts import by_seat
from bot.table.ids import ChannelId, GuildId, TableId, UserId
from bot.table.manager import OpenTable
from bot.table.robots import dice_of
from bot.table.storing import Cause
from cogs.ui import ids
from cogs.ui.fair_ids import AskCut
from tests.support.browser import ARGUMENTS, CHROMIUM, NO_CHROMIUM
from tests.support.fakes import CountedSeeds
from tests.support.scenes import cards_of_hand, half_full, hand_is_near, in_trick, menu_of_hand
from tests.support.tab import Tab, Wait, newest, target, texts, visiting, with_words

_FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
_WIDTHS = {"desktop": 1100, "phone": 390}
_COLOURS = 128
"""A screenshot of buttons and letters has hardly more; a palette halves the file."""
_GAME = "cards"
_MOST_TURNS = 1_000
_ROBOTS_MOVE = 5.0
"""Seconds in which robots have passed."""
_MARGIN = 12
_PLAIN = 900.0
"""How wide a message without a panel is shown at most."""
_LOOKS = ".message-edited, .message-edited-compact, .message-context-actions { display: none }"


class Album:
    """Pictures of what one person sees, each at every width."""

    def __init__(self, pages: Mapping[str, Page], folder: Path, wait: Wait) -> None:
        self._pages = pages
        self._folder = folder
        self._wait = wait

    async def take(self, name: str, words: str) -> None:
        """Take the newest message with these words."""
        await self._wait()
        for width, page in self._pages.items():
            await page.locator("#refresh").click()
            await page.locator("#action-status", has_text="Preview refreshed").wait_for()
            message = page.locator("article.channel-message", has_text=words).last
            await message.evaluate("element => element.scrollIntoView({block: 'center'})")
            clip = await _frame(message)
            picture = await page.screenshot(clip=clip, animations="disabled")
            _store(picture, self._folder / f"{name}-{width}.png")


async def _frame(message: Locator) -> FloatRect:
    """The message without the emptiness beside its panel."""
    whole = await message.bounding_box()
    if whole is None:
        raise ValueError("there is nothing to be seen")
    panels = await message.locator("section.component-container").all()
    panel = await panels[0].bounding_box() if panels else None
    if panel is None:
        return {**whole, "width": min(whole["width"], _PLAIN)}
    right = panel["x"] + panel["width"] + _MARGIN
    return {**whole, "width": right - whole["x"]}


def _store(picture: bytes, file: Path) -> None:
    image = Image.open(BytesIO(picture)).convert("RGB")
    image.quantize(_COLOURS, dither=Image.Dither.NONE).save(file, optimize=True)


@asynccontextmanager
async def _album(address: str, folder: Path, wait: Wait) -> AsyncIterator[Album]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        pages = {name: await _page(browser, address, width) for name, width in _WIDTHS.items()}
        yield Album(pages, folder, wait)
        await browser.close()


async def _page(browser: Browser, address: str, width: int) -> Page:
    size = ViewportSize(width=width, height=1600)
    page = await browser.new_page(viewport=size, device_scale_factor=1.5, bypass_csp=True)
    await page.goto(address)
    await page.add_style_tag(content=_LOOKS)
    await page.locator("article.channel-message").first.wait_for()
    return page


async def take_all(folder: Path) -> None:
    """Play a game in an evening, begin one of days, one of calls, and one of plans."""
    for happens in (Evening, Days, Calls, Ahead):
        async with (
            _cut_by_words_alone(),
            demo.simulation(port=0, seeds=CountedSeeds(_GAME)) as simulated,
        ):
            wait = partial(simulated.pass_time, 0.5)
            async with (
                visiting(simulated.address, wait) as doorway,
                _album(simulated.address, folder, wait) as album,
            ):
                ada, ben = await doorway.open(), await doorway.open("Ben")
                await happens(album, simulated, ada, ben).go_by()


@asynccontextmanager
async def _cut_by_words_alone() -> AsyncIterator[None]:
    """The number of a press tells when it was made, and so is another in each evening."""
    with patch.object(dealing, "by_seat", lambda chairs, words, _: by_seat(chairs, words, {})):
        yield


class Evening:
    """A game of two people and two robots to its end, and then the beginning of one of three."""

    def __init__(self, album: Album, simulated: demo.Demo, ada: Tab, ben: Tab) -> None:
        self._album = album
        self._simulated = simulated
        self._tables = simulated._app.tables
        self._ada = ada
        self._ben = ben

    async def go_by(self) -> None:
        await self._fill_the_lobby()
        await self._pass_cards()
        await self._play_until(cards_of_hand)
        await self._album.take("hand", "Ask before playing")
        await self._play_until(half_full)
        await self._album.take("trick", "Ada is to play")
        await self._play_until(lambda look: with_words(look, "Score after deal 2"))
        await self._album.take("sheet", "Score after deal 2")
        await self._ada.command("hearts verify")
        await self._album.take("verify", "agree with the cards")
        await self._play_until(lambda look: with_words(look, "🏆"))
        await self._album.take("result", "🏆")
        await self._ada.command("leaderboard")
        await self._album.take("leaderboard", "Leaderboard")
        await self._begin_with_three_seats()

    async def _fill_the_lobby(self) -> None:
        await self._ada.command("hearts start", robots=1)
        await self._ben.press("Join")
        await self._ada.shows("1 seat is free")
        await self._album.take("lobby", "1 seat is free")
        await self._ada.press("Add robot")
        await self._ada.press("Start")

    async def _pass_cards(self) -> None:
        for tab in (self._ada, self._ben):
            await tab.press("My hand")
        await self._choose_cards(self._ada)
        await self._album.take("passing", "Pass these cards to")
        for tab, word in ((self._ada, "second breakfast"), (self._ben, "third time lucky")):
            await self._cut(tab, word)
        await self._album.take("deal", "The next deal is already sealed")
        await self._ada.press("Pass these")

    async def _cut(self, tab: Tab, word: str) -> None:
        """Put a word into the shuffle of the second deal."""
        control = newest(await tab.look(), "Cut the deck")
        assert control is not None
        cut = ids.parse(control["custom_id"])
        assert isinstance(cut, AskCut)
        now = self._simulated._app.bot.services.clock.now()
        user = _user(tab)
        await self._tables.ask(Cause(now, user), cut.table, CutDeck(user, word, cut.deal))

    async def _begin_with_three_seats(self) -> None:
        await self._ada.command("hearts start", seats=3, robots=2)
        await self._ada.press("Start")
        await self._ada.press("My hand")
        await self._choose_cards(self._ada)
        await self._ada.press("Pass these")
        await self._ada.until(cards_of_hand)
        await self._album.take("hand-17", "Ask before playing")

    async def _play_until(self, end: Callable[[Mapping[str, Any]], object]) -> None:
        """Let both do what the game waits for, until Ada sees the end."""
        for _ in range(_MOST_TURNS):
            for tab in (self._ben, self._ada):
                if end(await self._ada.look()):
                    return
                await self._move(tab)
            await self._ada.wait()
        raise AssertionError(f"the game does not go on: {texts(self._ada.seen)[-3:]}")

    async def _move(self, tab: Tab) -> None:
        """Do what the game waits for, if it waits for this person."""
        look = await tab.look()
        if newest(look, "My hand") and not hand_is_near(look):
            await tab.press("My hand")
        if menu_of_hand(tab.seen):
            await self._choose_cards(tab)
            await tab.press("Pass these")
        elif cards := cards_of_hand(tab.seen):
            view = await self._view(tab, cards[0])
            advised = LEVELS["steady"].choose_card(view, dice_of(view))
            [card] = [each for each in cards if f":{advised}" in each["custom_id"]]
            await tab.act("click", **target(card))

    async def _choose_cards(self, tab: Tab) -> None:
        menu = await tab.until(menu_of_hand)
        view = await self._view(tab, menu)
        advised = LEVELS["steady"].choose_pass(view, dice_of(view))
        await tab.act("select", **target(menu), values=[str(card) for card in advised])

    async def _sit_down(self) -> None:
        """Ada and Ben at a table with two robots, their hands open."""
        await self._ada.command("hearts start", robots=2)
        await self._ben.press("Join")
        await self._ada.press("Start")
        for tab in (self._ada, self._ben):
            await tab.press("My hand")

    async def _view(self, tab: Tab, control: Mapping[str, Any]) -> SeatView:
        """What the person in *tab* knows of the table that *control* is about."""
        action = ids.parse(control["custom_id"])
        assert isinstance(action, ids.PlayCard | ids.ChoosePass)
        hand = await self._tables.hand(action.table, _user(tab))
        assert hand.hand is not None
        return hand.hand


class Days(Evening):
    """Ada is away for some days of a game, comes back, and finds other tables waiting, too."""

    async def go_by(self) -> None:
        await self._sit_down()
        await self._play_until(partial(in_trick, 3))
        await self._without_ada(until=partial(in_trick, 9))
        await self._ada.look()
        await self._ada.press("My hand")
        await self._ada.press("Take my seat back")
        while not cards_of_hand(await self._ada.look()):
            await self._move(self._ben)
            await self._ada.wait()
        await self._album.take("catch-up", "Since your last move")
        await self._sit_down_elsewhere()
        await self._simulated.pass_time(_ROBOTS_MOVE)
        await self._ada.look()
        await self._ada.command("hearts games")
        await self._album.take("games", "Your tables")

    async def _without_ada(self, until: Callable[[Mapping[str, Any]], object]) -> None:
        """Ben plays when it is his turn; whoever else is waited for is late."""
        while not until(await self._ben.look()):
            await self._ben.press("My hand")
            if cards_of_hand(self._ben.seen):
                await self._move(self._ben)
            elif late := await self._next_deadline():
                await self._simulated.pass_time(late)
            await self._ben.wait()

    async def _next_deadline(self) -> float:
        """In how many seconds somebody is late at the table; 0 where a robot is to move."""
        [line] = await self._tables.tables_of(_user(self._ada))
        deadlines = (await self._tables.view(line.id)).deadlines.values()
        now = self._simulated._app.bot.services.clock.now()
        return min(((due_at - now).total_seconds() + 1 for due_at in deadlines), default=0.0)

    async def _sit_down_elsewhere(self) -> None:
        """Three more tables of Ada's: one that waits for her, one for Ben, and a lobby."""
        env, (ada, ben) = self._simulated._env, map(_user, (self._ada, self._ben))
        here, there = env.create_guild("Sunday Circle"), env.create_guild("Chess Club")
        for guild, name, host, guests in (
            (here, "fireside", ada, [ben]),
            (here, "balcony", ben, [ada]),
            (there, "off-topic", ada, []),
        ):
            channel = guild.create_text_channel(name)
            await env.settle()
            await self._open(guild.id, channel.id, host, guests)

    async def _open(self, guild: int, channel: int, host: UserId, guests: Sequence[UserId]) -> None:
        wish = OpenTable(
            guild_id=GuildId(guild),
            channel_id=ChannelId(channel),
            ruleset=variants.load("omnibus" if guests else "standard"),
            seats=4,
            clock=move_clock("8h" if guests else "24h"),
            robots=("steady", "expert"),
            invited=(),
        )
        table = await self._tables.open(self._by(host), wish)
        for guest in guests:
            await self._tables.join(self._by(guest), table.id)
        if guests:
            await self._tables.start(self._by(host), table.id)
            await self._pass_first(table.id, host)

    async def _pass_first(self, table: TableId, person: UserId) -> None:
        hand = (await self._tables.hand(table, person)).hand
        assert hand is not None
        cards = frozenset(sorted_cards(hand.hand)[:3])
        await self._tables.pass_cards(self._by(person), table, cards, seen_deal=1)

    def _by(self, person: UserId) -> Cause:
        names = {viewer["id"]: viewer["name"] for viewer in self._ada.seen["viewers"]}
        at = self._simulated._app.bot.services.clock.now()
        return Cause(at, person, name=names[str(person)])


class Calls(Evening):
    """Ada is waited for, reminded, and says when she wants her peace; then she asks for a pause."""

    async def go_by(self) -> None:
        await self._ada.command("hearts start", robots=2, clock="24h")
        await self._ben.press("Join")
        await self._ada.press("Start")
        for tab in (self._ada, self._ben):
            await tab.press("My hand")
        await self._play_until(partial(in_trick, 3))
        await self._ben.command("preferences", zone="Asia/Tokyo")
        await self._ben.command("hearts vacation", until=self._in_days(5))
        await self._play_until(half_full)
        await self._album.take("turn", "Ada is to play")
        due = (await self._tables.view(await self._table())).deadlines
        [left] = [at - self._simulated._app.bot.services.clock.now() for at in due.values()]
        await self._simulated.pass_time(left.total_seconds() * 0.55)
        await self._album.take("reminder", "You have time until")
        await self._ada.command("hearts pause")
        await self._album.take("vote", "Pause this table")
        quiet = QuietHours("Europe/Berlin", time(22), time(8))
        await self._simulated._app.bot.services.persons.change(
            _user(self._ada), lambda chosen: replace(chosen, zone=quiet.zone, quiet=quiet)
        )
        await self._ada.command("preferences")
        await self._album.take("preferences", "Your preferences")

    async def _table(self) -> TableId:
        [line] = await self._tables.tables_of(_user(self._ada))
        return line.id

    def _in_days(self, days: int) -> str:
        now = self._simulated._app.bot.services.clock.now()
        return (now + timedelta(days=days)).date().isoformat()


class Ahead(Evening):
    """Ada plans while Ben thinks."""

    async def go_by(self) -> None:
        await self._sit_down()
        await self._play_until(lambda look: with_words(look, "**Ben** is to play"))
        await self._ada.press("Plan ahead")
        await self._ada.press("Lowest of the suit: off")
        await self._album.take("plans", "What you plan here")
        await self._ada.press("Back to my cards")
        await self._album.take("hand-planned", "You planned")


def _user(tab: Tab) -> UserId:
    return UserId(int(tab.seen["viewerId"]))


if __name__ == "__main__":
    if CHROMIUM is None:
        sys.exit(NO_CHROMIUM)
    chosen = Path(sys.argv[1]) if sys.argv[1:] else _FOLDER
    chosen.mkdir(parents=True, exist_ok=True)
    asyncio.run(take_all(chosen))
