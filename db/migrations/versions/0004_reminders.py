"""Since when a seat's time runs, what it has been credited, and which calls are reminders.

Revision: 0004, after 0003
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Timers that run already have no beginning: they keep the moment at which they are due.
    op.add_column("timers", sa.Column("begun_at", sa.BigInteger(), nullable=True))
    op.add_column("timers", sa.Column("credit_ms", sa.BigInteger(), nullable=True))
    op.add_column("outbox", sa.Column("reminder", sa.Integer(), nullable=True))
