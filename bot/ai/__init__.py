"""Robots: a view of one seat in, a decision out."""

from collections.abc import Mapping
from types import MappingProxyType

from bot.ai.casual import Casual
from bot.ai.player import Player
from bot.ai.rule_of_thumb import RuleOfThumb
from bot.ai.search import Searcher
from bot.ai.weights import Weights

LEVELS: Mapping[str, Player] = MappingProxyType(
    {
        "casual": Casual(),
        "steady": RuleOfThumb(),
        "sharp": Searcher(200, weights=Weights(shoot=0.03)),
        "expert": Searcher(1_200),
    }
)
"""Robots by level, the weakest first, as tables and commands name them. Those that search are too
slow to be asked inline. Each has a temper: casual is timid, sharp has hopes of moons."""

__all__ = ["LEVELS", "Player"]
