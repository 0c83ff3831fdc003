"""Hearts for Discord. The rooms and who may import whom: ARCHITECTURE.md."""


class OperatorError(Exception):
    """Something only the person who runs the bot can put right.

    The message is one whole sentence for that person. `bot.__main__` prints it on one line of
    standard error, without a traceback, and leaves with `exit_code`. It stands in the package
    itself so that the door can catch it without importing any package of others.
    """

    exit_code = 2

    def __init__(self, sentence: str, *, exit_code: int = 2) -> None:
        super().__init__(sentence)
        self.exit_code = exit_code
