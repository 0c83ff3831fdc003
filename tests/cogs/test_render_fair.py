"""What people read of seals, cuts and proofs, the unhappy ones too."""

import json
from dataclasses import replace

import pytest

from bot import verify as page
from bot.rules.dimensions import Single
from bot.table import history
from bot.table.cuts import Cut, Reveal
from bot.table.looking_back import NothingToSeeError, past_deal
from bot.table.verifying import NoSuchDealError, to_plain, verify
from cogs.ui.fair import next_seal, revealed
from cogs.ui.parts import MOST_CHARACTERS
from cogs.ui.people import voice_of
from cogs.ui.verification import render_verification
from cogs.words import Voice
from tests.support.looks import texts
from tests.support.tables import ANN, STANDARD, Room

SEAL = "ab" * 32


async def proved():
    """A table, and the proof of its first deal."""
    room = Room()
    view = await room.started(ANN)
    await room.play_until(view.id, deals=1)
    stored, drawer = await room.store.load(view.id), await room.store.drawer(view.id)
    return await room.tables.view(view.id), verify(stored, drawer, 1)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({}, "✅ Seal, seed and cuts agree"),
        ({"seal_agrees": False, "order_agrees": False}, "❌ The seed is not the one"),
        ({"order_agrees": False}, "❌ These cards do not follow"),
        ({"cuts": (Cut("", is_word=True), Cut(), Cut(), Cut())}, "cannot be checked any more"),
    ],
)
async def test_the_verdict_comes_first_and_in_words(wrong, words):
    table, found = await proved()
    found = replace(found, proof=replace(found.proof, **wrong))
    assert words in texts(render_verification(found, table)).splitlines()[1]


async def test_with_an_erased_cut_it_says_what_can_be_checked_and_claims_no_more(tmp_path, capsys):
    """docs/fairness.md: the seal and the deck are left; the file must not seem to tell of fraud."""
    table, found = await proved()
    whole = texts(render_verification(found, table))
    assert "nobody changed the deal after the seal" in whole
    cuts = (Cut("", is_word=True), *found.proof.cuts[1:])
    erased = replace(found, proof=replace(found.proof, cuts=cuts, order_agrees=False))
    told = texts(render_verification(erased, table))
    assert "nobody changed the deal after the seal" not in told
    assert "You can still check the seal yourself" in told
    assert "It cannot check order and hands: the word that was erased" in told
    file = tmp_path / "deal.json"
    file.write_text(json.dumps(to_plain(erased)), "utf-8")
    assert page.verify([str(file)]) == 1
    out = capsys.readouterr().out
    assert out.count("cannot be checked, since a cut was erased") == 2
    assert "differs" not in out


async def test_no_path_of_this_project_is_shown_to_a_player():
    table, found = await proved()
    assert ".md" not in texts(render_verification(found, table))


async def test_seats_that_put_nothing_in_are_gathered():
    table, found = await proved()
    ann, *_ = voice_of(table, None).seat_names
    for cuts, told in (
        ((Cut("rhubarb", is_word=True), *[Cut()] * 9), f"{ann}: “rhubarb” · the others: nothing"),
        ((Cut(),) * 10, "nobody cut the deck"),
        ((Cut("7"),) * 2, f"{ann}: press 7 · Robot 2: press 7"),
    ):
        shown = replace(found, proof=replace(found.proof, cuts=cuts))
        assert f"-# Cuts: {told}\n" in texts(render_verification(shown, table))


@pytest.mark.parametrize("deal", [2, 9])
async def test_a_deal_beyond_the_end_of_a_game_is_told_as_one_that_never_comes(deal):
    """A deal is sealed one ahead, so the one after the last has a seal, and is never dealt."""
    room = Room()
    view = await room.started(ANN, ruleset=replace(STANDARD, end=Single()))
    await room.play_until(view.id, deals=1)
    stored, drawer = await room.store.load(view.id), await room.store.drawer(view.id)
    assert 2 in (await room.tables.view(view.id)).seals
    with pytest.raises(NoSuchDealError) as unsealed:
        verify(stored, drawer, deal)
    with pytest.raises(NothingToSeeError) as unplayed:
        past_deal(history.replay(stored).table, deal)
    told = {str(refusal.value.sentence) for refusal in (unsealed, unplayed)}
    assert told == {"This game is over. It had 1 deal."}


async def test_a_deal_without_a_seal_is_not_called_fair():
    table, found = await proved()
    found = replace(found, seal=None, proof=replace(found.proof, cuts=None))
    told = texts(render_verification(found, table))
    assert "nothing was sealed before" in told
    assert "Seal:" not in told
    assert to_plain(found)["cuts"] is None
    told = texts(render_verification(replace(found, proof=None), table))
    assert "was not sealed before it began" in told
    with pytest.raises(ValueError, match="not over"):
        to_plain(replace(found, proof=None))


async def test_a_game_of_old_says_which_deal_was_dealt_without_a_seal():
    table, _ = await proved()
    old = replace(table, seals={4: SEAL})
    lines = next_seal(Voice(), old, 3)
    assert "dealt without a seal" in lines[0]
    assert SEAL in lines[1]
    assert next_seal(Voice(), old, 2) == []


async def test_the_sheet_names_every_cut_and_what_became_of_an_erased_one():
    table, _ = await proved()
    cuts = (Cut("", is_word=True), Cut("# _x_ @everyone", is_word=True), Cut("7"), Cut())
    shown = replace(table, reveals={1: Reveal(bytes(32), cuts)})
    told = "\n".join(revealed(voice_of(shown, None), shown, 1))
    assert "a word that was erased" in told
    assert "\\# \\_x\\_ @" in told
    assert "@everyone" not in told
    assert "press 7" in told
    bare = replace(table, reveals={1: Reveal(bytes(32), (Cut(),) * 4)})
    assert "Nobody cut the deck" in "\n".join(revealed(Voice(), bare, 1))


async def test_ten_words_at_their_longest_fit_into_one_answer():
    table, found = await proved()
    cuts = (Cut("#" * 40, is_word=True),) * 10
    found = replace(found, proof=replace(found.proof, cuts=cuts))
    assert render_verification(found, table).content_length() <= MOST_CHARACTERS
