import pytest

# The contracts are imported by the tests of each database; their asserts shall explain too.
for contract in ("commits", "lists", "posts", "outbox", "timers", "choices", "board"):
    pytest.register_assert_rewrite(f"tests.db.contract.{contract}")
