"""Which rules a lobby will play by, as its host chooses them. Pure."""

from typing import assert_never

from bot.rules import options, variants
from bot.rules.ruleset import Ruleset
from bot.rules.sentence import Sentence
from bot.table.commands import ChooseRule, RestoreRules, RulesCommand
from bot.table.errors import (
    RulesFixedError,
    RulesHostError,
    SeatsClashError,
    TablePausedError,
)
from bot.table.events import RulesChosen
from bot.table.state import Status, Table


def decide(table: Table, command: RulesCommand) -> tuple[RulesChosen, ...]:
    """The change of rules that *command* asks for; none, if they are like that already.

    Raises:
        ClashError: the choice does not go with another rule.
        RulesFixedError: the table is no lobby any more.
        RulesHostError: somebody else than the host asks.
        SeatsClashError: the choice is for other numbers of seats.
        TablePausedError: the table waits for its channel.
        UnknownOptionError: the table's preset offers no such choice.
    """
    if table.status is Status.PAUSED and table.game is None:
        raise TablePausedError
    if table.status is not Status.LOBBY:
        raise RulesFixedError
    if command.user_id != table.host:
        raise RulesHostError
    ruleset, choice = _chosen(table.ruleset, command)
    if len(table.chairs) not in ruleset.players:
        raise SeatsClashError(choice, len(table.chairs))
    return () if ruleset == table.ruleset else (RulesChosen(ruleset),)


def _chosen(ruleset: Ruleset, command: RulesCommand) -> tuple[Ruleset, Sentence]:
    """The rules that are asked for, and what that choice is called."""
    match command:
        case ChooseRule(_, option, value):
            after = options.with_value(ruleset, option, value)
            return after, options.label(ruleset, option, value)
        case RestoreRules():
            preset = variants.load(ruleset.id)
            return preset, Sentence("{title}", {"title": preset.title})
        case _:
            assert_never(command)
