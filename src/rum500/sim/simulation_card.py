"""The data cards of a simulation's files, and the metadata inside the files."""

from __future__ import annotations

from collections.abc import Sequence

from rum500.rules.problems import RulesetError
from rum500.rules.profiles import profile_names, ruleset
from rum500.rules.ruleset import Ruleset
from rum500.sim.data_card import Column, DataCard
from rum500.sim.jobs import WHOLE, Shard
from rum500.sim.parquet import DEAL_COLUMNS, MOVE_COLUMNS, points_columns
from rum500.sim.simulation_plan import SimulationPlan

RULES_FILE = "rules.toml"
"""The file that a printed command names for a rule set that is not a profile."""


def metadata_of(plan: SimulationPlan) -> dict[str, str]:
    """Return the metadata of a file: the rule set, the seed, the bots, and the dealer if it is fixed."""
    data = {
        "rum500.ruleset": plan.rules.to_toml(),
        "rum500.seed": str(plan.seed),
        "rum500.bots": ",".join(plan.names),
    }
    return data if plan.dealer is None else data | {"rum500.dealer": str(plan.dealer)}


def deal_card(plan: SimulationPlan, shard: Shard, file: str) -> DataCard:
    """Return the card of the file of deals."""
    columns = [*DEAL_COLUMNS, *points_columns(plan.players)]
    return _card(plan, shard, "A row is a deal.", columns, f"--out {file}")


def move_card(plan: SimulationPlan, shard: Shard, file: str) -> DataCard:
    """Return the card of the file of moves."""
    return _card(plan, shard, "A row is an action.", MOVE_COLUMNS, f"--moves {file}")


def _card(plan: SimulationPlan, shard: Shard, rows: str, columns: Sequence[Column], option: str) -> DataCard:
    rules, dealt = plan.rules, "by each seat in turn" if plan.dealer is None else f"by seat {plan.dealer}"
    part = shard.items(plan.deals)
    made = {
        "game": game_name(rules),
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
    return DataCard(
        title, rows, columns, made, words, sources, {f"The rules ({RULES_FILE})": rules.to_toml()}
    )


def simulate_command(plan: SimulationPlan) -> str:
    """Return the command that plays these deals, with `RULES_FILE` unless the rule set is a profile."""
    words = [
        "rum500 simulate",
        *game_options(plan.rules),
        f"--players {plan.players}",
        f"--deals {plan.deals}",
    ]
    words += [f"--seed {plan.seed}", f"--bots {','.join(plan.names)}"]
    return " ".join([*words, *([] if plan.dealer is None else [f"--dealer {plan.dealer}"])])


def game_name(rules: Ruleset) -> str:
    """Return the title of a game, with the name of its rule set and the changed options."""
    return f"{rules.title} (`{rules.name}`{''.join(f', {change}' for change in rules.changes)})"


def game_options(rules: Ruleset) -> list[str]:
    """Return the options that select a rule set in a command: its profile and changes, or else a file."""
    if rules.name in profile_names():
        try:
            if ruleset(rules.name, rules.house_rules, variations=rules.variations) == rules:
                changes = [f"--house-rules {','.join(rules.house_rules)}"] * bool(rules.house_rules)
                changes += [f"--variations {','.join(rules.variations)}"] * bool(rules.variations)
                return [f"--profile {rules.name}", *changes]
        except RulesetError:
            pass
    return [f"--profile {RULES_FILE}"]
