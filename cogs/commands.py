"""How one slash command, `/hearts`, gets its subcommands from several cogs, and what is checked."""

from collections.abc import Callable, Coroutine, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from discord import app_commands

_Callback = Callable[..., Coroutine[Any, Any, None]]
_C = TypeVar("_C", bound=_Callback)
_MARK = "__hearts_subcommand__"

COMMAND_IDS = "command_ids"
"""Under this name the bot remembers the ids of its commands, by name, for links in its help."""

EVERYWHERE = app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False)
SERVERS = app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False)
INSTALLED = app_commands.AppInstallationType(guild=True, user=False)


@dataclass(frozen=True, slots=True)
class _Wanted:
    name: str
    description: str


def subcommand(name: str, description: str) -> Callable[[_C], _C]:
    """Mark a method as ``/hearts NAME``.

    The library ties subcommands to the one class that declares the group; marked methods let
    each topic keep its own in its own file.
    """

    def mark(method: _C) -> _C:
        setattr(method, _MARK, _Wanted(name, description))
        return method

    return mark


def hearts_group(cogs: Iterable[object]) -> app_commands.Group:
    """The command `/hearts` with every marked method of *cogs*, in order of their names."""
    group = app_commands.Group(
        name="hearts",
        description="Play the card game Hearts.",
        allowed_contexts=EVERYWHERE,
        allowed_installs=INSTALLED,
    )
    commands = [command for cog in cogs for command in _subcommands(cog)]
    for command in sorted(commands, key=lambda command: command.name):
        group.add_command(command)
    return group


def _subcommands(cog: object) -> Iterator[app_commands.Command[Any, Any, None]]:
    for attribute in dir(type(cog)):
        wanted = getattr(getattr(type(cog), attribute), _MARK, None)
        if isinstance(wanted, _Wanted):
            yield app_commands.Command(
                name=wanted.name,
                description=wanted.description,
                callback=getattr(cog, attribute),
            )


class _HasTree(Protocol):
    @property
    def tree(self) -> app_commands.CommandTree[Any]: ...


def command_payloads(bot: _HasTree) -> list[dict[str, Any]]:
    """What is sent to Discord when commands are synced, one mapping a command."""
    return [command.to_dict(bot.tree) for command in bot.tree.get_commands()]


def payload_faults(payloads: list[dict[str, Any]]) -> list[str]:
    """Name all that Discord would refuse, or would show as "…", in *payloads*.

    The library checks names when it builds a command, but neither lengths of choices nor sums,
    and for a missing description it sends three dots.
    """
    faults = [fault for payload in payloads for fault in _faults(payload, payload["name"])]
    if len(payloads) > _MOST_COMMANDS:
        faults.append(f"{len(payloads)} commands, Discord takes {_MOST_COMMANDS}")
    return faults


_MOST_COMMANDS = 100
_MOST_OPTIONS = 25
_LONGEST_NAME = 32
_LONGEST_TEXT = 100
_LONGEST_COMMAND = 8_000
_NO_DESCRIPTION = frozenset({"", "…", "..."})
_SLASH = 1
"""Type of a slash command; the menus on users and messages have no description."""


def _faults(payload: dict[str, Any], path: str) -> Iterator[str]:
    if payload.get("type", _SLASH) == _SLASH:
        yield from _text_faults(payload, path)
    elif payload.get("description"):
        yield f"{path}: a menu command has no description"
    if (length := _length(payload)) > _LONGEST_COMMAND:
        yield f"{path}: {length} characters in all, Discord takes {_LONGEST_COMMAND}"
    if payload.get("default_member_permissions") and 0 not in payload.get("contexts", [0]):
        yield f"{path}: permissions are asked of a command that no server has"


def _text_faults(node: dict[str, Any], path: str) -> Iterator[str]:
    """Faults of one command or option and all below it."""
    if not 1 <= len(node["name"]) <= _LONGEST_NAME:
        yield f"{path}: the name has {len(node['name'])} characters"
    description = node.get("description", "")
    if description.strip() in _NO_DESCRIPTION:
        yield f"{path}: no description"
    if len(description) > _LONGEST_TEXT:
        yield f"{path}: the description has {len(description)} characters"
    options = node.get("options", [])
    if len(options) > _MOST_OPTIONS:
        yield f"{path}: {len(options)} options, Discord takes {_MOST_OPTIONS}"
    for option in options:
        yield from _text_faults(option, f"{path} {option['name']}")
    yield from _choice_faults(node, path)


def _choice_faults(option: dict[str, Any], path: str) -> Iterator[str]:
    choices = option.get("choices") or []
    if len(choices) > _MOST_OPTIONS:
        yield f"{path}: {len(choices)} choices, Discord takes {_MOST_OPTIONS}"
    if choices and option.get("autocomplete"):
        yield f"{path}: choices and autocomplete exclude each other"
    for choice in choices:
        if not 1 <= len(choice["name"]) <= _LONGEST_TEXT:
            yield f"{path}: the choice {choice['name']!r} has {len(choice['name'])} characters"


def _length(node: dict[str, Any]) -> int:
    """Characters that count against a command's limit: names, descriptions, values."""
    own = len(node["name"]) + len(node.get("description") or "")
    own += sum(len(c["name"]) + len(str(c["value"])) for c in node.get("choices") or [])
    return own + sum(_length(option) for option in node.get("options") or [])
