"""Discord's own description of its HTTP API, to hold requests against."""

import json
import os
import re
from bisect import bisect_left
from collections.abc import Hashable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it has none
from jsonschema.exceptions import best_match  # type: ignore[import-untyped]  # it has none
from referencing import Registry
from referencing.jsonschema import DRAFT202012

PLACE = "HEARTS_DISCORD_OPENAPI"
"""Environment variable with the path of ``openapi.json`` of discord/discord-api-spec."""
_BESIDE_US = Path(__file__).parents[3] / "shared" / "reference" / "discord-openapi.json"
_NAME = "discord"
_LIMITS = (0, 25, 32, 45, 80, 100, 150, 300, 2_000, 4_000)
"""Lengths at which Discord says no somewhere; between two of them nothing changes."""
_BIGGEST_KIND = 1 << 20
"""Types, styles and flags are smaller; their very values count."""
_ID = re.compile(r"(?<=/)\d+(?=/|$)")


def spec_file() -> Path | None:
    """Where the description lies on this machine, if it does."""
    named = os.environ.get(PLACE)
    file = Path(named) if named else _BESIDE_US
    return file if file.is_file() else None


def need_spec() -> "Spec":
    """The description, for a test about it; skips the test where there is none."""
    file = spec_file()
    if file is None:
        pytest.skip(
            "requests are not held against Discord's description: get openapi.json of "
            f"discord/discord-api-spec and name it in {PLACE}"
        )
    return load(file)


@cache
def load(file: Path) -> "Spec":
    """Read a description once for all tests."""
    return Spec(json.loads(file.read_text()))


class Spec:
    """Finds the operation of a request and compares the body with what Discord takes."""

    def __init__(self, description: dict[str, Any]) -> None:
        # Discord takes ids as numbers as well, and the library sends some of them so.
        schemas = description["components"]["schemas"]
        schemas["SnowflakeType"] = {"type": ["string", "integer"]}
        _decide_by_type(description, schemas)
        self._paths: dict[str, Any] = description["paths"]
        resource = DRAFT202012.create_resource(description)
        self._registry: Registry[Any] = Registry().with_resource(_NAME, resource)
        self._checked: dict[tuple[str, Hashable], list[str]] = {}
        self._validators: dict[str, Draft202012Validator] = {}

    def faults(self, method: str, path: str, body: Any) -> list[str]:
        """What Discord would refuse about a request; empty for a good one."""
        template = self._template(method.lower(), _ID.sub("0", path))
        if template is None:
            return [f"{method} {path}: there is no such operation"]
        operation = self._paths[template][method.lower()]
        if body is None or "requestBody" not in operation:
            return []
        key = (template, _shape(body))
        if key not in self._checked:
            self._checked[key] = self._compare(template, method.lower(), body)
        return self._checked[key]

    def _compare(self, template: str, method: str, body: Any) -> list[str]:
        error = best_match(self._validator(template, method).iter_errors(body))
        if error is None:
            return []
        return [f"{method.upper()} {template}: {error.json_path}: {error.message[:300]}"]

    def _validator(self, template: str, method: str) -> Draft202012Validator:
        escaped = template.replace("~", "~0").replace("/", "~1")
        place = f"{_NAME}#/paths/{escaped}/{method}/requestBody/content/application~1json/schema"
        if place not in self._validators:
            self._validators[place] = Draft202012Validator({"$ref": place}, registry=self._registry)
        return self._validators[place]

    @lru_cache(maxsize=1_000)  # noqa: B019  one object for the whole run
    def _template(self, method: str, path: str) -> str | None:
        """The template that fits *path* with the fewest gaps."""
        segments = path.strip("/").split("/")
        fitting = [
            template
            for template, operations in self._paths.items()
            if method in operations and _fits(template.strip("/").split("/"), segments)
        ]
        return min(fitting, key=lambda template: template.count("{"), default=None)


def _decide_by_type(node: Any, schemas: dict[str, Any]) -> None:
    """Replace "one of these kinds of component" by a look at the number that names the kind.

    Trying each kind in turn multiplies with every level of nesting; a message took a second.
    """
    if isinstance(node, list):
        for part in node:
            _decide_by_type(part, schemas)
    if not isinstance(node, dict):
        return
    kinds = _kinds(node.get("oneOf"), schemas)
    if kinds:
        del node["oneOf"]
        node["properties"] = {"type": {"enum": list(kinds)}}
        node["required"] = ["type"]
        node["allOf"] = [
            {"if": {"properties": {"type": {"const": kind}}}, "then": then}
            for kind, then in kinds.items()
        ]
        return
    for part in node.values():
        _decide_by_type(part, schemas)


def _kinds(choices: Any, schemas: dict[str, Any]) -> dict[int, Any]:
    """The schemas of *choices* by the one ``type`` each allows; empty if they have no such."""
    kinds: dict[int, Any] = {}
    for choice in choices or []:
        schema = schemas.get(str(choice.get("$ref", "")).rpartition("/")[2], {})
        numbers = schema.get("properties", {}).get("type", {}).get("enum", [])
        if len(numbers) != 1 or numbers[0] in kinds:
            return {}
        kinds[numbers[0]] = choice
    return kinds


def _shape(body: Any) -> Hashable:
    """What the description looks at in *body*: keys, kinds, numbers, and about how long texts are.

    A comparison takes some milliseconds and a game makes thousands of requests, most of them
    like others but for the words. How many parts a list has is left to simcord, which counts.
    """
    match body:
        case dict():
            return tuple(sorted((key, _shape(value)) for key, value in body.items()))
        case list():
            return frozenset(_shape(value) for value in body)
        case bool():
            return "bool"
        case int() if body > _BIGGEST_KIND:
            return "number"
        case str():
            return ("text", bisect_left(_LIMITS, len(body)))
        case _:
            return repr(body)


def _fits(template: list[str], segments: list[str]) -> bool:
    return len(template) == len(segments) and all(
        part.startswith("{") or part == segment
        for part, segment in zip(template, segments, strict=True)
    )
