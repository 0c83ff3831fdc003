"""What a process did in a channel after its lease was gone: it may only ask for another look.

It was stopped between a look at the store and its call to Discord, or in the middle of the call.
The call cannot be taken back, and nobody else knows of it.
"""

from sqlalchemy import select as plain_select
from sqlalchemy import update
from sqlmodel import Session

from bot.table.posting import Sent
from bot.table.storing import Outgoing, PostedState
from db.columns import moment
from db.deletions import ask_deletion
from db.models import OUTBOX, POSTS

_AT_ONCE = moment(0)


def shown(session: Session, state: PostedState) -> None:
    """See `bot.table.ports.Work.shown_late`."""
    here = (POSTS.c.table_id == state.table_id) & (POSTS.c.slot == state.slot)
    row = session.connection().execute(plain_select(POSTS.c.message_id).where(here)).first()
    if row is not None and row.message_id == state.message_id:
        unknown = {"digest": None, "posted_version": POSTS.c.posted_version - 1}
        session.exec(update(POSTS).where(here).values(unknown))
    elif row is None or row.message_id is not None:
        ask_deletion(session, state.table_id, state.channel_id, state.message_id, _AT_ONCE)
    # Else it has yet to be sent, and the nonce leads to the message that is there already.


def called(session: Session, outgoing: Outgoing, sent: Sent) -> None:
    """See `bot.table.ports.Work.called_late`."""
    asked = plain_select(OUTBOX.c.message_id, OUTBOX.c.withdrawn_at)
    row = session.connection().execute(asked.where(OUTBOX.c.id == outgoing.id)).first()
    if row is not None and row.withdrawn_at is None and row.message_id in {None, sent.message_id}:
        return
    ask_deletion(session, outgoing.table_id, sent.channel_id, sent.message_id, _AT_ONCE)
