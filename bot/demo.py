"""The whole bot on a simulated Discord, in your browser: no token, and nothing is kept.

simcord stands in for Discord's servers under the real discord.py, and its preview shows one
channel to everybody who opens the address. Added here is what a card table needs besides: time
that passes by itself, robots that move in it, and tabs that follow what others do.
"""

import asyncio
import json
import logging
import os
import signal
import sys
import tempfile
import time
import webbrowser
from collections import deque
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import simcord
from simcord.preview import _component_projection, _markdown, _messages, _queries

from bot import OperatorError
from bot.app import App, SecretSeeds, build
from bot.table.ports import Seeds
from db.engine import open_database
from db.migrate import upgrade

log = logging.getLogger(__name__)

VISITORS = ("Ada", "Ben", "Cleo", "Dan")
"""Who can be played in the browser; the first one is whom a new tab shows."""
_ROBOT_SCALE = 0.07
_TICK_SECONDS = 0.1
_CATCH_UP = timedelta(seconds=1)
"""How often the store is read although nothing was heard of: pings become due by themselves."""
_SHOW_EVERY = timedelta(seconds=0.3)
"""Least time between two looks of the pages while nobody acts; a tab asks twice a second."""
_LOOKS_KEPT = 8
_TEXTS_KEPT = 8_000
_PAGE_SECONDS = 12 * 3600.0
"""How long simcord keeps a tab that is not looked at; its own ten minutes are short for a tea."""
_WELCOME = (
    "Welcome. This is a simulated Discord, and the bot in it is the real one. You are "
    f"**{VISITORS[0]}** here.\n"
    "Type `/hearts start` below, press Enter and then the arrow; **Add robot** until the table is "
    "full, and **Start**. **My hand** shows your cards to nobody but you.\n"
    "Up there, *Viewing as* makes you somebody else; in another tab with the same address you can "
    "be a second player."
)
_READY = """
Hearts is ready. Open this address in a browser on this machine:

    {address}

Ctrl+C ends the demo; nothing of it is kept.
"""


async def run_demo(*, port: int, open_browser: bool) -> None:
    """Play on a simulated Discord until Ctrl+C, or until the preview is ended in the browser.

    Args:
        port: of this machine's loopback interface; 0: any free one.
        open_browser: also show the address in the visitor's browser, if there is one.

    Raises:
        OperatorError: the port is taken, or a package of the demo is missing.
    """
    stop = asyncio.Event()
    _hear_signals(stop)
    async with simulation(port=port, seeds=SecretSeeds()) as demo:
        print(_READY.format(address=demo.address), flush=True)
        if open_browser and _has_screen():
            await asyncio.to_thread(webbrowser.open, demo.address)
        await demo.run(stop)
    print("The demo has ended.", flush=True)


@asynccontextmanager
async def simulation(*, port: int, seeds: Seeds) -> AsyncIterator["Demo"]:
    """Everything that `run_demo` needs, on a fresh database that goes when the block ends.

    A fresh one each time: simcord's ids begin anew, and a kept table would meet strangers.

    Raises:
        OperatorError: as `run_demo`.
    """
    with tempfile.TemporaryDirectory(prefix="hearts-demo-", ignore_cleanup_errors=True) as folder:
        url = f"sqlite+aiosqlite:///{Path(folder, 'hearts.db')}"
        await upgrade(url)
        database = open_database(url)
        clock = SimulatedClock()
        app = build(database, clock=clock, seeds=seeds, robot_scale=_ROBOT_SCALE)
        try:
            async with simcord.run(app.bot, check_errors=False) as env:
                await clock.start(env)
                room = await _furnish(env, app)
                with _texts_remembered():
                    async with _preview(env, room, port) as preview:
                        yield Demo(env, app, preview)
        finally:
            app.thinking.close()
            await database.close()


class SimulatedClock:
    """`bot.table.ports.Clock`: simcord's, so that cards, timers and Discord age together."""

    def __init__(self) -> None:
        self._env: simcord.Env | None = None

    async def start(self, env: simcord.Env) -> None:
        """Take the time from *env*, which begins today and not at simcord's own beginning."""
        await env.advance_time((datetime.now(UTC) - env.now()).total_seconds())
        self._env = env

    def now(self) -> datetime:
        """See `bot.table.ports.Clock.now`."""
        return self._env.now() if self._env else datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        """See `bot.table.ports.Clock.sleep`."""
        await asyncio.sleep(seconds)


