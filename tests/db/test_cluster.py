"""The tests' own PostgreSQL: from wherever its programs come, and gone with the tests."""

import os
import select
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bot.table.errors import VersionConflictError
from db.engine import open_database
from db.migrate import upgrade
from tests.support.postgres import Cluster, found
from tests.support.store import go_on, lobby, put, stores_over

ROOT = Path(__file__).parents[2]
STARTS = """
from tests.support.postgres import Cluster, found
started = Cluster(next(iter(found().values())))
print(started.keeper, started.folder, flush=True)
input()
"""


async def take_commits(url: str) -> None:
    await upgrade(url)
    stores = stores_over(open_database(url))
    at = await put(stores, lobby())
    await go_on(stores, at, lobby())
    with pytest.raises(VersionConflictError):
        await go_on(stores, at, lobby())
    await stores.database.close()


@pytest.fixture
def private(tmp_path: Path) -> Path:
    tmp_path.chmod(0o700)
    return tmp_path


async def test_programs_in_a_private_folder_are_copied_to_where_the_server_may_go(private: Path):
    """Root's tests start it as somebody else, who may not look into root's environment.

    Of two servers that could be started here it is the one that no other test starts.
    """
    origin, programs = list(found().items())[-1]
    packages = programs.parents[2]
    if origin == "pgserver":
        for part in ("pgserver/pginstall", "pgserver.libs"):
            shutil.copytree(packages / part, private / part)
        programs = private / "pgserver/pginstall/bin"
    server = Cluster(programs)
    try:
        async with server.database() as url:
            await take_commits(url)
    finally:
        server.end()
    assert not server.folder.exists()


@pytest.mark.kill
@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs Linux to wait for a process")
@pytest.mark.thorough
def test_the_server_of_tests_that_are_killed_ends_with_them():
    command = [sys.executable, "-c", STARTS]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as run:
        assert run.stdout is not None
        keeper, folder = run.stdout.readline().split()
        ended = os.pidfd_open(int(keeper))
        assert Path(os.fsdecode(folder)).exists()
        run.send_signal(signal.SIGKILL)
        run.wait()
    assert select.select([ended], [], [], 60)[0]
    os.close(ended)
    assert not Path(os.fsdecode(folder)).exists()
