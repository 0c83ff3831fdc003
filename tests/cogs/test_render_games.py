"""The list of somebody's tables, in all servers (cases.md B43, B86; discord.md 2.2)."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.table.ids import ChannelId, GuildId, Human, MessageId, Robot, TableId, UserId
from bot.table.state import Status
from bot.table.storing import TableRow, Timer, TimerKind
from bot.table.viewing import bare_line, table_line
from cogs.ui import ids
from cogs.ui.games import render_games
from tests.support.deals import deal_in_play, played
from tests.support.looks import NAMES, NOON, actions, beyond_limits, payload, people, table, texts

HANDS = ("2C 3H", "AC 4H", "QS 5H", "9C 6H")
MAYA = UserId(1)


def _line(code="AAAA1111", game=None, *, hours=None, message=5, names=NAMES, **more):
    """One line as Maya, on seat 1 of most tables, sees it; *hours* are what she has left."""
    at = replace(table(game, **more), id=TableId(code))
    row = TableRow(
        table_id=at.id,
        guild_id=GuildId(1),
        channel_id=ChannelId(2),
        status=at.status.value,
        title=at.ruleset.title,
        opened_at=NOON,
        changed_at=NOON,
        newest_message=MessageId(message) if message else None,
    )
    due_at = NOON + timedelta(hours=hours or 0)
    timer = Timer(table_id=at.id, seat=0, kind=TimerKind.DEADLINE, moment=1, due_at=due_at)
    timers = [] if hours is None else [timer]
    line = table_line(at, row, MAYA, timers=timers, names=names)
    return replace(line, guild_id=GuildId(1), channel_id=ChannelId(2))


def _mine(code="MINE1111", **more):
    """A table that waits for Maya."""
    return _line(code, deal_in_play(*HANDS), **more)


def _theirs(code="THEM1111", **more):
    """A table that waits for Theo."""
    return _line(code, played(deal_in_play(*HANDS), "2C"), **more)


def _bare(line):
    return TableRow(
        table_id=line.id,
        guild_id=line.guild_id,
        channel_id=line.channel_id,
        status="playing",
        title=line.title,
        opened_at=NOON,
        changed_at=NOON,
        newest_message=None,
    )


def _in_order(view):
    told = payload(view)
    codes = ("MINE1111", "MINE2222", "MINE3333", "THEM1111", "KEPT1111")
    return sorted((code for code in codes if code in told), key=told.index)


def test_those_that_wait_come_first_and_of_them_the_one_that_is_due_soonest():
    lines = [
        _theirs(),
        _mine("MINE3333"),
        _mine("MINE2222", hours=9),
        _mine("MINE1111", hours=2),
    ]
    assert _in_order(render_games(lines)) == ["MINE1111", "MINE2222", "MINE3333", "THEM1111"]


def test_a_table_that_waits_says_so_and_until_when():
    told = texts(render_games([_mine(hours=2)]))
    stamp = int((NOON + timedelta(hours=2)).timestamp())
    assert f"**It is your turn.** Time until <t:{stamp}:f> (<t:{stamp}:R>)." in told
    assert "Time until" not in texts(render_games([_mine()])), "no clock runs"


def test_another_table_says_for_whom_it_waits_and_tells_no_deadline_of_theirs():
    told = texts(render_games([_theirs(hours=2)]))
    assert "Waiting for Theo" in told
    assert "<t:" not in told


def test_each_table_that_waits_opens_its_hand_with_one_press():
    view = render_games([_theirs(), _mine("MINE1111"), _mine("MINE2222")])
    wanted = [ids.OpenHand(TableId("MINE1111")), ids.OpenHand(TableId("MINE2222"))]
    assert actions(view) == wanted


def test_b62_a_seat_that_a_robot_keeps_may_be_taken_back_from_the_list():
    chairs = (Robot("steady", MAYA), *people(4)[1:])
    kept = _line("KEPT1111", deal_in_play(*HANDS), chairs=chairs)
    view = render_games([_theirs(), kept])
    assert _in_order(view) == ["KEPT1111", "THEM1111"]
    assert "A robot plays in your seat" in texts(view)
    assert actions(view) == [ids.OpenHand(TableId("KEPT1111"))]


def test_a_table_says_where_it_is_and_how_far():
    servers, channels = {GuildId(1): "Friday *Friends*"}, {ChannelId(2): "lounge_*"}
    told = texts(render_games([_theirs()], servers=servers, channels=channels))
    assert "[Standard Hearts, table THEM1111](https://discord.com/channels/1/2/5)" in told
    assert r"-# Friday \*Friends\* · #lounge\_\* · Deal 1 · trick 2 of 13" in told
    assert "-# <#2> · Deal 1" in texts(render_games([_theirs()])), "a server nobody knows by name"


def test_a_table_without_a_post_links_to_its_channel():
    assert "(https://discord.com/channels/1/2)" in texts(render_games([_theirs(message=0)]))


def test_the_own_total_and_place_stand_there_once_a_deal_is_over():
    game = deal_in_play(*HANDS, totals=(7, 3, 7, 9))
    assert "place" not in texts(render_games([_line(game=game)]))
    scored = replace(played(game, "2C AC QS 9C 4H 5H 6H 3H"), places=())
    told = texts(render_games([_line(game=scored, status=Status.PLAYING)]))
    totals = scored.totals
    place = 1 + sum(total < totals[0] for total in totals)
    assert f"you: {totals[0]}, place {place} of 4" in told


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"status": Status.PAUSED}, "paused, I cannot post there"),
        ({"agreed_pause": True}, "paused, as everybody there agreed"),
    ],
)
def test_a_table_that_rests_waits_for_nobody(more, words):
    view = render_games([_mine(hours=2, **more)])
    assert words in texts(view)
    assert "your turn" not in texts(view)
    assert actions(view) == []


def test_a_lobby_says_how_many_seats_are_free():
    lobby = (Human(MAYA), Human(UserId(2)), None, None)
    assert "2 seats are free" in texts(render_games([_line(chairs=lobby)]))
    assert "Start begins the game" in texts(render_games([_line()]))


def test_a_table_that_cannot_be_read_has_its_line():
    view = render_games([bare_line(_bare(_mine("MINE1111")))])
    assert "MINE1111" in texts(view)
    assert actions(view) == []


def test_who_sits_nowhere_reads_how_to_begin():
    assert "/hearts start" in texts(render_games([]))


@pytest.mark.parametrize("count", [10, 13, 60])
def test_b23_however_many_tables_there_are_the_list_is_within_limits(count):
    names = dict.fromkeys(map(UserId, range(1, 5)), "*" * 40)
    servers = {GuildId(1): "*" * 100}
    waiting = [_mine(f"MINE{n:04}", hours=n, names=names) for n in range(count)]
    view = render_games([*waiting, _theirs(names=names)], servers=servers)
    assert beyond_limits(view) == []
    assert len(actions(view)) >= min(count, 9), "each of ten tables can be opened"
    assert ("more table" in texts(view)) is (count > 13)


def test_b86_hostile_names_do_nothing_in_a_list():
    names = dict.fromkeys(map(UserId, range(1, 5)), "<@&1> @everyone https://x.yz")
    told = texts(render_games([_theirs(names=names)], servers={GuildId(1): "@here [x](y)"}))
    for harm in ("<@&1>", "@everyone", "@here", "[x](", "https://x.yz"):
        assert harm not in told
