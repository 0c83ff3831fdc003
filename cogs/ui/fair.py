"""Why a deal can be trusted: seals, cuts and what is revealed, as small print, and the form."""

from collections.abc import Sequence

import discord
from discord import ui

from bot.rules.cards import Seat
from bot.table.cuts import LONGEST_WORD, Cut
from bot.table.ids import TableId
from bot.table.state import Status
from bot.table.views import TableView
from cogs.names import Markup
from cogs.ui import ids
from cogs.ui.fair_ids import AskCut, GiveCut
from cogs.ui.parts import Button, press, quiet
from cogs.words import Voice

WORD = "word"
"""Id of the form's one field."""


def first_seal(voice: Voice, table: TableView) -> Markup:
    """In a lobby, be it one of the past: the seal of the first deal."""
    seal = table.seals.get(1)
    if seal is None or (table.status is Status.CLOSED and table.game is None):
        return Markup("")
    return quiet(
        voice(
            "🔒 The first deal is already sealed, as `/hearts help` explains: {seal}",
            seal=_code(seal),
        )
    )


def next_seal(voice: Voice, table: TableView, deal: int) -> list[Markup]:
    """In the opening of a deal: the seal of the one after it."""
    seal = table.seals.get(deal + 1)
    if seal is None:
        return []
    lines = [quiet(voice("🔒 The next deal is already sealed: {seal}", seal=_code(seal)))]
    if deal in table.seals:
        return lines
    bare = voice("This deal was dealt without a seal, as this table is older than seals.")
    return [quiet(bare), *lines]


def cutters(voice: Voice, table: TableView) -> Markup:
    """Who has cut the deck for the next deal; the words stay secret until that is over."""
    if not table.cut_by:
        return Markup("")
    said = "✂️ {seats} cut the deck of deal {deal}"
    return quiet(voice(said, seats=table.cut_by, deal=table.next_deal))


def cut_button(voice: Voice, table: TableView) -> list[Button]:
    """The button for a word of one's own, where the next deal is sealed."""
    deals_on = table.status in {Status.LOBBY, Status.PLAYING}
    if not deals_on or table.next_deal not in table.seals:
        return []
    return [press(AskCut(table.id, table.next_deal), voice("Cut the deck"))]


def revealed(voice: Voice, table: TableView, deal: int) -> list[Markup]:
    """Under a score sheet: what the order of the deal came from."""
    reveal = table.reveals.get(deal)
    if reveal is None:
        return []
    seed = voice("🔓 Seed of this deal: {seed}", seed=_code(reveal.seed.hex()))
    given = [(Seat(seat), cut) for seat, cut in enumerate(reveal.cuts) if cut != Cut()]
    told = [cut_text(voice, seat, cut) for seat, cut in given]
    cuts = quiet(voice("✂️ Cuts"), *told) if told else quiet(voice("Nobody cut the deck"))
    check = voice("`/hearts verify` checks this deal, and says how you can do so yourself")
    return [quiet(seed), cuts, quiet(check)]


def cut_text(voice: Voice, seat: Seat, cut: Cut) -> Markup:
    """What one seat put in: the word, or the number of the last press."""
    if cut.is_erased:
        return voice("{seat}: a word that was erased", seat=seat)
    if cut.is_word:
        return voice("{seat}: “{word}”", seat=seat, word=cut.text)
    return voice("{seat}: press {press}", seat=seat, press=Markup(cut.text))


def all_cuts(voice: Voice, cuts: Sequence[Cut]) -> list[Markup]:
    """What each seat put in; that the others put nothing in is said once, since that counts."""
    given = [(Seat(seat), cut) for seat, cut in enumerate(cuts) if cut != Cut()]
    if not given:
        return [voice("nobody cut the deck")]
    rest = [voice("the others: nothing")] if len(given) < len(cuts) else []
    return [*(cut_text(voice, seat, cut) for seat, cut in given), *rest]


def cut_form(table: TableId, deal: int, locale: discord.Locale | None = None) -> ui.Modal:
    """Ask for a word that goes into the shuffle of *deal*, which counts from 1."""
    voice = Voice(locale)
    form = ui.Modal(
        title=voice("Cut the deck of deal {deal}", deal=deal),
        custom_id=ids.write(GiveCut(table, deal)),
    )
    field: ui.TextInput[ui.LayoutView] = ui.TextInput(
        custom_id=WORD, max_length=LONGEST_WORD, required=True
    )
    hint = voice("It goes into the shuffle. Everybody sees it once the deal is over.")
    form.add_item(ui.Label(text=voice("A word of your own"), description=hint, component=field))
    return form


def _code(digits: str) -> Markup:
    return Markup(f"`{digits}`")
