"""Messages that have to be deleted, each asked for once."""

from datetime import datetime

from sqlalchemy import BigInteger, Text, bindparam, insert, literal
from sqlalchemy import select as plain_select
from sqlmodel import Session

from bot.table.ids import ChannelId, MessageId, TableId
from bot.table.storing import OutgoingKind
from db.columns import UtcDateTime
from db.models import OUTBOX, TABLES

_NONCE = bindparam("nonce", type_=Text)
_COLUMNS = {
    "guild_id": TABLES.c.guild_id,
    "table_id": TABLES.c.id,
    "channel_id": bindparam("channel", type_=BigInteger),
    "kind": literal(OutgoingKind.DELETE.value),
    "nonce": _NONCE,
    "due_at": bindparam("at", type_=UtcDateTime),
    "attempts": literal(0),
    "message_id": bindparam("message", type_=BigInteger),
}
_ASKED = plain_select(OUTBOX.c.id).where(OUTBOX.c.nonce == _NONCE).exists()
_ASK = insert(OUTBOX).from_select(
    list(_COLUMNS),
    plain_select(*_COLUMNS.values()).where(TABLES.c.id == bindparam("of", type_=Text), ~_ASKED),
)


def ask_deletion(
    session: Session,
    table_id: TableId,
    channel_id: ChannelId,
    message_id: MessageId,
    due_at: datetime,
) -> None:
    """Add the deletion of a message of a stored table to the outbox, unless it is there."""
    values = {
        "of": table_id,
        "channel": channel_id,
        "message": message_id,
        "nonce": f"d{message_id}",
        "at": due_at,
    }
    session.exec(_ASK, params=values)
