"""The commands, one file for each family. A command is ``def COMMAND(argv) -> exit code``."""

import argparse
from typing import NoReturn

from bot import OperatorError


class Arguments(argparse.ArgumentParser):
    """An argument parser whose complaint is one line, as every other of the operator's."""

    def error(self, message: str) -> NoReturn:
        raise OperatorError(f"{self.prog}: {message} (--help explains).")


def whole(text: str) -> int:
    """Read a whole number, as the ``type`` of an argument.

    Raises:
        ArgumentTypeError: *text* is none.
    """
    try:
        return int(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from error


def at_least_one(text: str) -> int:
    """Read a number that counts something, as the ``type`` of an argument.

    Raises:
        ArgumentTypeError: *text* is no whole number from 1 on.
    """
    number = whole(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is less than 1")
    return number
