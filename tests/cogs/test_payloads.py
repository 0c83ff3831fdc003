"""What Discord is told of the commands, and the faults that the check names."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from bot import app
from cogs.client import command_payloads, payload_faults
from cogs.ui.help import Topic, render_help
from db.engine import open_database
from tests.support.looks import texts
from tests.support.spec import need_spec

Payloads = list[dict[str, Any]]


@pytest.fixture(scope="module")
def payloads() -> Payloads:
    database = open_database("sqlite+aiosqlite:///never-opened.db")
    built = app.build(database, clock=app.SystemClock(), seeds=app.SecretSeeds())
    return command_payloads(built.bot)


def test_all_commands_of_this_scope_are_there(payloads):
    names = {payload["name"] for payload in payloads}
    assert names == {
        "hearts",
        "settings",
        "preferences",
        "privacy",
        "leaderboard",
        "stats",
        "Challenge to Hearts",
    }
    [hearts] = [payload for payload in payloads if payload["name"] == "hearts"]
    assert [option["name"] for option in hearts["options"]] == [
        "admin",
        "clock",
        "end",
        "games",
        "hand",
        "help",
        "history",
        "host",
        "kick",
        "leave",
        "move",
        "nudge",
        "pause",
        "rules",
        "score",
        "scorekeeper",
        "start",
        "status",
        "substitute",
        "table",
        "vacation",
        "variants",
        "verify",
    ]


def names(payload):
    """What has to be typed for a command, or for each of those below it."""
    below = [option["name"] for option in payload["options"] if option["type"] == 1]
    return [f"{payload['name']} {name}" for name in below] or [payload["name"]]


def test_the_help_names_every_command_that_can_be_typed(payloads):
    typed = [name for payload in payloads if "description" in payload for name in names(payload)]
    assert {"stats", "hearts start", "privacy export"} <= set(typed)
    told = texts(render_help(Topic.COMMANDS))
    assert [name for name in typed if f"`/{name}`" not in told] == []


def test_contexts_and_permissions_stand_where_discord_keeps_them(payloads):
    """Set on a subcommand they are not sent at all (discord.md 2.7)."""
    by_name = {payload["name"]: payload for payload in payloads}
    assert by_name["hearts"]["contexts"] == [0, 1]
    for name in ("preferences", "privacy"):
        assert by_name[name]["contexts"] == [0, 1]
    assert by_name["settings"]["default_member_permissions"] == 1 << 5
    for name in ("settings", "leaderboard", "stats", "Challenge to Hearts"):
        assert by_name[name]["contexts"] == [0]
    assert {tuple(payload["integration_types"]) for payload in payloads} == {(0,)}


def test_the_payloads_are_without_fault(payloads):
    assert payload_faults(payloads) == []


def test_the_payloads_are_as_discord_describes_them(payloads):
    assert need_spec().faults("PUT", "/applications/1/commands", payloads) == []


def planted(payloads: Payloads, change: Callable[[dict[str, Any]], None]) -> list[str]:
    changed = copy.deepcopy(payloads)
    change(next(payload for payload in changed if payload["name"] == "hearts"))
    return payload_faults(changed)


def option_of(hearts: dict[str, Any], command: str, place: int) -> dict[str, Any]:
    """One option of a subcommand."""
    [found] = [option for option in hearts["options"] if option["name"] == command]
    return found["options"][place]


def an_option(number: int) -> dict[str, Any]:
    """A subcommand of some 2,000 characters."""
    below = [{"name": str(n), "description": "x" * 99} for n in range(20)]
    return {"name": str(number), "description": "x" * 99, "options": below}


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda hearts: hearts.update(description="…"), "hearts: no description"),
        (lambda hearts: hearts.update(description=""), "hearts: no description"),
        (
            lambda hearts: hearts["options"][0].update(description="x" * 101),
            "hearts admin: the description has 101 characters",
        ),
        (lambda hearts: hearts.update(name="x" * 33), "the name has 33 characters"),
        (
            lambda hearts: hearts.update(options=(hearts["options"] * 3)[:26]),
            "26 options, Discord takes 25",
        ),
        (
            lambda hearts: option_of(hearts, "start", 0).update(
                choices=[{"name": "a", "value": "a"}]
            ),
            "hearts start variant: choices and autocomplete exclude each other",
        ),
        (
            lambda hearts: option_of(hearts, "start", -1).update(
                choices=[{"name": "x" * 101, "value": "a"}]
            ),
            "has 101 characters",
        ),
        (
            lambda hearts: option_of(hearts, "start", -1).update(
                choices=[{"name": str(n), "value": n} for n in range(26)]
            ),
            "26 choices, Discord takes 25",
        ),
        (
            lambda hearts: hearts.update(options=[an_option(n) for n in range(5)]),
            "characters in all, Discord takes 8000",
        ),
    ],
)
def test_each_fault_is_named_with_its_place(payloads, change, fault):
    assert any(fault in found for found in planted(payloads, change))


def test_a_menu_has_no_description(payloads):
    changed = copy.deepcopy(payloads)
    menu = next(payload for payload in changed if payload["type"] == 2)
    menu["description"] = "Challenge somebody"
    assert payload_faults(changed) == ["Challenge to Hearts: a menu command has no description"]


def test_permissions_asked_of_a_command_that_no_server_has_are_a_fault(payloads):
    changed = copy.deepcopy(payloads)
    settings = next(payload for payload in changed if payload["name"] == "settings")
    settings["contexts"] = [1]
    assert payload_faults(changed) == [
        "settings: permissions are asked of a command that no server has"
    ]


def test_too_many_commands_are_a_fault(payloads):
    assert payload_faults(payloads[1:2] * 101) == ["101 commands, Discord takes 100"]
