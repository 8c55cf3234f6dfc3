"""Exact values of small two-player zero-sum games with hidden information.

A tree has chance nodes, decisions and leaves in flat lists, parents before their children. Values are those
of player 0; player 1 gets their negatives. Nodes that a player cannot tell apart share an information set.
In all nodes of a set the player's own past is the same (perfect recall), so that a best response can be
computed set by set.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

CHANCE, LEAF = -1, -2
"""The values of `Tree.who` for nodes without a player."""

Policy = list[list[float]]
"""For each information set, the probability of each of its actions."""


@dataclass
class Tree:
    """The tree of a game. Node 0 is the root."""

    who: list[int] = field(default_factory=list)
    """The player of each node, `CHANCE` or `LEAF`."""
    info: list[int] = field(default_factory=list)
    """The information set of each node; -1 if it has none."""
    kids: list[list[int]] = field(default_factory=list)
    """The children of each node; those of a decision are in the order of its actions."""
    odds: list[list[float]] = field(default_factory=list)
    """The probability of each child of a chance node."""
    value: list[float] = field(default_factory=list)
    """The value of each leaf for player 0."""
    owner: list[int] = field(default_factory=list)
    """The player of each information set."""
    actions: list[tuple[int, ...]] = field(default_factory=list)
    """The legal actions of each information set."""
    members: list[list[int]] = field(default_factory=list)
    """The nodes of each information set."""
    _number: dict[Hashable, int] = field(default_factory=dict)

    def add(self, parent: int, who: int, value: float = 0.0, chance: float = 1.0) -> int:
        """Add a node below `parent`, or the root for -1, and return it; `chance` is its probability."""
        node = len(self.who)
        self.who.append(who)
        self.info.append(-1)
        self.kids.append([])
        self.odds.append([])
        self.value.append(value)
        if parent >= 0:
            self.kids[parent].append(node)
            self.odds[parent].append(chance)
        return node

    def decide(
        self, parent: int, player: int, key: Hashable, actions: Sequence[int], chance: float = 1.0
    ) -> int:
        """Add a decision and return it. Nodes of one player with the same key share an information set."""
        node = self.add(parent, player, chance=chance)
        number = self._number.setdefault((player, key), len(self.owner))
        if number == len(self.owner):
            self.owner.append(player)
            self.actions.append(tuple(actions))
            self.members.append([])
        assert self.actions[number] == tuple(actions), "an information set with different actions"
        self.info[node] = number
        self.members[number].append(node)
        return node

    def uniform(self) -> Policy:
        """Return the policy that plays all actions with the same probability."""
        return [[1 / len(actions)] * len(actions) for actions in self.actions]

    def chances(self, policy: Policy) -> list[list[float]]:
        """Return the probabilities of each node's children if both players follow the policy."""
        return [
            self.odds[node] if who == CHANCE else policy[self.info[node]] if who != LEAF else []
            for node, who in enumerate(self.who)
        ]


def expected(tree: Tree, policy: Policy) -> float:
    """Return the expected value for player 0 if both players follow the policy."""
    worth, chances = list(tree.value), tree.chances(policy)
    for node in range(len(tree.who) - 1, -1, -1):
        if tree.who[node] != LEAF:
            worth[node] = sum(p * worth[kid] for p, kid in zip(chances[node], tree.kids[node], strict=True))
    return worth[0]


def best_response(tree: Tree, policy: Policy, player: int) -> tuple[float, dict[int, int]]:
    """Return the most that `player` can get against the policy, and its choice in each information set."""
    sign = 1.0 if player == 0 else -1.0
    chances = tree.chances(policy)
    reach = [0.0] * len(tree.who)
    reach[0] = 1.0
    for node, who in enumerate(tree.who):
        for i, kid in enumerate(tree.kids[node]):
            reach[kid] = reach[node] * (1.0 if who == player else chances[node][i])
    chosen: dict[int, int] = {}
    worth: dict[int, float] = {}

    def value(node: int) -> float:
        if node not in worth:
            worth[node] = computed(node)
        return worth[node]

    def computed(node: int) -> float:
        who, kids = tree.who[node], tree.kids[node]
        if who == LEAF:
            return sign * tree.value[node]
        if who == player:
            return value(kids[choice(tree.info[node])])
        return sum(p * value(kid) for p, kid in zip(chances[node], kids, strict=True) if p)

    def choice(info: int) -> int:
        if info not in chosen:
            nodes = [node for node in tree.members[info] if reach[node]]
            sums = [
                sum(reach[node] * value(tree.kids[node][i]) for node in nodes)
                for i in range(len(tree.actions[info]))
            ]
            chosen[info] = max(range(len(sums)), key=sums.__getitem__)
        return chosen[info]

    return value(0), chosen


def exploitability(tree: Tree, policy: Policy) -> float:
    """Return the gain of a best response to the policy, averaged over both players; 0 in an equilibrium."""
    return (best_response(tree, policy, 0)[0] + best_response(tree, policy, 1)[0]) / 2
