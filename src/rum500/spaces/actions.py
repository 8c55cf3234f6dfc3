"""Fixed numbers for actions: a play's number names the meld that results from it.

A new meld and a lay-off that lead to the same meld share a number; the table shows which one is legal. With
one pack and no wild jokers, two legal plays never share a number. Otherwise they may in a few positions: the
same meld with jokers at other places, a lay-off on either of two melds, the same suits from two packs. A
second choice, the *variant*, then selects the play: variants count the plays of a number, those with fewest
jokers first, then by code.
"""

from __future__ import annotations

from operator import index

try:
    import cython
except ModuleNotFoundError:  # without Cython, this module runs interpreted
    from rum500 import _cython as cython

from rum500.cards import JOKER, LANE, RANK_TEXTS, SUIT_LETTERS, card_text, pack
from rum500.rules.action_codes import code_of
from rum500.rules.ruleset import check_ruleset
from rum500.spaces.deal_source import bytes_of, core_of
from rum500.view import View

if not cython.compiled:
    from rum500.rules.engine.core import (
        CALL,
        DISCARD,
        FULL_RUN,
        JOKER_RANK,
        LAY_RUN,
        MELD_RUN,
        MELD_SHIFT,
        TAKE,
        Moves,
        lowest,
        popcount,
    )

    DISCARDS, RUNS, RUNS_OF_SUIT, SETS, JOKER_SETS, TAKES = 4, 57, 77, 365, 430, 432
    NO_CODE = (1 << 64) - 1
    RUM500_SOURCE_HASH = b""
    CARD_INDEX = [0] * 64
    CARD_CODE = [0] * 54
    RUN_AT = [0] * 16

VERSION = "v1"
"""The version of the numbers. In another version a number may stand for another action."""
DRAW_ID = 0
"""The number of a draw from the stock, in every game."""
SLOTS = 32
"""The number of variants. Only hands constructed for the purpose have more than 32 plays with one number."""


def source_hash() -> str:
    """Return the hash of the sources of the compiled laboratory; empty when interpreted."""
    return RUM500_SOURCE_HASH.decode()


def _fill_tables():
    """Fill the tables of cards and runs once, at import."""
    for i, card in enumerate(pack(jokers=1)):
        CARD_INDEX[card] = i
        CARD_CODE[i] = card
    first = 0
    for length in range(3, 14):
        RUN_AT[length] = first
        first += 15 - length


_fill_tables()


def meld_id(meld):
    """Return the number of a meld, given in the core's form."""
    count: cython.int
    missing: cython.int
    suits: u64
    rank: cython.int = (meld >> 4) & 15
    if meld & 15 == MELD_RUN:
        places: u64 = (meld >> 6) & FULL_RUN
        return RUNS + RUNS_OF_SUIT * (rank & 3) + RUN_AT[popcount(places)] + lowest(places)
    if rank == JOKER_RANK:
        return JOKER_SETS + ((meld >> 8) & 255 > 3)
    suits = ((meld >> 8) & 255) + ((meld >> 16) & 255)
    # A set has two bits for each suit, the number of its cards; unnamed jokers (H3) have no suit.
    count = (
        (suits & 3) + ((suits >> 2) & 3) + ((suits >> 4) & 3) + ((suits >> 6) & 3) + 2 * ((meld >> 24) & 1)
    )
    if count > 3:
        return SETS + 5 * rank + 4
    missing = 0
    while suits & 3:
        suits >>= 2
        missing += 1
    return SETS + 5 * rank + missing


