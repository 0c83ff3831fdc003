"""What is stored about people, in short; and the panel on which they delete it."""

from datetime import timedelta

import discord
from discord import ui

from bot.rules.sentence import Sentence
from bot.table.departures import KEPT
from bot.table.erasures import COOLING_OFF, Erasure
from bot.table.privacy import Contacts
from cogs.names import Markup
from cogs.ui import ids
from cogs.ui.parts import (
    AWAITED,
    SETTLED,
    Part,
    bold,
    danger,
    divider,
    heading,
    panel,
    press,
    quiet,
    rows,
    text,
)
from cogs.ui.privacy_ids import AskDelete, DeleteMine, ExportMine, KeepMine
from cogs.ui.times import until
from cogs.words import Voice

WORD = "word"
"""The field of the form."""
CONFIRMATION = "DELETE"
"""What has to be typed there, in small letters or large ones."""
BACKUPS_KEPT = timedelta(days=30)
"""The longest that an operator may keep a copy of the database; docs/PRIVACY.md promises it."""
_LONGEST_WORD = 20
_STORED = (
    "Your Discord id, and in each server the name that I last saw, which leaderboards show.",
    "Your moves, votes and plans at tables, words with which you cut a deck, and your results.",
    "Your `/preferences`, vacations, and what you type into `/hearts scorekeeper`.",
    "I read no messages. Your unplayed cards are shown to nobody but you.",
)
_SEEN = (
    "Whoever sees a table sees who plays there and each card that falls. Servers see results.",
    "Whoever runs me can read the database. I pass nothing of it on.",
)
_THEN = (
    "A robot takes your seat at each table that is under way then, and keeps it for nobody.",
    "Your preferences, your score keepers, and the names under which servers knew you are deleted.",
    "Games that you played stay for the others, with you as a former player; nothing leads back.",
    "Words with which you cut a deck are emptied, so those shuffles can be checked no more.",
    "What I posted in Discord stays there, with the name that you had: it is the others' record.",
    "If you come back, you begin anew.",
)


def render_about(
    wish: Erasure | None, contacts: Contacts, locale: discord.Locale | None = None
) -> ui.LayoutView:
    """Say what is stored, who sees it and for how long, and where more stands.

    Args:
        wish: a deletion that the reader has asked for; ``None``: there is none.
        contacts: whom to ask.
        locale: the reader's.
    """
    voice = Voice(locale)
    length = [voice(_LENGTH, **_lengths())]
    if wish is not None:
        length.insert(0, bold(voice(_PENDING, due=until(wish.due_at))))
    return panel(
        SETTLED,
        [
            text(heading(voice("What I know about you")), *_list(voice, _STORED)),
            divider(),
            text(bold(voice("Who sees it")), *_list(voice, _SEEN)),
            divider(),
            text(bold(voice("How long")), *length),
            divider(),
            text(*_further(voice, contacts)),
            *rows([press(ExportMine(), voice("Export my data"))]),
        ],
    )


_PENDING = (
    "You asked me to delete all of it, which happens on {due}. `/privacy delete` calls it off."
)
_LENGTH = (
    "Until you delete it with `/privacy delete`, or {days} days after your server sent me away. "
    "Backups are gone {backups} days later."
)


def _lengths() -> dict[str, int]:
    return {"days": KEPT.days, "backups": BACKUPS_KEPT.days}


def render_deletion(
    wish: Erasure | None,
    contacts: Contacts,
    *,
    done: Sentence | None = None,
    locale: discord.Locale | None = None,
) -> ui.LayoutView:
    """Draw the panel: what a deletion would do or, once it is asked for, when it happens.

    Args:
        wish: what the reader has asked for; ``None``: nothing.
        contacts: whom to ask.
        done: what a press has just done.
        locale: the reader's.
    """
    voice = Voice(locale)
    what = [text(bold(voice("What happens then")), *_list(voice, _THEN)), divider()]
    small = text(
        quiet(voice("Backups of the database are gone {backups} days later.", **_lengths())),
        *_further(voice, contacts),
    )
    title = heading(voice("Delete my data"))
    said = [voice.say(done)] if done else []
    if wish is None:
        about = text(title, *said, voice(_ABOUT, days=COOLING_OFF.days))
        return panel(SETTLED, [about, divider(), *what, small, *_asking(voice)])
    when = voice(_ASKED, asked=until(wish.asked_at), due=until(wish.due_at))
    return panel(AWAITED, [text(title, *said, when), divider(), *what, small, *_keeping(voice)])


_ABOUT = (
    "All that is stored about you is deleted {days} days after you ask for it. Until then "
    "everything goes on as before, and one press calls it off: what is deleted cannot be brought "
    "back, and the days are there so that no slip, no quarrel and nobody else at your keyboard "
    "can take it from you."
)
_ASKED = (
    "You asked for it on {asked}. It happens on {due}. Until then everything goes on as before, "
    "and Keep my data calls it off."
)


def _asking(voice: Voice) -> list[Part]:
    export = press(ExportMine(), voice("Export my data first"))
    return [*rows([export, danger(AskDelete(), voice("Delete my data"))])]


def _keeping(voice: Voice) -> list[Part]:
    keep = press(KeepMine(), voice("Keep my data"), primary=True)
    return [*rows([keep, press(ExportMine(), voice("Export my data"))])]


def deletion_form(locale: discord.Locale | None = None) -> ui.Modal:
    """Ask for the word."""
    voice = Voice(locale)
    form = ui.Modal(title=voice("Delete my data"), custom_id=ids.write(DeleteMine()))
    field: ui.TextInput[ui.LayoutView] = ui.TextInput(
        custom_id=WORD, placeholder=CONFIRMATION, max_length=_LONGEST_WORD
    )
    asked = voice("Type {word} to go on", word=Markup(CONFIRMATION))
    form.add_item(ui.Label(text=asked, component=field))
    return form


def _list(voice: Voice, lines: tuple[str, ...]) -> list[str]:
    return [f"- {voice(line)}" for line in lines]


def _further(voice: Voice, contacts: Contacts) -> list[str]:
    """Links to what whoever runs the bot promises, and how to reach that person."""
    links = [
        f"[{voice(name)}]({url})"
        for name, url in (
            ("Privacy policy", contacts.privacy_url),
            ("Terms of use", contacts.terms_url),
        )
        if url
    ]
    asking = "Questions about your data: {contact}." if contacts.support else _ASK_SERVER
    return [
        *filter(None, [" · ".join(links)]),
        voice(asking, contact=Markup(contacts.support or "")),
    ]


_ASK_SERVER = "Questions about your data: ask whoever brought me to your server."
