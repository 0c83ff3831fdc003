"""`/hearts verify` and `/hearts history`, and cutting the deck."""

import io
import json
from importlib import resources
from typing import Any, assert_never

import discord
from discord import app_commands

from bot.rules.sentence import Sentence
from bot.rules.state import Trick
from bot.table import history, verifying
from bot.table.commands import CutDeck
from bot.table.cuts import LONGEST_WORD
from bot.table.errors import NotOneOfUsError
from bot.table.ids import Human, TableId
from bot.table.looking_back import past_deal
from bot.table.sealing import LateCutError
from cogs import choosing
from cogs.answers import Answer, Answers, Form, Private
from cogs.commands import subcommand
from cogs.inputs import fields_of
from cogs.names import one_line
from cogs.services import Interaction, cause_of, services_of, user_of
from cogs.ui.deal_history import render_last_trick, render_past_deal
from cogs.ui.fair import WORD, cut_form
from cogs.ui.fair_ids import AskCut, FairAction, GiveCut
from cogs.ui.verification import PAGE_NAME, file_name, render_verification

_PAGE = resources.files("bot").joinpath(PAGE_NAME).read_bytes()
_CUT = Sentence(
    "“{word}” goes into the shuffle of deal {deal}. Until that begins you can change it; "
    "everybody sees it when the deal is over."
)


class Fair:
    """What makes a deal fair, for whoever doubts it."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers

    @subcommand("verify", "Check that a deal was fair: its seal, seed, cuts and cards")
    @app_commands.describe(
        table=choosing.KNOWN_DESCRIPTION,
        deal="Which deal; left out: the newest that is over",
    )
    @app_commands.autocomplete(table=choosing.complete_known)
    async def verify(
        self,
        interaction: discord.Interaction[Any],
        table: str | None = None,
        deal: app_commands.Range[int, 1, 10_000] | None = None,
    ) -> None:
        """Show it in private, with a file for whoever wants to check it alone."""
        await self._answers.give(interaction, self._verified(interaction, table, deal))

    @subcommand("history", "Show a deal that is over card by card: hands, passes and tricks")
    @app_commands.describe(
        table=choosing.KNOWN_DESCRIPTION,
        deal="Which deal; left out: the newest that is over",
    )
    @app_commands.autocomplete(table=choosing.complete_known)
    async def history(
        self,
        interaction: discord.Interaction[Any],
        table: str | None = None,
        deal: app_commands.Range[int, 1, 10_000] | None = None,
    ) -> None:
        """Show it in private; of a deal under way, the last trick."""
        await self._answers.give(interaction, self._looked_back(interaction, table, deal))

    async def press(self, interaction: Interaction, action: FairAction) -> Answer:
        """Open the form of a cut, or take what was typed into it."""
        match action:
            case AskCut(table, deal):
                return await self._form(interaction, table, deal)
            case GiveCut(table, deal):
                return await self._cut(interaction, table, deal)
            case _:
                assert_never(action)

    async def _form(self, interaction: Interaction, table: TableId, deal: int) -> Answer:
        """Nobody shall think of a word for a deal that has begun, or for a table of others."""
        view = await choosing.look_at(interaction, table)
        if Human(user_of(interaction)) not in view.chairs:
            raise NotOneOfUsError
        if deal < view.next_deal:
            raise LateCutError(deal, view.next_deal)
        return Form(cut_form(table, deal, interaction.locale))

    async def _cut(self, interaction: Interaction, table: TableId, deal: int) -> Answer:
        word = one_line(fields_of(interaction).get(WORD, ""), LONGEST_WORD)
        cut = CutDeck(user_of(interaction), word, deal)
        await services_of(interaction).tables.ask(cause_of(interaction), table, cut)
        return Private(Sentence(_CUT.text, {"word": word, "deal": deal}))

    async def _looked_back(
        self, interaction: Interaction, wanted: str | None, number: int | None
    ) -> Answer:
        services = services_of(interaction)
        table_id = await choosing.known_table(interaction, wanted)
        table = history.replay(await services.events.load(table_id)).table
        found = past_deal(table, number)
        view = await services.tables.view(table_id)
        if isinstance(found, Trick):
            return Private(render_last_trick(view, found, interaction.locale))
        return Private(render_past_deal(view, found, interaction.locale))

    async def _verified(
        self, interaction: Interaction, wanted: str | None, deal: int | None
    ) -> Answer:
        services = services_of(interaction)
        table_id = await choosing.known_table(interaction, wanted)
        stored = await services.events.load(table_id)
        drawer = await services.events.drawer(table_id)
        found = verifying.verify(stored, drawer, deal)
        view = await services.tables.view(table_id)
        drawn = render_verification(found, view, interaction.locale)
        if found.proof is None:
            return Private(drawn)
        proof = json.dumps(verifying.to_plain(found), indent=1).encode()
        files = ((proof, file_name(found)), (_PAGE, PAGE_NAME))
        return Private(
            drawn, files=tuple(discord.File(io.BytesIO(each), name) for each, name in files)
        )
