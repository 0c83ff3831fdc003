"""A PostgreSQL of the tests' own: started when the first test wants it, gone when they end.

Its programs are the machine's, else those of the package ``pgserver``. Where the tests run as root
it runs as somebody else, since root may not, and hears nothing but a socket in its own folder. Its
time zone, its dates and, where it can, its order of letters are odd, so that code which relies on
them fails here.
"""

import atexit
import os
import pwd
import re
import shutil
import signal
import subprocess
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import cache
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import asyncpg
import pytest

from db.engine import open_database
from db.migrate import upgrade
from db.models import METADATA
from tests.support.store import Stores, stores_over, url_of

KINDS = ("sqlite", "postgresql")
LACKING = (
    "needs a PostgreSQL: on Debian, apt-get install postgresql; elsewhere the package pgserver"
)

# It is the server's parent and takes orders, one a line, each answered by a word. It outlives a
# test run that is killed: its input ends then, and with it the server and the files.
_KEEPER = r"""
programs=$1 folder=$2 settings=$3
trap "" PIPE
make() {
    "$programs/initdb" --pgdata="$folder/data" --username=hearts --auth=trust --encoding=UTF8 \
        --no-sync --locale=C "$@"
}
serve() {
    "$programs/postgres" -D "$folder/data" & server=$!
    while kill -0 $server; do
        # After a kill the file still tells of the server before.
        read -r found <"$folder/data/postmaster.pid" && [ "$found" = $server ] &&
            grep -q ^ready "$folder/data/postmaster.pid" && return 0
        sleep 0.02
    done
    wait $server
    return 1
}
start() {
    # Children of a server that was killed may still hold its memory.
    for _ in 1 2 3 4 5 6 7 8 9 10; do serve && return 0; sleep 0.1; done
    return 1
}
end() { kill -"$1" $server; wait $server; }
{
    # Not every server is built with other orders of letters.
    make --locale-provider=icu --icu-locale=tr || make
    echo "$settings" >>"$folder/data/postgresql.conf"
} >"$folder/log" 2>&1
while read -r order; do
    case $order in
        start) start;;
        *) end "$order";;
    esac >>"$folder/log" 2>&1 </dev/null
    echo "$?"
done
end QUIT
rm -rf "$folder"
"""
_DEBIANS = Path("/usr/lib/postgresql")
_OLDEST = 15
"""Before it databases are copied more slowly, in other words."""
_FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
_ALWAYS = {
    "listen_addresses": "",
    "max_connections": "60",
    "shared_buffers": "32MB",
    "autovacuum": "off",
    "timezone": "Pacific/Chatham",
    "datestyle": "German",
}
_OTHERS = "pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
_EMPTY = (
    # Connections of a test that failed, say, would keep its rows, or write some later.
    f"SELECT pg_terminate_backend(pid) FROM {_OTHERS}",
    *(f"DELETE FROM {table.name}" for table in reversed(METADATA.sorted_tables)),
    "ALTER SEQUENCE outbox_id_seq RESTART",
)
_idle: list[str] = []
"""Databases with all tables and no rows that nobody uses at the moment."""


class Cluster:
    """A running server with a folder of its own."""

    def __init__(self, programs: Path, *, durable: bool = False) -> None:
        """Start it.

        Args:
            programs: the folder of ``postgres`` and its like.
            durable: a commit is on disk when it returns, for tests that kill the server.
        """
        self.folder = Path(mkdtemp(prefix="hearts-pg-"))
        self._user = _somebody()
        self._give_away()
        self.programs = self._within_reach(programs)
        self._numbers = count(1)
        self._migrated: str | None = None
        settings = _ALWAYS | ({} if durable else _FAST) | {"unix_socket_directories": self.folder}
        lines = "\n".join(f"{name} = '{value}'" for name, value in settings.items())
        self._keeper = subprocess.Popen(
            ["sh", "-c", _KEEPER, "keeper", self.programs, self.folder, lines],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            text=True,
            **self._as_somebody(),
        )
        self.start()

    @property
    def keeper(self) -> int:
        """The process that ends the server once nobody holds its input open."""
        return self._keeper.pid

    def end(self) -> None:
        """Stop the server, whatever it is doing, and remove all its files."""
        self._keeper.communicate()

    def start(self) -> None:
        """Start it, also after `kill`, and wait until it takes connections."""
        if self._order("start") != "0":
            log = (self.folder / "log").read_text(encoding="utf-8", errors="replace")
            self.end()
            raise RuntimeError(f"PostgreSQL did not start: {log}")

    def stop(self, way: signal.Signals = signal.SIGINT) -> None:
        """End it: by SIGINT in good order, by SIGKILL as a crash would."""
        self._order(way.name.removeprefix("SIG"))

    def url(self, name: str) -> str:
        """The URL of one of its databases, as an operator would write it."""
        return f"postgresql+asyncpg://hearts@/{name}?host={self.folder}"

    async def execute(self, *statements: str, database: str = "postgres") -> None:
        """Carry out SQL, each statement by itself."""
        connection = await asyncpg.connect(
            host=str(self.folder), user="hearts", database=database, timeout=30
        )
        try:
            for statement in statements:
                await connection.execute(statement)
        finally:
            await connection.close()

    @asynccontextmanager
    async def database(self, like: str = "template1") -> AsyncIterator[str]:
        """The URL of a new database, a copy of another one; it is dropped at the end."""
        name = f"test_{next(self._numbers)}"
        # Copies files: much faster than writing each page of the copy into the log.
        await self.execute(f"CREATE DATABASE {name} TEMPLATE {like} STRATEGY file_copy")
        try:
            yield self.url(name)
        finally:
            await self.execute(f"DROP DATABASE {name} WITH (FORCE)")

    async def another_migrated(self) -> str:
        """The name of a new copy of `migrated`, which stays."""
        name = f"copy_{next(self._numbers)}"
        template = await self.migrated()
        await self.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        return name

    def run(self, program: str, *arguments: str) -> None:
        """Run one of PostgreSQL's own programs on it."""
        command = [str(self.programs / program), f"--host={self.folder}", "--username=hearts"]
        subprocess.run([*command, *arguments], check=True, **self._as_somebody())

    async def migrated(self) -> str:
        """The name of a database with all tables and no rows, to be copied only."""
        if self._migrated is None:
            await self.execute("CREATE DATABASE migrated")
            await upgrade(self.url("migrated"))
            self._migrated = "migrated"
        return self._migrated

    def _order(self, order: str) -> str:
        assert self._keeper.stdin is not None
        assert self._keeper.stdout is not None
        self._keeper.stdin.write(f"{order}\n")
        self._keeper.stdin.flush()
        return self._keeper.stdout.readline().strip()

    def _as_somebody(self) -> dict[str, Any]:
        """How to start a program of the server's."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
        here: dict[str, Any] = {"cwd": self.folder, "env": {**kept, "LC_ALL": "C"}}
        if self._user is None:
            return here
        return {**here, "user": self._user.pw_uid, "group": self._user.pw_gid, "extra_groups": ()}

    def _within_reach(self, programs: Path) -> Path:
        """The programs, or a copy of them where the server's user may not go."""
        try:
            subprocess.run(
                [programs / "postgres", "--version"],
                check=True,
                stdout=subprocess.DEVNULL,
                **self._as_somebody(),
            )
        except PermissionError:
            copy = _copied(programs, self.folder)
            self._give_away()
            return copy
        return programs

    def _give_away(self) -> None:
        """Let the server's user own all that lies in the folder, so that it can remove it."""
        if self._user is not None:
            for path in (self.folder, *self.folder.rglob("*")):
                os.chown(path, self._user.pw_uid, self._user.pw_gid, follow_symlinks=False)


