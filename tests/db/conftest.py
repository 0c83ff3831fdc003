import pytest

# The contracts are imported by the tests of each database; their asserts shall explain too.
CONTRACTS = ("commits", "lists", "posts", "outbox", "timers", "choices", "board", "keepers")
for contract in CONTRACTS:
    pytest.register_assert_rewrite(f"tests.db.contract.{contract}")
