"""The demo as a visitor has it: its process, a headless Chromium, and a person in a tab."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Locator, Page, expect, sync_playwright

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
NO_CHROMIUM = "there is no Chromium here; on Debian and Ubuntu: apt-get install chromium"

_ROOT = Path(__file__).parents[2]
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_PATIENCE = 20_000
"""Milliseconds that a look waits for what it expects; two busy cores need some."""
_CARD = re.compile("[♣♦♠♥]")
_HAND = re.compile("Ask before playing|Plan ahead")
"""A hand in which a card is awaited has the one button, while others are waited for the other."""
expect.set_options(timeout=_PATIENCE)


@contextmanager
def running_demo() -> Iterator[str]:
    """`python -m bot demo` on a free port; gives the address that it prints."""
    command = [sys.executable, "-m", "bot", "demo", "--port", "0", "--no-browser"]
    with subprocess.Popen(command, cwd=_ROOT, stdout=subprocess.PIPE, text=True) as demo:
        try:
            assert demo.stdout is not None
            yield next(line.strip() for line in demo.stdout if "http://" in line)
        finally:
            demo.terminate()
            demo.communicate(timeout=30)


@contextmanager
def chromium(*, width: int = 1100, height: int = 900, scale: float = 1) -> Iterator[Page]:
    """One empty tab of so many CSS pixels."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        try:
            context = browser.new_context(
                viewport={"width": width, "height": height}, device_scale_factor=scale
            )
            context.set_default_timeout(_PATIENCE)
            yield context.new_page()
        finally:
            browser.close()


class Visitor:
    """Somebody who plays in one tab, by what is to be seen there and nothing else."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        page.goto(address)
        self.post("Welcome").wait_for()

    def become(self, name: str) -> None:
        """Choose under “Viewing as” who this tab is."""
        self.page.locator("#viewer-picker").select_option(label=name)
        self.settled()

    def post(self, words: str) -> Locator:
        """The newest message with these words in it."""
        return self.page.locator("article.channel-message", has_text=words).last

    @property
    def hand(self) -> Locator:
        """The newest private hand of a game under way."""
        return self.page.locator("article.channel-message", has_text=_HAND).last

    @property
    def cards(self) -> Locator:
        """Its cards that may be played now."""
        return self.hand.locator("button:enabled", has_text=_CARD)

    def command(self, words: str, options: Mapping[str, str] | None = None) -> None:
        """Type a slash command, give some of its options, and send it."""
        self.page.locator("#channel-composer-input").press_sequentially(f"/{words}")
        self.page.locator(".command-popup").get_by_text(f"/{words}", exact=True).wait_for()
        self.page.keyboard.press("Enter")
        for name, value in (options or {}).items():
            self._choose_option(name)
            self.page.keyboard.type(value)
        self.page.locator("#send-message").click()
        self.settled()

    def _choose_option(self, name: str) -> None:
        offer = self.page.locator(".command-popup").get_by_text(name, exact=True)
        more = self.page.locator("button.command-ghost")
        offer.or_(more).first.wait_for()
        if not offer.is_visible():
            more.click()
        offer.click()

    def press(self, label: str) -> None:
        """Press the newest button of this label."""
        self.page.get_by_role("button", name=label, exact=True, disabled=False).last.click()
        self.settled()

    def pass_cards(self, count: int = 3) -> None:
        """Choose the first cards in the menu, and confirm them."""
        self.choose_cards(count)
        self.press("Pass these")

    def choose_cards(self, count: int = 3) -> None:
        """Choose the first cards in the menu."""
        self.hand.locator(".select-trigger").click()
        for place in range(count):
            self.hand.locator(".select-option").nth(place).click()
        self.hand.get_by_text("Apply", exact=True).click()
        self.settled()
        self.hand.get_by_role("button", name="Pass these", exact=True).wait_for()

    def play_card(self) -> None:
        """Play the first card that may be played, and see that it was."""
        before = self.hand.inner_text()
        self.cards.first.click()
        expect(self.hand).not_to_have_text(before, use_inner_text=True)

    def play_until(self, words: str) -> int:
        """Play whatever comes until a message says *words*; return the number of cards."""
        end = self.post(words)
        for played in range(1_000):
            end.or_(self.cards.first).first.wait_for()
            if end.is_visible():
                return played
            self.play_card()
        raise AssertionError(f"a thousand cards, and no “{words}”")

    def settled(self) -> None:
        """Wait until the page says that it is done with the last act."""
        done = re.compile("completed|updated|ready")
        self.page.locator("#action-status", has_text=done).wait_for()
