"""Any public post of a table."""

from typing import assert_never

import discord
from discord import ui

from bot.table.posting import DealPost, LobbyPost, Post, ResultPost, SheetPost, TrickPost
from cogs.ui.deal import render_deal
from cogs.ui.lobby import render_lobby
from cogs.ui.result import render_result
from cogs.ui.score_sheet import render_sheet
from cogs.ui.trick import render_trick


def render_post(post: Post, locale: discord.Locale | None = None) -> ui.LayoutView:
    """Draw *post* for everybody in the channel; *locale* is the server's."""
    match post:
        case LobbyPost():
            return render_lobby(post, locale)
        case DealPost():
            return render_deal(post, locale)
        case TrickPost():
            return render_trick(post, locale)
        case SheetPost():
            return render_sheet(post, locale)
        case ResultPost():
            return render_result(post, locale)
        case _:
            assert_never(post)
