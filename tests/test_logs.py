import json
import logging
from collections.abc import Iterator
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot import logs
from db.migrate import upgrade
from tests.support.store import url_of

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


FORMS = [logs.Redacting, logs.AsJson]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("message", "secret"), HIDDEN)
def test_what_looks_like_a_secret_is_hidden(form: type, message: str, secret: str):
    assert secret not in form().format(record_of(message))
    assert secret not in form().format(record_of("and then: %s", args=(message,)))


@pytest.mark.parametrize(("message", "secret"), HIDDEN)
def test_the_plain_formatter_would_have_told(message: str, secret: str):
    """The control: the secrets of the test above are there to be found."""
    assert secret in logging.Formatter().format(record_of(message))


@pytest.mark.parametrize("form", FORMS)
def test_the_token_in_use_is_hidden_whatever_it_looks_like(form: type):
    assert "short" not in form(["short"]).format(record_of("login with short failed"))


def test_in_json_a_secret_with_quotes_in_it_is_hidden_before_they_are_escaped():
    line = logs.AsJson(['a"b']).format(record_of('the password a"b is wrong'))
    assert json.loads(line)["message"] == "the password [hidden] is wrong"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("message", "secret"), HIDDEN)
def test_a_traceback_hides_its_secrets_too(form: type, message: str, secret: str):
    error = RuntimeError(message)
    text = form().format(record_of("failed", exc_info=(RuntimeError, error, None)))
    assert "RuntimeError" in text
    assert secret not in text


def test_in_json_a_line_is_one_object_with_the_table_and_the_trace():
    error = RuntimeError("two\nlines")
    record = record_of('it "failed"\n{}', exc_info=(RuntimeError, error, None), table="AB12CD34")
    line = logs.AsJson().format(record)
    assert "\n" not in line
    fields = json.loads(line)
    assert list(fields) == ["time", "level", "logger", "table", "message", "trace"]
    assert fields["message"] == 'it "failed"\n{}'
    assert (fields["table"], fields["level"], fields["logger"]) == ("AB12CD34", "INFO", "bot.test")
    assert fields["trace"].endswith("RuntimeError: two\nlines")
    assert datetime.fromisoformat(fields["time"]).tzinfo is UTC


def test_in_json_what_is_not_there_is_null():
    fields = json.loads(logs.AsJson().format(record_of("idle")))
    assert (fields["table"], fields["trace"]) == (None, None)


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
def test_the_log_is_written_as_json_where_that_is_wanted(capsys: pytest.CaptureFixture[str]):
    logs.configure("INFO", form="json", secrets=["hush"])
    logging.getLogger("bot.app").info("no %s", "hush")
    assert json.loads(capsys.readouterr().err)["message"] == "no [hidden]"


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


def test_a_fault_that_comes_again_and_again_is_told_in_full_once_a_minute(capsys, restored_logging):
    logs.configure("INFO")
    log = logging.getLogger("bot.test")

    def fail(at: float, error: Exception, message: str = "no answer for %s") -> str:
        fault = (type(error), error, None)
        record = log.makeRecord(log.name, logging.ERROR, __file__, 1, message, ("K7",), fault)
        record.created = at
        log.handle(record)
        return capsys.readouterr().err

    assert "OSError: away" in fail(0, OSError("away"))
    again = fail(59, OSError("away"))
    assert "no answer for K7 (again: OSError)" in again
    assert again.count("\n") == 1
    assert "ValueError: other" in fail(59, ValueError("other"))
    assert "OSError: no space left" in fail(59, OSError("no space left"))
    assert "OSError: away" in fail(59, OSError("away"), "another %s")
    assert "OSError: away" in fail(60, OSError("away"))


@pytest.mark.usefixtures("restored_logging")
async def test_a_database_that_is_up_to_date_is_not_talked_about(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    logs.configure("INFO")
    await upgrade(url_of(tmp_path / "hearts.db"))
    await upgrade(url_of(tmp_path / "hearts.db"))
    assert capsys.readouterr().err == ""


def test_a_line_that_is_shortened_stays_whole_for_whoever_else_listens(restored_logging, caplog):
    logs.configure("INFO")
    logging.getLogger().addHandler(caplog.handler)
    for _ in range(2):
        logging.getLogger("bot.test").error("no answer for %s", "K7", exc_info=OSError("away"))
    assert caplog.text.count("OSError: away") == 2
    assert "again" not in caplog.text
