"""Robots: a view of one seat in, a decision out."""

from collections.abc import Mapping
from types import MappingProxyType

from bot.ai.player import Player
from bot.ai.rule_of_thumb import RuleOfThumb

LEVELS: Mapping[str, Player] = MappingProxyType({"steady": RuleOfThumb()})
"""Robots by level, as tables and commands name them."""

__all__ = ["LEVELS", "Player"]
