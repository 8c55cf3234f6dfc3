"""Equilibria of small games by CFR+, the second opinion on best responses."""

from __future__ import annotations

from rum500.sim.evaluation.game_tree import LEAF, Policy, Tree


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
    chances = tree.chances(now)
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
