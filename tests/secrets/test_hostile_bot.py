"""Hostile input through the whole bot: one private answer each, and nothing else (row 15).

A member of the server who sits nowhere sends what no client would send: ids of every action with
their parts garbled, values that no menu offers, forms with odd fields, text in every option that
takes some. Of what the store holds for others not one byte may differ afterwards.
"""

import sqlite3
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from simcord import interactions
from simcord.backend import serializers
from simcord.results import InteractionResult

from tests.support import hostile
from tests.support.discord import World, discord_world
from tests.support.forms import times
from tests.support.seated import four

TRIES = times(500, 10_000)
_PRIVATE = 1 << 6
_REPLY, _NOD, _WAIT, _UPDATE, _CHOICES, _FORM = 4, 6, 5, 7, 8, 9
_OF_OTHERS = ("tables", "seats", "events", "deals", "posts", "timers", "results", "guilds")
_TEXTS = (
    ("hearts hand", "table"),
    ("hearts table", "table"),
    ("hearts score", "table"),
    ("hearts leave", "table"),
    ("hearts end", "table"),
    ("hearts pause", "table"),
    ("hearts rules", "variant"),
    ("hearts vacation", "until"),
    ("hearts start", "variant"),
    ("preferences", "zone"),
)
_COMPLETED = (
    ("hearts hand", "table"),
    ("hearts score", "table"),
    ("hearts start", "variant"),
    ("hearts vacation", "until"),
    ("preferences", "zone"),
)


def stored_of_others(world: World) -> list[str]:
    """All rows that a bystander has no part in, as SQL."""
    with sqlite3.connect(f"file:{world.file}?mode=ro", uri=True) as file:
        found = list(file.iterdump())
    begins = tuple(f'INSERT INTO "{table}"' for table in _OF_OTHERS)
    return sorted(line for line in found if line.startswith(begins))


@dataclass
class Attacker:
    """Somebody without a seat, and the private message that the attacks are said to come from."""

    world: World
    member: Any
    message: Any
    table: str
    dice: Random

    def _custom_id(self) -> str:
        return next(hostile.custom_ids(self.dice)).replace(hostile.TABLE, self.table)

    async def presses(self) -> None:
        await self._sends(3, {"custom_id": self._custom_id(), "component_type": 2})

    async def chooses(self) -> None:
        chosen = hostile.values(self.dice, ["QS", "standard", "0", "24h"])
        kind = {"component_type": 3, "values": chosen}
        await self._sends(3, {"custom_id": self._custom_id(), **kind})

    async def submits(self) -> None:
        typed = hostile.form(self.dice, ("0", "1", "total", "name", "zone", "begins", "word"))
        await self._sends(5, {"custom_id": self._custom_id(), **typed})

    async def types(self) -> None:
        command, option = self.dice.choice(_TEXTS)
        text = next(hostile.names(self.dice)) or "x"
        await self.world.slash(self.member, command, **{option: text})

    async def completes(self) -> None:
        command, option = self.dice.choice(_COMPLETED)
        typed = next(hostile.texts(self.dice))[:1_000]
        offered = await self.member.autocomplete(self.world.channel, command, option, typed)
        assert len(offered) <= 25

    async def _sends(self, kind: int, data: dict[str, Any]) -> None:
        backend = self.world.env.backend
        record, payload = interactions.base_payload(
            backend,
            type=kind,
            channel_id=self.message.channel_id,
            guild_id=self.world.guild.id,
            user_id=self.member.id,
            data=data,
        )
        stored = backend.get_message(record.channel_id, self.message.id)
        payload["message"] = dict(serializers.message_payload(backend, stored))
        record.source_message_id = self.message.id
        backend.emit("INTERACTION_CREATE", payload)
        await self.world.env.settle()
        assert InteractionResult(self.world.env, record).acknowledged


Attack = Callable[[Attacker], Coroutine[Any, Any, None]]
ATTACKS: tuple[Attack, ...] = (
    Attacker.presses,
    Attacker.presses,
    Attacker.chooses,
    Attacker.submits,
    Attacker.types,
    Attacker.completes,
)


def faults(world: World, since: int) -> Iterator[str]:
    """What was sent that is not one private answer which calls nobody."""
    sent = world.wire.payloads[since:]
    answers = [body for method, path, body in sent if path.startswith("/interactions/")]
    if len(answers) != 1:
        yield f"{len(answers)} answers"
    for method, path, body in sent:
        if "/messages" in path and path.startswith("/channels/"):
            yield f"{method} {path}"
        said = (body.get("data") or body) if isinstance(body, dict) else {}
        mentions = said.get("allowed_mentions") or {}
        if mentions.get("parse") or mentions.get("users") or mentions.get("roles"):
            yield f"calls {mentions}"
    for body in answers:
        if body["type"] == _REPLY and not (body["data"].get("flags") or 0) & _PRIVATE:
            yield "a public answer"


@pytest.mark.promise(15)
@pytest.mark.thorough
async def test_whatever_a_bystander_sends_gets_one_private_answer_and_changes_nothing():
    async with discord_world() as world:
        [ann, *_] = await four(world)
        eve = world.person("Eve")
        shown = await world.slash(eve, "hearts help")
        attacker = Attacker(world, eve, shown.response, ann.table, Random("bystander"))
        before, found = stored_of_others(world), []
        for number in range(TRIES):
            since = len(world.wire.payloads)
            await ATTACKS[number % len(ATTACKS)](attacker)
            found += list(faults(world, since))
        assert found == []
        assert stored_of_others(world) == before
        assert len(before) > 20
        print(f"promise 15: {TRIES} through the whole bot, 0 changes, 0 calls")


async def test_control_a_press_that_changes_something_is_seen_in_the_store():
    async with discord_world() as world:
        [ann, *_] = await four(world)
        before, since = stored_of_others(world), len(world.wire.payloads)
        assert await ann.act()
        assert stored_of_others(world) != before
        assert list(faults(world, since))