class Actions:
    """The numbers of all actions of a game, 0 to `n - 1`.

    The numbers below those of takes are the same in all games. `variants` is the number of values of the
    second choice: 1 where two legal plays never share a number, else 32. Threads must not share an instance.
    """

    version = VERSION

    def __init__(self, rules, players):
        """Assign the numbers. Raises `RulesetError` for a wrong number of players."""
        check_ruleset(rules)
        rules.check_players(players)
        self.rules = rules
        self.players = players
        self.most = len(rules.deck(players)) - 1
        self.calls = TAKES + self.most
        self.n = self.calls + (self.most if rules.claim else 0)
        self.variants = SLOTS if rules.packs(players) > 1 or rules.joker_kind == "wild" else 1
        self.moves = Moves()
        self.names = tuple(_names(self.most, bool(rules.claim)))

    def __reduce__(self):
        """Pickle only the constructor's arguments."""
        return type(self), (self.rules, self.players)

    def mask(self, state, out=None):
        """Write 1 for each legal number and 0 for all others into `out`, `n` bytes; return it.

        `state` is a `State`, or a `View`: unless its seat is the actor, all are 0. Without `out` a new
        `bytearray` is returned. Raises `ValueError` for a buffer of another size.
        """
        out = bytearray(self.n) if out is None else out
        data: object = bytes_of(out, self.n, "the mask")
        core: Core = self._generated(state)
        if cython.compiled:
            cells: cython.uchar[::1] = data
            self.mark(core, self.moves, cython.address(cells[0]))
        else:
            self.mark(core, self.moves, data)
        return out

    def legal(self, state):
        """Return the legal numbers, ascending: those that `mask` marks."""
        i: cython.int
        core: Core = self._generated(state)
        return sorted({self.id_of(core, self.moves.a[i]) for i in range(self.moves.n)})

    def encode(self, state, action):
        """Return the number of a legal action, which is given as an `Action` or as its code.

        Raises `ValueError` if it is not legal in this state.
        """
        return self.pair(state, action)[0]

    def pair(self, state, action):
        """Return the number of a legal action and its variant. Raises `ValueError` if it is not legal."""
        core: Core = self._generated(state)
        code: object = code_of(action)
        if code not in self.moves.actions():
            raise ValueError(f"{action} is not legal here")
        number: cython.int = self.id_of(core, code)
        if not self.is_play(number):
            return number, 0
        return number, self._sorted(core, number).index(code)

    def decode(self, state, number, variant=0):
        """Return the code of the legal action with this number and variant.

        Raises `ValueError` if the number is not legal, or has no such variant.
        """
        found = self.plays(state, number)
        variant = index(variant)
        if not found:
            raise ValueError(f"{self.names[number]} ({number}) is not legal here")
        if not 0 <= variant < len(found):
            raise ValueError(f"{self.names[number]} has {len(found)} variants here, not a variant {variant}")
        return found[variant]

    def plays(self, state, number):
        """Return the codes of the legal actions with this number, by variant; empty if the number is not
        legal.

        Raises `ValueError` for a number outside of 0 to `n - 1`.
        """
        number = index(number)
        if not 0 <= number < self.n:
            raise ValueError(f"the numbers of actions are 0 to {self.n - 1}, not {number}")
        core: Core = self._generated(state)
        if self.is_play(number):
            return self._sorted(core, number)
        code: object = self.fixed_code(number)
        return [code] if code in self.moves.actions() else []

    def _generated(self, state):
        """Return the core of a state or view, and set `moves` to its legal actions."""
        core: Core = core_of(state, self.rules, self.players)
        if isinstance(state, View):
            self.moves.n = 0
            for code in state.legal:
                self.moves.push(code)
        else:
            core.generate(self.moves)
        return core

    def _sorted(self, core: Core, number: cython.int) -> list:
        variant: cython.int
        count: cython.int = self.count_plays(core, self.moves, number)
        return [self.nth_play(core, self.moves, number, variant) for variant in range(count)]

    # --- without the GIL --------------------------------------------------------------------------

    def id_of(self, core, code):
        """Return the number of a legal action."""
        kind: cython.int = code & 15
        if kind < TAKE:
            return kind
        if kind == DISCARD:
            return DISCARDS + CARD_INDEX[code >> 4]
        if kind == TAKE:
            return TAKES - 1 + (code >> 4)
        if kind == CALL:
            return self.calls - 1 + (code >> 4)
        if kind >= LAY_RUN:
            return meld_id(core.joined(code >> MELD_SHIFT, code))
        return meld_id(code)

    def mark(self, core, moves, out):
        """Write the mask of these legal actions."""
        i: cython.int
        if cython.compiled:
            memset(out, 0, self.n)
        else:
            for i in range(self.n):
                out[i] = 0
        for i in range(moves.n):
            out[self.id_of(core, moves.a[i])] = 1

    def is_play(self, number):
        """Return whether this is the number of a meld."""
        return RUNS <= number < TAKES

    def fixed_code(self, number):
        """Return the code of the action with this number, which is not the number of a meld."""
        code: u64 = number
        if number < DISCARDS:
            return code
        if number < RUNS:
            code = CARD_CODE[number - DISCARDS]
            return DISCARD | (code << 4)
        if number < self.calls:
            return TAKE | ((code - TAKES + 1) << 4)
        return CALL | ((code - self.calls + 1) << 4)

    def count_plays(self, core, moves, number):
        """Return how many plays in `moves` have this number."""
        i: cython.int
        count: cython.int = 0
        for i in range(moves.n):
            if moves.a[i] & 15 >= MELD_RUN and self.id_of(core, moves.a[i]) == number:
                count += 1
        return count

    def nth_play(self, core, moves, number, variant):
        """Return the play in `moves` with this number and variant, or `NO_CODE` if there is none."""
        i: cython.int
        code: u64
        key: u64
        least: u64
        found: u64
        jokers: u64
        # Each round finds the play with the lowest key from `floor` on. A key is a play's code, which has
        # under 50 bits, with the number of jokers in the bits above it.
        floor: u64 = 0
        while True:
            found = least = NO_CODE
            for i in range(moves.n):
                code = moves.a[i]
                if code & 15 >= MELD_RUN and self.id_of(core, code) == number:
                    jokers = core.jokers_of(code)
                    key = (jokers << 56) | code
                    if floor <= key < least:
                        least, found = key, code
            if variant == 0 or found == NO_CODE:
                return found
            floor = least + 1
            variant -= 1


def _names(most: int, claim: bool) -> list[str]:
    """Return a readable name for each number, in order."""
    cards = [card_text(card) for card in pack(jokers=1)]
    names = ["draw", "pass", "end", "let go", *(f"discard {card}" for card in cards)]
    ranks = (*RANK_TEXTS, "A")
    for suit in SUIT_LETTERS:
        for length in range(3, 14):
            names += [f"run {ranks[low]}{suit}-{ranks[low + length - 1]}{suit}" for low in range(15 - length)]
    for rank in range(13):
        suited = [card_text(LANE * suit + rank) for suit in range(4)]
        names += ["set " + " ".join(suited[:out] + suited[out + 1 :]) for out in range(4)]
        names.append("set " + " ".join(suited))
    names += ["set " + " ".join([card_text(JOKER)] * count) for count in (3, 4)]
    names += [f"take {count}" for count in range(1, most + 1)]
    return names + [f"call {count}" for count in range(1, most + 1)] if claim else names
