"""Which rights a table needs, and what the invitation asks for."""

import discord
import pytest

from cogs.permissions import INVITE, MissingRightsError, missing_for_threads, missing_rights


@pytest.mark.parametrize(
    ("granted", "in_thread", "missing"),
    [
        ({}, False, ["View Channel", "Send Messages"]),
        ({"view_channel"}, False, ["Send Messages"]),
        ({"view_channel", "send_messages"}, False, []),
        ({"view_channel", "send_messages"}, True, ["Send Messages in Threads"]),
        ({"view_channel", "send_messages_in_threads"}, True, []),
        ({"send_messages"}, False, ["View Channel"]),
    ],
)
def test_what_is_missing_is_named_right_by_right(granted, in_thread, missing):
    permissions = discord.Permissions(**dict.fromkeys(granted, True))
    found = missing_rights(permissions, in_thread=in_thread)
    assert [right.name for right in found] == missing


def test_the_invitation_asks_for_enough_and_for_nothing_that_frightens():
    assert not missing_rights(INVITE, in_thread=False)
    assert not missing_rights(INVITE, in_thread=True)
    assert not missing_for_threads(INVITE)
    wanted = (
        "view_channel",
        "send_messages",
        "send_messages_in_threads",
        "create_public_threads",
        "read_message_history",
    )
    assert discord.Permissions(**dict.fromkeys(wanted, True)) == INVITE


@pytest.mark.parametrize(
    ("granted", "missing"),
    [
        ({}, ["Create Public Threads", "Send Messages in Threads"]),
        ({"create_public_threads"}, ["Send Messages in Threads"]),
        ({"send_messages_in_threads", "create_public_threads"}, []),
        ({"send_messages_in_threads", "create_private_threads"}, ["Create Public Threads"]),
    ],
)
def test_a_thread_for_a_table_needs_two_rights_of_its_own(granted, missing):
    permissions = discord.Permissions(**dict.fromkeys(granted, True))
    assert [right.name for right in missing_for_threads(permissions)] == missing


def test_the_error_says_which_right_where_and_who_can_give_it():
    lacking = missing_rights(discord.Permissions.none(), in_thread=False)
    said = str(MissingRightsError(5, lacking).sentence)
    assert "<#5>" in said
    assert "**View Channel**, **Send Messages**" in said
    assert "Somebody who may manage that channel's permissions" in said
