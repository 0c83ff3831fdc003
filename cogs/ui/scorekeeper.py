"""The score of a game with real cards: the private panel, its questions, and the public sheet."""

from collections.abc import Sequence
from typing import assert_never

import discord
from discord import ui

from bot.rules.scorekeeper import KeptDeal, MoonForm, ScoreSheet
from bot.rules.sentence import Sentence
from bot.table.keeping import Keeper
from cogs.names import Markup, plain_name, safe_name
from cogs.ui import keeper_ids
from cogs.ui.parties import columns
from cogs.ui.parts import (
    AWAITED,
    LOBBY,
    SETTLED,
    UNDER_WAY,
    Part,
    Row,
    below,
    bold,
    danger,
    heading,
    menu,
    panel,
    press,
    quiet,
    rows,
    text,
)
from cogs.ui.result import winners
from cogs.words import Voice

_DEALS_SHOWN = 12
"""Lines of deals; older ones are summed up in the totals."""
_WIDEST = 6
"""Columns of figures that a phone shows side by side."""


def render_keeper(
    keeper: Keeper,
    *,
    notice: Sentence | None = None,
    draft: Sequence[str] = (),
    locale: discord.Locale | None = None,
) -> ui.LayoutView:
    """Draw the panel for the person whose score keeper it is.

    Args:
        keeper: as it is stored.
        notice: what a press has just done, or why it did nothing.
        draft: points that were typed and refused; they stand in the form when it opens again.
        locale: the reader's.
    """
    voice = _voice_of(keeper, locale)
    parts = _sheet(voice, keeper.sheet)
    if notice:
        parts.append(text(bold(voice.say(notice))))
    parts += [*_buttons(voice, keeper, draft), *_moon_menu(voice, keeper)]
    parts += rows(
        [
            press(keeper_ids.OpenRules(keeper.id, keeper.version), voice("Change the rules")),
            press(keeper_ids.AskClose(keeper.id), voice("Close")),
        ]
    )
    parts.append(text(quiet(voice("Only you see this. `/hearts scorekeeper` opens it again."))))
    return panel(AWAITED if draft else UNDER_WAY, parts)


def render_to_moderator(keeper: Keeper, locale: discord.Locale | None = None) -> ui.LayoutView:
    """Draw the scores for somebody who may close them, but not change them."""
    voice = _voice_of(keeper, locale)
    close = press(keeper_ids.AskClose(keeper.id), voice("Close"))
    return panel(SETTLED, [*_sheet(voice, keeper.sheet), *rows([close])])


def render_public_scores(
    keeper: Keeper, kept_by: str, locale: discord.Locale | None = None
) -> ui.LayoutView:
    """Draw the scores for everybody; *kept_by* is the name of the person who keeps them, raw."""
    voice = _voice_of(keeper, locale)
    told = quiet(
        voice("played with real cards"),
        voice("the score is kept by {name}", name=safe_name(kept_by)),
    )
    colour = LOBBY if keeper.sheet.over else SETTLED
    return panel(colour, [*_sheet(voice, keeper.sheet), text(told)])


def jack_question(
    keeper: Keeper,
    action: keeper_ids.ChooseJack | keeper_ids.ChooseMissingJack,
    locale: discord.Locale | None = None,
) -> ui.LayoutView:
    """Ask who took the jack of diamonds, for the menu that asks for *action* (rules.md 2.4.12)."""
    voice = _voice_of(keeper, locale)
    options = [
        *_players(keeper.sheet),
        discord.SelectOption(label=voice("Nobody took it"), value=keeper_ids.NOBODY),
    ]
    return panel(
        AWAITED,
        [
            text(
                heading(voice("Who took the jack of diamonds?")),
                _deal_without_jack(voice, action),
                voice("The jack takes 10 points off for whoever took it."),
            ),
            menu(action, options, placeholder=voice("Choose a player")),
            *rows([press(keeper_ids.ShowKeeper(keeper.id), voice("Back, nothing is entered"))]),
        ],
    )


def close_question(keeper: Keeper, locale: discord.Locale | None = None) -> ui.LayoutView:
    """Ask whether a score keeper shall really be closed."""
    voice = _voice_of(keeper, locale)
    return panel(
        SETTLED,
        [
            text(
                heading(voice("Close this score keeper?")),
                voice("Its scores are forgotten. What was posted to the channel stays there."),
                quiet(*voice.seat_names),
            ),
            *rows(
                [
                    danger(keeper_ids.ConfirmClose(keeper.id), voice("Close it")),
                    press(keeper_ids.ShowKeeper(keeper.id), voice("Back to the scores")),
                ]
            ),
        ],
    )


def _deal_without_jack(
    voice: Voice, action: keeper_ids.ChooseJack | keeper_ids.ChooseMissingJack
) -> Markup:
    match action:
        case keeper_ids.ChooseJack(shooter=shooter):
            return voice("{seats} shot the moon.", seats=[shooter])
        case keeper_ids.ChooseMissingJack():
            return voice("These points are all that a deal has without it.")
        case _:
            assert_never(action)


def _voice_of(keeper: Keeper, locale: discord.Locale | None) -> Voice:
    return Voice(locale, tuple(safe_name(player) for player in keeper.sheet.players))


