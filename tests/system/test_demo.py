"""The demo: the real bot on a simulated Discord, for visitors without a token."""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest
import simcord.preview
from simcord.preview import _markdown, _messages

from bot import OperatorError, demo
from cogs.ui import ids
from tests.support.clock import breathe
from tests.support.fakes import CountedSeeds
from tests.support.tab import (
    Tab,
    controls,
    messages,
    newest,
    target,
    visiting,
    with_words,
)

_CARDS = 13


@asynccontextmanager
async def open_demo():
    """A demo whose time passes while its tabs wait for something; and the door to it."""
    async with (
        demo.simulation(port=0, seeds=CountedSeeds()) as simulated,
        visiting(simulated.address, partial(simulated.pass_time, 0.5)) as doorway,
    ):
        yield doorway


@asynccontextmanager
async def live_demo():
    """A demo whose time passes by itself; and the door to it."""
    stop = asyncio.Event()
    async with demo.simulation(port=0, seeds=CountedSeeds()) as simulated:
        running = asyncio.create_task(simulated.run(stop))
        async with visiting(simulated.address, breathe) as doorway:
            yield doorway
        stop.set()
        await running


async def start_game(tab: Tab) -> None:
    """Open a table with three robots, start it and open the hand."""
    await tab.command("hearts start", robots=3)
    await tab.press("Start")
    await tab.press("My hand")


def menu(look: Mapping[str, Any]) -> Mapping[str, Any] | None:
    return next((control for control in reversed(controls(look)) if "options" in control), None)


def cards(look: Mapping[str, Any]) -> list[Mapping[str, Any]] | None:
    """Buttons of the cards that may be played now."""
    playable = [control for control in controls(look) if card_of(control)]
    return playable or None


def card_of(control: Mapping[str, Any]) -> str | None:
    action = ids.parse(control["custom_id"])
    return str(action.card) if isinstance(action, ids.PlayCard) else None


async def pass_cards(tab: Tab) -> None:
    choice = await tab.until(menu)
    values = [option["value"] for option in choice["options"][:3]]
    await tab.act("select", **target(choice), values=values)
    await tab.press("Pass these")


@pytest.mark.thorough
async def test_a_visitor_plays_a_deal_against_robots_to_its_score_sheet():
    """Issue: one without any token plays in a browser; here by what a browser sends."""
    async with open_demo() as doorway:
        tab = await doorway.open()
        await tab.shows("Welcome")
        await start_game(tab)
        await pass_cards(tab)
        for _ in range(_CARDS):
            choice = await tab.until(cards)
            await tab.act("click", **target(choice[0]))
        sheet = await tab.shows("Score after deal 1")
    gains = [int(gain) for gain in re.findall(r"\+(\d+)$", sheet, re.MULTILINE)]
    assert len(gains) == 4
    assert sum(gains) in {26, 78}  # a moon costs each of three 26


async def test_a_hand_is_seen_in_the_tab_of_its_owner_alone():
    async with open_demo() as doorway:
        tab, other = await doorway.open(), await doorway.open("Ben")
        await start_game(tab)
        assert with_words(tab.seen, "Choose 3 cards for")
        await other.shows("Deal 1")
        assert not with_words(other.seen, "Choose 3 cards for")
        assert not any(message["ephemeral"] for message in messages(other.seen))


async def test_the_first_visitor_may_try_the_settings_of_the_server():
    async with open_demo() as doorway:
        tab = await doorway.open()
        await tab.command("settings")
        assert await tab.shows("Hearts in this server")


async def test_tabs_follow_what_others_do_without_being_touched():
    async with live_demo() as doorway:
        tab, other = await doorway.open(), await doorway.open("Ben")
        await tab.command("hearts start", robots=2)
        await other.press("Join")
        assert "Ben" in await tab.shows("everybody is here")


@pytest.mark.thorough
async def test_people_who_act_at_the_same_moment_are_all_heard():
    """Without the lock, simcord refuses one of them and its tab stays locked (discord.md 1.4)."""
    async with live_demo() as doorway:
        tabs = [await doorway.open(name) for name in demo.VISITORS]
        await tabs[0].command("hearts start")
        for tab in tabs:
            await tab.shows("A table of Hearts")
        await asyncio.gather(*(tab.press("Join") for tab in tabs[1:]))
        assert await tabs[0].shows("everybody is here")


