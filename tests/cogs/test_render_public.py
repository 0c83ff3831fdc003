"""What a channel reads: every post in every state (discord.md 2.2 and 3, house.md 4.5)."""

import random
from dataclasses import replace

import discord
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.rules.cards import Seat
from bot.rules.commands import SettleMoon
from bot.rules.dimensions import MoonPayoff
from bot.rules.state import Phase
from bot.table import posts
from bot.table.ids import Human, Robot, UserId
from bot.table.posting import Ping, TrickPost
from bot.table.state import Status, Table
from cogs.ui import ids
from cogs.ui.notice import render_notice
from cogs.ui.ping import render_ping
from cogs.ui.post import render_post
from tests.support.deals import after, cards, deal_in_play, house_rules, played
from tests.support.looks import (
    all_posts,
    buttons,
    custom_ids,
    parts,
    payload,
    people,
    post_of,
    states,
    table,
    texts,
    view_of,
)
from tests.support.rulesets import HAND_SIZES

SEEDS = st.integers(0, 2**32)


@settings(max_examples=3)
@given(SEEDS, st.sampled_from(sorted(HAND_SIZES)))
def test_every_post_of_a_game_is_drawn_within_discords_limits(seed, seats):
    game = list(states(random.Random(seed), seats=seats))[-1]
    hostile = {UserId(n): "*" * 32 for n in range(1, 9)}
    for post in all_posts(table(game), names=hostile):
        view = render_post(post)
        assert len(parts(view)) <= 40
        assert len(texts(view)) <= 4_000
        assert all(part["content"] for part in parts(view) if part["type"] == 10)
        assert view.timeout is None
        assert len(set(custom_ids(view))) == len(custom_ids(view))


def test_every_post_is_drawn_fresh_and_for_any_language():
    post = post_of(table(), "lobby")
    assert render_post(post) is not render_post(post)
    assert payload(render_post(post)) == payload(render_post(post, discord.Locale.german))


@settings(max_examples=3)
@given(SEEDS)
def test_b16_only_the_newest_post_has_buttons(seed):
    game = random.Random(seed).choice(list(states(random.Random(seed))))
    at = table(game)
    *older, newest = all_posts(at)
    assert buttons(render_post(newest))
    assert not any(buttons(render_post(post)) for post in older)


@settings(max_examples=3)
@given(SEEDS)
def test_at_most_one_button_of_a_post_is_primary(seed):
    for post in all_posts(table(list(states(random.Random(seed)))[-1])):
        primary = [button for button in buttons(render_post(post)) if button["style"] == 1]
        assert len(primary) <= 1


def _lobby(*chairs, **more):
    return table(chairs=chairs, **more)


def _labels(view):
    return {button["label"]: button for button in buttons(view)}


def test_a_lobby_says_who_sits_where_and_what_is_played():
    at = _lobby(Human(UserId(1)), Robot("steady"), None, None, invited=(UserId(2), UserId(3)))
    told = texts(render_post(post_of(at, "lobby")))
    assert "2 seats are free" in told
    assert "**Maya** · host" in told
    assert "**Robot 2** · steady" in told
    assert "Free seats are kept for Theo and Priya." in told
    assert "24 hours for a move · 24 hours in each bank" in told
    assert "K7Q2M9XA" in told
    assert "100 points" in told


def test_join_leads_while_there_is_room_and_start_once_there_is_none():
    with_room = _labels(render_post(post_of(_lobby(Human(UserId(1)), None, None, None), "lobby")))
    full = _labels(render_post(post_of(_lobby(*people(4)), "lobby")))
    assert (with_room["Join"]["style"], with_room["Start"]["style"]) == (1, 2)
    assert (full["Join"]["disabled"], full["Start"]["style"]) == (True, 1)
    assert with_room["Remove robot"]["disabled"]
    assert full["Add robot"]["disabled"]


def test_a_person_who_joined_is_no_longer_waited_for():
    at = _lobby(*people(4), invited=(UserId(2),))
    assert "kept for" not in texts(render_post(post_of(at, "lobby")))


