"""`/hearts scorekeeper`: the score of a game that people play with real cards."""

import re
from collections.abc import Sequence
from typing import Any, assert_never

import discord
from discord import app_commands

from bot.rules.scorekeeper import ScoreKeeperError, demand_count, lacks_jack
from bot.rules.sentence import Sentence
from bot.table.errors import NotKeeperError, StaleClickError
from bot.table.ids import ChannelId, GuildId, UserId
from bot.table.keeping import Keeper, KeptWhere, SeenKeeper
from bot.table.scorekeeper import ScoreKeepers
from cogs.answers import Answer, Answers, Form, Here, Private
from cogs.commands import subcommand
from cogs.errors import BadOptionError, NotHereError, UnknownChoiceError
from cogs.inputs import fields_of, values_of
from cogs.names import Markup, plain_name, safe_name
from cogs.services import Interaction, channel_of, services_of, user_of
from cogs.ui import keeper_ids
from cogs.ui.keeper_forms import (
    draft_of,
    points_form,
    read_points,
    read_rules,
    rules_form,
    typed_points,
)
from cogs.ui.keeper_ids import KeeperAction
from cogs.ui.notice import render_notice
from cogs.ui.scorekeeper import (
    close_question,
    jack_question,
    render_keeper,
    render_public_scores,
    render_to_moderator,
)

_Change = (
    keeper_ids.EnterPoints
    | keeper_ids.ChooseShooter
    | keeper_ids.ChooseJack
    | keeper_ids.ChooseMissingJack
    | keeper_ids.UndoDeal
    | keeper_ids.SaveRules
)
_NAME_PLAYERS = Sentence(
    "Name the players in seat order, with commas between them, such as "
    "`/hearts scorekeeper players: Ana, Ben, Cy, Dee`. They may be 3 to 10, and a name may be a "
    "mention."
)
_STILL_OPEN = Sentence("You keep this score here already: close it before you begin another.")
_NONE_OF_THEIRS = Sentence("{name} keeps no score in this channel.")
_UNKNOWN_MEMBER = Sentence("I do not find {whom} in this server. Type the name instead.")
_MAY_NOT_WRITE = Sentence(
    "You may not write in this channel, so I do not post the scores there for you. Use "
    "`/hearts scorekeeper` in a channel where you may."
)
_POSTED = Sentence("The scores stand in the channel now.")
_CLOSED = Sentence("The score keeper is closed.")
_MENTION = re.compile(r"<@!?(\d{1,20})>")
_BETWEEN_NAMES = re.compile(r"[,;\n]+")


