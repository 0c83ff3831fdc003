"""OpenSpiel's hearts beside ours, for the benches; all by its own rules, without parameters.

Only who develops has it: where it is not installed, every function raises `ModuleNotFoundError`.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

_CARDS = 52
"""How many cards are played in a deal, the last of its actions."""
_DEALT = 1 + _CARDS
"""Its first actions: the direction of passing, and the deal."""
_PASSED = 3
"""Cards that a seat passes, one action each."""
_SEATS = 4
SIMULATIONS = 1_000
"""What its searching bot tries for each decision."""
_EXPLORES = 26.0
"""The weight of exploration of its search: a return lies between 0 and 26, or 104 after a moon."""

_State = Any
_Bot = Any


def cards_played(deals: int, dice: Random) -> tuple[int, float]:
    """How many cards so many deals at random take, and the seconds of listing and applying them."""
    game = _library().load_game("hearts")
    seconds = 0.0
    for _ in range(deals):
        actions = _at_random(game, dice).history()
        state = game.new_initial_state()
        for action in actions[:-_CARDS]:
            state.apply_action(action)
        start = time.perf_counter()
        for action in actions[-_CARDS:]:
            state.legal_actions()
            state.apply_action(action)
        seconds += time.perf_counter() - start
    return deals * _CARDS, seconds


def bots(seed: int, simulations: int = SIMULATIONS) -> Mapping[str, Callable[[int], _Bot]]:
    """Its players by name, each to be made for a seat; they live as long as this mapping.

    Args:
        seed: of their dice.
        simulations: what the searching one, the last, tries for each decision.
    """
    pyspiel = _library()
    # The bot does not keep it alive, and would crash without it.
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    return {
        "random": lambda seat: pyspiel.make_uniform_random_bot(seat, seed),
        f"ISMCTS {simulations:,}": lambda _: pyspiel.ISMCTSBot(
            seed, evaluator, _EXPLORES, simulations
        ),
    }


def seconds_of(
    make: Callable[[int], _Bot], dice: Random, *, cards: int, passes: int
) -> tuple[list[float], list[float]]:
    """CPU seconds of so many cards with a choice, and of so many passes, in deals at random."""
    game = _library().load_game("hearts")
    for_cards: list[float] = []
    for_passes: list[float] = []
    while len(for_cards) < cards or len(for_passes) < passes:
        actions = _at_random(game, dice).history()
        states = [*_states(game, actions)]
        for_passes += [_seconds(make, state, _PASSED) for state in _to_pass(states)]
        choices = [state for state in states[-_CARDS:] if len(state.legal_actions()) > 1]
        for_cards += [_seconds(make, state, 1) for state in dice.sample(choices, _SEATS)]
    return for_cards[:cards], for_passes[:passes]


def _library() -> Any:  # noqa: ANN401  compiled, without stubs
    import pyspiel  # noqa: PLC0415  only who develops has it

    return pyspiel


def _at_random(game: Any, dice: Random) -> _State:  # noqa: ANN401  as above
    """A deal that is played to its end."""
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(dice.choice(state.legal_actions()))
    return state


def _states(game: Any, actions: Sequence[int]) -> Iterator[_State]:  # noqa: ANN401  as above
    """The states before each of the actions."""
    state = game.new_initial_state()
    for action in actions:
        yield state.clone()
        state.apply_action(action)


def _to_pass(states: Sequence[_State]) -> Sequence[_State]:
    """The one in which its seat 0 has its pass before it; none where the deal is held.

    Asked for a pass of another seat, after cards have been passed, its searching bot brings the
    whole process down (OpenSpiel 2.0.2).
    """
    return states[_DEALT : _DEALT + 1] if len(states) > _DEALT + _CARDS else []


def _seconds(make: Callable[[int], _Bot], state: _State, actions: int) -> float:
    """How long the seat to move thinks about so many actions of its own."""
    bot = make(state.current_player())
    seconds = 0.0
    for _ in range(actions):
        start = time.process_time()
        action = bot.step(state)
        seconds += time.process_time() - start
        state.apply_action(action)
    return seconds
