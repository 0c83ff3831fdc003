"""The commands of the bot's own life: run, demo, migrate, sync, check."""

import asyncio
import logging
import sys
from collections.abc import Sequence

from bot import logs, settings
from bot.cli import Arguments
from bot.stopping import Stop

log = logging.getLogger(__name__)

_DEMO_PORT = 8420


def run(argv: Sequence[str]) -> int:
    """Play on Discord until SIGTERM or SIGINT."""
    Arguments(prog="run", description=run.__doc__).parse_args(argv)
    chosen = _settings(token_wanted=True)
    stop = Stop()
    from bot import app

    asyncio.run(app.run(chosen, stop))
    return 0


def demo(argv: Sequence[str]) -> int:
    """Play in your browser on a simulated Discord. Needs no token and keeps nothing."""
    parser = Arguments(prog="demo", description=demo.__doc__)
    parser.add_argument("--port", type=int, default=_DEMO_PORT, help="default %(default)s")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    options = parser.parse_args(argv)
    logs.configure("WARNING")
    # simcord probes the library as it is imported, and there is no voice: nobody's concern here.
    logging.getLogger("discord").setLevel(logging.ERROR)
    from bot.demo import run_demo

    asyncio.run(run_demo(port=options.port, open_browser=not options.no_browser))
    return 0


def migrate(argv: Sequence[str]) -> int:
    """Bring the database to this version's tables. Safe to repeat."""
    Arguments(prog="migrate", description=migrate.__doc__).parse_args(argv)
    chosen = _settings(token_wanted=False)
    from db.migrate import upgrade

    revision = asyncio.run(upgrade(chosen.database_url))
    print(f"The database is at revision {revision}.")
    return 0


def sync(argv: Sequence[str]) -> int:
    """Tell Discord the slash commands, if they changed."""
    parser = Arguments(prog="sync", description=sync.__doc__)
    parser.add_argument(
        "--guild", type=int, metavar="ID", help="only this server; default DEV_GUILD_ID, else all"
    )
    options = parser.parse_args(argv)
    chosen = _settings(token_wanted=True)
    from bot import app

    print(asyncio.run(app.sync(chosen, options.guild or chosen.dev_guild_id)))
    return 0


def check(argv: Sequence[str]) -> int:
    """Build the bot without a token and name every fault in commands, variants, migrations."""
    Arguments(prog="check", description=check.__doc__).parse_args(argv)
    from bot import app

    faults = app.check()
    for fault in faults:
        print(fault, file=sys.stderr)
    if not faults:
        print("The bot builds; commands, variants and migrations are sound.")
    return 1 if faults else 0


def _settings(*, token_wanted: bool) -> settings.Settings:
    """Read the settings and open the log with them."""
    chosen = settings.load(token_wanted=token_wanted)
    token = chosen.discord_token
    secrets = [token.get_secret_value()] if token else []
    logs.configure(chosen.log_level, form=chosen.log_format, secrets=secrets)
    if warning := settings.readable_env_warning():
        log.warning(warning)
    return chosen