def test_b16_a_closed_lobby_says_so_and_has_no_buttons():
    at = _lobby(Human(UserId(1)), None, None, None, status=Status.CLOSED)
    view = render_post(post_of(at, "lobby"))
    assert "closed before a game began" in texts(view)
    assert "`/hearts start` opens a new one" in texts(view)
    assert "2 hours" in texts(view)
    assert not buttons(view)


def _passing(rng=None):
    return next(game for game in states(rng or random.Random(3)) if game.phase is Phase.PASSING)


def test_b56_a_deal_says_where_cards_go_who_has_to_pass_and_until_when():
    told = texts(render_post(post_of(table(_passing()), "deal:1")))
    assert "Pass 3 cards to the left." in told
    assert "Still to pass: Maya, Theo, Priya, and Sam." in told
    assert ":f> (<t:" in told


def test_without_a_clock_no_time_is_named():
    at = table(_passing())
    post = posts.post(at, view_of(at, hours=None), "deal:1")
    assert "<t:" not in texts(render_post(post))


def _clubs_led(totals=(0, 0, 0, 0)):
    return deal_in_play("2C 3H", "AC 4H", "QS 5H", "9C 6H", totals=totals, hearts_broken=True)


def _trick(game, number=2):
    return texts(render_post(post_of(table(game), f"trick:{number}")))


def test_a_trick_tells_each_card_and_what_did_not_follow():
    told = _trick(played(_clubs_led(), "2C AC QS"))
    assert "`2♣\ufe0e` **Maya** led the 2 of clubs" in told
    assert "`A♣\ufe0e` **Theo** played the ace of clubs" in told
    assert "`Q♠\ufe0e` **Priya** threw the queen of spades" in told


def test_b56_a_trick_says_in_words_who_is_to_play_until_when_and_who_comes_then():
    told = _trick(played(_clubs_led(), "2C"))
    assert "**Theo** is to play until <t:" in told
    assert "Then Priya and Sam" in told


def test_b29_a_full_trick_says_in_words_who_takes_it_with_how_much():
    assert "**Theo** takes the trick and 13 points." in _trick(played(_clubs_led(), "2C AC QS 9C"))


def test_a_trick_without_points_says_so():
    game = deal_in_play("2C 3H", "AC 4H", "KS 5H", "9C 6H")
    assert "**Theo** takes the trick, without a point." in _trick(played(game, "2C AC KS 9C"))


def _full_trick_post() -> TrickPost:
    post = post_of(table(played(_clubs_led(), "2C AC QS 9C")), "trick:2")
    assert isinstance(post, TrickPost)
    return post


def test_a_trick_that_nobody_takes_says_so():
    post = _full_trick_post()
    post = replace(post, trick=replace(post.trick, winner=None), taker=None)
    told = texts(render_post(post))
    assert "Nobody wins this trick: its cards wait for the winner of the next." in told


def test_b56_a_card_that_the_clock_chose_is_announced():
    post = replace(_full_trick_post(), by_clock=cards("QS"))
    line = next(line for line in texts(render_post(post)).splitlines() if "queen" in line)
    assert "a robot chose it, the time was up" in line


def test_b62_a_robot_that_keeps_a_seat_is_marked_in_words():
    game = played(_clubs_led(), "2C")
    at = table(game, chairs=(Human(UserId(1)), Robot("steady", UserId(2)), *people(4)[2:]))
    told = texts(render_post(post_of(at, "trick:2")))
    assert "**Theo (robot)** is to play" in told
    assert "A robot plays for Theo, who may take the seat back at any time." in told
    assert "the game waits" not in told


def test_b62_a_game_that_only_robots_are_left_in_says_that_it_waits_and_how_it_goes_on():
    kept = tuple(Robot("steady", UserId(number)) for number in (1, 2))
    chairs = (*kept, Robot("steady", None), Robot("steady", None))
    game = played(_clubs_led(), "2C")
    told = texts(render_post(post_of(table(game, chairs=chairs), "trick:2")))
    assert "Nobody is left but robots, so the game waits." in told
    assert "It goes on when somebody takes a seat back; after 72 hours it ends." in told