def found() -> Mapping[str, Path]:
    """The folders of programs that could start a server, by where they come from; best first."""
    return {
        origin: folder
        for origin, folder in (("machine", _of_machine()), ("pgserver", _of_package()))
        if folder is not None
    }


@cache
def cluster() -> Cluster:
    """The server of this process; a test that wants it is skipped where there is none."""
    programs = next(iter(found().values()), None)
    if programs is None:
        pytest.skip(LACKING)
    started = Cluster(programs)
    atexit.register(started.end)
    return started


@asynccontextmanager
async def empty_database(kind: str, folder: Path) -> AsyncIterator[str]:
    """The URL of a new database of one of `KINDS` without a table; a file lies in *folder*."""
    if kind == "sqlite":
        yield url_of(folder / "hearts.db")
        return
    async with cluster().database() as url:
        yield url


@asynccontextmanager
async def fresh_database() -> AsyncIterator[str]:
    """The URL of a PostgreSQL database with all tables and no rows.

    Emptied afterwards and used again, which takes a hundredth of the time that a new one takes.
    Whoever changes more than rows wants `Cluster.database`.
    """
    server = cluster()
    name = _idle.pop() if _idle else await server.another_migrated()
    try:
        yield server.url(name)
    finally:
        await server.execute(*_EMPTY, database=name)
        _idle.append(name)


@asynccontextmanager
async def postgres_stores() -> AsyncIterator[Stores]:
    """All stores over a new PostgreSQL database."""
    async with fresh_database() as url:
        stores = stores_over(open_database(url))
        try:
            yield stores
        finally:
            await stores.database.close()


def _of_machine() -> Path | None:
    on_path = shutil.which("postgres")
    newest_first = sorted(_DEBIANS.glob("*/bin"), key=lambda bin_: -float(bin_.parent.name))
    # Resolved, as a server finds its other files beside its program.
    places = [Path(on_path).resolve().parent, *newest_first] if on_path else newest_first
    return next((place for place in places if _is_new_enough(place)), None)


def _is_new_enough(programs: Path) -> bool:
    if not (programs / "initdb").exists():
        return False
    asked = [str(programs / "postgres"), "--version"]
    said = subprocess.run(asked, check=True, capture_output=True, text=True).stdout
    found_version = re.search(r"\d+", said)
    return found_version is not None and int(found_version[0]) >= _OLDEST


def _of_package() -> Path | None:
    # Found without being imported: it would set up logging and look for a server of its own.
    package = find_spec("pgserver")
    if package is None or package.origin is None:
        return None
    return Path(package.origin).parent / "pginstall" / "bin"


def _copied(programs: Path, folder: Path) -> Path:
    """A copy of the package's programs, with the libraries that lie beside the package."""
    install = programs.parent
    packages = install.parents[1]
    shutil.copytree(install, folder / install.relative_to(packages))
    for libraries in packages.glob("pgserver.libs"):
        shutil.copytree(libraries, folder / libraries.name)
    return folder / programs.relative_to(packages)


def _somebody() -> "pwd.struct_passwd | None":
    """Whom the server runs as, where the tests run as root; ``None``: as whoever runs them."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    return names.get("postgres") or names["nobody"]
