"""The demo as its visitors have it: in a browser."""

import re

import pytest

from tests.support.browser import CHROMIUM, NO_CHROMIUM, Visitor, chromium, running_demo

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason=NO_CHROMIUM),
]

_CARDS = 13


@pytest.mark.thorough
def test_a_visitor_opens_a_table_passes_plays_a_deal_and_reads_its_score_sheet():
    with running_demo() as address, chromium() as page:
        visitor = Visitor(page, address)
        visitor.command("hearts start")
        visitor.post("3 seats are free").wait_for()
        for free in ("2 seats are free", "1 seat is free", "everybody is here"):
            visitor.press("Add robot")
            visitor.post(free).wait_for()
        visitor.press("Start")
        visitor.post("Deal 1").wait_for()
        visitor.press("My hand")
        visitor.pass_cards()
        assert visitor.play_until("Score after deal 1") == _CARDS
        sheet = visitor.post("Score after deal 1").inner_text()
        visitor.press("Score")
        scores = visitor.post("Scores at table").inner_text()
    gains = {name: int(gain) for name, gain in re.findall(r"(Ada|Robot \d) \+(\d+)", sheet)}
    # Totals stand above the columns of the deals, whose heads are numbered names, too.
    named = re.findall(r"(\d+)\s+(Ada|Robot \d)", scores)[:4]
    totals = {name: int(total) for total, name in named}
    assert len(gains) == 4
    assert sum(gains.values()) in {26, 78}  # a moon costs each of three 26
    assert totals == gains
