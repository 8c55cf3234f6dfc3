cimport cython
from rum500.rng cimport inline_advance as advance, inline_mix64 as mix64
from rum500.rules.engine.core cimport DISCARD, DRAW, JOKER_CARD, ONE, PHASE_OVER, Core, Moves, bit, lowest

ctypedef unsigned long long u64

cdef enum:
    STOCK_SEAT = 15
    HELD = 4194303
    STAYS = 50
    TRIES = 100000

@cython.final
cdef class CardHistory:
    cdef readonly tuple past, draws
    cdef int n, first_draw, failed
    cdef readonly int stocks, tries
    cdef Moves moves, acted, drew, shows, slots, cards, left, todo, spots
    cdef void walk(self, Core core)
    cdef void show(self, Core table, u64 code, int time)
    cdef void show_naturals(self, Core table, int seat, u64 cards, u64 known, int time)
    cdef void show_jokers(self, Core table, int seat, int jokers, int time)
    cdef void show_one(self, int seat, int card, int time)
    cdef void pin(self, int seat, int card, int time)
    cdef int pinned(self, int seat, int card) noexcept
    cdef void gather_slots(self, Core core, int seat)
    cdef void place_shown(self, Core core, int seat, int fixed, u64 random)
    cdef void hold(self, Core core, int seat)
    cdef u64 place(self, int number, u64 random) noexcept
    cdef u64 repair(self, int which, u64 random) noexcept
    cdef void put_in(self, int which, u64 spot) noexcept
    cdef void take_back(self, int which) noexcept
    cdef bint is_free(self, int i, u64 shown, int stock, u64 time) noexcept
    cdef int count_free(self, u64 shown, int stock, u64 time) noexcept
    cdef u64 fill(self, int seat, int stock, u64 random) noexcept
    cdef void deal(self, Core core, Core twin, int seat) noexcept

cdef u64 word(u64 card, u64 seat, u64 stock, u64 time) noexcept
cdef void _reset_to_opening(Core table, int upcard) noexcept