class Stage:
    """A preview in which one thing happens at a time: an act of a visitor, or time passing.

    simcord refuses an act while another one runs, and a tab that was refused so stays locked. It
    also refuses an act on any but the newest look of a page, which changes here while people
    aim; `_as_meant` finds on the newest look what they pressed. Both lean on private names of
    simcord, which is pinned exactly for that reason.
    """

    def __init__(self, env: simcord.Env, preview: simcord.Preview) -> None:
        self._env = env
        self._preview = cast(Any, preview)
        self._one_at_a_time = asyncio.Lock()
        self._outdated = False
        self._shown_at = env.now()
        self._looks: dict[str, deque[Mapping[str, Any]]] = {}
        self._act = self._preview._action  # noqa: SLF001  see above
        self._preview._action = self._act_alone  # noqa: SLF001  see above
        self._preview._PAGE_LEASE_SECONDS = _PAGE_SECONDS  # noqa: SLF001  see above
        # A page that no browser shows; drawing it costs as much as any other.
        del self._preview._pages["python"]  # noqa: SLF001  see above

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        """Let visitors wait for this block, and show them soon what changed in it."""
        async with self._turn():
            yield
            self._look_for_changes()
            if self._env.now() - self._shown_at >= _SHOW_EVERY:
                await self._show()

    async def _act_alone(self, page_id: str | None, act: Mapping[str, Any]) -> Any:  # noqa: ANN401  simcord's own
        async with self._turn():
            self._look_for_changes()
            await self._show()
            return await self._act(page_id, self._as_meant(page_id, act))

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """One thing that happens. Whatever look a page had before or after it is remembered."""
        async with self._one_at_a_time:
            self._remember_looks()
            try:
                yield
            finally:
                self._remember_looks()

    def _look_for_changes(self) -> None:
        self._outdated |= any(request.method != "GET" for request in self._env.http_requests)
        # simcord keeps both for assertions of tests, without bound.
        self._env.http_requests.clear()
        self._env.backend.transcript.clear()

    async def _show(self) -> None:
        """Draw all pages anew, if the bot changed anything in Discord since the last time."""
        if not self._outdated:
            return
        await self._preview.refresh()
        self._outdated = False
        self._shown_at = self._env.now()
        self._remember_looks()

    def _remember_looks(self) -> None:
        pages = self._preview._pages  # noqa: SLF001  see the class
        self._looks = {page_id: self._looks.get(page_id, _no_looks()) for page_id in pages}
        for page_id, looks in self._looks.items():
            newest = pages[page_id].snapshot
            if not looks or looks[-1] is not newest:
                looks.append(newest)

    def _as_meant(self, page_id: str | None, act: Mapping[str, Any]) -> Mapping[str, Any]:
        """The act, as if it had been done on the newest look of its page.

        A press goes to the control that has the custom id of the one that was seen. Left as it is
        where there is none: simcord then refuses it, and the page shows how things stand.
        """
        looks = self._looks.get(page_id or "")
        if not looks or "published_revision" not in act:
            return act
        newest = looks[-1]
        meant = {**act, "published_revision": newest["publishedRevision"]}
        if act.get("kind") not in {"click", "select"}:
            return meant
        seen = [look for look in looks if look["publishedRevision"] == act["published_revision"]]
        control = _same_control(seen[0], newest, str(act.get("control_key"))) if seen else None
        return {**meant, "control_key": control} if control else act


class Demo:
    """A bot, a room and a stage, ready to run."""

    def __init__(self, env: simcord.Env, app: App, preview: simcord.Preview) -> None:
        self._env = env
        self._app = app
        self._preview = preview
        self._stage = Stage(env, preview)
        self._heard = asyncio.Event()
        self._caught_up_at = env.now()
        app.tables.listen(lambda _table: self._heard.set())

    @property
    def address(self) -> str:
        """Where the browser finds the preview. Whoever knows it can act as every visitor."""
        return self._preview.url

    async def run(self, stop: asyncio.Event) -> None:
        """Let time pass until *stop* is set or the preview is ended in the browser."""
        ends = [stop.wait(), self._preview.wait_closed(), self._let_time_pass()]
        tasks = [asyncio.create_task(end) for end in ends]
        try:
            ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in ended:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def pass_time(self, seconds: float) -> None:
        """Move the simulated clock at once, and do all that is due then."""
        async with self._stage.alone():
            await self._env.advance_time(seconds)
            await self._app.timekeeper.fire_due()
            if self._heard.is_set() or self._env.now() - self._caught_up_at >= _CATCH_UP:
                self._heard.clear()
                self._caught_up_at = self._env.now()
                await self._app.publisher.flush()
                await self._app.bot.open_hands.flush()

    async def _let_time_pass(self) -> None:
        # Not time.monotonic: simcord puts its own clock in that one's place.
        before = time.perf_counter()
        while True:
            await asyncio.sleep(_TICK_SECONDS)
            now = time.perf_counter()
            passed, before = now - before, now
            try:
                await self.pass_time(passed)
            except (simcord.SetupError, TimeoutError) as late:
                # simcord gave up waiting for the bot; what is left undone the next tick does.
                log.warning("the simulated Discord is late: %s", late)