def test_the_newest_trick_says_what_was_taken_in_the_deal():
    game = played(_clubs_led(), "2C AC QS 9C 4H")
    assert "Taken in this deal · Theo: 13" in _trick(game, 3)


NO_MOON = house_rules(moon={"on": False})


def _one_sided(ruleset=NO_MOON):
    """A last trick in which Maya takes every penalty card that is left."""
    return deal_in_play("AH", "2H", "3H", "QS", ruleset=ruleset, hearts_broken=True)


def _sheet(at: Table) -> str:
    return texts(render_post(post_of(at, "sheet:1")))


def test_a_sheet_says_where_the_points_came_from():
    told = _sheet(table(played(_one_sided(), "AH 2H 3H QS"), status=Status.PLAYING))
    assert "`16` **Maya** +16" in told
    assert "Queen of spades: 13 · 3 hearts: 3" in told
    assert told.index("Theo") < told.index("Maya")


def _shot(payoff: str) -> Table:
    """Somebody took all there was; *payoff* says how that is paid."""
    rules = house_rules(points={"H*": 0, "QS": 13}, moon={"payoff": payoff, "value": 13})
    return table(played(_one_sided(rules), "AH 2H 3H QS"), status=Status.PLAYING)


def test_a_moon_is_told_and_paid_on_the_sheet():
    told = _sheet(_shot("add_others"))
    assert "**Maya shot the moon, and everybody else pays for it.**" in told
    assert "The moon: −13" in told
    assert "The moon: 13" in told
    assert "takes the points off the total" in _sheet(_shot("subtract_self"))


def test_a_moon_that_waits_for_a_choice_says_whose_it_is():
    rules = house_rules(moon={"payoff": "shooter_choice", "value": 13}, points={"H*": 0})
    waiting = table(played(_one_sided(rules), "AH 2H 3H QS"), status=Status.PLAYING)
    told = texts(render_post(post_of(waiting, posts.slots(waiting)[-1])))
    assert "▸ **Maya** shot the moon and chooses how it is paid" in told


def test_an_exact_total_explains_itself():
    rules = house_rules(exact={"16": 0}, moon={"on": False})
    told = _sheet(table(played(_one_sided(rules), "AH 2H 3H QS"), status=Status.PLAYING))
    assert "Exactly 16 becomes 0" in told


def test_bonus_points_have_their_minus():
    rules = house_rules(points={"JD": -10}, moon={"on": False})
    game = deal_in_play("AD", "2H", "3D", "JD", ruleset=rules)
    told = _sheet(table(played(game, "AD 2H 3D JD"), status=Status.PLAYING))
    assert "**Maya** −9" in told
    assert "1 heart: 1 · Jack of diamonds: −10" in told


def test_a_target_is_named_on_the_newest_sheet():
    at = table(played(_one_sided(), "AH 2H 3H QS"), status=Status.PLAYING)
    assert "somebody reaches 100 points" in _sheet(at)


@pytest.mark.parametrize(
    ("end", "told"),
    [({"hands": 3}, "The game is over after 3 deals."), ("single", None)],
)
def test_a_game_of_deals_names_their_number(end, told):
    at = table(played(_one_sided(house_rules(end=end)), "AH 2H 3H QS"), status=Status.PLAYING)
    view = render_post(replace(post_of(at, "sheet:1"), live=True))
    assert "The game is over" in texts(view) if told else "is over" not in texts(view)
    assert told is None or told in texts(view)
    assert all(part["content"] for part in parts(view) if part["type"] == 10)


def _ended(**rules) -> Table:
    game = _one_sided(house_rules(end="single", moon={"on": False}, **rules))
    return table(played(game, "AH 2H 3H QS"))


