"""The command that looks what is wrong with an installation."""

import asyncio
from collections.abc import Sequence

from bot import logs, settings
from bot.app import SystemClock
from bot.cli import Arguments
from bot.examining import Finding, Verdict, findings


def doctor(argv: Sequence[str]) -> int:
    """Look at settings, token, rights, clock, database, disk and backups; say what to do.

    Changes nothing, and may be used while the bot is running. Leaves with 1 if it finds a fault.
    """
    Arguments(prog="doctor", description=doctor.__doc__).parse_args(argv)
    chosen = settings.load(token_wanted=False)
    token = chosen.discord_token
    # What goes wrong is told below, once and in words.
    logs.configure("ERROR", secrets=[token.get_secret_value()] if token else [])
    return 1 if asyncio.run(_examined(chosen)) else 0


async def _examined(chosen: settings.Settings) -> bool:
    """Tell every finding as it is found; return whether one is a fault."""
    ill = False
    async for finding in findings(chosen, SystemClock()):
        print(_line(finding), flush=True)
        ill = ill or finding.verdict is Verdict.FAULT
    return ill


def _line(finding: Finding) -> str:
    return f"{finding.verdict.value:<8} {finding.about:<9} {finding.words}"
