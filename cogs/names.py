"""The only way a person's name, or any text that is not ours, gets into a message."""

import re
import unicodedata

import discord

LONGEST_NAME = 32
"""Characters of a name that are shown."""
_MOST_MARKS = 2
"""Accents that one letter may wear; names are known to pile up dozens."""
_BLANKS = dict.fromkeys(map(ord, "\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"), " ")
"""Letters and signs by Unicode's categories of which nothing is seen, and what they count as."""
_MARKUP = re.compile(r"([\\*_~|`\[\]()<>#:/])")
_LINE_START = re.compile(r"^([-+=]|\d+(?=[.)](?:\s|$)))")


class Markup(str):
    """Text that may stand in a message as it is: our own, or escaped."""

    __slots__ = ()


def safe_name(name: str, longest: int = LONGEST_NAME) -> Markup:
    """Make a display name harmless (reliability.md, gotcha 26).

    One line of at most *longest* characters; no markdown, no mention, no link, no change
    of reading direction.
    """
    return escape(plain_name(name, longest))


def plain_name(name: str, longest: int = LONGEST_NAME) -> str:
    """A display name for a place where Discord reads no markdown: a button, a menu, a field.

    As `safe_name`, but nothing is escaped: there a backslash would be seen.
    """
    return one_line(name, longest) or "no name"


def one_line(typed: str, longest: int) -> str:
    """What was typed, as `plain_name` shows it; empty where nothing of it can be read."""
    return _one_line(typed)[:longest].strip()


def escape(text: str) -> Markup:
    """Take the meaning from markdown, mentions and links in *text*, of any length.

    discord.py's own helpers leave channel links, command links, timestamps, custom emojis, bare
    links and list numbers as they are.
    """
    plain = _MARKUP.sub(r"\\\1", text)
    plain = _LINE_START.sub(_blunted, plain)
    return Markup(discord.utils.escape_mentions(plain))


def _blunted(start: re.Match[str]) -> str:
    """A list's number or dash that is none: the dot is escaped, or the dash itself."""
    return f"{start[1]}\\" if start[1].isdigit() else f"\\{start[1]}"


def _one_line(name: str) -> str:
    """Without control and format characters, with single spaces and few accents a letter."""
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", name.translate(_BLANKS)):
        category = unicodedata.category(character)
        if category in {"Zs", "Zl", "Zp", "Cc"}:
            kept.append(" ")
        elif category[0] == "C":
            continue
        marks = marks + 1 if category[0] == "M" else 0
        if marks <= _MOST_MARKS and category[0] not in "CZ":
            kept.append(character)
    return " ".join("".join(kept).split())