class ScoreKeeper:
    """The panel. Each press is stored before it shows, and counts for the version that was seen."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers

    @subcommand("scorekeeper", "Keep the score of a game that you play with real cards")
    @app_commands.describe(
        players="A new game: 3 to 10 names or mentions in seat order, with commas between them",
        keeper="Whose score to look at, for people who may manage messages here",
    )
    async def scorekeeper(
        self,
        interaction: discord.Interaction[Any],
        players: str | None = None,
        keeper: discord.User | None = None,
    ) -> None:
        """Open the panel, or open it again."""
        await self._answers.give(interaction, self._open(interaction, players, keeper))

    async def press(self, interaction: Interaction, action: KeeperAction) -> Answer:
        """Do what was pressed; what is refused shows the panel as it stands, and says why."""
        try:
            return await self._do(interaction, action)
        except (ScoreKeeperError, StaleClickError) as refusal:
            keeper = await _look(interaction, action)
            draft = _draft(interaction, action, keeper)
            return Here(
                render_keeper(
                    keeper, notice=refusal.sentence, draft=draft, locale=interaction.locale
                )
            )

    async def _open(
        self, interaction: Interaction, players: str | None, keeper: discord.User | None
    ) -> Answer:
        keepers = _keepers(interaction)
        if keeper is not None and keeper.id != interaction.user.id:
            return await _somebody_elses(interaction, keeper)
        where = _where(interaction, user_of(interaction))
        found = await keepers.find(where)
        if found is not None:
            notice = _STILL_OPEN if players else None
            return Private(render_keeper(found, notice=notice, locale=interaction.locale))
        if players is None:
            raise BadOptionError(_NAME_PLAYERS)
        opened = await keepers.open(where, await _names(interaction, players))
        return Private(render_keeper(opened, locale=interaction.locale))

    async def _do(self, interaction: Interaction, action: KeeperAction) -> Answer:
        """Looks and questions here, changes in `_change`."""
        locale = interaction.locale
        match action:
            case keeper_ids.ShowKeeper():
                return Here(_drawn(interaction, await _look(interaction, action)))
            case keeper_ids.OpenPoints():
                keeper = await _still(interaction, action.seen)
                return Form(points_form(keeper, action.draft, locale))
            case keeper_ids.OpenRules():
                return Form(rules_form(await _still(interaction, action.seen), locale))
            case keeper_ids.AskClose():
                return Here(close_question(await _look(interaction, action), locale))
            case keeper_ids.ConfirmClose():
                await _keepers(interaction).close(
                    action.keeper, user_of(interaction), moderates=_moderated(interaction)
                )
                return Here(render_notice(_CLOSED, locale))
            case keeper_ids.PostScores():
                return await self._post(interaction, action)
            case _:
                return await self._change(interaction, action)

    async def _change(self, interaction: Interaction, action: _Change) -> Answer:
        keepers, user_id = _keepers(interaction), user_of(interaction)
        match action:
            case keeper_ids.EnterPoints():
                return await self._enter(interaction, action)
            case keeper_ids.ChooseMissingJack(draft=typed):
                keeper = await _still(interaction, action.seen)
                points = read_points(keeper.sheet, typed)
                jack = _player(values_of(interaction), nobody=True)
                after = await keepers.enter_without_jack(action.seen, user_id, points, jack)
            case keeper_ids.ChooseShooter():
                return await self._moon(interaction, action)
            case keeper_ids.ChooseJack(shooter=shooter):
                jack = _player(values_of(interaction), nobody=True)
                after = await keepers.shoot(action.seen, user_id, shooter, jack)
            case keeper_ids.UndoDeal():
                after = await keepers.undo(action.seen, user_id)
            case keeper_ids.SaveRules():
                keeper = await _still(interaction, action.seen)
                rules = read_rules(keeper.sheet.rules, fields_of(interaction))
                after = await keepers.set_rules(action.seen, user_id, rules)
            case _:
                assert_never(action)
        return Here(render_keeper(after, locale=interaction.locale))

    async def _enter(self, interaction: Interaction, action: keeper_ids.EnterPoints) -> Answer:
        """Where only a jack that counts is lacking, it is asked who took that."""
        keeper = await _still(interaction, action.seen)
        typed = typed_points(keeper.sheet, fields_of(interaction))
        points = read_points(keeper.sheet, typed)
        if lacks_jack(keeper.sheet, points):
            draft = tuple(str(each) for each in points)
            asks = keeper_ids.ChooseMissingJack(keeper.id, keeper.version, draft)
            return Here(jack_question(keeper, asks, interaction.locale))
        after = await _keepers(interaction).enter(action.seen, user_of(interaction), points)
        return Here(render_keeper(after, locale=interaction.locale))

    async def _moon(self, interaction: Interaction, action: keeper_ids.ChooseShooter) -> Answer:
        """One press is enough, unless the jack counts: then it is asked who took that."""
        keeper = await _still(interaction, action.seen)
        shooter = _player(values_of(interaction))
        if shooter is None or shooter >= len(keeper.sheet.players):
            raise UnknownChoiceError
        if keeper.sheet.rules.jack:
            asks = keeper_ids.ChooseJack(keeper.id, keeper.version, shooter)
            return Here(jack_question(keeper, asks, interaction.locale))
        keepers = _keepers(interaction)
        after = await keepers.shoot(action.seen, user_of(interaction), shooter, None)
        return Here(render_keeper(after, locale=interaction.locale))

    async def _post(self, interaction: Interaction, action: keeper_ids.PostScores) -> Answer:
        """Count the press first, so that one pressed twice posts once."""
        _demand_may_write(interaction)
        after = await _keepers(interaction).claim_post(action.seen, user_of(interaction))
        posted = render_public_scores(
            after, interaction.user.display_name, interaction.guild_locale
        )
        return Here(render_keeper(after, notice=_POSTED, locale=interaction.locale), public=posted)


def _keepers(interaction: Interaction) -> ScoreKeepers:
    return services_of(interaction).keepers


def _where(interaction: Interaction, owner: UserId) -> KeptWhere:
    guild_id = None if interaction.guild_id is None else GuildId(interaction.guild_id)
    return KeptWhere(channel_of(interaction), owner, guild_id)


def _moderated(interaction: Interaction) -> ChannelId | None:
    """This channel, if the person may manage messages in it."""
    if interaction.guild_id is None or not interaction.permissions.manage_messages:
        return None
    return channel_of(interaction)


async def _look(interaction: Interaction, action: KeeperAction) -> Keeper:
    return await _keepers(interaction).look(
        action.keeper, user_of(interaction), moderates=_moderated(interaction)
    )


async def _still(interaction: Interaction, seen: SeenKeeper) -> Keeper:
    """The person's own, as it was seen.

    Raises:
        StaleClickError: it has changed since.
    """
    keeper = await _keepers(interaction).look(seen.id, user_of(interaction))
    if keeper.version != seen.version:
        raise StaleClickError
    return keeper


def _drawn(interaction: Interaction, keeper: Keeper) -> discord.ui.LayoutView:
    if keeper.where.owner == interaction.user.id:
        return render_keeper(keeper, locale=interaction.locale)
    return render_to_moderator(keeper, interaction.locale)


def _draft(interaction: Interaction, action: KeeperAction, keeper: Keeper) -> tuple[str, ...]:
    """The points that were typed and did not count."""
    if not isinstance(action, keeper_ids.EnterPoints):
        return ()
    return draft_of(typed_points(keeper.sheet, fields_of(interaction)))


async def _somebody_elses(interaction: Interaction, owner: discord.User) -> Answer:
    if _moderated(interaction) is None:
        raise NotKeeperError
    found = await _keepers(interaction).find(_where(interaction, UserId(owner.id)))
    if found is None:
        name = safe_name(owner.display_name)
        raise BadOptionError(Sentence(_NONE_OF_THEIRS.text, {"name": name}))
    return Private(render_to_moderator(found, interaction.locale))


def _demand_may_write(interaction: Interaction) -> None:
    """Make sure that nobody puts words into a channel in which they may write none."""
    if interaction.guild_id is None:
        return
    granted = interaction.permissions
    in_thread = isinstance(interaction.channel, discord.Thread)
    if not (granted.send_messages_in_threads if in_thread else granted.send_messages):
        raise NotHereError(_MAY_NOT_WRITE)


def _player(values: Sequence[str], *, nobody: bool = False) -> int | None:
    """What was chosen in a menu of players."""
    if nobody and list(values) == [keeper_ids.NOBODY]:
        return None
    if len(values) != 1 or re.fullmatch(r"[0-9]{1,2}", values[0]) is None:
        raise UnknownChoiceError
    return int(values[0])


async def _names(interaction: Interaction, typed: str) -> tuple[str, ...]:
    """The players that were named, each as typed or as the mentioned member is called here."""
    split = _BETWEEN_NAMES.split(_MENTION.sub(r",<@\1>,", typed))
    pieces = [piece.strip() for piece in split if piece.strip()]
    demand_count(len(pieces))  # before Discord is asked for each of them
    return tuple([await _name(interaction, piece) for piece in pieces])


async def _name(interaction: Interaction, piece: str) -> str:
    mention = _MENTION.fullmatch(piece)
    if mention is None:
        return plain_name(piece.removeprefix("@"))
    user_id = int(mention[1])
    if user_id == interaction.user.id:
        return plain_name(interaction.user.display_name)
    if interaction.guild is None:
        raise _unknown(user_id)
    try:
        return plain_name((await interaction.guild.fetch_member(user_id)).display_name)
    except discord.HTTPException as failure:
        raise _unknown(user_id) from failure


def _unknown(user_id: int) -> BadOptionError:
    whom = Markup(f"<@{user_id}>")
    return BadOptionError(Sentence(_UNKNOWN_MEMBER.text, {"whom": whom}))
