"""What `/hearts verify` answers: the parts of a deal, whether they agree, and what that proves."""

import discord
from discord import ui

from bot.table.state import LIVE
from bot.table.verifying import Proof, Verification
from bot.table.views import TableView
from cogs.names import Markup
from cogs.ui.fair import all_cuts, cut_button
from cogs.ui.parts import SETTLED, UNDER_WAY, Part, bold, divider, heading, panel, quiet, rows, text
from cogs.ui.people import voice_of
from cogs.words import Voice

PAGE_NAME = "verify.py"
"""Of the program that checks the other file."""


def file_name(found: Verification) -> str:
    """Of the file that goes with the proof of a deal."""
    return f"hearts-{found.label.replace('|', '-deal-')}.json"


def render_verification(
    found: Verification, table: TableView, locale: discord.Locale | None = None
) -> ui.LayoutView:
    """Draw what may be known of a deal; with a proof, `file_name` and `PAGE_NAME` belong to it."""
    voice = voice_of(table, locale)
    title = heading(
        voice("Deal {number} of table {code}", number=found.deal, code=Markup(f"`{table.id}`"))
    )
    if found.proof is None:
        return panel(UNDER_WAY, [text(title, *_sealed(voice, found, table)), *_cut(voice, table)])
    proof = found.proof
    return panel(
        SETTLED,
        [
            text(title, _verdict(voice, found, proof)),
            text(*_parts(voice, found, proof)),
            divider(),
            text(*_how(voice, proof), *_honestly(voice, proof)),
            ui.File(f"attachment://{file_name(found)}"),
            ui.File(f"attachment://{PAGE_NAME}"),
            *_cut(voice, table),
        ],
    )


def _sealed(voice: Voice, found: Verification, table: TableView) -> list[Markup]:
    if table.status not in LIVE:
        never = voice("The game ended before this deal was over, so its seed is never told.")
        return [never, *([_seal(voice, found.seal)] if found.seal else [])]
    if found.seal is None:
        return [
            voice("This deal was not sealed before it began, as its table is older than seals."),
            voice("Ask again when it is over: then its seed is told, and what it makes."),
        ]
    is_over = voice("Its seed and all cuts are told when it is over, in its score sheet and here.")
    if found.has_begun:
        return [voice("It is being played."), _seal(voice, found.seal), is_over]
    return [voice("It has not begun."), _seal(voice, found.seal), is_over]


def _cut(voice: Voice, table: TableView) -> list[Part]:
    """The button of the next deal, since the posts of tricks have none."""
    return [*rows(cut_button(voice, table))]


def _seal(voice: Voice, seal: str) -> Markup:
    return voice("Seal: {seal}", seal=Markup(f"`{seal}`"))


def _verdict(voice: Voice, found: Verification, proof: Proof) -> Markup:
    if not proof.seal_agrees:
        return bold(
            voice("❌ The seed is not the one that was sealed. Tell whoever runs this bot.")
        )
    if proof.is_erased:
        return bold(
            voice(
                "☑️ The seal agrees. Somebody whose word went into the shuffle asked to be "
                "forgotten, so the shuffle cannot be checked any more."
            )
        )
    if not proof.order_agrees:
        return bold(voice("❌ These cards do not follow from seed and cuts. Tell the bot's owner."))
    if found.seal is None:
        return bold(voice("✅ The cards follow from the seed, but nothing was sealed before."))
    return bold(voice("✅ Seal, seed and cuts agree with the cards that were dealt."))


def _parts(voice: Voice, found: Verification, proof: Proof) -> list[Markup]:
    lines = [_seal(voice, found.seal)] if found.seal else []
    lines.append(voice("Seed: {seed}", seed=Markup(f"`{proof.seed.hex()}`")))
    if proof.cuts is not None:
        lines.append(voice("Cuts: {cuts}", cuts=Markup(" · ".join(all_cuts(voice, proof.cuts)))))
    lines.append(voice("Label: {label}", label=Markup(f"`{found.label}`")))
    lines.append(
        voice("Dealt by {seat}, one card at a time, the next seat first.", seat=proof.dealer)
    )
    return [*map(quiet, lines)]


def _how(voice: Voice, proof: Proof) -> list[Markup]:
    """The program comes along: a doubter needs no link, and nothing but Python."""
    if proof.is_erased:
        return [
            voice(
                "You can still check the seal yourself: save both files below, read `verify.py`, a "
                "page of Python, and run it as `python verify.py` with the name of the other file."
            ),
            voice(
                "It cannot check order and hands: the word that was erased is stored nowhere any "
                "more, and stands as `null` in the file. `/hearts history` shows the deal."
            ),
        ]
    return [
        voice(
            "Check it yourself: save both files below. `verify.py` is a page of Python that you "
            "can read first; run it as `python verify.py` with the name of the other file."
        ),
        voice(
            "Compare the seal it prints with the one that stood here before the deal. "
            "`/hearts history` shows the deal card by card."
        ),
    ]


def _honestly(voice: Voice, proof: Proof) -> list[Markup]:
    if proof.is_erased:
        return [quiet(voice(_ERASED_PROVES))]
    return [quiet(voice(_UNSEALED_PROVES if proof.cuts is None else _SEALED_PROVES))]


_UNSEALED_PROVES = "Without a seal and cuts this proves only that the deal was not altered later."
_SEALED_PROVES = (
    "This proves that nobody changed the deal after the seal, and that nobody chose the seed "
    "knowing your cut. It does not prove that whoever runs the bot did not look at the cards, nor "
    "that nobody who knew the seed cut last."
)
_ERASED_PROVES = (
    "This proves only that the seed is the one that was sealed before the deal. That the cards "
    "followed from it could be checked until the word was erased, and by nobody since."
)
