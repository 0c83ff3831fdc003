"""What holds for every test: laws get time, the network is shut, and in CI nothing is skipped."""

import os
import socket
from collections.abc import Callable, Generator, Iterator
from ipaddress import ip_address
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# No deadline: on a busy machine of two cores the usual 200 ms an example fail at random.
settings.register_profile(
    "ci",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "nightly",
    deadline=None,
    max_examples=2_000,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

NO_SKIP = "HEARTS_NO_SKIP"
"""Set where everything that a test may want has been installed: a skip is then a failure."""


class NetworkForbiddenError(RuntimeError):
    """A test tried to leave this machine. No OSError, so that no retry loop swallows it."""


def _is_this_machine(host: object) -> bool:
    if host is None or host in ("", b"", "localhost", b"localhost"):
        return True
    try:
        return ip_address(os.fsdecode(str(host)).partition("%")[0]).is_loopback
    except ValueError:
        return False


def _guarded_connect(real: Callable[..., Any]) -> Callable[..., Any]:
    def connect(self: socket.socket, address: Any) -> Any:
        if self.family in (socket.AF_INET, socket.AF_INET6) and not _is_this_machine(address[0]):
            raise NetworkForbiddenError(f"tests stay on this machine; {address!r} is elsewhere")
        return real(self, address)

    return connect


def _guarded_lookup(real: Callable[..., Any]) -> Callable[..., Any]:
    def lookup(host: Any, *args: Any, **kwargs: Any) -> Any:
        if not _is_this_machine(host) and host not in ("0.0.0.0", "::"):
            raise NetworkForbiddenError(f"tests look no names up; {host!r} is elsewhere")
        return real(host, *args, **kwargs)

    return lookup


@pytest.fixture(scope="session", autouse=True)
def no_network() -> Iterator[None]:
    """Shut every way off this machine for this process."""
    with pytest.MonkeyPatch.context() as patch:
        for way in ("connect", "connect_ex"):
            patch.setattr(socket.socket, way, _guarded_connect(getattr(socket.socket, way)))
        patch.setattr(socket, "getaddrinfo", _guarded_lookup(socket.getaddrinfo))
        yield


def pytest_itemcollected(item: pytest.Item) -> None:
    """Let ``-k b101`` and ``-k promise_07`` find a test by its marker, not only by its name.

    Which promises a test stands for is also told in its report, for `bot.promises.by_tests`.
    """
    rows = (row for mark in item.iter_markers("case") for row in mark.args)
    item.extra_keyword_matches.update(rows)
    for number in (row for mark in item.iter_markers("promise") for row in mark.args):
        item.extra_keyword_matches.add(f"promise_{number:02}")
        item.user_properties.append(("promise", number))


def fail_if_skipped(report: pytest.TestReport | pytest.CollectReport) -> None:
    if report.outcome != "skipped" or hasattr(report, "wasxfail"):
        return
    report.outcome = "failed"
    report.longrepr = f"Nothing may be skipped here ({NO_SKIP} is set): {report.longrepr}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if os.environ.get(NO_SKIP):
        fail_if_skipped(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if os.environ.get(NO_SKIP):
        fail_if_skipped(report)
    return report


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with whole games, so that at the end no core waits for another's longest test."""
    items.sort(key=lambda item: item.get_closest_marker("whole") is None)
