"""What happens at a table when somebody there is forgotten (B140: it must not harm the others)."""

from bot.table import commands, events
from bot.table.history import replay
from bot.table.ids import Robot, UserId
from bot.table.notices import notices
from bot.table.state import Status
from cogs.words import say
from tests.support.histories import Story, started
from tests.support.tables import ANN, BEA, CYD, DAN, EVE, FOUR


def forget(story: Story, user_id: UserId) -> tuple[events.TableEvent, ...]:
    """As the clock asks it: nobody acts."""
    return story.ask(commands.Forget(user_id))


def test_in_a_game_a_robot_plays_on_and_keeps_the_seat_for_nobody():
    story = started(*FOUR)
    assert forget(story, BEA) == (events.SeatHandedOver(1, Robot("steady")),)
    assert story.table.status is Status.PLAYING
    assert replay(story.stored).table == story.table


def test_the_host_moves_on_to_the_next_person():
    story = started(*FOUR)
    handed, host = forget(story, ANN)
    assert handed == events.SeatHandedOver(0, Robot("steady"))
    assert host == events.HostChanged(BEA)


def test_a_seat_that_a_robot_keeps_is_given_up():
    story = started(*FOUR)
    story.ask(commands.Leave(BEA))
    assert forget(story, BEA) == (events.SeatHandedOver(1, Robot("steady")),)


def test_the_game_waits_for_others_whose_seats_robots_keep():
    story = started(ANN, BEA)
    story.ask(commands.Leave(BEA))
    happened = forget(story, ANN)
    assert happened[-1] == events.HostChanged(BEA)
    assert story.table.status is Status.PLAYING


def test_a_table_of_nobody_else_ends():
    story = started(ANN)
    assert forget(story, ANN)[-1] == events.TableClosed("empty")


def test_in_a_lobby_the_chair_becomes_free():
    story = Story(ANN, BEA)
    assert forget(story, BEA) == (events.SeatLeft(1),)
    assert forget(story, ANN) == (events.SeatLeft(0), events.TableClosed("empty"))


def test_nothing_happens_where_the_person_is_not_and_at_a_table_that_is_over():
    story = started(ANN, BEA)
    assert forget(story, EVE) == ()
    story.ask(commands.End(ANN, moderator=False))
    assert forget(story, BEA) == ()


def test_the_others_are_told_without_a_name():
    story = started(*FOUR)
    [told] = [say(each) for each in notices(story.table, forget(story, CYD), None)]
    assert told.startswith("Somebody has left for good, and Robot 3 plays on in that seat.")
    assert str(CYD) not in told


def test_no_chair_is_kept_for_somebody_invited_who_is_forgotten():
    story = Story(ANN, invited=(BEA, UserId(-5)))
    for person in (CYD, DAN):
        story.ask(commands.Join(person))
    assert story.table.invited == (BEA,)
    assert story.table.chairs[3] is None
