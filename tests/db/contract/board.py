"""What every store promises about leaderboard and statistics."""

from dataclasses import replace
from datetime import timedelta
from itertools import count

from bot.rules.cards import Seat
from bot.table.ids import ChannelId, GuildId, UserId
from bot.table.storing import GameResult
from bot.table.views import PersonStats, Standing
from tests.support.store import GUILD, HOST, START, Stores, cause, lobby, put

_NUMBERS = count(1)
ANN, BEA, CYD, DAN, EVE = (UserId(2**62 + number) for number in range(5))


def result(
    user: UserId | None,
    place: int,
    points: int,
    *,
    deals: int = 4,
    moons: int = 0,
    rated: bool = True,
    low_wins: bool = True,
) -> GameResult:
    return GameResult(
        seat=Seat(0),
        user_id=user,
        family="standard",
        place=place,
        points=points,
        deals=deals,
        moons=moons,
        rated=rated,
        low_wins=low_wins,
    )


async def finish(stores: Stores, *results: GameResult, days: float = 0, guild=GUILD) -> None:
    """Store the results of a game that ended so many days after `START`."""
    seated = tuple(replace(one, seat=Seat(seat)) for seat, one in enumerate(results))
    number = next(_NUMBERS)
    table = lobby(f"game{number:04}", guild_id=guild, channel_id=ChannelId(number))
    await put(stores, table, cause(days * 86_400), results=seated)


async def board(stores: Stores, page: int = 1, *, since=None, asking=HOST, guild=GUILD):
    return await stores.standings.board(guild, since=since, page=page, asking=asking)