def _sheet(voice: Voice, sheet: ScoreSheet) -> list[Part]:
    return [
        text(heading(_title(voice, sheet)), *_totals(voice, sheet)),
        *below(*_deals(voice, sheet)),
        *below(*_state(voice, sheet), quiet(*_rules(voice, sheet))),
    ]


def _title(voice: Voice, sheet: ScoreSheet) -> str:
    if sheet.over:
        return f"🏆 {winners(voice, sheet.places)}"
    if not sheet.deals:
        return voice("Score keeper")
    return voice("Score after deal {number}", number=len(sheet.deals))


def _totals(voice: Voice, sheet: ScoreSheet) -> list[str]:
    """A line for each player, the lowest total first; at the end with places."""
    totals = sheet.totals
    lowest_first = sorted(range(len(totals)), key=lambda seat: totals[seat])
    names = [bold(voice.seat_names[seat]) for seat in lowest_first]
    if sheet.over:
        return [
            voice(
                "`{place}` {name} · {count} point",
                "`{place}` {name} · {count} points",
                place=sheet.places[seat],
                name=name,
                count=totals[seat],
            )
            for seat, name in zip(lowest_first, names, strict=True)
        ]
    figures = columns(_figure(voice, totals[seat]) for seat in lowest_first)
    return [f"`{figure}` {name}" for figure, name in zip(figures, names, strict=True)]


def _deals(voice: Voice, sheet: ScoreSheet) -> list[str]:
    """The newest deals, points by seat, figures under figures; many seats in two tables."""
    if not sheet.deals:
        return []
    first = max(0, len(sheet.deals) - _DEALS_SHOWN)
    shown = sheet.deals[first:]
    width = max(len(_figure(voice, points)) for deal in shown for points in deal.points)
    lines: list[str] = []
    for seats in _tables(len(sheet.players)):
        names = voice.seat_names[seats.start : seats.stop]
        lines.append(quiet(voice("Each deal by seat"), *names))
        for number, deal in enumerate(shown, start=first + 1):
            lines.append(_deal_line(voice, number, deal, seats, width))
    return lines


def _tables(seats: int) -> Sequence[range]:
    """The seats that stand side by side."""
    if seats <= _WIDEST:
        return [range(seats)]
    half = (seats + 1) // 2
    return [range(half), range(half, seats)]


def _deal_line(voice: Voice, number: int, deal: KeptDeal, seats: range, width: int) -> str:
    points = " ".join(f"{_figure(voice, deal.points[seat]):\u2007>{width}}" for seat in seats)
    line = f"`{_figure(voice, number):\u2007>2}` `{points}`"
    if deal.shooter not in seats:
        return line
    return f"{line} {voice('{seats} shot the moon', seats=[deal.shooter])}"


def _state(voice: Voice, sheet: ScoreSheet) -> list[Markup]:
    """What is to be said about the end of the game."""
    if sheet.over:
        return []
    if sheet.extra_deal:
        return [bold(voice("The lowest total is shared: play another deal to find the winner."))]
    return []


def _rules(voice: Voice, sheet: ScoreSheet) -> list[Markup]:
    rules = sheet.rules
    moons = {
        MoonForm.ADD_OTHERS: "a moon gives {points} to everybody else",
        MoonForm.SUBTRACT_SELF: "a moon takes {points} off the shooter",
    }
    told = [
        voice("a deal adds up to {points}", points=rules.total),
        voice(moons[rules.moon], points=rules.moon_value),
        voice("the game is over at {points}", points=rules.target),
    ]
    if rules.jack:
        told.append(voice("the jack of diamonds takes 10 off"))
    return told


def _buttons(voice: Voice, keeper: Keeper, draft: Sequence[str]) -> list[Row]:
    sheet = keeper.sheet
    label = voice("Correct the points") if draft else voice("Enter points")
    enter = keeper_ids.OpenPoints(keeper.id, keeper.version, tuple(draft))
    undo = keeper_ids.UndoDeal(keeper.id, keeper.version)
    post = keeper_ids.PostScores(keeper.id, keeper.version)
    buttons = [
        press(enter, label, primary=True, disabled=sheet.over),
        press(undo, _undo_label(voice, sheet), disabled=not sheet.deals),
        press(post, voice("Post to channel"), disabled=not sheet.deals),
    ]
    return rows(buttons)


def _undo_label(voice: Voice, sheet: ScoreSheet) -> Markup:
    if not sheet.deals:
        return voice("Undo")
    return voice("Undo deal {number}", number=len(sheet.deals))


def _moon_menu(voice: Voice, keeper: Keeper) -> list[Row]:
    if keeper.sheet.over:
        return []
    return [
        menu(
            keeper_ids.ChooseShooter(keeper.id, keeper.version),
            _players(keeper.sheet),
            placeholder=voice("A moon: choose who shot it"),
        )
    ]


def _players(sheet: ScoreSheet) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label=plain_name(player), value=str(seat))
        for seat, player in enumerate(sheet.players)
    ]


def _figure(voice: Voice, number: int) -> str:
    return voice("{number}", number=number)
