import logging
from collections.abc import Iterator
from contextvars import ContextVar

import pytest

from bot import logs

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4OQ.Gplant.notARealTokenButOfTheRightShape0123"
HIDDEN = [
    (f"logged in with {TOKEN}", TOKEN),
    ("Authorization: Bot abc.def", "abc.def"),
    ("POST /api/webhooks/1234/aW50ZXJhY3Rpb24-token_99/messages", "aW50ZXJhY3Rpb24-token_99"),
    ("POST /interactions/77/aW50ZXJhY3Rpb24/callback", "aW50ZXJhY3Rpb24"),
    ("postgresql+asyncpg://hearts:s3cret@host/hearts is away", "s3cret"),
    ("statement failed\n[SQL: INSERT]\n[parameters: ('QS AS', '[x]')]\n(Background", "QS AS"),
]


def record_of(message: str, **more: object) -> logging.LogRecord:
    record = logging.LogRecord("bot.test", logging.INFO, __file__, 1, message, (), None)
    vars(record).update({"table": "-"} | more)
    return record


@pytest.fixture
def restored_logging() -> Iterator[None]:
    names = ("", "bot", "cogs", "db")
    before = {name: logging.getLogger(name).level for name in names}
    handlers = logging.getLogger().handlers[:]
    yield
    logging.getLogger().handlers[:] = handlers
    for name, level in before.items():
        logging.getLogger(name).setLevel(level)


@pytest.mark.parametrize(("message", "secret"), HIDDEN)
def test_what_looks_like_a_secret_is_hidden(message: str, secret: str):
    assert secret not in logs.Redacting().format(record_of(message))


@pytest.mark.parametrize(("message", "secret"), HIDDEN)
def test_the_plain_formatter_would_have_told(message: str, secret: str):
    """The control: the secrets of the test above are there to be found."""
    assert secret in logging.Formatter().format(record_of(message))


def test_the_token_in_use_is_hidden_whatever_it_looks_like():
    assert "short" not in logs.Redacting(["short"]).format(record_of("login with short failed"))


def test_a_traceback_hides_its_secrets_too():
    error = RuntimeError(f"no login with {TOKEN}")
    text = logs.Redacting().format(record_of("failed", exc_info=(RuntimeError, error, None)))
    assert "RuntimeError" in text
    assert TOKEN not in text


def test_ordinary_lines_stay_as_they_are():
    line = "table AB12CD34 is past event 17 (2.7.1, http://localhost:8420/x, /webhooks)"
    assert logs.Redacting().format(record_of(line)).endswith(line)


def test_what_people_type_cannot_forge_a_line():
    text = logs.Redacting().format(record_of("name: x\n2026-01-01 ERROR forged\r\n"))
    assert text.endswith("name: x\\n2026-01-01 ERROR forged\\r\\n")


@pytest.mark.usefixtures("restored_logging")
def test_the_table_being_worked_for_heads_the_line(capsys: pytest.CaptureFixture[str]):
    variable: ContextVar[str] = ContextVar(logs.TABLE_VARIABLE)
    logs.configure("INFO")
    logging.getLogger("bot.table").info("before")
    mark = variable.set("AB12CD34")
    logging.getLogger("bot.table").info("during")
    variable.reset(mark)
    before, during = capsys.readouterr().err.splitlines()
    assert "[-] before" in before
    assert "[AB12CD34] during" in during


@pytest.mark.usefixtures("restored_logging")
@pytest.mark.parametrize("library", ["discord.http", "aiosqlite", "sqlalchemy.engine"])
def test_libraries_that_print_whole_requests_are_never_opened(
    library: str, capsys: pytest.CaptureFixture[str]
):
    logs.configure("DEBUG")
    logging.getLogger(library).debug("the payload, hands and all")
    logging.getLogger("bot.table").debug("event 3 stored")
    told = capsys.readouterr().err
    assert "hands" not in told
    assert "event 3 stored" in told


@pytest.mark.usefixtures("restored_logging")
def test_a_quiet_bot_quietens_the_libraries(capsys: pytest.CaptureFixture[str]):
    logs.configure("ERROR", secrets=["hush"])
    logging.getLogger("discord.client").warning("chatter")
    logging.getLogger("bot.app").error("hush fails")
    assert capsys.readouterr().err.endswith("bot.app [-] [hidden] fails\n")