def test_a_result_says_who_won_and_offers_a_rematch():
    view = render_post(post_of(_ended(tie="share"), "result"))
    assert "Theo, Priya, and Sam share the win" in texts(view)
    assert "`4` **Maya** · 16 points" in texts(view)
    assert _labels(view)["Rematch"]["style"] == 1
    assert ids.parse(_labels(view)["Game record"]["custom_id"]) == ids.Record(_ended().id)


def test_a_single_winner_is_named():
    game = list(states(random.Random(3)))[-1]
    first = game.places.index(1)
    name = ["Maya", "Theo", "Priya", "Sam"][first]
    assert f"🏆 {name} wins the game" in texts(render_post(post_of(table(game), "result")))


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("host", "The host ended this game"),
        ("moderator", "A moderator ended this game"),
        ("idle", "Nobody played for a long time"),
        ("empty", "nobody came back"),
        ("left_server", "I had to leave this server"),
    ],
)
def test_a_game_that_was_ended_says_why_and_has_no_winner(reason, told):
    game = played(_clubs_led(), "2C AC")
    at = table(game, status=Status.CLOSED, closed_because=reason)
    shown = texts(render_post(post_of(at, "result")))
    assert told in shown
    assert "wins" not in shown


HOSTILE = ["@everyone", "@here", "<@&42>", "<@42>", "<#42>", "</hearts end:1>", "https://x.yz"]


def _harmful(shown: str) -> list[str]:
    return [name for name in HOSTILE if name in shown]


@pytest.mark.parametrize("name", HOSTILE)
def test_b86_no_name_pings_or_links_from_any_post(name):
    names = {UserId(number): name for number in range(1, 5)}
    game = list(states(random.Random(2)))[-1]
    late = Robot("steady", UserId(2))
    for at in (
        table(game),
        table(game, chairs=(Human(UserId(1)), late, *people(4)[2:])),
        table(chairs=(Human(UserId(1)), None, None, None), invited=(UserId(2),)),
        table(played(_clubs_led(), "2C"), chairs=(Human(UserId(1)), late, *people(4)[2:])),
    ):
        for post in all_posts(at, names=names):
            assert not _harmful(texts(render_post(post)))


def test_b86_control_an_unescaped_name_is_found():
    assert _harmful("Maya led, @everyone") == ["@everyone"]


def test_a_person_whose_name_was_never_seen_is_somebody():
    told = texts(render_post(post_of(_lobby(*people(4)), "lobby", names={})))
    assert "**somebody** · host" in told


def _ping(kind: str) -> Ping:
    at = table()
    return Ping(table_id=at.id, channel_id=at.channel_id, user_id=UserId(5), kind=kind, moment=0)


def test_a_call_is_plain_and_names_one_person_and_has_one_button():
    content, view = render_ping(_ping("turn"))
    assert content == "<@5> It is your turn at the Hearts table."
    passing, _ = render_ping(_ping("pass"))
    shooter, _ = render_ping(_ping("moon"))
    assert "cards that you pass" in passing
    assert "how it is paid" in shooter
    (button,) = buttons(view)
    assert ids.parse(button["custom_id"]) == ids.OpenHand(table().id)
    assert view.timeout is None


def test_the_call_to_start_has_the_button_that_starts():
    content, view = render_ping(_ping("full"))
    assert "Press Start" in content
    (button,) = buttons(view)
    assert ids.parse(button["custom_id"]) == ids.Start(table().id)


def test_a_notice_is_its_sentence():
    assert texts(render_notice(ids.UnknownButtonError.sentence)).startswith("I do not know")


def test_a_payoff_that_was_chosen_is_one_of_the_two_on_the_sheet():
    rules = house_rules(moon={"payoff": "shooter_choice", "value": 13}, points={"H*": 0})
    game = played(_one_sided(rules), "AH 2H 3H QS")
    assert game.phase is Phase.MOON_CHOICE
    chosen = after(game, SettleMoon(Seat(0), MoonPayoff.SUBTRACT_SELF))
    assert "off the total" in _sheet(table(chosen, status=Status.PLAYING))
