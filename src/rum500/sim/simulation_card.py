"""The data cards of a simulation's files, and what the files say of themselves."""

from __future__ import annotations

from collections.abc import Mapping

from rum500.rules.problems import RulesetError
from rum500.rules.profiles import profile_names, ruleset
from rum500.rules.ruleset import Ruleset
from rum500.sim.data_card import Column, DataCard
from rum500.sim.jobs import WHOLE, Shard
from rum500.sim.simulation_plan import SimulationPlan
from rum500.view import REASONS, Phase

RULES_FILE = "rules.toml"
"""The file that a command names for a rule set that is no profile."""


def metadata_of(plan: SimulationPlan) -> dict[str, str]:
    """Return what the metadata of a file says: the rule set, the seed, the bots, and a fixed dealer."""
    told = {
        "rum500.ruleset": plan.rules.to_toml(),
        "rum500.seed": str(plan.seed),
        "rum500.bots": ",".join(plan.names),
    }
    return told if plan.dealer is None else told | {"rum500.dealer": str(plan.dealer)}


def deal_card(plan: SimulationPlan, shard: Shard, file: str) -> DataCard:
    """Return the card of the file of deals."""
    points = [
        Column(f"points_{seat}", "int32", f"points of seat {seat} in this deal, which may be negative")
        for seat in range(plan.players)
    ]
    columns = [
        Column("deal", "int64", "number of the deal, from 0"),
        Column("seed", "uint64", "seed of the deal, for `rum500.deal(rules, players, seed, dealer)`"),
        Column("dealer", "int8", "seat that dealt, from 0; the next seat plays first"),
        Column("actions", "int32", "number of actions, those without a choice included"),
        Column("reason", "string", f"why the deal ended: {', '.join(REASONS.values())}"),
        Column("out", "int8", "seat that went out; null if none did"),
        *points,
    ]
    return _card(plan, shard, "A row is a deal.", columns, f"--out {file}")


def move_card(plan: SimulationPlan, shard: Shard, file: str) -> DataCard:
    """Return the card of the file of moves."""
    phases = ", ".join(phase.name.lower() for phase in Phase if phase is not Phase.OVER)
    columns = [
        Column("deal", "int64", "number of the deal, from 0, as in the file of deals"),
        Column("step", "int32", "number of the action in the deal, from 1"),
        Column(
            "turn",
            "int32",
            "number of the turn in the deal, from 1; a draw, take, call, pass or end begins one",
        ),
        Column("seat", "int8", "seat that acted, from 0"),
        Column("phase", "dictionary of string", f"what it had to decide: {phases}"),
        Column("legal", "int32", "number of legal actions; 1 means that there was no choice"),
        Column("action_id", "int16", "number of the action in `rum500.spaces.Actions(rules, players)`, v1"),
        Column("variant", "int16", "its second number, where several plays share the first; else 0"),
        Column(
            "action", "dictionary of string", "name of `action_id`: a play is named by the meld that results"
        ),
        Column("code", "uint64", "the action itself, for `State.apply_int` and `rum500.decode`"),
    ]
    return _card(plan, shard, "A row is an action.", columns, f"--moves {file}")


def _card(plan: SimulationPlan, shard: Shard, rows: str, columns: list[Column], option: str) -> DataCard:
    rules, dealt = plan.rules, "by each seat in turn" if plan.dealer is None else f"by seat {plan.dealer}"
    part = shard.items(plan.deals)
    made = {
        "game": f"{rules.title} (`{rules.name}`{''.join(f', {change}' for change in rules.changes)})",
        "players": str(plan.players),
        "bots, by seat": ", ".join(f"`{name}`" for name in plan.names),
        "deals": f"{plan.deals:,}, dealt {dealt}",
        "seed": str(plan.seed),
    }
    words = f"{simulate_command(plan)} {option}"
    if shard != WHOLE:
        made["shard"] = f"{shard}: deals {part.start} to {part.stop - 1}"
        words += f" --shard {shard} --run part-{shard.number}.run"
    title = f"{len(part):,} deals between bots, played by rum500."
    sources = plan.sources(plan.bots)
    return DataCard(title, rows, columns, made, words, sources, _texts(rules))


def simulate_command(plan: SimulationPlan) -> str:
    """Return the command that plays these deals; it names `RULES_FILE` for a rule set that is no profile."""
    words = [
        "rum500 simulate",
        *_game_options(plan.rules),
        f"--players {plan.players}",
        f"--deals {plan.deals}",
    ]
    words += [f"--seed {plan.seed}", f"--bots {','.join(plan.names)}"]
    return " ".join([*words, *([] if plan.dealer is None else [f"--dealer {plan.dealer}"])])


def _game_options(rules: Ruleset) -> list[str]:
    """Return the options of a command that name a rule set: its profile and changes, or else a file."""
    if rules.name in profile_names():
        try:
            if ruleset(rules.name, rules.house_rules, variations=rules.variations) == rules:
                changes = [f"--house-rules {','.join(rules.house_rules)}"] * bool(rules.house_rules)
                changes += [f"--variations {','.join(rules.variations)}"] * bool(rules.variations)
                return [f"--profile {rules.name}", *changes]
        except RulesetError:
            pass
    return [f"--profile {RULES_FILE}"]


def _texts(rules: Ruleset) -> Mapping[str, str]:
    return {f"The rules ({RULES_FILE})": rules.to_toml()}
