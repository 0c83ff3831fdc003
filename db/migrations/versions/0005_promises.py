"""Cuts of the deck, leases of shards, adjustments counted, people and servers to be forgotten.

Revision: 0005, after 0004
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("deals", sa.Column("cuts", sa.JSON(none_as_null=True), nullable=True))
    op.add_column(
        "tables", sa.Column("adjusted", sa.Integer(), server_default=sa.text("0"), nullable=False)
    )
    op.create_table(
        "leases",
        sa.Column("shard", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("shards", sa.Integer(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("shard", name="pk_leases"),
    )
    op.create_table(
        "erasures",
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("asked_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="pk_erasures"),
    )
    op.create_index("ix_erasures_due_at", "erasures", ["due_at"])
    op.create_table(
        "departures",
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("left_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name="pk_departures"),
    )
    op.create_index("ix_departures_due_at", "departures", ["due_at"])
