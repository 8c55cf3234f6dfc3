"""The weights of a `Policy`: their names, what each is for, and their values before tuning.

Sums are in 1/16 of a point: a weight of 16 counts a point at its face value. `policy.pxd` has the indices of
the weights.
"""

from __future__ import annotations

#: The weights in order: name, meaning, value before tuning.
MEANING: tuple[tuple[str, str, int], ...] = (
    ("drawn", "what a card from the stock brings", 72),
    ("cards", "a card more in hand after a take", 8),
    ("hope", "a card in hand that one live card would bring down, per point", 11),
    ("tempo", "the turn that a call brings", 63),
    ("melded", "a point that can go down now", 32),
    ("lay", "a point laid now and not later", 8),
    ("fourth", "three of a kind laid whose fourth may come, where four count double, per point", 16),
    ("joker", "a wild joker in hand, or one of three, per point", 23),
    ("lone_joker", "each joker of its own rank short of three, per point", 16),
    ("go", "going out now", 389),
    ("go_cards", "for each card that others hold", 29),
    ("open", "a live card that a play lets others lay off, per quarter of a point", 1),
    ("left_2", "a play that leaves two cards when it is time to discard", 0),
    ("left_3", "three", 0),
    ("left_4", "four", 0),
    ("burden_0", "a point held, by the least number of cards another holds: none", 32),
    ("burden_1", "one", 58),
    ("burden_2", "two", 19),
    ("burden_3", "three", 17),
    ("burden_4", "four", 14),
    ("burden_5", "five or six", 5),
    ("burden_7", "seven to ten", 3),
    ("burden_11", "eleven and more", 2),
    ("near", "a point laid now and not later, where another player holds a single card: so much the more", 0),
)
#: The signs by which a discard is judged: name, meaning, cost, and cost per point of the card.
SIGNS_MEANING: tuple[tuple[str, str, int, int], ...] = (
    ("card", "the card itself", 0, -40),
    ("out_set", "a live out to a set", 0, 20),
    ("out_run", "a live out to a run", 0, 20),
    ("out_table", "a live out to a lay-off", 0, 10),
    ("out_pile", "an out that lies in the pile", 0, 30),
    ("near_run", "a live neighbour", 0, 10),
    ("near_set", "two live mates", 0, 5),
    ("made", "it is part of a meld in hand", 0, 240),
    ("fits", "it fits the table", 0, 140),
    ("sure", "two cards to go with it are known to be within reach of the next player", 100, 200),
    ("half", "one is, and one is unseen: each such pair, in thirty-seconds of the chance", 20, 9),
    ("maybe", "both are unseen", 15, 6),
    ("twin", "the same card is held twice", 0, -100),
    ("held", "two cards to go with it are known to be in others' hands: so much the more", 0, 0),
    ("half_held", "one is, and one is unseen: so much the more, in thirty-seconds of the chance", 0, 0),
)
#: The signs by which discarding a joker is judged: name, meaning, cost per point.
JOKER_SIGNS_MEANING: tuple[tuple[str, str, int], ...] = (
    ("joker_lone", "a joker of its own rank, held alone", 120),
    ("joker_pair", "one of two", 180),
    ("joker_made", "a wild one, one of three, or one that the table takes", 200),
    ("joker_near", "each joker in the pile or known to be in an opponent's hand", 0),
)
#: The phases of a deal, by the fewest cards in another hand: up to three, up to seven, more.
TIMES = ("late", "middle", "early")


def names() -> tuple[str, ...]:
    """Return the names of the weights, in order."""
    plain = [name for name, _, _ in MEANING]
    parts = [(time, name) for time in TIMES for name, _, _, _ in SIGNS_MEANING]
    jokers = [f"{time}_{name}" for time in TIMES for name, _, _ in JOKER_SIGNS_MEANING]
    return (*plain, *(f"{time}_{name}{of}" for time, name in parts for of in ("", "_per_point")), *jokers)


def hand_set() -> list[int]:
    """Return the untuned weights, from which tuning starts."""
    costs = [cost for _, _, flat, per_point in SIGNS_MEANING for cost in (flat, per_point)]
    jokers = [cost for _, _, cost in JOKER_SIGNS_MEANING]
    return [weight for _, _, weight in MEANING] + costs * len(TIMES) + jokers * len(TIMES)
