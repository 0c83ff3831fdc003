"""Run by Alembic: the migrations over the connection that `db.migrate` has opened."""

from alembic import context

from db.columns import UtcDateTime
from db.models import METADATA


def plain_type(kind, value, _autogen_context):
    """Write a step in SQL's own types: it must not change its meaning with our code."""
    return "sa.BigInteger()" if kind == "type" and isinstance(value, UtcDateTime) else False


# One transaction for all steps, opened by the caller: a failure leaves the old schema whole.
context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,
    render_item=plain_type,
    transaction_per_migration=False,
)
context.run_migrations()