class BoardContract:
    async def test_an_empty_board_has_one_empty_page(self, stores: Stores):
        page = await board(stores, 7)
        assert (page.lines, page.page, page.pages, page.own) == ((), 1, 1, None)

    async def test_a_line_counts_games_wins_mean_and_moons(self, stores: Stores):
        await finish(stores, result(ANN, 1, 30, moons=1), result(BEA, 2, 80))
        await finish(stores, result(ANN, 2, 70, deals=6, moons=1), result(BEA, 1, 20, deals=6))
        await stores.settings.remember_name(GUILD, ANN, "Ann")
        first, _ = (await board(stores)).lines
        assert first == Standing(
            rank=1,
            user_id=ANN,
            name="Ann",
            games=2,
            wins=1,
            mean_points=10.0,
            moons=2,
        )

    async def test_more_wins_rank_higher_then_fewer_points_a_deal(self, stores: Stores):
        await finish(stores, result(ANN, 1, 60), result(BEA, 2, 90), result(CYD, 3, 95))
        await finish(stores, result(ANN, 1, 60), result(DAN, 2, 61), result(CYD, 3, 95))
        await finish(stores, result(BEA, 1, 10), result(DAN, 2, 61))
        lines = (await board(stores)).lines
        assert [(line.rank, line.user_id) for line in lines] == [
            (1, ANN),
            (2, BEA),
            (3, DAN),
            (4, CYD),
        ]

    async def test_who_is_equal_shares_the_better_rank(self, stores: Stores):
        """1, 1, 3: no half ranks and no 1, 1, 2."""
        await finish(stores, result(ANN, 1, 10, deals=4), result(CYD, 2, 90))
        await finish(stores, result(BEA, 1, 5, deals=2), result(CYD, 2, 90))
        lines = (await board(stores)).lines
        assert [line.rank for line in lines] == [1, 1, 3]
        assert {line.user_id for line in lines[:2]} == {ANN, BEA}

    async def test_ranks_and_pages_have_no_gaps(self, stores: Stores):
        """B137: ten lines a page, the last page what is left, no rank left out."""
        people = [UserId(1_000 + number) for number in range(23)]
        for place, person in enumerate(people):
            await finish(stores, result(person, 1, 10 + place), result(HOST, 2, 90))
        pages = [await board(stores, number) for number in (1, 2, 3)]
        assert [len(page.lines) for page in pages] == [10, 10, 4]
        assert {page.pages for page in pages} == {3}
        ranks = [line.rank for page in pages for line in page.lines]
        assert ranks == list(range(1, 25))

    async def test_a_page_beyond_the_board_is_the_nearest_one(self, stores: Stores):
        for number in range(11):
            await finish(stores, result(UserId(1_000 + number), 1, number))
        assert (await board(stores, 0)).page == 1
        assert (await board(stores, -3)).page == 1
        last = await board(stores, 99)
        assert (last.page, len(last.lines)) == (2, 1)

    async def test_the_asking_persons_line_is_always_there(self, stores: Stores):
        for number in range(12):
            await finish(stores, result(UserId(1_000 + number), 1, number))
        page = await board(stores, asking=UserId(1_011))
        assert page.own is not None
        assert (page.own.rank, page.own.user_id) == (12, 1_011)
        assert page.own not in page.lines
        assert (await board(stores, 2, asking=UserId(1_011))).own in (await board(stores, 2)).lines

    async def test_unrated_games_and_robots_do_not_count(self, stores: Stores):
        await finish(stores, result(ANN, 1, 10, rated=False), result(None, 2, 90, rated=False))
        await finish(stores, result(BEA, 2, 80), result(None, 1, 10))
        lines = (await board(stores)).lines
        assert [line.user_id for line in lines] == [BEA]

    async def test_a_board_since_a_day_counts_what_ended_then_or_later(self, stores: Stores):
        await finish(stores, result(ANN, 1, 10), days=0)
        await finish(stores, result(BEA, 1, 10), days=30)
        since = START + timedelta(days=30)
        assert [line.user_id for line in (await board(stores, since=since)).lines] == [BEA]
        assert len((await board(stores)).lines) == 2

    async def test_every_server_has_its_own_board_and_names(self, stores: Stores):
        other = GuildId(GUILD + 1)
        await finish(stores, result(ANN, 1, 10))
        await finish(stores, result(ANN, 1, 20), result(BEA, 2, 90), guild=other)
        await stores.settings.remember_name(other, ANN, "Ann over there")
        assert [line.name for line in (await board(stores)).lines] == [None]
        assert [line.name for line in (await board(stores, guild=other)).lines] == [
            "Ann over there",
            None,
        ]

    async def test_a_persons_numbers_count_all_games(self, stores: Stores):
        await finish(stores, result(ANN, 1, 30, moons=2), result(BEA, 2, 80))
        await finish(stores, result(ANN, 3, 101, deals=9, rated=False), result(None, 1, 2))
        await finish(stores, result(ANN, 1, -5, deals=2), guild=GuildId(GUILD + 1))
        assert await stores.standings.person(GUILD, ANN) == PersonStats(
            user_id=ANN,
            games=2,
            rated_games=1,
            wins=1,
            places={1: 1, 3: 1},
            deals=13,
            points=131,
            moons=2,
            best_total=30,
        )

    async def test_points_count_where_fewer_are_better(self, stores: Stores):
        """A game to 100 good points says nothing of the points that somebody avoids."""
        await finish(stores, result(ANN, 1, 30), result(BEA, 2, 80))
        await finish(stores, result(ANN, 1, 112, low_wins=False), result(BEA, 3, 9, low_wins=False))
        (first, second) = (await board(stores)).lines
        assert (first.games, first.wins, first.mean_points) == (2, 2, 7.5)
        assert (second.games, second.wins, second.mean_points) == (2, 0, 20.0)
        stats = await stores.standings.person(GUILD, ANN)
        assert (stats.games, stats.wins) == (2, 2)
        assert (stats.deals, stats.points, stats.best_total) == (4, 30, 30)

    async def test_of_equal_wins_who_has_no_such_points_comes_behind(self, stores: Stores):
        await finish(stores, result(ANN, 1, 104, low_wins=False), result(CYD, 2, 9, low_wins=False))
        await finish(stores, result(BEA, 1, 90), result(DAN, 2, 99))
        lines = (await board(stores)).lines
        assert [line.user_id for line in lines] == [BEA, ANN, DAN, CYD]
        assert [line.mean_points is None for line in lines] == [False, True, False, True]
        nothing = await stores.standings.person(GUILD, ANN)
        assert (nothing.deals, nothing.points, nothing.best_total) == (0, 0, None)

    async def test_who_never_played_has_nothing(self, stores: Stores):
        assert await stores.standings.person(GUILD, EVE) == PersonStats(
            user_id=EVE,
            games=0,
            rated_games=0,
            wins=0,
            places={},
            deals=0,
            points=0,
            moons=0,
            best_total=None,
        )
