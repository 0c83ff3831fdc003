"""Deals are sealed one ahead, cut by the people at the table, and revealed (reliability.md 5)."""

import logging
from dataclasses import replace

import pytest

from bot.rules.cards import Seat
from bot.rules.events import DealBegan
from bot.rules.shuffle import commitment, cut, shuffle
from bot.rules.view import seat_view
from bot.table import commands, sealing
from bot.table.cuts import Cut
from bot.table.errors import (
    NotOneOfUsError,
    RobotSitsInError,
    StaleClickError,
    VersionConflictError,
    WrongPhaseError,
)
from bot.table.events import DealRevealed, DealSealed, DeckCut, TableOpened
from bot.table.plans import LowestOfSuitLed
from bot.table.sealing import LateCutError, NotSealedError, NoWordError
from bot.table.storing import SecretDeal
from bot.table.verifying import NoSuchDealError, verify
from tests.support.rooms import STORES, room_on
from tests.support.tables import ANN, BEA, CYD, EVE, FOUR, Room


@pytest.fixture
def room():
    return Room()


async def cut_by(room, table_id, person, word, deal=1, *, tables=None):
    asked = commands.CutDeck(person, word, deal)
    return await (tables or room.tables).ask(room.by(person), table_id, asked)


async def full_lobby(room, *people):
    view = await room.open(robots=4 - len(people))
    for person in people[1:]:
        await room.tables.join(room.by(person), view.id)
    return view.id


async def texts(room, table_id, deal=1):
    """The cuts of a deal, by seat."""
    return [each.text for each in (await room.store.drawer(table_id)).deals[deal].cuts]


async def order_of(room, table_id, deal=1):
    events = [entry.event for entry in await room.store.load(table_id)]
    return next(
        each.order for each in events if isinstance(each, DealBegan) and each.number == deal
    )


async def test_the_first_seed_is_drawn_with_the_lobby_and_every_other_one_deal_ahead(room):
    """Nobody ever waits for a seal."""
    view = await room.open(robots=3)
    assert list((await room.store.drawer(view.id)).deals) == [1]
    await room.tables.start(room.by(ANN), view.id)
    assert list((await room.store.drawer(view.id)).deals) == [1, 2]
    events = [entry.event for entry in await room.store.load(view.id)]
    opened, sealed = events[0], events[-1]
    assert isinstance(opened, TableOpened)
    assert isinstance(sealed, DealSealed)
    after = await room.tables.view(view.id)
    assert after.seals == {1: opened.seal, 2: sealed.commitment}


@pytest.mark.parametrize("store", STORES)
async def test_the_order_follows_from_the_sealed_seed_and_all_cuts(store, tmp_path):
    async with room_on(store, tmp_path) as room:
        table_id = await full_lobby(room, ANN, BEA)
        secret = (await room.store.drawer(table_id)).deals[1]
        await cut_by(room, table_id, BEA, "rhubarb")
        start = room.by(ANN)
        await room.tables.start(start, table_id)
        assert await texts(room, table_id) == [str(start.interaction_id), "", "", "rhubarb"]
        label = f"{table_id}|1"
        key = cut(secret.seed, label, await texts(room, table_id))
        deck = (await room.tables.view(table_id)).ruleset.deck(4)
        assert await order_of(room, table_id) == shuffle(deck, key, label)
        assert commitment(secret.seed, label) == (await room.tables.view(table_id)).seals[1]


async def test_a_later_word_takes_the_place_of_an_earlier_one(room):
    table_id = await full_lobby(room, ANN)
    for word in ("first", "second", "second"):
        view = await cut_by(room, table_id, ANN, word)
    assert view.cut_by == (Seat(0),)
    told = [entry.event for entry in await room.store.load(table_id)]
    assert [each.word for each in told if isinstance(each, DeckCut)] == ["first", "second"]
    await room.tables.start(room.by(ANN), table_id)
    assert (await texts(room, table_id))[0] == "second"


