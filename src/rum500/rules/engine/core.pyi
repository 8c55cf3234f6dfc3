"""What Python sees of the core. Written by tools/engine_stub.py; do not edit."""

from typing import Any, Final

from rum500.cards import Card

DRAW: Final = 0
PASS: Final = 1
END: Final = 2
LET_GO: Final = 3
TAKE: Final = 4
CALL: Final = 5
DISCARD: Final = 6
MELD_RUN: Final = 7
MELD_SET: Final = 8
LAY_RUN: Final = 9
LAY_SET: Final = 10
PHASE_DRAW: Final = 0
PHASE_USE: Final = 1
PHASE_PLAY: Final = 2
PHASE_CLAIM: Final = 3
PHASE_OVER: Final = 4
REASON_NONE: Final = 0
REASON_OUT: Final = 1
REASON_STOCK: Final = 2
REASON_PASSES: Final = 3
REASON_NO_PROGRESS: Final = 4
REASON_TARGET: Final = 5
GO_OUT_EITHER: Final = 0
GO_OUT_MELD: Final = 1
GO_OUT_DISCARD: Final = 2
JOKER_CARD: Final = 62
JOKER_RANK: Final = 14
MELD_SHIFT: Final = 34
MAX_SEATS: Final = 8
MAX_CARDS: Final = 112
MAX_MELDS: Final = 36
PACK_HEAD: Final = 63
PACK_SEAT: Final = 42

def source_hash() -> str: ...

class Moves:
    n: int
    def __init__(self) -> None: ...
    def actions(self) -> list[int]: ...

class Core:
    n: int
    sides: int
    packs: int
    wild: int
    own_rank: int
    ace_low: int
    same_suit: int
    top_must_meld: int
    go_out: int
    may_pass: int
    restock_allowed: int
    upcard_free: int
    doubles: int
    at_once: int
    target: int
    bonus: int
    to_winner: int
    unnamed_jokers: int
    keep_upcard: int
    claim_allowed: int
    claim_blind: int
    idle_limit: int
    restock_limit: int
    joker_value: int
    hand_size: int
    jokers_total: int
    value: list[int]
    totals: list[int]
    h1: list[int]
    h2: list[int]
    k1: list[int]
    k2: list[int]
    hj: list[int]
    hn: list[int]
    kj: list[int]
    laid: list[int]
    stock: list[int]
    pile: list[int]
    stock_next: int
    stock_end: int
    pile_n: int
    pile_j: int
    pile_mask: int
    meld: list[int]
    owner: list[int]
    meld_n: int
    ups: int
    downs: int
    opens: int
    down1: int
    down2: int
    runs: list[int]
    sets: list[int]
    r1: int
    r2: int
    rj: int
    dealer: int
    turn: int
    actor: int
    phase: int
    must: int
    claiming: int
    ban: int
    floater: int
    progress: int
    t1: int
    t2: int
    tj: int
    idle: int
    passes: int
    restocks: int
    drawn: int
    reason: int
    out: int
    number: int
    rng: int
    def __init__(self) -> None: ...
    def copy_from(self, other: Core) -> None: ...
    def shuffle(self, seed: int) -> None: ...
    def start(self, dealer: int) -> None: ...
    def can_use(self, moves: Moves, card: int, a1: int, a2: int, jokers: int) -> int: ...
    def room_above(self, meld: int) -> int: ...
    def room_below(self, meld: int) -> int: ...
    def room_in_set(self, meld: int) -> int: ...
    def room_for_joker(self, meld: int) -> int: ...
    def fits_meld(self, meld: int, card: int) -> int: ...
    def fits_table(self, card: int) -> int: ...
    def meld_count(self, meld: int) -> int: ...
    def gen_plays(self, moves: Moves, a1: int, a2: int, jokers: int, must: int) -> None: ...
    def may_restock(self) -> int: ...
    def top_binds(self) -> int: ...
    def uses(self, action: int, card: int) -> int: ...
    def strands(self, action: int) -> int: ...
    def last_bound(self) -> int: ...
    def discards(self) -> int: ...
    def joker_discard(self) -> int: ...
    def generate(self, moves: Moves) -> None: ...
    def legal(self, moves: Moves) -> list[int]: ...
    def apply(self, action: int, moves: Moves) -> None: ...
    def play(self, code: Any, moves: Moves) -> Any: ...
    def points(self, action: int) -> int: ...
    def doubled(self, action: int) -> int: ...
    def side_points(self, seat: int) -> int: ...
    def held(self, seat: int) -> int: ...
    def deduction(self, seat: int) -> int: ...
    def collected(self, seat: int) -> int: ...
    def bonus_of(self, seat: int) -> int: ...
    def score(self, seat: int) -> int: ...
    def playout(self, moves: Moves, seed: int) -> int: ...
    def hand_cards(self, seat: int) -> list[Card]: ...
    def known_cards(self, seat: int) -> list[Card]: ...
    def taken_cards(self) -> list[Card]: ...
    def restocked_cards(self) -> list[Card]: ...
    def stock_cards(self) -> list[Card]: ...
    def pile_cards(self) -> list[Card]: ...
    def melds(self) -> list[tuple[int, int]]: ...
    def set_stock(self, cards: Any) -> None: ...
    def set_pile(self, cards: Any) -> None: ...
    def set_melds(self, melds: Any) -> None: ...
    def pack(self, past: Any) -> bytes: ...
    def unpack(self, packed: Any) -> tuple[int, ...]: ...
    def restock_in(self, cards: Any) -> None: ...
