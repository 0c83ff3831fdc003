"""The engine: Hearts in all its forms as pure values and functions.

`decide.decide` says what happens when something is asked, `evolve.evolve` what the game is
afterwards. Functions that are named as their module are found there and not again here.
"""

from bot.rules.cards import Card, Hand, Rank, Seat, Suit, parse_cards, sorted_cards, write_cards
from bot.rules.commands import (
    BeginDeal,
    CallLastDeal,
    ClaimRest,
    Command,
    PassCards,
    PlayCard,
    PlayedBy,
    SettleMoon,
)
from bot.rules.decide import new_game
from bot.rules.dimensions import MoonPayoff
from bot.rules.errors import (
    HeartsError,
    IllegalMoveError,
    NotationError,
    Reason,
    RecordError,
    RulesetError,
)
from bot.rules.events import (
    CardPlayed,
    CardsPassed,
    DealBegan,
    DealScored,
    Event,
    GameEnded,
    LastDealCalled,
    MoonSettled,
)
from bot.rules.evolve import replay
from bot.rules.legal import Choice, choice, to_move
from bot.rules.ruleset import Ruleset
from bot.rules.ruleset_io import from_dict, to_dict
from bot.rules.sentence import Sentence
from bot.rules.state import Deal, Game, Moon, Phase, Play, Score, ScoreLine, Trick
from bot.rules.variants import load
from bot.rules.view import PublicView, SeatView, public_view, seat_view

__all__ = [
    "BeginDeal",
    "CallLastDeal",
    "Card",
    "CardPlayed",
    "CardsPassed",
    "Choice",
    "ClaimRest",
    "Command",
    "Deal",
    "DealBegan",
    "DealScored",
    "Event",
    "Game",
    "GameEnded",
    "Hand",
    "HeartsError",
    "IllegalMoveError",
    "LastDealCalled",
    "Moon",
    "MoonPayoff",
    "MoonSettled",
    "NotationError",
    "PassCards",
    "Phase",
    "Play",
    "PlayCard",
    "PlayedBy",
    "PublicView",
    "Rank",
    "Reason",
    "RecordError",
    "Ruleset",
    "RulesetError",
    "Score",
    "ScoreLine",
    "Seat",
    "SeatView",
    "Sentence",
    "SettleMoon",
    "Suit",
    "Trick",
    "choice",
    "from_dict",
    "load",
    "new_game",
    "parse_cards",
    "public_view",
    "replay",
    "seat_view",
    "sorted_cards",
    "to_dict",
    "to_move",
    "write_cards",
]