async def test_without_a_word_the_last_press_since_the_seal_cuts(room):
    """reliability.md 5: else the id of that player's last press in between."""
    table_id = await full_lobby(room, ANN, BEA, CYD)
    press = room.by(CYD)
    await room.tables.surface(press, table_id)
    await room.tables.start(room.by(ANN), table_id)
    assert (await texts(room, table_id))[3] == str(press.interaction_id)


async def test_a_press_before_the_seal_cuts_nothing(room):
    """Whoever draws a seed knows it: the host's own press opens the table."""
    table_id = await full_lobby(room, ANN, BEA)
    await room.tables.start(room.by(BEA), table_id)
    assert (await texts(room, table_id))[0] == ""


async def test_a_plan_leaves_no_number_to_be_revealed(room):
    """It would tell when somebody planned, which is nobody else's business."""
    view = await room.started()
    await room.everybody_passes(view.id)
    before = (await room.store.drawer(view.id)).presses
    (hand,) = await room.waited_for(view.id)
    [other] = [person for person in FOUR if person != hand.user_id][:1]
    plan = commands.MakePlan(other, LowestOfSuitLed(), 1)
    await room.tables.plan(room.by(other), view.id, plan)
    assert (await room.store.drawer(view.id)).presses == before


async def test_a_start_that_comes_second_to_the_store_deals_from_the_sealed_seed(room):
    """However often a commit is tried, no fresh seed is drawn for a deal that was sealed."""
    table_id = await full_lobby(room, ANN)
    secret = (await room.store.drawer(table_id)).deals[1]
    room.memory.fail_before.append(VersionConflictError())
    await room.tables.start(room.by(ANN), table_id)
    dealt = (await room.store.drawer(table_id)).deals[1]
    assert dealt.seed == secret.seed
    key = cut(secret.seed, f"{table_id}|1", await texts(room, table_id))
    deck = (await room.tables.view(table_id)).ruleset.deck(4)
    assert await order_of(room, table_id) == shuffle(deck, key, f"{table_id}|1")


async def test_a_deal_whose_commit_was_stored_though_it_failed_is_dealt_once(room):
    table_id = await full_lobby(room, ANN)
    room.memory.fail_after.append(OSError("the answer was lost"))
    with pytest.raises(OSError, match="lost"):
        await room.tables.start(room.by(ANN), table_id)
    assert list((await room.store.drawer(table_id)).deals) == [1, 2]
    view = await room.tables.view(table_id)
    assert list(view.seals) == [1, 2]


@pytest.mark.parametrize("store", STORES)
async def test_a_program_that_was_started_anew_deals_what_the_last_one_sealed(store, tmp_path):
    async with room_on(store, tmp_path) as room:
        view = await room.started(ANN)
        sealed = (await room.store.drawer(view.id)).deals[2]
        await cut_by(room, view.id, ANN, "overnight", 2)
        room.tables = room.another_manager()
        await room.play_until(view.id, deals=1)
        dealt = (await room.store.drawer(view.id)).deals[2]
        assert (dealt.seed, dealt.cuts[0]) == (sealed.seed, Cut("overnight", is_word=True))


async def test_a_cut_that_reaches_another_process_counts(room):
    """A form that was opened in a direct message is sent to another process than the table's."""
    table_id = await full_lobby(room, ANN)
    other = room.another_manager()
    await other.view(table_id)
    await cut_by(room, table_id, ANN, "there")
    await cut_by(room, table_id, ANN, "here", tables=other)
    await room.tables.start(room.by(ANN), table_id)
    assert (await texts(room, table_id))[0] == "here"


async def test_a_cut_that_comes_with_the_deal_is_late_and_names_the_next_one(room):
    table_id = await full_lobby(room, ANN)
    other = room.another_manager()
    await other.view(table_id)
    await room.tables.start(room.by(ANN), table_id)
    with pytest.raises(LateCutError) as refused:
        await cut_by(room, table_id, ANN, "too late", tables=other)
    assert refused.value.sentence.facts == {"begun": 1, "following": 2}
    assert (await texts(room, table_id))[0] != "too late"


async def test_a_word_counts_for_one_deal_alone(room):
    view = await room.started(ANN)
    await cut_by(room, view.id, ANN, "second", 2)
    await room.play_until(view.id, deals=2)
    assert (await texts(room, view.id, 2))[0] == "second"
    assert (await texts(room, view.id, 3))[0].isdecimal()


