"""Whether fewer points were better in the game of a result.

Revision: 0003, after 0002
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Until now there were only games in which they were.
    low_wins = sa.Column("low_wins", sa.Boolean(), nullable=False, server_default=sa.true())
    # Rebuilt, not altered: SQLite writes an added column behind the constraints.
    with op.batch_alter_table("results", recreate="auto") as results:
        results.add_column(low_wins)
