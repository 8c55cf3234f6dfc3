"""The deals of an arena as Parquet, one row for each deal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rum500.sim.arena.clusters import CUT_SHORT, LEAD, Plan, seed_of
from rum500.sim.deals import entrant_name
from rum500.view import REASONS

if TYPE_CHECKING:
    from rum500.sim.arena.tally import Tally


def write_parquet(path: Path, plan: Plan, tallies: Sequence[Tally]) -> None:
    """Write all deals that count.

    Columns: `a`, `b` (the bots), `pair` (the cluster), `seating` (its number), `deal` (in its match, from 1),
    `seed` (of the deal), `dealer`, `bot_0` … (the bot at each seat), `actions`, `reason`, `out` (seat or
    null), `points_0` … by seat, and, on the last deal of a match, `won` (the share of it that `a` won).
    """
    import pyarrow as pa  # type: ignore[import-untyped]  # noqa: PLC0415 - a second's import that few runs need
    import pyarrow.parquet as pq  # type: ignore[import-untyped]  # noqa: PLC0415

    schema = _schema(pa, plan)
    with pq.ParquetWriter(path, schema) as writer:
        for tally in tallies:
            columns = _columns(plan, tally)
            arrays = [pa.array(columns[field.name], field.type) for field in schema]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))


def _schema(pa: Any, plan: Plan) -> Any:
    seats = range(plan.players)
    fields = [("a", pa.string()), ("b", pa.string()), ("pair", pa.int32()), ("seating", pa.int8())]
    fields += [("deal", pa.int16()), ("seed", pa.uint64()), ("dealer", pa.int8())]
    fields += [(f"bot_{seat}", pa.string()) for seat in seats]
    fields += [("actions", pa.int32()), ("reason", pa.string()), ("out", pa.int8())]
    fields += [(f"points_{seat}", pa.int32()) for seat in seats]
    fields += [("won", pa.float64())]
    metadata = {
        "rum500.ruleset": plan.rules.to_toml(),
        "rum500.seed": str(plan.seed),
        "rum500.unit": plan.unit,
        "rum500.bots": ",".join(entrant_name(bot) for bot in plan.bots),
    }
    return pa.schema(fields, metadata=metadata)


def _columns(plan: Plan, tally: Tally) -> dict[str, list[Any]]:
    rows, width, players = tally.rows, LEAD + plan.players, plan.players
    names = [entrant_name(plan.bots[number]) for number in plan.contests[tally.contest]]
    pairs, numbers = rows[::width], rows[2::width]
    seated = [plan.seatings[number] for number in rows[1::width]]
    table: dict[str, list[Any]] = {
        "a": [names[0]] * len(pairs),
        "b": [names[1]] * len(pairs),
        "pair": list(pairs),
        "seating": list(rows[1::width]),
        "deal": list(numbers),
        "seed": [seed_of(plan.seed, plan.unit, *at) for at in zip(pairs, numbers, strict=True)],
        "dealer": [(pair + number - 1) % players for pair, number in zip(pairs, numbers, strict=True)],
        "actions": list(rows[3::width]),
        "reason": [REASONS[code] for code in rows[4::width]],
        "out": [seat if seat >= 0 else None for seat in rows[5::width]],
        "won": [_won(mask, seating) for mask, seating in zip(rows[6::width], seated, strict=True)],
    }
    for seat in range(players):
        table[f"bot_{seat}"] = [names[seating[seat]] for seating in seated]
        table[f"points_{seat}"] = list(rows[LEAD + seat :: width])
    return table


def _won(mask: int, seating: Sequence[int]) -> float | None:
    """Return the first bot's share of a match; None if no match ended with this deal."""
    winners = [bot for seat, bot in enumerate(seating) if mask % CUT_SHORT >> seat & 1]
    return winners.count(0) / len(winners) if winners else None