async def test_the_cut_of_a_seat_is_of_whoever_sits_there_when_the_deal_begins(room):
    view = await room.started(ANN, BEA)
    await cut_by(room, view.id, BEA, "mine", 2)
    await room.tables.leave(room.by(BEA), view.id)
    seat = Seat(3)
    await room.tables.substitute(room.by(EVE), view.id, seat)
    await cut_by(room, view.id, EVE, "now mine", 2)
    await room.play_until(view.id, deals=1)
    assert (await texts(room, view.id, 2))[seat] == "now mine"


async def test_a_seat_that_a_robot_plays_has_no_cut_whoever_it_keeps_it_for(room):
    view = await room.started(ANN, BEA)
    await cut_by(room, view.id, BEA, "gone", 2)
    await room.tables.leave(room.by(BEA), view.id)
    with pytest.raises(RobotSitsInError):
        await cut_by(room, view.id, BEA, "still here", 2)
    await room.play_until(view.id, deals=1)
    assert (await texts(room, view.id, 2))[1:] == ["", "", ""]


async def test_who_cuts_sits_at_a_table_that_still_deals(room):
    table_id = await full_lobby(room, ANN)
    with pytest.raises(NotOneOfUsError):
        await cut_by(room, table_id, EVE, "mine")
    with pytest.raises(StaleClickError):
        await cut_by(room, table_id, ANN, "far ahead", 5)
    for word in ("", " ", "x" * 41, "\ud800", "two\nlines", "\u202e"):
        with pytest.raises(NoWordError):
            await cut_by(room, table_id, ANN, word)
    await room.tables.end(room.by(ANN), table_id, moderator=False)
    with pytest.raises(WrongPhaseError):
        await cut_by(room, table_id, ANN, "mine")


async def test_a_lobby_that_was_closed_reveals_nothing(room):
    table_id = await full_lobby(room, ANN)
    await room.tables.end(room.by(ANN), table_id, moderator=False)
    assert room.memory.shelves[table_id].revealed == set()
    assert not (await room.tables.view(table_id)).reveals


async def test_a_rematch_is_sealed_by_itself(room):
    view = await room.started(ANN)
    await room.play_until(view.id, deals=99)
    again = await room.tables.rematch(room.by(ANN), view.id)
    assert again.id != view.id
    assert list(again.seals) == [1]
    assert again.seals[1] != view.seals[1]


async def test_a_deal_that_is_over_is_revealed_in_the_commit_of_its_score(room):
    view = await room.started(ANN)
    await room.play_until(view.id, deals=1)
    secret = (await room.store.drawer(view.id)).deals[1]
    events = [entry.event for entry in await room.store.load(view.id)]
    [revealed] = [event for event in events if isinstance(event, DealRevealed)]
    assert revealed == DealRevealed(1, secret.seed, secret.cuts)
    assert room.memory.shelves[view.id].revealed == {1}
    after = await room.tables.view(view.id)
    assert (after.reveals[1].seed, after.reveals[1].cuts) == (secret.seed, secret.cuts)


async def old_table(room):
    """A game that began before deals were sealed, in its first deal."""
    view = await room.started(ANN)
    shelf = room.memory.shelves[view.id]
    kinds = (DealSealed, DealRevealed)
    kept = [entry for entry in shelf.events if not isinstance(entry.event, kinds)]
    first = replace(kept[0], event=replace(kept[0].event, seal=None))
    shelf.events[:] = [replace(e, seq=n) for n, e in enumerate([first, *kept[1:]], 1)]
    shelf.secrets = [replace(shelf.secrets[0], cuts=None)]
    room.tables = room.another_manager()
    return view.id


