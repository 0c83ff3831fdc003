"""The commands, one file for each family. A command is ``def COMMAND(argv) -> exit code``."""

import argparse
from typing import NoReturn

from bot import OperatorError


class Arguments(argparse.ArgumentParser):
    """An argument parser whose complaint is one line, as every other of the operator's."""

    def error(self, message: str) -> NoReturn:
        raise OperatorError(f"{self.prog}: {message} (--help explains).")