async def test_a_press_on_a_look_that_was_replaced_does_what_was_seen():
    """Without it simcord refuses every act on any but the newest look (discord.md 1.4)."""
    async with open_demo() as doorway:
        tab, other = await doorway.open(), await doorway.open("Ben")
        await tab.command("hearts start", robots=2)
        join = await other.until(lambda look: newest(look, "Join"))
        seen = other.seen["publishedRevision"]
        await tab.press("Remove robot")
        await tab.shows("2 seats are free")
        await other.until(lambda look: look if look["publishedRevision"] > seen else None)
        receipt = await other.try_to_act("click", **target(join), published_revision=seen)
        assert not receipt["rejected"], receipt["diagnostics"]
        assert "Ben" in await tab.shows("1 seat is free")


async def test_a_press_on_a_card_that_has_gone_plays_no_other_in_its_place():
    """Buttons are told apart by their place; when one goes, the next moves up."""
    async with open_demo() as doorway:
        tab = await doorway.open()
        await start_game(tab)
        await pass_cards(tab)
        first = (await tab.until(cards))[0]
        seen = tab.seen["publishedRevision"]
        await tab.act("click", **target(first))
        await tab.until(cards)
        held = hand_of(tab.seen)
        receipt = await tab.try_to_act("click", **target(first), published_revision=seen)
        assert [fault["code"] for fault in receipt["diagnostics"]] == ["stale-revision"]
        await tab.look()
        assert hand_of(tab.seen) == held
        await tab.act("click", **target((await tab.until(cards))[0]))


def hand_of(look: Mapping[str, Any]) -> set[str]:
    [hand] = [m for m in messages(look) if "Ask before playing" in json.dumps(m["components"])]
    return set(re.findall(r":play:[^:]+:\d+:(\w+)", json.dumps(hand["components"])))


async def test_the_demo_ends_when_it_is_ended_in_the_browser(monkeypatch):
    opened = asyncio.get_running_loop().create_future()
    loop = asyncio.get_running_loop()
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(
        demo.webbrowser, "open", lambda url: loop.call_soon_threadsafe(opened.set_result, url)
    )
    running = asyncio.create_task(demo.run_demo(port=0, open_browser=True))
    async with visiting(await opened, breathe) as doorway:
        tab = await doorway.open()
        await tab.try_to_act("close")
    await running


async def test_a_port_that_is_taken_is_named_in_one_line():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(OperatorError, match=rf"^[^\n]*\b{port}\b[^\n]*--port[^\n]*$"):
            async with demo.simulation(port=port, seeds=CountedSeeds()):
                pass


async def test_a_package_that_is_missing_is_named_in_one_line(monkeypatch):
    monkeypatch.setattr(simcord.preview, "_PREVIEW_RUNTIME_MODULES", ("no_such_package",))
    simcord.preview._require_preview_runtime.cache_clear()
    with pytest.raises(OperatorError, match=r"^[^\n]*no_such_package[^\n]*$"):
        async with demo.simulation(port=0, seeds=CountedSeeds()):
            pass


def test_a_remembered_text_reads_as_simcord_reads_it():
    text, context = "### **A** <@7> `♥`\n-# small", {"users": {"7": "Ada"}}
    expected = _markdown.markdown_tokens(text, "text_display", context=context)
    with demo._texts_remembered():
        first = _messages.markdown_tokens(text, "text_display", context=context)
        assert first == expected
        first.clear()
        assert _messages.markdown_tokens(text, "text_display", context=context) == expected
        assert _messages.markdown_tokens(text, "text_display") != expected
    assert _messages.markdown_tokens is _markdown.markdown_tokens


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.thorough
def test_the_demo_prints_its_address_and_leaves_nothing_behind(tmp_path, number):
    command = [sys.executable, "-m", "bot", "demo", "--port", "0", "--no-browser"]
    surroundings = {**os.environ, "TMPDIR": str(tmp_path), "DYNO": "web.1"}
    with subprocess.Popen(
        command, env=surroundings, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        address = next(line for line in process.stdout if "http://127.0.0.1:" in line)
        assert list(tmp_path.glob("hearts-demo-*/*.db"))
        process.send_signal(number)
        rest, complaints = process.communicate(timeout=30)
    assert "#" in address
    assert process.returncode == 0
    assert "ended" in rest
    assert complaints == ""
    assert list(tmp_path.iterdir()) == []
