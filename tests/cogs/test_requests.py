"""What is asked of Discord is counted (reliability.md 6, row 8)."""

import logging

import aiohttp
import pytest
from aiohttp import web

from bot.table.tally import Tally
from cogs.client import HeartsBot
from cogs.requests import ALARM, Requests
from tests.support.clock import HandClock
from tests.support.discord import discord_world

CHANNEL = "/api/v10/channels/5/messages"
ANSWER = "/api/v10/interactions/77/token/callback"
EDIT = "/api/v10/webhooks/9/token/messages/@original"


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def tally() -> Tally:
    return Tally()


@pytest.fixture
def requests(clock: HandClock, tally: Tally) -> Requests:
    return Requests(clock, tally)


async def test_the_librarys_own_session_is_listened_to(requests: Requests, tally: Tally):
    """With a server in Discord's place that answers as each path says."""

    async def answer(request: web.Request) -> web.Response:
        return web.Response(status=int(request.query.get("status", 200)))

    application = web.Application()
    application.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(application)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    [(_, port)] = runner.addresses
    async with aiohttp.ClientSession(trace_configs=[requests.trace()]) as session:
        for path in (CHANNEL, f"{CHANNEL}?status=403", f"{CHANNEL}?status=503", ANSWER, EDIT):
            async with session.post(f"http://127.0.0.1:{port}{path}"):
                pass
        await runner.cleanup()
        with pytest.raises(aiohttp.ClientError):
            await session.get(f"http://127.0.0.1:{port}{CHANNEL}")
    assert tally.figures() == {
        'discord_answers_total{status="2xx"}': 2,
        'discord_invalid_total{status="403"}': 1,
        "discord_requests_most_a_second": 4,
        'discord_requests_total{status="2xx"}': 1,
        'discord_requests_total{status="4xx"}': 1,
        'discord_requests_total{status="5xx"}': 1,
        "discord_unanswered_total": 1,
    }
    assert requests.figures()["discord_invalid_last_10_minutes"] == 1


def test_requests_a_second_are_counted_without_answers_to_interactions(requests, clock, tally):
    for _ in range(7):
        requests.started(CHANNEL)
        requests.started(ANSWER)
        requests.started(EDIT)
        clock.move(0.1)
    clock.move(1)
    requests.started(CHANNEL)
    assert tally.figures() == {"discord_requests_most_a_second": 7}


@pytest.mark.parametrize("status", [401, 403, 429])
def test_invalid_requests_count_for_ten_minutes(requests, clock, status):
    """Discord blames us for these three statuses, answers to interactions among them."""
    requests.ended(CHANNEL, status)
    requests.ended(ANSWER, status)
    clock.move(599)
    assert requests.figures()["discord_invalid_last_10_minutes"] == 2
    clock.move(1)
    assert requests.figures()["discord_invalid_last_10_minutes"] == 0


@pytest.mark.parametrize(
    ("status", "shared"), [(200, False), (404, False), (500, False), (429, True)]
)
def test_other_statuses_and_limits_that_others_met_are_not_invalid(requests, status, shared):
    requests.ended(CHANNEL, status, shared=shared)
    assert requests.figures()["discord_invalid_last_10_minutes"] == 0


def test_a_hundred_invalid_requests_are_told_once_until_there_have_been_fewer(
    requests, clock, caplog
):
    def told() -> int:
        return len([record for record in caplog.records if record.levelno == logging.ERROR])

    for _ in range(ALARM - 1):
        requests.ended(CHANNEL, 403)
    assert told() == 0
    for _ in range(50):
        requests.ended(CHANNEL, 403)
    assert told() == 1
    assert "100 invalid requests in ten minutes" in caplog.text
    clock.move(600)
    for _ in range(ALARM):
        requests.ended(CHANNEL, 403)
    assert told() == 2


async def test_saying_who_we_are_is_counted_for_a_day(monkeypatch):
    async with discord_world() as world:
        monkeypatch.setattr("discord.Client.before_identify_hook", _nothing)
        bot: HeartsBot = world.app.bot
        before = bot.figures()["discord_identifies_last_day"]
        await bot.before_identify_hook(None, initial=True)
        assert bot.figures()["discord_identifies_last_day"] == before + 1
        await world.env.advance_time(86_400)
        assert bot.figures()["discord_identifies_last_day"] == 0


async def _nothing(*_args: object, **_named: object) -> None:
    """Instead of the five seconds that the library waits."""
