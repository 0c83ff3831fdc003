"""The kinds of Hearts: all of them by family, and one family with a word about each."""

import discord
from discord import ui

from bot.rules import variants
from bot.rules.families import UNKNOWN_TITLES, Family, families
from bot.rules.ruleset import Ruleset
from cogs.names import Markup
from cogs.ui.parts import SETTLED, Row, bold, heading, menu, panel, quiet, text
from cogs.ui.rule_ids import ChooseVariantFamily
from cogs.words import Voice

EVERYTHING = "all"
"""The value in the menu that stands for the list of all."""


def render_variants(locale: discord.Locale | None = None) -> ui.LayoutView:
    """List all variants by family, and the titles of which no rules are known."""
    voice = Voice(locale)
    shown = [
        text(
            bold(voice.say(family.title)),
            *(f"- {_line(voice, variants.load(preset))}" for preset in family.presets),
        )
        for family in families()
    ]
    unknown = voice(
        "{titles} are known by title only. Nobody knows their rules, so I do not deal them.",
        titles=UNKNOWN_TITLES,
    )
    return panel(
        SETTLED,
        [
            text(heading(voice("Kinds of Hearts"))),
            *shown,
            text(quiet(unknown)),
            _menu(voice, EVERYTHING),
        ],
    )


def render_family(family: Family, locale: discord.Locale | None = None) -> ui.LayoutView:
    """Introduce each variant of one family."""
    voice = Voice(locale)
    shown = [text(*_entry(voice, variants.load(preset))) for preset in family.presets]
    more = quiet(voice("`/hearts rules` tells all the rules of one of them."))
    head = text(heading(voice.say(family.title)))
    return panel(SETTLED, [head, *shown, text(more), _menu(voice, family.id)])


def _line(voice: Voice, ruleset: Ruleset) -> str:
    """Title, numbers of players and other names."""
    facts = {"title": ruleset.title, "players": _players(ruleset)}
    if not ruleset.aliases:
        return voice("{title} ({players} players)", **facts)
    return voice(
        "{title} ({players} players), also {aliases}", **facts, aliases=_aliases(voice, ruleset)
    )


def _entry(voice: Voice, ruleset: Ruleset) -> list[str]:
    aliases = _aliases(voice, ruleset)
    also = voice("also {aliases}", aliases=aliases) if aliases else ""
    players = voice("for {players} players", players=_players(ruleset))
    title = voice("{title}", title=ruleset.title)
    return [bold(title), voice("{text}", text=ruleset.text), quiet(players, also)]


def _aliases(voice: Voice, ruleset: Ruleset) -> tuple[Markup, ...]:
    return tuple(voice("“{name}”", name=alias) for alias in ruleset.aliases)


def _players(ruleset: Ruleset) -> str:
    """“4” or “3–6”: every preset takes all numbers between its fewest and its most."""
    fewest, most = ruleset.players[0], ruleset.players[-1]
    return str(fewest) if fewest == most else f"{fewest}–{most}"


def _menu(voice: Voice, chosen: str) -> Row:
    pages = [(EVERYTHING, voice("All kinds of Hearts"))]
    pages += [(family.id, voice.say(family.title)) for family in families()]
    choices = [
        discord.SelectOption(label=title, value=page, default=page == chosen)
        for page, title in pages
    ]
    return menu(ChooseVariantFamily(), choices, placeholder=voice("Choose a family"))
