"""The deals of an arena as Parquet, one row for each deal, and their data card."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rum500.sim.arena.clusters import CUT_SHORT, LEAD, Plan, seed_of
from rum500.sim.data_card import Column, DataCard
from rum500.sim.deals import entrant_name
from rum500.sim.parquet import DEAL_COLUMNS, points_columns, schema_of, table_of
from rum500.sim.simulation_card import RULES_FILE, game_name, game_options
from rum500.view import REASONS

if TYPE_CHECKING:
    from rum500.sim.arena.score_and_verdict import Tally


def columns_of(plan: Plan) -> list[Column]:
    """Return the columns of the Parquet file with an arena's deals."""
    seats = range(plan.players)
    return [
        Column("a", "string", "first bot"),
        Column("b", "string", "second bot"),
        Column("pair", "int32", "number of the cluster, from 0"),
        Column("seating", "int8", "number of its seating, from 0"),
        Column("deal", "int16", "number of the deal in its match, from 1"),
        Column("seed", "uint64", "seed of the deal, for `rum500.deal(rules, players, seed, dealer)`"),
        Column("dealer", "int8", "seat that dealt, from 0; the next seat plays first"),
        *(Column(f"bot_{seat}", "string", f"bot at seat {seat}") for seat in seats),
        *(column for column in DEAL_COLUMNS if column.name in {"actions", "reason", "out"}),
        *points_columns(plan.players),
        Column("won", "float64", "share of the match that `a` won; null before the last deal of a match"),
    ]


def write_parquet(path: Path, plan: Plan, tallies: Sequence[Tally]) -> None:
    """Write one row for each deal that `tallies` have counted, with the columns of `columns_of`."""
    import pyarrow.parquet as pq  # type: ignore[import-untyped]  # noqa: PLC0415 - a second's import that few runs need

    metadata = {
        "rum500.ruleset": plan.rules.to_toml(),
        "rum500.seed": str(plan.seed),
        "rum500.unit": plan.unit,
        "rum500.bots": ",".join(entrant_name(bot) for bot in plan.bots),
    }
    schema = schema_of(columns_of(plan), metadata)
    with pq.ParquetWriter(path, schema) as writer:
        for tally in tallies:
            writer.write_table(table_of(schema, _columns(plan, tally)))


def card_of_arena(plan: Plan) -> DataCard:
    """Return the data card of the Parquet file with an arena's deals."""
    names = [entrant_name(bot) for bot in plan.bots]
    made = {
        "game": game_name(plan.rules),
        "players": str(plan.players),
        "bots": ", ".join(f"`{name}`" for name in names),
        "pairs": f"{plan.pairs:,} for each two bots, by {plan.unit}, seats {plan.seating}",
        "seed": str(plan.seed),
    }
    options = [*game_options(plan.rules), f"--players {plan.players}", f"--pairs {plan.pairs}"]
    options += [f"--seed {plan.seed}", f"--unit {plan.unit}", f"--seating {plan.seating}"]
    if (test := plan.sprt) is not None:
        bounds = f"--{test.measure}0 {test.lower:g} --{test.measure}1 {test.upper:g}"
        options.append(f"{bounds} --alpha {test.alpha:g} --beta {test.beta:g}")
    command = f"rum500 arena --bots {','.join(names)} {' '.join(options)}"
    rules = {f"The rules ({RULES_FILE})": plan.rules.to_toml()}
    title = "Deals between bots with the same cards in exchanged seats, played by rum500."
    sources = plan.sources(plan.bots)
    return DataCard(title, "A row is a deal.", columns_of(plan), made, command, sources, rules)


def _columns(plan: Plan, tally: Tally) -> dict[str, Sequence[Any]]:
    rows, width, players = tally.rows, LEAD + plan.players, plan.players
    names = [entrant_name(plan.bots[number]) for number in plan.contests[tally.contest]]
    pairs, numbers = rows[::width], rows[2::width]
    seated = [plan.seatings[number] for number in rows[1::width]]
    table: dict[str, Sequence[Any]] = {
        "a": [names[0]] * len(pairs),
        "b": [names[1]] * len(pairs),
        "pair": pairs,
        "seating": rows[1::width],
        "deal": numbers,
        "seed": [seed_of(plan.seed, plan.unit, *at) for at in zip(pairs, numbers, strict=True)],
        "dealer": [(pair + number - 1) % players for pair, number in zip(pairs, numbers, strict=True)],
        "actions": rows[3::width],
        "reason": [REASONS[code] for code in rows[4::width]],
        "out": [seat if seat >= 0 else None for seat in rows[5::width]],
        "won": [_won(mask, seating) for mask, seating in zip(rows[6::width], seated, strict=True)],
    }
    for seat in range(players):
        table[f"bot_{seat}"] = [names[seating[seat]] for seating in seated]
        table[f"points_{seat}"] = rows[LEAD + seat :: width]
    return table


def _won(mask: int, seating: Sequence[int]) -> float | None:
    winners = [bot for seat, bot in enumerate(seating) if mask % CUT_SHORT >> seat & 1]
    return winners.count(0) / len(winners) if winners else None
