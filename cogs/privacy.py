"""`/privacy`: what is stored about the person who asks, as a file, and its deletion."""

import io
from collections.abc import Iterator
from typing import Any, assert_never

import discord
from discord import app_commands

from bot.rules.sentence import Sentence
from cogs.answers import Answer, Answers, Form, Here, Private
from cogs.commands import EVERYWHERE, INSTALLED
from cogs.errors import BadOptionError
from cogs.inputs import fields_of
from cogs.services import Interaction, services_of, user_of
from cogs.ui import privacy_ids
from cogs.ui.privacy import CONFIRMATION, WORD, deletion_form, render_about, render_deletion
from cogs.ui.privacy_ids import PrivacyAction

_MOST_FILES = 10
"""That Discord takes with one message."""
_ALL = Sentence(
    "This is all that I store about you. It is one text file; the first lines say what each part "
    "means. Nobody else can see this message."
)
_PACKED = Sentence(
    "This is all that I store about you. It is so much that it comes packed: any program for ZIP "
    "files opens it. Nobody else can see this message."
)
_TOO_MUCH = Sentence(
    "You have played so much that it does not fit into one message: here are the first {count} "
    "files. Please ask whoever runs me for the rest."
)
_NOT_TYPED = Sentence(
    "Nothing was deleted. If you mean it, press Delete my data again and type {word}."
)
_ASKED = Sentence("That is noted.")
_STANDS = Sentence("You had asked for it already, and the date has not moved.")
_KEPT = Sentence("The deletion is called off. Everything stays as it is.")


class PrivacyTopic:
    """Everything here is about the person who asks, in servers and in a direct message alike."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers

    def commands(self) -> Iterator[app_commands.Group]:
        """What the command tree has to know."""
        group = app_commands.Group(
            name="privacy",
            description="See, take along or delete what is stored about you",
            allowed_contexts=EVERYWHERE,
            allowed_installs=INSTALLED,
        )
        for name, description, callback in (
            ("about", "What is stored about you, who sees it and for how long", self.about),
            ("export", "Get all that is stored about you, as a file", self.export),
            ("delete", "Delete all that is stored about you, or call that off", self.delete),
        ):
            group.add_command(
                app_commands.Command(name=name, description=description, callback=callback)
            )
        yield group

    async def about(self, interaction: discord.Interaction[Any]) -> None:
        """Say what is stored."""
        await self._answers.give(interaction, self._about(interaction))

    async def export(self, interaction: discord.Interaction[Any]) -> None:
        """Send it."""
        await self._answers.give(interaction, self._export(interaction))

    async def delete(self, interaction: discord.Interaction[Any]) -> None:
        """Show the panel."""
        await self._answers.give(interaction, self._deletion(interaction))

    async def press(self, interaction: Interaction, action: PrivacyAction) -> Answer:
        """Do what a button or the form asks for."""
        match action:
            case privacy_ids.ExportMine():
                return await self._export(interaction)
            case privacy_ids.AskDelete():
                return Form(deletion_form(interaction.locale))
            case privacy_ids.DeleteMine():
                return await self._ask(interaction)
            case privacy_ids.KeepMine():
                return await self._keep(interaction)
            case _:
                assert_never(action)

    async def _about(self, interaction: Interaction) -> Answer:
        privacy = services_of(interaction).privacy
        wish = await privacy.forgetting.wished(user_of(interaction))
        return Private(render_about(wish, privacy.contacts, interaction.locale))

    async def _export(self, interaction: Interaction) -> Answer:
        files = await services_of(interaction).privacy.exporting.files(user_of(interaction))
        said = _PACKED if files[0].name.endswith(".zip") else _ALL
        if len(files) > _MOST_FILES:
            said = Sentence(_TOO_MUCH.text, {"count": _MOST_FILES})
        attached = tuple(
            discord.File(io.BytesIO(file.content), filename=file.name)
            for file in files[:_MOST_FILES]
        )
        return Private(said, files=attached)

    async def _deletion(self, interaction: Interaction) -> Answer:
        return Private(await _panel(interaction))

    async def _ask(self, interaction: Interaction) -> Answer:
        typed = fields_of(interaction).get(WORD, "")
        if typed.strip().casefold() != CONFIRMATION.casefold():
            raise BadOptionError(Sentence(_NOT_TYPED.text, {"word": CONFIRMATION}))
        forgetting, person = services_of(interaction).privacy.forgetting, user_of(interaction)
        stands = await forgetting.wished(person) is not None
        await forgetting.ask(person)
        return Here(await _panel(interaction, _STANDS if stands else _ASKED))

    async def _keep(self, interaction: Interaction) -> Answer:
        await services_of(interaction).privacy.forgetting.keep(user_of(interaction))
        return Here(await _panel(interaction, _KEPT))


async def _panel(interaction: Interaction, done: Sentence | None = None) -> discord.ui.LayoutView:
    privacy = services_of(interaction).privacy
    wish = await privacy.forgetting.wished(user_of(interaction))
    return render_deletion(wish, privacy.contacts, done=done, locale=interaction.locale)
