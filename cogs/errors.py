"""Any error becomes one private sentence; what was not foreseen also becomes a line in the log."""

import logging
import secrets

import aiohttp
import discord
from discord import app_commands

from bot.rules.errors import HeartsError, RulesetError
from bot.rules.options import fault_sentence
from bot.rules.sentence import Sentence
from bot.table.ids import GuildId
from cogs.services import Interaction, services_of
from cogs.words import say

log = logging.getLogger(__name__)

_UNKNOWN_INTERACTION = 10062
_ALREADY_ACKNOWLEDGED = 40060
_TOKEN_GONE = frozenset({10015, 50027})
"""The token of an interaction is over: Discord says 50027, and an unknown webhook is 10015."""

_COMMAND_CHANGED = Sentence(
    "That command has changed since your Discord learnt it. Reload Discord (Ctrl+R, or close and "
    "open the app) and try again."
)
_INCIDENT = (
    "Something went wrong on my side. Please look whether it worked all the same, and try again "
    "if not. If it keeps happening, give the people who run me this number: {incident}."
)


UNREACHED = (discord.DiscordException, aiohttp.ClientError, OSError)
"""What a request to Discord raises, be it that Discord refuses it or cannot be reached."""
_NOT_TAKEN = Sentence(
    "Discord did not take my answer. Please look whether it worked all the same, and try again if "
    "not."
)
_TOO_MANY, _SERVER_FAULT = 429, 500


class NotHereError(HeartsError):
    """The command or the button does not work in this place; the sentence says where it does."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        super().__init__(str(sentence))


def server_of(interaction: Interaction, otherwise: Sentence) -> GuildId:
    """The server in which something was pressed or typed.

    Raises:
        NotHereError: it was in a private conversation; *otherwise* says where it works.
    """
    if interaction.guild_id is None:
        raise NotHereError(otherwise)
    return GuildId(interaction.guild_id)


class BadOptionError(HeartsError):
    """An option that was typed freely names nothing; the sentence says what is possible."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        super().__init__(str(sentence))


class UnknownChoiceError(HeartsError):
    """A menu sent a value that it never offered."""

    sentence = Sentence("I do not know that choice. Open the menu again and choose from it.")


def is_too_late(error: BaseException) -> bool:
    """Whether Discord refuses an answer because it came late or was given already.

    What the click asked for is stored all the same, and the publisher shows it.
    """
    return isinstance(error, discord.InteractionResponded) or (
        isinstance(error, discord.HTTPException)
        and error.code in {_UNKNOWN_INTERACTION, _ALREADY_ACKNOWLEDGED, *_TOKEN_GONE}
    )


def is_discords(error: BaseException) -> bool:
    """Whether Discord failed, or the way to it: nothing that anybody here could put right.

    What the click asked for may be stored all the same.
    """
    if isinstance(error, discord.HTTPException):
        return error.status == _TOO_MANY or error.status >= _SERVER_FAULT
    return isinstance(error, discord.RateLimited | aiohttp.ClientError | ConnectionError)


async def report(interaction: Interaction, error: BaseException) -> None:
    """Tell the person, privately and in one sentence, what went wrong. Never raises."""
    cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
    if is_too_late(cause):
        services_of(interaction).tally.count("answers_too_late_total")
        log.info("interaction %s could not be answered any more: %s", interaction.id, cause)
        return
    name = "refusals_total" if isinstance(cause, HeartsError) else "faults_total"
    services_of(interaction).tally.count(name, kind=type(cause).__name__)
    await tell(interaction, _sentence(interaction, cause))


async def tell(interaction: Interaction, sentence: Sentence) -> None:
    """Say *sentence* to the person alone; a Discord that does not take it is only logged."""
    text = say(sentence, interaction.locale)
    nobody = discord.AllowedMentions.none()
    try:
        if interaction.response.is_done():
            await interaction.followup.send(text, ephemeral=True, allowed_mentions=nobody)
        else:
            await interaction.response.send_message(text, ephemeral=True, allowed_mentions=nobody)
    except UNREACHED as failure:
        log.warning("interaction %s: a sentence was lost: %s", interaction.id, failure)


def _sentence(interaction: Interaction, error: BaseException) -> Sentence:
    match error:
        case RulesetError():
            log.info("interaction %s refused: %s", interaction.id, error)
            return fault_sentence(error)
        case HeartsError():
            # The class alone: its sentence may name a card that somebody holds.
            log.info("interaction %s refused: %s", interaction.id, type(error).__name__)
            return error.sentence
        case (
            app_commands.CommandNotFound()
            | app_commands.CommandSignatureMismatch()
            | app_commands.TransformerError()
        ):
            log.warning("interaction %s: %s", interaction.id, type(error).__name__)
            return _COMMAND_CHANGED
        case _ if is_discords(error):
            log.warning("interaction %s: the answer was lost: %s", interaction.id, error)
            return _NOT_TAKEN
        case _:
            incident = secrets.token_hex(4)
            log.error("incident %s, interaction %s", incident, interaction.id, exc_info=error)
            return Sentence(_INCIDENT, {"incident": incident})
