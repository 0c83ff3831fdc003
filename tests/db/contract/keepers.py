"""What every store promises about score keepers."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.rules.scorekeeper import KeptDeal, KeptRules, MoonForm, ScoreSheet
from bot.table.errors import KeeperOpenError, UnknownKeeperError, VersionConflictError
from bot.table.ids import ChannelId, KeeperId, UserId
from bot.table.keeping import Keeper, KeptWhere
from bot.table.ports import KeeperStore
from tests.support.store import CHANNEL, GUILD, HOST, START

WHERE = KeptWhere(CHANNEL, HOST, GUILD)
RULES = KeptRules(total=16, target=150, moon=MoonForm.SUBTRACT_SELF, moon_value=26, jack=True)
SHEET = ScoreSheet(
    ("Ana", "Ben 👑", "Ç"), RULES, (KeptDeal((26, -10, 0)), KeptDeal((-26, 0, 0), shooter=0))
)


def keeper(**changes: Any) -> Keeper:
    values: dict[str, Any] = {
        "id": KeeperId("AAAA1111"),
        "where": WHERE,
        "version": 1,
        "sheet": SHEET,
        "opened_at": START,
        "changed_at": START,
    }
    return Keeper(**values | changes)


class KeeperContract:
    async def test_what_was_added_is_kept_whole(self, keepers: KeeperStore):
        await keepers.add(keeper())
        assert await keepers.load(KeeperId("AAAA1111")) == keeper()
        assert await keepers.find(WHERE) == keeper()

    async def test_a_direct_message_belongs_to_no_server(self, keepers: KeeperStore):
        at_home = keeper(where=KeptWhere(ChannelId(7), HOST))
        await keepers.add(at_home)
        assert await keepers.find(at_home.where) == at_home

    async def test_a_person_keeps_one_score_in_a_channel(self, keepers: KeeperStore):
        await keepers.add(keeper())
        with pytest.raises(KeeperOpenError):
            await keepers.add(keeper(id=KeeperId("BBBB2222")))
        assert await keepers.find(WHERE) == keeper()

    async def test_others_and_other_channels_have_their_own(self, keepers: KeeperStore):
        places = [
            WHERE,
            replace(WHERE, owner=UserId(HOST + 1)),
            replace(WHERE, channel_id=ChannelId(CHANNEL + 1)),
        ]
        for number, where in enumerate(places):
            assert await keepers.find(where) is None
            await keepers.add(keeper(id=KeeperId(f"AAAA111{number}"), where=where))
        found = [await keepers.find(where) for where in places]
        assert [each.id for each in found if each] == ["AAAA1110", "AAAA1111", "AAAA1112"]

    async def test_a_version_takes_the_place_of_the_one_before_it(self, keepers: KeeperStore):
        await keepers.add(keeper())
        later = keeper(
            version=2,
            sheet=replace(SHEET, deals=SHEET.deals[:1]),
            changed_at=START + timedelta(milliseconds=1),
        )
        await keepers.save(later)
        assert await keepers.load(later.id) == later

    @pytest.mark.parametrize("version", [1, 3])
    async def test_a_version_that_does_not_follow_is_refused(
        self, keepers: KeeperStore, version: int
    ):
        await keepers.add(keeper())
        with pytest.raises(VersionConflictError):
            await keepers.save(keeper(version=version, sheet=replace(SHEET, deals=())))
        assert await keepers.load(KeeperId("AAAA1111")) == keeper()

    async def test_what_was_removed_is_gone_and_may_be_removed_again(self, keepers: KeeperStore):
        await keepers.add(keeper())
        for _ in range(2):
            await keepers.remove(KeeperId("AAAA1111"))
        with pytest.raises(UnknownKeeperError):
            await keepers.load(KeeperId("AAAA1111"))
        with pytest.raises(VersionConflictError):
            await keepers.save(keeper(version=2))
        await keepers.add(keeper(id=KeeperId("BBBB2222")))
