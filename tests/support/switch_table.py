"""For every key of a ruleset a position in notation, and what each value makes of it."""

from tests.support.switches import (
    ASKED,
    REFUSED,
    Switch,
    after_a_tie,
    dealt,
    deck_worth,
    ends,
    first_playable,
    hand_after_a_card,
    last_trick_points,
    opening_of,
    passed,
    places,
    playable,
    points,
    seated,
    settlement,
    sizes,
    tiebreak_points,
    totals,
    tricks_after,
    who_sees_the_widow,
    widow_of,
    winner_of,
    worth,
)
from tests.support.taken import ALL_HEARTS

MOON = f"QS {ALL_HEARTS}"
TWELVE_HEARTS = ALL_HEARTS.removeprefix("2H ")
SHOT = (MOON, "", "", "")
PILES = ("QS", TWELVE_HEARTS, "2H", "")

PARTNERS = {"sides": "opposite"}
TWO_PACKS = {"packs": 2, "duplicates": "cancel_pairs", "moon": {"on": False}}
KITTY = {"hand": 12, "rest": "widow", "moon": {"on": False}}
STOCK = {"hand": 12, "rest": "stock", "pass_cycle": ["hold"]}
FOR_TWO = {"players": [2], "ranks": "2468TQA", "hand": 13, "rest": "widow"}
HOLD = {"pass_cycle": ["hold"]}
BAN = {"first_trick_ban": ["H*", "QS"]}
JACK = {"points": {"JD": -10}}
PENALTIES_ONLY = ("2C", "QS 2H", "3D 4D", "5D 6D")

