"""What Discord says of people, places and messages, as far as the library wants to hear of it."""

from typing import Any

from bot.table.ids import ChannelId, GuildId

APPLICATION = 2_000
GUILDS, CHANNELS = range(3_000, 3_025), range(4_000, 5_000)
_CHANNELS_A_GUILD = 40
"""A server may have fifty tables."""
_ISO = "2026-01-05T12:00:00+00:00"


def user(number: int, *, bot: bool = False) -> dict[str, Any]:
    return {
        "id": str(number),
        "username": f"user{number}",
        "discriminator": "0",
        "global_name": None,
        "avatar": None,
        "bot": bot,
    }


def member(number: int) -> dict[str, Any]:
    return {
        "user": user(number),
        "roles": [],
        "joined_at": _ISO,
        "deaf": False,
        "mute": False,
        "flags": 0,
        "permissions": str(1 << 11),
    }


def application() -> dict[str, Any]:
    return {
        "id": str(APPLICATION),
        "name": "Hearts",
        "icon": None,
        "description": "",
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "",
        "flags": 0,
        "owner": user(1),
        "team": None,
    }


def command(place: int, sent: dict[str, Any]) -> dict[str, Any]:
    ids = {"id": str(9_000 + place), "application_id": str(APPLICATION), "version": "1"}
    return sent | ids


def gateway_limits(address: str) -> dict[str, Any]:
    limits = {"total": 1_000, "remaining": 999, "reset_after": 0, "max_concurrency": 1}
    return {"url": f"ws://{address}/gateway", "shards": 1, "session_start_limit": limits}


def channel(number: int) -> dict[str, Any]:
    return {
        "id": str(number),
        "type": 0,
        "name": "hearts",
        "position": 0,
        "permission_overwrites": [],
    }


def guild_of(number: int) -> GuildId:
    """Where a channel is; the first one has those that nobody lists, too."""
    place = (number - CHANNELS[0]) // _CHANNELS_A_GUILD if number in CHANNELS else 0
    return GuildId(GUILDS[place])


def guild(number: int) -> dict[str, Any]:
    channels = [channel(each) for each in CHANNELS if guild_of(each) == number]
    everyone = {
        "id": str(number),
        "name": "@everyone",
        "permissions": str((1 << 50) - 1),
        "position": 0,
        "color": 0,
        "hoist": False,
        "managed": False,
        "mentionable": False,
        "flags": 0,
    }
    return {
        "id": str(number),
        "name": "Card Club",
        "icon": None,
        "owner_id": "1",
        "preferred_locale": "en-US",
        "roles": [everyone],
        "emojis": [],
        "stickers": [],
        "features": [],
        "members": [member(APPLICATION)],
        "member_count": 1,
        "channels": channels,
        "threads": [],
        "voice_states": [],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "verification_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "premium_tier": 0,
        "system_channel_flags": 0,
        "afk_timeout": 300,
        "unavailable": False,
        "large": False,
    }


def message(number: int, channel: ChannelId) -> dict[str, Any]:
    return {
        "id": str(number),
        "channel_id": str(channel),
        "author": user(APPLICATION, bot=True),
        "content": "",
        "timestamp": _ISO,
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "pinned": False,
        "type": 0,
        "flags": 0,
        "components": [],
    }
