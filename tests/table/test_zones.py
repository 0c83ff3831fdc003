"""Time zones as people type and choose them (cases.md B85)."""

from datetime import UTC, datetime, time

import pytest

from bot.table.away import QuietHours, find_zone, zones
from bot.table.errors import UnknownZoneError

ELEVEN, SEVEN = time(23), time(7)


def test_zones_are_offered_by_the_begin_of_their_name_then_of_their_city():
    assert zones("euro")[0] == "Europe/Amsterdam"
    assert zones("new y") == ("America/New_York",)
    assert zones("KATH") == ("Asia/Kathmandu",)
    assert zones("lond") == ("Europe/London",)
    assert zones("anta")[0] == "Antarctica/Casey"
    assert zones("anta")[-1] == "America/Santarem"


def test_every_zone_is_offered_to_whoever_has_typed_nothing_and_none_for_nonsense():
    assert len(zones("")) > 400
    assert zones("nowhere at all") == ()


def test_every_zone_that_is_offered_can_be_used():
    for zone in zones(""):
        assert find_zone(zone) == zone
        QuietHours(zone, ELEVEN, SEVEN).until(datetime(2026, 1, 5, 12, tzinfo=UTC))


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("europe/berlin", "Europe/Berlin"),
        (" America/New York ", "America/New_York"),
        ("berlin", "Europe/Berlin"),
        ("New York", "America/New_York"),
        ("indianapolis", "America/Indiana/Indianapolis"),
    ],
)
def test_a_zone_is_found_however_it_is_typed(text: str, zone: str):
    assert find_zone(text) == zone


@pytest.mark.parametrize("text", ["", "Europe", "Europe/Atlantis", "../../etc/passwd", "zones"])
def test_what_is_no_zone_is_refused_with_a_sentence(text: str):
    with pytest.raises(UnknownZoneError) as caught:
        find_zone(text)
    assert text in str(caught.value.sentence)
    with pytest.raises(UnknownZoneError):
        QuietHours(text, ELEVEN, SEVEN)
