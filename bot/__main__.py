"""The door: ``python -m bot COMMAND``.

Exit codes: 0 done, 1 the command found faults, 2 the operator has to change something,
130 stopped from the keyboard.
"""

import errno
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from bot import OperatorError

COMMANDS = {
    "run": ("bot.cli.run", "play on Discord until told to stop"),
    "demo": ("bot.cli.run", "play in your browser on a simulated Discord; needs no token"),
    "migrate": ("bot.cli.run", "bring the database to this version's tables"),
    "sync": ("bot.cli.run", "tell Discord the slash commands"),
    "doctor": ("bot.cli.doctor", "look what is wrong with an installation, and say what to do"),
    "copy-db": ("bot.cli.copying", "move everything to another database, such as PostgreSQL"),
    "restore-check": ("bot.cli.restoring", "look whether the newest backup can be restored"),
    "check": ("bot.cli.run", "build the bot without a token and name all that is wrong"),
    "replay": ("bot.cli.records", "play a record through the rules"),
    "export": ("bot.cli.records", "write a finished game as a record"),
    "verify": ("bot.verify", "check a deal that is over, as anybody can without this program"),
    "selfplay": ("bot.cli.robots", "let robots play games among themselves"),
    "robot": ("bot.cli.robots", "answer another program's questions as a robot"),
    "arena": ("bot.cli.arena", "measure one robot against another on the same cards"),
    "bench": (
        "bot.cli.bench",
        "measure rules and robots, play a month, or test all promises",
    ),
}
"""Command name to the module that has a function of that name (``_`` for ``-``), and what it is
good for."""

_OUTPUT_LOST = (errno.EPIPE, errno.ENOSPC)


def main(arguments: Sequence[str]) -> int:
    """Carry out one command and return the exit code."""
    try:
        return _carry_out(arguments)
    except OperatorError as error:
        return _complain(str(error), error.exit_code)
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] in {"bot", "cogs", "db", ""}:
            raise
        return _complain(
            f"The package {missing.name!r} is not installed for {sys.executable}; "
            "`make run`, `make demo` and `make test` install what they need into .venv."
        )
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        if error.errno not in _OUTPUT_LOST or error.filename is not None:
            raise
        return _without_output(error)


def _without_output(error: OSError) -> int:
    """End although standard output takes no more; its reader knows why, if it was closed."""
    # What is still in the buffer would fail once more as the interpreter goes down.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):
        return 1
    return _complain(f"The output can't be written: {error.strerror}.")


def _complain(sentence: str, exit_code: int = 2) -> int:
    print(f"hearts: {' '.join(sentence.split())}", file=sys.stderr)
    return exit_code


def _carry_out(arguments: Sequence[str]) -> int:
    if not arguments:
        raise OperatorError(f"Say what to do: {_names()}; `python -m bot help` explains them.")
    name, *rest = arguments
    if name in {"help", "-h", "--help"}:
        print(_help(), flush=True)
        return 0
    if name not in COMMANDS:
        raise OperatorError(f"There is no command {name!r}; there are {_names()}.")
    module, _ = COMMANDS[name]
    command: Callable[[Sequence[str]], int] = getattr(import_module(module), name.replace("-", "_"))
    code = command(rest)
    sys.stdout.flush()
    return code


def _names() -> str:
    return ", ".join(COMMANDS)


def _help() -> str:
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {purpose}" for name, (_, purpose) in COMMANDS.items()]
    return "\n".join(["python -m bot COMMAND", "", *lines])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
