"""A tab of the demo without a browser: simcord's preview over HTTP, as its page speaks it."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import count
from typing import Any, TypeVar

import aiohttp

_T = TypeVar("_T")
Wait = Callable[[], Awaitable[object]]
"""What to do between two looks until something is seen."""
_MOST_LOOKS = 1_000


class Tab:
    """Somebody in one tab: looks, and acts on what was seen in the last look."""

    def __init__(self, http: aiohttp.ClientSession, look: Mapping[str, Any], wait: Wait) -> None:
        self._http = http
        self.wait = wait
        self._page = {"X-Simcord-Context": look["context"]["id"]}
        self._sequence = count(1)
        self.seen = look

    async def look(self) -> Mapping[str, Any]:
        """What the page shows now."""
        async with self._http.get("/api/state", headers=self._page) as answer:
            assert answer.status == 200
            self.seen = await answer.json()
        return self.seen

    async def until(self, found: Callable[[Mapping[str, Any]], _T | None]) -> _T:
        """Look until something is found."""
        for _ in range(_MOST_LOOKS):
            if (result := found(self.seen)) is not None:
                return result
            await self.wait()
            await self.look()
        raise AssertionError(f"never seen: {texts(self.seen)[-5:]}")

    async def shows(self, words: str) -> str:
        """Wait for a message with these words, and return all of its words."""
        return await self.until(lambda look: with_words(look, words))

    async def command(self, words: str, **options: object) -> Mapping[str, Any]:
        """Send a slash command."""
        async with self._http.get("/api/commands", headers=self._page) as answer:
            entries = (await answer.json())["entries"]
        [entry] = [entry for entry in entries if entry["invocation"] == words]
        command = {
            "command_id": entry["commandId"],
            "path": entry["path"],
            "schema_fingerprint": entry["schemaFingerprint"],
            "options": {name: str(value) for name, value in options.items()},
        }
        return await self.act("run_command", **command)

    async def press(self, label: str) -> Mapping[str, Any]:
        """Press the newest button of this label, when there is one."""
        button = await self.until(lambda look: newest(look, label))
        return await self.act("click", **target(button))

    async def act(self, kind: str, **body: object) -> Mapping[str, Any]:
        """Do something, on the look that was seen last; it must not be refused."""
        receipt = await self.try_to_act(kind, **body)
        assert not receipt["rejected"], receipt["diagnostics"]
        assert receipt["settlement"] == "settled", receipt
        await self.look()
        return receipt

    async def try_to_act(self, kind: str, **body: object) -> Mapping[str, Any]:
        """Do something, and return what the page is told about it."""
        number = next(self._sequence)
        act = {
            "kind": kind,
            "protocol_version": 3,
            "sequence": number,
            "request_id": f"request-{number}",
            "generation": self.seen["context"]["generation"],
            "bot_generation": self.seen["botGeneration"],
            "published_revision": self.seen["publishedRevision"],
            **body,
        }
        async with self._http.post("/api/action", headers=self._page, json=act) as answer:
            assert answer.status == 200, "a tab that gets anything else stays locked"
            receipt: Mapping[str, Any] = await answer.json()
        self._sequence = count(receipt["expectedSequence"] + 1)
        return receipt


@asynccontextmanager
async def visiting(address: str, wait: Wait) -> AsyncIterator["Doorway"]:
    """Tabs of the demo at *address*."""
    base, _, capability = address.partition("#")
    headers = {"X-Simcord-Capability": capability}
    async with aiohttp.ClientSession(base, headers=headers) as http:
        yield Doorway(http, wait)


class Doorway:
    def __init__(self, http: aiohttp.ClientSession, wait: Wait) -> None:
        self._http = http
        self._wait = wait

    async def open(self, name: str | None = None) -> Tab:
        """A new tab that shows what *name* sees."""
        first = await self._open({})
        if name is None:
            return first
        ids = {viewer["name"]: viewer["id"] for viewer in first.seen["viewers"]}
        return await self._open({"viewer_id": ids[name]})

    async def _open(self, wish: Mapping[str, str]) -> Tab:
        async with self._http.post("/api/pages", json=wish) as answer:
            assert answer.status == 200
            return Tab(self._http, await answer.json(), self._wait)


def messages(look: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The messages of the page, oldest first."""
    return [look["messages"][message_id] for message_id in look["timeline"]]


def texts(look: Mapping[str, Any]) -> list[str]:
    """The words of each message."""
    return [words_of(message) for message in messages(look)]


def words_of(message: Mapping[str, Any]) -> str:
    parts = [part["content"] for part in walk(message["components"]) if "content" in part]
    return "\n".join([message["content"], *parts])


def with_words(look: Mapping[str, Any], words: str) -> str | None:
    return next((text for text in reversed(texts(look)) if words in text), None)


def controls(look: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """All buttons and menus that can be used, oldest first."""
    parts = (part for message in messages(look) for part in walk(message["components"]))
    return [part for part in parts if "control_key" in part and not part.get("disabled")]


def newest(look: Mapping[str, Any], label: str) -> Mapping[str, Any] | None:
    """The newest button of this label."""
    return next((c for c in reversed(controls(look)) if c.get("label") == label), None)


def target(control: Mapping[str, Any]) -> dict[str, str]:
    """How an act names the control that it is about."""
    key = control["control_key"]
    return {"control_key": key, "target_id": key.split(":")[1]}


def walk(parts: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """All components, nested ones included, in order."""
    for part in parts:
        yield part
        yield from walk(part.get("components", []))
