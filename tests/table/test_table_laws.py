"""What holds at every table, whatever is asked of it."""

import random

from hypothesis import given
from hypothesis import strategies as st

from bot.rules.errors import HeartsError
from bot.rules.legal import to_move
from bot.rules.state import Phase
from bot.rules.variants import load
from bot.table import commands, history
from bot.table.ids import Human, Robot
from bot.table.lobby import people, seat_of
from bot.table.moments import turn
from bot.table.state import Status
from tests.support.deals import house_rules
from tests.support.histories import Story, on_turn, pass_of, stand_in
from tests.support.tables import ANN, BEA, CYD, DAN, EVE, FOUR

PEOPLE = st.sampled_from([ANN, BEA, CYD, DAN, EVE])
ANYTHING = st.one_of(
    st.builds(commands.Join, PEOPLE),
    st.builds(commands.Leave, PEOPLE),
    st.builds(commands.AddRobot, PEOPLE),
    st.builds(commands.RemoveRobot, PEOPLE),
    st.builds(commands.Start, PEOPLE, st.floats(0, 0.999)),
    st.builds(commands.TakeSeatBack, PEOPLE),
    st.builds(commands.CallLastDeal, PEOPLE, st.integers(1, 2)),
    st.just(commands.TimeUp()),
    st.just(commands.Surface()),
    st.just(commands.Pause("forbidden")),
    st.just(commands.Resume()),
    st.just("move"),
    st.just("late"),
    st.just("any"),
)

TWO_CARDS = load("draw7")
RULES = [
    load("standard"),
    house_rules(end={"hands": "open"}),
    house_rules(end={"minutes": 30}),
    TWO_CARDS,
]


def something(story, what, dice):
    """A command: the one drawn, or one that fits the table in some way."""
    game = story.table.game
    if not isinstance(what, str):
        return what
    if game is None:
        host = story.table.host
        return commands.Start(host, 0.5) if what == "any" else commands.AddRobot(host)
    if what == "any" or not to_move(game):
        return any_card(game, dice)
    seat = dice.choice(to_move(game))
    chair = story.table.chairs[seat]
    if what == "late" or isinstance(chair, Robot):
        return stand_in(story, seat, late=isinstance(chair, Human))
    if game.phase is Phase.PASSING:
        return pass_of(story, chair.user_id)
    return commands.PlayCard(chair.user_id, on_turn(story)[1], turn(game))


def any_card(game, dice):
    """Somebody wants to play something, which is wrong most of the time."""
    card = dice.choice(game.ruleset.deck(game.seats))
    return commands.PlayCard(dice.choice([ANN, BEA]), card, turn(game))


def check(table):
    seated = [seat_of(person, table.chairs) for person in (*FOUR, EVE)]
    taken = [seat for seat in seated if seat is not None]
    assert len(taken) == len(set(taken)), "one chair a person"
    assert (table.game is None) or None not in table.chairs, "nobody is missing in a game"
    if table.status is Status.LOBBY:
        assert table.host in people(table.chairs), "a lobby has its host"
        assert table.game is None
    if table.status is Status.PLAYING:
        assert to_move(table.game), "a running game waits for somebody"
        assert table.host in people(table.chairs) or not people(table.chairs)
    assert (table.closed_because is None) == (table.status is not Status.CLOSED)


def told(what, seed, ruleset=None):
    """The table after all that was asked of it; each refusal left it as it was."""
    dice = random.Random(seed)
    story = Story(ANN, BEA, seats=2 if ruleset is TWO_CARDS else 3, ruleset=ruleset)
    for item in what:
        before = story.table
        try:
            story.ask(something(story, item, dice))
        except HeartsError:
            assert story.table == before
        check(story.table)
    return story


@given(
    what=st.lists(ANYTHING, min_size=10, max_size=60),
    seed=st.integers(0, 2**16),
    ruleset=st.sampled_from(RULES),
)
def test_whatever_is_asked_a_table_stays_sound_and_can_be_replayed(what, seed, ruleset):
    story = told(what, seed, ruleset)
    past = history.replay(story.stored)
    assert (past.table, past.fault) == (story.table, None)


def test_the_commands_drawn_reach_the_middle_of_a_game():
    story = told(["move", "any", *["move", "late", "any"] * 15], 1)
    assert story.table.game.tricks_before + len(story.table.game.deal.tricks) >= 3