async def test_a_game_of_old_deals_as_it_did_once_more_and_is_sealed_from_then_on(room):
    table_id = await old_table(room)
    with pytest.raises(NotSealedError):
        await cut_by(room, table_id, ANN, "early", 2)
    await room.play_until(table_id, deals=1)
    deals = (await room.store.drawer(table_id)).deals
    assert (list(deals), deals[2].cuts) == ([1, 2, 3], None)
    view = await room.tables.view(table_id)
    assert (list(view.seals), dict(view.reveals)) == ([3], {})
    deck = view.ruleset.deck(4)
    assert await order_of(room, table_id, 2) == shuffle(deck, deals[2].seed, f"{table_id}|2")
    await cut_by(room, table_id, ANN, "in time", 3)
    await room.play_until(table_id, deals=2)
    assert (await texts(room, table_id, 3))[0] == "in time"


async def found(room, table_id, deal=None):
    return verify(await room.store.load(table_id), await room.store.drawer(table_id), deal)


async def test_a_deal_that_is_over_verifies_and_one_that_was_changed_does_not(room):
    view = await room.started(ANN, BEA)
    await room.play_until(view.id, deals=2)
    for deal in (1, 2):
        proof = (await found(room, view.id, deal)).proof
        assert (proof.seal_agrees, proof.order_agrees) == (True, True)
    secrets = room.memory.shelves[view.id].secrets
    first = secrets[0]
    secrets[0] = replace(first, seed=bytes(32))
    proof = (await found(room, view.id, 1)).proof
    assert (proof.seal_agrees, proof.order_agrees) == (False, False)
    secrets[0] = replace(first, cuts=(Cut("planted", is_word=True), *first.cuts[1:]))
    proof = (await found(room, view.id, 1)).proof
    assert (proof.seal_agrees, proof.order_agrees) == (True, False)


async def test_a_deal_of_old_verifies_by_its_seed_alone(room):
    table_id = await old_table(room)
    await room.play_until(table_id, deals=2)
    verified = await found(room, table_id, 2)
    assert verified.seal is None
    assert verified.proof.cuts is None
    assert verified.proof.order_agrees


async def test_nothing_but_the_seal_is_told_of_a_deal_that_is_not_over(room):
    view = await room.started(ANN)
    for deal, has_begun in ((1, True), (2, False)):
        verified = await found(room, view.id, deal)
        assert (verified.proof, verified.has_begun) == (None, has_begun)
        assert verified.seal == (await room.tables.view(view.id)).seals[deal]
    with pytest.raises(NoSuchDealError):
        await found(room, view.id, 3)


async def test_seeds_and_words_stand_in_no_repr_and_no_log_line(room, caplog):
    """reliability.md 5, leak tests (3)."""
    caplog.set_level(logging.DEBUG)
    view = await room.started(ANN)
    await cut_by(room, view.id, ANN, "rhubarb", 2)
    drawer = await room.store.drawer(view.id)
    shown = repr((drawer, list(drawer.deals.values()), room.memory.state(view.id)))
    shown += repr((commands.CutDeck(ANN, "rhubarb", 2), await room.tables.view(view.id)))
    shown += repr([entry.event for entry in await room.store.load(view.id)]) + caplog.text
    post, _ = await room.tables.post(view.id, "deal:1")
    shown += repr(post)
    assert drawer.deals[2].commitment in shown
    for deal in drawer.deals.values():
        assert deal.seed.hex() not in shown
        assert repr(deal.seed)[2:20] not in shown
    assert "rhubarb" not in shown


def test_a_seed_that_is_shown_would_be_found():
    """The control of the test above."""
    secret = SecretDeal(deal=1, seed=b"thirty-two bytes, as it happens!", commitment="c")
    assert repr(secret.seed)[2:20] in repr((secret, secret.seed))


async def test_posts_of_a_deal_tell_of_its_seed_no_more_than_the_seal(room):
    """Two seeds with one seal, if there were such, would make the same posts and hands of it."""
    view = await room.started(ANN)
    before = [await room.tables.post(view.id, slot) for slot in ("lobby", "deal:1")]
    secrets = room.memory.shelves[view.id].secrets
    secrets[:] = [replace(each, seed=bytes(32)) for each in secrets]
    room.tables = room.another_manager()
    assert [await room.tables.post(view.id, slot) for slot in ("lobby", "deal:1")] == before
    assert sealing.next_deal(room.memory.state(view.id).game) == 2
    assert seat_view(room.memory.state(view.id).game, Seat(0)).public.deal == 1
