import pytest

# The contracts are imported by the tests of each database; their asserts shall explain too.
CONTRACTS = (
    "adjustments",
    "board",
    "choices",
    "commits",
    "deals",
    "departures",
    "erasures",
    "keepers",
    "leases",
    "lists",
    "moves",
    "outbox",
    "posts",
    "shards",
    "timers",
    "vitals",
)
for contract in CONTRACTS:
    pytest.register_assert_rewrite(f"tests.db.contract.{contract}")
