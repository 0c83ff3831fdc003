"""Open hands are kept fresh as long as Discord lets us, and never at the reader's expense."""

import pytest

from cogs.ui import ids
from tests.support.discord import discord_world, text_of
from tests.support.seated import four, in_play, plays


def edits(world) -> list[str]:
    return [path for _, path, _ in world.wire.payloads if path.endswith("@original")]


@pytest.mark.thorough
async def test_an_unchanged_hand_is_not_edited():
    async with discord_world() as world:
        _, player = await in_play(world)
        world.wire.payloads.clear()
        world.app.bot.open_hands.table_changed(player.table)
        await world.show()
        assert edits(world) == []


async def test_a_hand_is_looked_at_again_only_when_something_was_stored(monkeypatch):
    async with discord_world() as world:
        players, player = await in_play(world)
        looked = []
        hand = world.app.tables.hand

        async def counted(table, user):
            looked.append(user)
            return await hand(table, user)

        monkeypatch.setattr(world.app.tables, "hand", counted)
        await player.open_hand()
        assert looked == [player.member.id]
        await player.press(plays(player)[0])
        others = {each.member.id for each in players} - {player.member.id}
        assert sorted(looked[2:]) == sorted(others)


async def test_each_open_hand_is_edited_once_for_all_changes_since_the_last_time():
    async with discord_world() as world:
        players, player = await in_play(world)
        world.wire.payloads.clear()
        await player.press(plays(player)[0])
        assert len(edits(world)) == len(players) - 1


async def test_a_hand_of_fourteen_minutes_is_left_alone():
    async with discord_world() as world:
        _, player = await in_play(world)
        await world.env.advance_time(14 * 60)
        world.wire.payloads.clear()
        await player.press(plays(player)[0])
        assert edits(world) == []


@pytest.mark.parametrize(("status", "code"), [(404, 10008), (401, 50027), (503, 0)])
@pytest.mark.thorough
async def test_a_hand_that_cannot_be_edited_is_forgotten(status: int, code: int):
    async with discord_world() as world:
        _, player = await in_play(world)
        world.env.inject_error("PATCH", "/webhooks/*", status=status, code=code, times=None)
        world.wire.payloads.clear()
        await player.press(plays(player)[0])
        assert len(edits(world)) == 3
        world.wire.payloads.clear()
        world.app.bot.open_hands.table_changed(player.table)
        await world.show()
        assert edits(world) == []


async def test_a_hand_whose_edit_meets_a_dead_line_is_forgotten_in_silence():
    async with discord_world() as world:
        _, player = await in_play(world)
        world.wire.lose_answer("PATCH", "/webhooks/*")
        await player.press(plays(player)[0])
        world.wire.payloads.clear()
        world.app.bot.open_hands.table_changed(player.table)
        await world.show()
        assert edits(world) == []


async def test_somebody_who_chooses_a_pass_keeps_the_menu_open_while_others_pass():
    async with discord_world() as world:
        first, second, *_ = await four(world)
        world.wire.payloads.clear()
        await second.act()
        assert edits(world) == []
        assert any(isinstance(each, ids.ChoosePass) for each in first.offers)


async def test_a_question_is_not_taken_from_under_the_finger():
    async with discord_world() as world:
        players, player = await in_play(world)
        watching = players[players.index(player) - 1]
        await watching.press(ids.AskLeave(watching.table))
        await player.press(plays(player)[0])
        assert ids.ConfirmLeave(watching.table) in watching.offers


@pytest.mark.parametrize("again", [True, False])
@pytest.mark.thorough
async def test_the_reason_of_a_refusal_stays_until_something_happens(again):
    async with discord_world() as world:
        players, player = await in_play(world)
        watching = players[players.index(player) - 1]
        old = next(each for each in plays(player))
        await world.forge(watching.member, watching.hand, ids.write(old))
        refused = text_of(watching.hand)
        assert "not your turn" in refused or "do not hold" in refused
        if again:
            await player.press(old)
            assert text_of(watching.hand) != refused
        else:
            await world.show()
            assert text_of(watching.hand) == refused


async def test_what_nobody_foresaw_is_logged_and_forgotten(monkeypatch):
    async with discord_world() as world:
        _, player = await in_play(world)

        async def wrong(*_args: object) -> None:
            raise RuntimeError("planted")

        monkeypatch.setattr(world.app.tables, "version", wrong)
        world.app.bot.open_hands.table_changed(player.table)
        await world.show()
        assert len(world.incidents.records) == 4
        world.incidents.records.clear()
        await world.app.bot.open_hands.flush()
        assert not world.incidents.records