async def _furnish(
    env: simcord.Env, app: App
) -> tuple[simcord.ChannelHandle, Sequence[simcord.MemberActor]]:
    """A server with one channel, people in it, and a word of welcome."""
    env.backend.edit_bot_profile("Hearts")
    host, *friends = (env.create_user(name.lower(), global_name=name) for name in VISITORS)
    guild = env.create_guild("The Card Room", owner=host)  # so that `/settings` can be tried
    channel = guild.create_text_channel("hearts", topic="Hearts, from the first deal to 100")
    people = [simcord.MemberActor(env, guild, host), *map(guild.add_member, friends)]
    await env.settle()
    await app.bot.sync_commands()
    await app.bot.get_partial_messageable(channel.id).send(_WELCOME)
    return channel, people


@asynccontextmanager
async def _preview(
    env: simcord.Env,
    room: tuple[simcord.ChannelHandle, Sequence[simcord.MemberActor]],
    port: int,
) -> AsyncIterator[simcord.Preview]:
    channel, people = room
    try:
        preview = env.preview(channel, viewers=people, layout="channel", port=port)
        await preview.__aenter__()
    except simcord.SetupError as error:
        raise OperatorError(
            f"The demo can't start: {str(error).rstrip('.')}. `make demo` installs what it needs, "
            "and `python -m bot demo --port NUMBER` takes another port."
        ) from error
    try:
        yield preview
    finally:
        await preview.close()


@contextmanager
def _texts_remembered() -> Iterator[None]:
    """Let simcord take each text apart once, not for every message of the channel at every look.

    With it a look at a whole game costs a fourteenth of what it costs without.
    """
    read = _markdown.markdown_tokens

    @lru_cache(maxsize=_TEXTS_KEPT)
    def written(text: object, profile: str, context: str) -> str:
        return json.dumps(read(text, profile, context=json.loads(context)))

    def remembered(
        text: object, profile: str = "message", *, context: Mapping[str, Any] | None = None
    ) -> Any:  # noqa: ANN401  simcord's own
        return json.loads(written(text, profile, json.dumps(context)))

    readers = (_component_projection, _messages, _queries)
    for module in readers:
        vars(module)["markdown_tokens"] = remembered
    try:
        yield
    finally:
        for module in readers:
            vars(module)["markdown_tokens"] = read


def _no_looks() -> deque[Mapping[str, Any]]:
    return deque(maxlen=_LOOKS_KEPT)


def _same_control(seen: Mapping[str, Any], newest: Mapping[str, Any], control: str) -> str | None:
    """Where the button or menu stands now that stood at *control* in the look that was *seen*."""
    _, _, rest = control.partition(":")
    message_id = rest.partition(":")[0]
    pressed = _custom_ids(seen, message_id).get(control)
    standing = _custom_ids(newest, message_id)
    return next((key for key, custom_id in standing.items() if custom_id == pressed), None)


def _custom_ids(look: Mapping[str, Any], message_id: str) -> dict[str, str]:
    """The custom ids of a message's controls, by the keys that simcord gives the controls."""
    message = look["messages"].get(message_id, {})
    return {
        part["control_key"]: part["custom_id"]
        for part in _walk(message.get("components", ()))
        if "control_key" in part and "custom_id" in part
    }


def _walk(parts: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for part in parts:
        yield part
        yield from _walk(part.get("components", ()))
        if "accessory" in part:
            yield from _walk([part["accessory"]])


def _hear_signals(stop: asyncio.Event) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        with suppress(NotImplementedError):  # no such handlers on Windows; Ctrl+C still ends us
            loop.add_signal_handler(number, stop.set)


def _has_screen() -> bool:
    """Whether a browser has somewhere to appear; a text browser would take the terminal over."""
    if sys.platform in {"win32", "darwin"}:
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