SWITCHES = (
    Switch(key="players", look=seated(4), seen=(([4], 4), ([3], REFUSED))),
    Switch(
        key="sides",
        look=points(*PILES),
        seen=(
            ("solo", (13, 12, 1, 0)),
            ("opposite", (14, 12, 14, 12)),
            ("opposite_if_even", (14, 12, 14, 12)),
        ),
    ),
    Switch(
        key="sides",
        under={"players": [3], "remove": ["2D"]},
        look=points(*PILES[:3]),
        seen=(("opposite", REFUSED), ("opposite_if_even", (13, 12, 1))),
    ),
    Switch(
        key="side_score",
        under=PARTNERS,
        look=points(*PILES),
        seen=(("pooled", (14, 12, 14, 12)), ("individual_sum_at_end", (13, 12, 1, 0))),
    ),
    Switch(
        key="good_score",
        under={"moon": {"on": False}},
        look=places(*PILES),
        seen=(("low", (4, 3, 2, 1)), ("high", (1, 2, 3, 4))),
    ),
    Switch(key="packs", under=TWO_PACKS, look=deck_worth, seen=((1, 26), (2, 52))),
    Switch(key="ranks", look=deck_worth, seen=(("23456789TJQKA", 26), ("2468TQA", 20))),
    Switch(key="jokers", look=lambda rules: rules.tricks(4), seen=((0, 13), (4, 14))),
    Switch(
        key="remove",
        under=HOLD,
        look=opening_of(),
        seen=(([], "2C"), (["2C", "2D", "2S", "3D"], "3C")),
    ),
    Switch(
        key="add",
        under={"duplicates": "later_wins"},
        look=deck_worth,
        seen=(([], 26), (["QS", "2D", "3D", "4D"], 39)),
    ),
    Switch(
        key="hand",
        under={"rest": "widow"},
        look=lambda rules: rules.tricks(4),
        seen=(("even", 13), (12, 12)),
    ),
    Switch(
        key="rest",
        under={"hand": 12},
        look=dealt(sizes),
        seen=(("none", REFUSED), ("widow", (4, 0))),
    ),
    Switch(
        key="rest",
        under=STOCK | {"draw": "after_each_card"},
        look=dealt(sizes),
        seen=(("widow", REFUSED), ("stock", (0, 4))),
    ),
    Switch(key="widow.size", under=KITTY, look=dealt(sizes), seen=((4, (4, 0)), (2, REFUSED))),
    Switch(
        key="widow.positions",
        under=FOR_TWO,
        look=dealt(widow_of),
        seen=(("last", "QH AH"), ("middle", "AD 2S"), (["first", "last"], "2C AH")),
    ),
    Switch(
        key="widow.take",
        under=KITTY,
        look=points("", "3C", f"QS {ALL_HEARTS[6:]}", "", widow="2H 3H 4C 5C"),
        seen=(
            ("dead", (0, 0, 24, 0)),
            ("first_trick", (0, 2, 24, 0)),
            ("first_penalty", (0, 0, 26, 0)),
            ("last_trick", (2, 0, 24, 0)),
        ),
    ),
    Switch(
        key="widow.seen",
        under=KITTY | PARTNERS | {"widow": {"take": "first_trick"}},
        look=who_sees_the_widow("", "3C", MOON, "", widow="4C 5C 6C 7C"),
        seen=(
            ("none", ((), ())),
            ("taker", ((1,), (1,))),
            ("side", ((1, 3), (1, 3))),
            ("all_at_end", ((), (0, 1, 2, 3))),
        ),
    ),
    Switch(
        key="widow.never",
        under=KITTY | HOLD,
        look=opening_of(last="2C"),
        seen=(([], "3C"), (["2C"], "2C")),
    ),
    Switch(
        key="draw",
        under=STOCK,
        look=dealt(hand_after_a_card),
        seen=(("none", REFUSED), ("after_each_card", 12)),
    ),
    Switch(
        key="draw",
        under=HOLD,
        look=dealt(hand_after_a_card),
        seen=(("none", 12), ("after_each_card", REFUSED)),
    ),
    Switch(
        key="pass_cycle",
        look=passed,
        seen=((["hold"], 0), ([{"to": -1, "n": 3}], 3), ([{"scatter": 2}], 6)),
    ),
    Switch(
        key="first_lead",
        look=first_playable("5C 9D", "2C AC", "3C QS", "4C 2H"),
        seen=(
            ("lowest_club", "1: 2C"),
            ("holder_any_club", "1: 2C AC"),
            ("left_of_dealer", "0: 5C 9D"),
        ),
    ),
    Switch(
        key="void_play",
        look=playable("2D 3D", "3C QS", "4D 5D", "6D 7D", plays="2D"),
        seen=(("any", "3C QS"), ("qs_first_chance", "QS"), ("qs_when_safe", "QS")),
    ),
    Switch(
        key="void_play",
        look=playable("KS 3D", "2S QS", "4D 5D", "6D 7D", plays="KS"),
        seen=(("qs_when_safe", "QS"), ("qs_first_chance", "2S QS"), ("any", "2S QS")),
    ),
    Switch(
        key="first_trick_ban",
        look=first_playable("2C 3C", "QS 2D", "3D 4D", "5D 6D", plays="2C"),
        seen=(([], "1: 2D QS"), (["H*", "QS"], "1: 2D")),
    ),
    Switch(
        key="first_trick_exempt",
        under=BAN,
        look=first_playable("2C 3C", "QS 2H", "3D 4D", "5D 6D", plays="2C"),
        seen=(("any", "1: QS 2H"), ("qs_first", "1: QS")),
    ),
    Switch(
        key="hearts_lead",
        look=playable("2H 3S", "4S 5S", "6S 7S", "8S 9S"),
        seen=(("free", "3S 2H"), ("after_broken", "3S")),
    ),
    Switch(
        key="breakers",
        look=playable("KC 4C 5H", "QS 2D 3D", "3C 6D 7D", "2C 8D 9D", plays="KC QS 3C 2C"),
        seen=((["H*"], "4C"), (["H*", "QS"], "4C 5H")),
    ),
    Switch(
        key="break_on_lead",
        under={"players": [2], "hand": 7, "rest": "stock", "draw": "after_each_card"},
        look=playable("2H 3H", "5D 6D", plays="2H 5D", stock="4C 7S"),
        seen=((True, "4C 3H"), (False, "4C")),
    ),
    Switch(
        key="lead_exempt",
        look=playable("2H QS", "3S 4S", "5S 6S", "7S 8S"),
        seen=(("only_hearts", "QS"), ("hearts_or_qs", "QS 2H")),
    ),
    Switch(
        key="cards_per_player",
        under={"players": [2]},
        look=tricks_after("2C 4C", "2C 3C", "4C 5C"),
        seen=((1, 2), (2, 1)),
    ),
    Switch(
        key="duplicates",
        under=TWO_PACKS,
        look=winner_of("AS AS.2 KS QS"),
        seen=(("later_wins", 1), ("earlier_wins", 0), ("cancel_pairs", 2), ("none", REFUSED)),
    ),
    Switch(
        key="no_winner_last",
        under=TWO_PACKS | {"first_lead": "left_of_dealer"},
        look=last_trick_points("QS.2 QS 2H 2D"),
        seen=(
            ("dead", ((0, 0, 0, 0), (0, 0, 0, 0))),
            ("previous_winner", ((0, 27, 0, 0), (0, 0, 0, 0))),
            ("leader", ((0, 27, 0, 0), (0, 27, 0, 0))),
        ),
    ),
    Switch(key="points", look=worth("JD"), seen=(({}, 0), ({"JD": -10}, -10))),
    Switch(
        key="heart_scale",
        look=worth("2H 4H AH QH"),
        seen=(
            ("ones", 4),
            ("pip14", 32),
            ("greek", 31),
            ("low", 14),
            ("half_hi", 16),
            ("half_lo", 13),
        ),
    ),
    Switch(
        key="no_trick_bonus.points",
        look=points(*PILES),
        seen=((0, (13, 12, 1, 0)), (-5, (13, 12, 1, -5))),
    ),
    Switch(
        key="no_trick_bonus.if_moon",
        under={"no_trick_bonus": {"points": -5}},
        look=points(*SHOT),
        seen=((False, (0, 26, 26, 26)), (True, (0, 21, 21, 21))),
    ),
    Switch(
        key="no_trick_bonus.floor_zero",
        under={"no_trick_bonus": {"points": -5}},
        look=points(*PILES, totals=(0, 0, 0, 2)),
        seen=((False, (13, 12, 1, -5)), (True, (13, 12, 1, -2))),
    ),
    Switch(
        key="moon.on",
        look=points(*SHOT),
        seen=((True, (0, 26, 26, 26)), (False, (26, 0, 0, 0))),
    ),
    Switch(
        key="moon.bonus",
        under=JACK,
        look=points(MOON, "JD", "", ""),
        seen=((False, (0, 16, 26, 26)), (True, (26, -10, 0, 0))),
    ),
    Switch(
        key="moon.bonus_score",
        under=JACK,
        look=points(f"{MOON} JD", "", "", ""),
        seen=(("separate", (-10, 26, 26, 26)), ("absorbed", (0, 26, 26, 26))),
    ),
    Switch(
        key="moon.scope",
        under=PARTNERS,
        look=points("QS", "", ALL_HEARTS, ""),
        seen=(("player", (26, 0, 26, 0)), ("side", (0, 26, 0, 26))),
    ),
    Switch(
        key="moon.missing_ok",
        under={"duplicates": "cancel_pairs"},
        look=points(f"QS {TWELVE_HEARTS}", "", "", "", dead="2H"),
        seen=(("none", (25, 0, 0, 0)), ("dead_tricks", (0, 25, 25, 25))),
    ),
    Switch(
        key="moon.widow_points_void",
        under={"hand": 12, "rest": "widow"},
        look=points(f"QS {TWELVE_HEARTS}", "", "", "", widow="2H 4C 5C 6C"),
        seen=((True, (25, 0, 0, 0)), (False, (0, 25, 25, 25))),
    ),
    Switch(
        key="moon.payoff",
        look=points(*SHOT, totals=(90, 80, 10, 11)),
        seen=(
            ("add_others", (0, 26, 26, 26)),
            ("subtract_self", (-26, 0, 0, 0)),
            ("add_unless_shooter_then_loses", (-26, 0, 0, 0)),
            ("shooter_choice", ASKED),
            ("lose_value", REFUSED),
        ),
    ),
    Switch(
        key="moon.payoff",
        look=points(*SHOT, totals=(20, 80, 30, 31)),
        seen=(
            ("subtract_self", (-26, 0, 0, 0)),
            ("add_unless_shooter_then_loses", (0, 26, 26, 26)),
        ),
    ),
    Switch(
        key="moon.payoff",
        under={"good_score": "high"},
        look=points(*SHOT),
        seen=(("lose_value", (-26, 0, 0, 0)), ("subtract_self", REFUSED)),
    ),
    Switch(
        key="moon.value",
        look=points(*SHOT),
        seen=(("sum", (0, 26, 26, 26)), (20, (0, 20, 20, 20))),
    ),
    Switch(
        key="sun",
        look=points(*SHOT),
        seen=(("off", (0, 26, 26, 26)), ({"value": 52}, (0, 52, 52, 52))),
    ),
    Switch(
        key="end",
        look=ends,
        seen=(
            ({"target": 100}, (True, False, False)),
            ({"hands": 3}, (False, True, False)),
            ({"hands": "open"}, (False, False, True)),
            ({"minutes": 60}, (False, False, True)),
            ("single", (True, True, True)),
        ),
    ),
    Switch(
        key="exact",
        look=totals(*PILES, before=(87, 0, 0, 0)),
        seen=(({}, (100, 12, 1, 0)), ({"100": 50}, (50, 12, 1, 0))),
    ),
    Switch(
        key="tie",
        look=after_a_tie,
        seen=(
            ("extra_hands", (False, "passing")),
            ("share", (True, "passing")),
            ("tiebreak_no_pass", (False, "playing")),
        ),
    ),
    Switch(
        key="tiebreak_moon",
        under={"tie": "tiebreak_no_pass"},
        look=tiebreak_points(*SHOT),
        seen=((True, (0, 26, 26, 26)), (False, (26, 0, 0, 0))),
    ),
    Switch(
        key="settle",
        under={"end": {"hands": 1}},
        look=settlement("QS", "2H 3H 4H 5H 6H", "7H 8H 9H TH JH", "QH KH AH"),
        seen=(
            ("none", []),
            ("wilson", ["-8", "3", "3", "2"]),
            ("super", ["-10", "-2", "-2", "14"]),
            ("diff_from_mean", ["-13/2", "3/2", "3/2", "7/2"]),
            ("howell", ["-26", "6", "6", "14"]),
        ),
    ),
)
