"""Whole games to 100 on the real library and a real file, through commands and clicks alone.

People take their time on a clock that the test moves, the bot's loops run as they run for real,
and a witness compares all that becomes public with what is stored in that moment.
"""

import re
from itertools import count
from typing import Any

import pytest

from bot.rules.dimensions import Hold
from bot.table.ids import Human
from bot.table.state import Status
from tests.support.discord import text_of
from tests.support.evening import Evening, game_night, moves_in
from tests.support.forms import times
from tests.support.histories import replayed
from tests.support.spec import need_spec
from tests.support.truth import Truth, counted
from tests.support.witness import standing_calls

pytestmark = [pytest.mark.slow, pytest.mark.thorough]

PLACE = re.compile(r"`(\d)` \*\*(.+?)\*\* · (-?\d+) points?$", re.MULTILINE)
BOARD = re.compile(r"`(\d+)` \*\*(.+?)\*\* · (\d+) wins?\n-# (\d+) games? · (\S+) points a deal")


async def test_four_people_play_to_100():
    async with game_night(("Ann", "Bea", "Cyd", "Dan"), seed=3) as night:
        await night.play()
        await judge(night)
        await judge_board(night)


async def test_one_person_and_three_robots_play_to_100_and_it_is_on_no_board():
    async with game_night(("Ann",), robots=3, seed=13, clock="live") as night:
        await night.play()
        await judge(night)
        ann = night.guests[0].member
        board = await night.world.slash(ann, "leaderboard")
        assert "No game has counted yet" in text_of(board.response)
        stats = await night.world.slash(ann, "stats")
        assert "1 game" in text_of(stats.response)


OTHER_SEATS: dict[int, dict[str, Any]] = {
    6: {"people": ("Ann", "Bea", "Cyd"), "seed": 1, "clock": "off"},
    3: {"people": ("Ann", "Bea"), "seed": 3, "clock": "1h"},
    5: {"people": ("Ann", "Bea"), "seed": 5, "clock": "live"},
}


@pytest.mark.parametrize("seats", times([6], [*OTHER_SEATS]))
async def test_other_numbers_of_seats_play_to_100(seats: int):
    people, seed, clock = OTHER_SEATS[seats].values()
    async with game_night(people, robots=seats - len(people), seed=seed, clock=clock) as night:
        await night.play()
        await judge(night)
        await judge_board(night)


async def test_a_game_goes_on_when_the_bot_is_started_anew_in_the_middle_of_each_deal():
    async with game_night(("Ann", "Bea"), robots=2, seed=8) as night:
        for deal in count(1):
            await night.play(until=comes_to_its_end(night, deal))
            if night.is_over:
                break
            await night.restart()
            await night.play(until=lambda truth, deal=deal: len(truth.game.scores) >= deal)
        assert deal > 3
        await judge(night)
        await judge_board(night)


def comes_to_its_end(night: Evening, deal: int) -> Any:
    """Whether the process has come to the place in *deal* where it is to end."""
    place, moves = night.dice.random(), moves_in(deal)

    def come(truth: Truth) -> bool:
        game = truth.game
        assert game is not None
        passes = 0 if game.deal is None or isinstance(game.deal.step, Hold) else game.seats
        cards = game.seats * game.ruleset.hand_size(game.seats)
        return moves(truth) >= int(place * (passes + cards))

    return come


async def judge(night: Evening) -> None:
    """Hold a game that was played to its end against all that every game has to keep."""
    await night.loops.live(30)
    truth = night.truth.look()
    assert truth.table.status is Status.OVER
    judge_totals(night, text_of(night.world.posts()[-1]))
    judge_secrets(night)
    judge_manners(night)
    clicks = night.world.env.backend.interactions.values()
    assert [click.id for click in clicks if not click.responded] == []
    tricks = len(night.witness.posts_of_trick)
    calls = sum(night.witness.calls.values())
    print(
        f"{len(truth.decks)} deals, {tricks} tricks, {night.turns} moves by hand, {len(clicks)} "
        f"clicks; {night.witness.posts / tricks:.2f} posts and {calls / tricks:.2f} calls a trick"
    )


def judge_totals(night: Evening, result: str) -> None:
    """What is shown is what is stored, what replay makes of it, and what the cards are worth."""
    truth, game = night.truth, night.truth.now
    totals = game.totals
    assert max(totals) >= 100
    assert totals == counted(truth)
    assert replayed(truth.ledger.events(truth.id, 0)).game == game
    assert truth.ledger.points(truth.id) == totals
    names = names_by_seat(night)
    shown = [(name, int(total), int(place)) for place, name, total in PLACE.findall(result)]
    stored = zip(names, totals, game.places, strict=True)
    assert sorted(shown) == sorted(stored)


def names_by_seat(night: Evening) -> list[str]:
    people = {guest.member.id: guest.member.name for guest in night.guests}
    return [
        people[chair.user_id] if isinstance(chair, Human) else f"Robot {seat}"
        for seat, chair in enumerate(night.truth.table.chairs, 1)
    ]


def judge_secrets(night: Evening) -> None:
    """No public payload named a card before it was played, and every card once it was."""
    assert night.witness.leaks == []
    decks = night.truth.decks
    assert {deal: night.witness.shown[deal] for deal in decks} == decks


def judge_manners(night: Evening) -> None:
    """Calls to Discord keep their pace and their number (discord.md 3), and so do those to people.

    A trick is a send, an edit for each other card, and one more to drop the buttons. A deal has
    an opening, which is edited as people pass, and a score sheet.
    """
    witness, truth = night.witness, night.truth
    assert witness.faults == []
    assert night.uncalled == []
    seats, deals = len(truth.table.chairs), len(truth.decks)
    assert max(witness.posts_of_trick.values()) <= seats + 1
    tricks = len(witness.posts_of_trick)
    lobby = 3 + 2 * seats
    assert witness.posts <= tricks * (seats + 1) + deals * (seats + 4) + lobby
    assert witness.calls["PING"] == witness.calls["DELETE"] <= night.turns + 1
    assert standing_calls(night.world, night.witness.channel) == []


async def judge_board(night: Evening) -> None:
    """The leaderboard shows the game, with those people who finished it."""
    reply = await night.world.slash(night.guests[-1].member, "leaderboard")
    board = BOARD.findall(text_of(reply.response))
    game, deals = night.truth.now, len(night.truth.decks)
    seats = zip(names_by_seat(night), game.places, game.totals, strict=True)
    people = {name: each for name, *each in seats if not name.startswith("Robot")}
    assert {name for _, name, *_ in board} == set(people)
    for _, name, wins, games, mean in board:
        place, total = people[name]
        assert (int(wins), int(games)) == (int(place == 1), 1)
        assert float(mean) == pytest.approx(total / deals, abs=0.006)


def test_every_request_of_these_games_is_held_against_discords_description():
    assert need_spec().faults("POST", "/channels/1/messages", {"components": [{"type": 99}]})
    assert need_spec().faults("POST", "/channels/1/messages", {"content": "Hello"}) == []
