"""Robots in other programs: one question a decision, one answer, a line each (record.md)."""

import json
import shlex
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from queue import Empty, Queue
from random import Random
from threading import Thread
from typing import IO, TypeVar

from bot.arena import answer, question
from bot.arena.answer import AnswerError
from bot.rules.cards import Card, Hand
from bot.rules.dimensions import MoonPayoff
from bot.rules.errors import HeartsError
from bot.rules.reading import quoted
from bot.rules.sentence import Sentence
from bot.rules.view import SeatView

Value = TypeVar("Value")
_Lines = Queue[bytes | None]
"""What a program has said, line by line; ``None``: it will say nothing more."""

USUAL_SECONDS = 10.0
"""How long a program may think about one decision, if nothing else is said."""

_LONGEST_LINE = 100_000
_LINES_AHEAD = 8
_SECONDS_TO_LEAVE = 2.0


class EngineError(HeartsError):
    """A program that does not play: it cannot be started, says nothing, or says what is no move."""

    def __init__(self, command: str, fault: str) -> None:
        text = f"The program {command[:80]!r} {fault}."
        self.sentence = Sentence("{text}", {"text": text})
        super().__init__(text)


class Engine:
    """A player that is another program.

    Args:
        command: what the program is called in complaints.
        process: it, with pipes to its standard input and output.
        seconds: how long it may take for an answer, by the clock on the wall.
    """

    def __init__(self, command: str, process: "subprocess.Popen[bytes]", seconds: float) -> None:
        self._command = command
        self._process = process
        self._seconds = seconds
        self._lines: _Lines = Queue(_LINES_AHEAD)
        self._reader = Thread(target=_pump, args=(process.stdout, self._lines), daemon=True)
        self._reader.start()

    def choose_pass(self, view: SeatView, rng: Random) -> Hand:  # noqa: ARG002  it has its own dice
        return self._asked(view, answer.read_pass)

    def choose_card(self, view: SeatView, rng: Random) -> Card:  # noqa: ARG002  as above
        return self._asked(view, answer.read_card)

    def choose_moon(self, view: SeatView, rng: Random) -> MoonPayoff:  # noqa: ARG002  as above
        return self._asked(view, answer.read_moon)

    def close(self) -> None:
        """End the program: kindly, by closing its input, and by force if it stays."""
        with suppress(OSError):
            self._input.close()
        try:
            self._process.wait(_SECONDS_TO_LEAVE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        with suppress(Empty):
            while self._lines.get(timeout=_SECONDS_TO_LEAVE) is not None:
                pass  # so that its reader comes to the end
        self._reader.join(_SECONDS_TO_LEAVE)
        if self._process.stdout and not self._reader.is_alive():
            self._process.stdout.close()

    @property
    def _input(self) -> IO[bytes]:
        if self._process.stdin is None:
            raise ValueError("the program was started without a pipe to its input")
        return self._process.stdin

    def _asked(self, view: SeatView, read: Callable[[SeatView, object], Value]) -> Value:
        """The decision.

        Raises:
            EngineError: there is none, or one that the rules forbid.
        """
        plain = question.of_view(view)
        where = f"seat {view.seat}, deal {plain['deal']}, after {len(plain['plays'])} cards"
        try:
            self._say(json.dumps(plain))
            return read(view, self._heard())
        except AnswerError as fault:
            raise EngineError(self._command, f"{fault} ({where})") from fault

    def _say(self, line: str) -> None:
        if not self._lines.empty():
            unasked = self._next_line()
            raise AnswerError(f"says {quoted(unasked)} without being asked")
        try:
            self._input.write(line.encode() + b"\n")
            self._input.flush()
        except OSError as error:
            raise AnswerError(self._farewell()) from error

    def _heard(self) -> object:
        line = self._next_line()
        try:
            return json.loads(line)
        except (ValueError, RecursionError) as error:
            raise AnswerError(f"answers {quoted(line)}, which is no JSON object") from error

    def _next_line(self) -> str:
        try:
            line = self._lines.get(timeout=self._seconds)
        except Empty as error:
            raise AnswerError(f"gives no answer within {self._seconds:g} s") from error
        if line is None:
            self._lines.put(None)
            raise AnswerError(self._farewell())
        return line.decode(errors="replace").strip()

    def _farewell(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            return f"has ended with exit code {self._process.wait(_SECONDS_TO_LEAVE)}"
        return "has closed its output"


@contextmanager
def started(command: str, *, seconds: float = USUAL_SECONDS) -> Iterator[Engine]:
    """Start a program that is asked over standard input and output, and end it on the way out.

    Args:
        command: as in a shell, but without one.
        seconds: how long it may take for an answer, by the clock on the wall.

    Raises:
        EngineError: it cannot be started.
    """
    try:
        words = shlex.split(command) or [command]  # of nothing, the system says that it is nowhere
        process = subprocess.Popen(  # noqa: S603  the operator names the program
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise EngineError(command, f"cannot be started: {reason}") from error
    engine = Engine(command, process, seconds)
    try:
        yield engine
    except BaseException:
        process.kill()  # nobody waits for what it may still have to say
        raise
    finally:
        engine.close()


def _pump(stream: IO[bytes], lines: _Lines) -> None:
    """Hand on what a program says; with a time limit only a queue can be waited for."""
    while line := stream.readline(_LONGEST_LINE):
        lines.put(line)
    lines.put(None)
