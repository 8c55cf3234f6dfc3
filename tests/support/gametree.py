"""Small two-player zero-sum games with hidden information, solved: values, best responses, equilibria.

A tree has three kinds of nodes in flat lists, parents before their children. Values are player 0's; player
1's are their negatives. Nodes that a player cannot tell apart share an information set, in which that
player's own past is always the same (perfect recall), so that a best response is found set by set.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

CHANCE, LEAF = -1, -2

Policy = list[list[float]]
"""For each information set the chance of each of its actions."""


@dataclass
class Tree:
    """A game. `who[node]` is a player, CHANCE or LEAF; `info[node]` a decision's information set."""

    who: list[int] = field(default_factory=list)
    info: list[int] = field(default_factory=list)
    kids: list[list[int]] = field(default_factory=list)
    odds: list[list[float]] = field(default_factory=list)
    value: list[float] = field(default_factory=list)
    owner: list[int] = field(default_factory=list)
    """The player of each information set."""
    actions: list[tuple[int, ...]] = field(default_factory=list)
    """The legal actions of each information set."""
    members: list[list[int]] = field(default_factory=list)
    """The nodes of each information set."""
    _number: dict[Hashable, int] = field(default_factory=dict)

    def add(self, parent: int, who: int, value: float = 0.0, chance: float = 1.0) -> int:
        """Add a node below `parent`, -1 for the root, and return it; `chance` is its probability."""
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
        """Add a decision; nodes of one player with the same key are one information set. Return it."""
        node = self.add(parent, player, chance=chance)
        number = self._number.setdefault((player, key), len(self.owner))
        if number == len(self.owner):
            self.owner.append(player)
            self.actions.append(tuple(actions))
            self.members.append([])
        assert self.actions[number] == tuple(actions), "an information set with unlike choices"
        self.info[node] = number
        self.members[number].append(node)
        return node

    def uniform(self) -> Policy:
        """Return the policy that plays every action with the same probability."""
        return [[1 / len(actions)] * len(actions) for actions in self.actions]


def expected(tree: Tree, policy: Policy) -> float:
    """Return player 0's mean value if both follow the policy."""
    worth = list(tree.value)
    for node in range(len(tree.who) - 1, -1, -1):
        if tree.who[node] != LEAF:
            chances = tree.odds[node] if tree.who[node] == CHANCE else policy[tree.info[node]]
            worth[node] = sum(p * worth[kid] for p, kid in zip(chances, tree.kids[node], strict=True))
    return worth[0]


def best_response(tree: Tree, policy: Policy, player: int) -> tuple[float, dict[int, int]]:
    """Return the most that `player` can get against the policy, and its choice in each information set."""
    sign = 1.0 if player == 0 else -1.0
    reach = [0.0] * len(tree.who)
    reach[0] = 1.0
    for node, who in enumerate(tree.who):
        chances = tree.odds[node] if who == CHANCE else policy[tree.info[node]] if who >= 0 else []
        for i, kid in enumerate(tree.kids[node]):
            reach[kid] = reach[node] * (1.0 if who == player else chances[i])
    chosen: dict[int, int] = {}
    worth: dict[int, float] = {}

    def value(node: int) -> float:
        if node not in worth:
            worth[node] = fresh(node)
        return worth[node]

    def fresh(node: int) -> float:
        who = tree.who[node]
        if who == LEAF:
            return sign * tree.value[node]
        kids = tree.kids[node]
        if who == player:
            return value(kids[choice(tree.info[node])])
        chances = tree.odds[node] if who == CHANCE else policy[tree.info[node]]
        return sum(p * value(kid) for p, kid in zip(chances, kids, strict=True) if p)

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
    """Return the gain of a best response against the policy, averaged over the seats; 0 in an equilibrium."""
    return (best_response(tree, policy, 0)[0] + best_response(tree, policy, 1)[0]) / 2


def equilibrium(tree: Tree, rounds: int) -> Policy:
    """CFR+ (Tammelin 2014): regrets kept at or above zero, players in turn, later rounds weighing more."""
    regret = [[0.0] * len(actions) for actions in tree.actions]
    total = [[0.0] * len(actions) for actions in tree.actions]
    for number in range(1, rounds + 1):
        for player in (0, 1):
            _improve(tree, regret, total, player, number)
    return [_normal(sums) for sums in total]


def _normal(sums: list[float]) -> list[float]:
    whole = sum(sums)
    return [x / whole for x in sums] if whole > 0 else [1 / len(sums)] * len(sums)


def _improve(tree: Tree, regret: Policy, total: Policy, player: int, weight: int) -> None:
    """One pass for one player: new regrets, and the policy met on the way added to the average."""
    now = [_normal(sums) for sums in regret]
    chances = [
        tree.odds[node] if who == CHANCE else now[tree.info[node]] if who >= 0 else []
        for node, who in enumerate(tree.who)
    ]
    met, mine, theirs = _reached(tree, chances, player)
    for info, sums in _gains(tree, chances, player, met, theirs).items():
        regret[info] = [max(0.0, old + new) for old, new in zip(regret[info], sums, strict=True)]
    for info, owner in enumerate(tree.owner):
        share = mine[tree.members[info][0]] * weight if owner == player else 0.0
        if share:
            total[info] = [old + share * p for old, p in zip(total[info], now[info], strict=True)]


def _reached(tree: Tree, chances: Policy, player: int) -> tuple[list[int], list[float], list[float]]:
    """The inner nodes that can be met, parents first, and what the player and all else add to the chance."""
    mine, theirs, met = [0.0] * len(tree.who), [0.0] * len(tree.who), []
    mine[0] = theirs[0] = 1.0
    for node, who in enumerate(tree.who):
        own, other = mine[node], theirs[node]
        if who == LEAF or not (own or other):
            continue
        met.append(node)
        for p, kid in zip(chances[node], tree.kids[node], strict=True):
            if who == player:
                mine[kid], theirs[kid] = own * p, other
            else:
                mine[kid], theirs[kid] = own, other * p
    return met, mine, theirs


def _gains(
    tree: Tree, chances: Policy, player: int, met: list[int], theirs: list[float]
) -> dict[int, list[float]]:
    """What each action of each of the player's information sets brings more than the policy does."""
    sign, worth = 1.0 if player == 0 else -1.0, tree.value[:]
    gain: dict[int, list[float]] = {}
    for node in reversed(met):
        kids = tree.kids[node]
        worth[node] = here = sum([p * worth[kid] for p, kid in zip(chances[node], kids, strict=True)])
        if tree.who[node] == player and theirs[node]:
            sums = gain.setdefault(tree.info[node], [0.0] * len(kids))
            other = sign * theirs[node]
            for i, kid in enumerate(kids):
                sums[i] += other * (worth[kid] - here)
    return gain
