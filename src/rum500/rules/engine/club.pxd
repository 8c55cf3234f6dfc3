cimport cython
from rum500.rng cimport inline_advance as advance, inline_mix64 as mix64
from rum500.rules.engine.core cimport (
    ACES, CALL, DISCARD, DRAW, END, FULL_RUN, GO_OUT_DISCARD, GO_OUT_EITHER, GO_OUT_MELD, JOKER_CARD, JOKER_RANK,
    LAY_RUN, LAY_SET, LET_GO, MAX_SEATS, MELD_RUN, MELD_SET, MELD_SHIFT, NATURALS, ONE, PASS, PHASE_CLAIM,
    PHASE_DRAW, PHASE_OVER, PHASE_PLAY, PHASE_USE, PLACES, SUITS_ONCE, SUITS_TWICE, TAKE, Core, Moves,
    rum500_lowest as lowest, rum500_popcount as popcount,
)

ctypedef unsigned long long u64

# The weights by place in the vector: the same numbers as in club.py, where their meaning is told.
cpdef enum:
    DRAWN = 0
    CARDS = 1
    HOPE = 2
    TEMPO = 3
    MELDED = 4
    LAY = 5
    FOURTH = 6
    JOKER = 7
    LONE_JOKER = 8
    JOKER_GIFT = 9
    GO = 10
    GO_CARDS = 11
    OPEN = 12
    LEFT = 13
    BURDEN = 16
    COST = 24
    SIGNS = 15
    WEIGHTS = 114
    MIXES = 24
    FAR = -1073741824

@cython.final
cdef class Policy:
    cdef public int forgets
    cdef int[114] w
    cdef int[144] a, b, c
    # room to work in: what the choice at hand has read from the core
    cdef int scale, seat, least, foes, burden, time, hidden, chance, others, rest
    cdef u64 v0, v1, v2, v3
    cdef u64 live, foe, pile
    cdef u64 r1, r2, r3, r4, s1, s2, t1, n1, n2, q1, m1, f1, g1, k1, k2, k3, k4, u1, u2, u3, u4, u5, g2, c1, c2, c3, c4

    cdef u64 choose(self, Core core, Moves moves) noexcept nogil
    cpdef u64 playout(self, Core core, Moves moves) noexcept nogil
    cdef void see_values(self, Core core) noexcept nogil
    cdef void look(self, Core core) noexcept nogil
    cdef int remembers(self, Core core, int other) noexcept nogil
    cdef void see_end(self, Core core) noexcept nogil
    cdef u64 waiting(self, Core core, u64 hand, u64 outs) noexcept nogil
    cdef int points(self, u64 cards) noexcept nogil
    cdef int worth(self, Core core, u64 h1, u64 h2, int jokers) noexcept nogil
    cdef u64 choose_draw(self, Core core, Moves moves) noexcept nogil
    cdef u64 choose_call(self, Core core, Moves moves) noexcept nogil
    cdef int taken_worth(self, Core core, int count) noexcept nogil
    cdef u64 choose_use(self, Core core, Moves moves) noexcept nogil
    cdef u64 choose_play(self, Core core, Moves moves) noexcept nogil
    cdef u64 four_at_once(self, Core core, Moves moves) noexcept nogil
    cdef int stuck(self, Core core, u64 rest, u64 down, int jokers) noexcept nogil
    cdef u64 best_play(self, Core core, Moves moves, int floor) noexcept nogil
    cdef u64 cards_of(self, u64 action) noexcept nogil
    cdef u64 twins_of(self, u64 action) noexcept nogil
    cdef int jokers_of(self, u64 action) noexcept nogil
    cdef u64 opened(self, Core core, u64 action) noexcept nogil
    cdef u64 parted(self, Core core, u64 hand) noexcept nogil
    cdef u64 high_aces(self, Core core, u64 hand) noexcept nogil
    cdef int ends(self, Core core) noexcept nogil
    cdef u64 runs(self, Core core, u64 hand) noexcept nogil
    cdef int fourth(self, Core core, u64 action) noexcept nogil
    cdef void read_signs(self, Core core) noexcept nogil
    cdef void add_up(self) noexcept nogil
    cdef int half(self, int i) noexcept nogil
    cdef int maybe(self, int i) noexcept nogil
    cdef int cost(self, Core core, int card) noexcept nogil
    cdef int joker_cost(self, Core core) noexcept nogil
    cdef u64 choose_discard(self, Core core, Moves moves) noexcept nogil

@cython.final
cdef class Seating:
    cdef Policy p0, p1, p2, p3, p4, p5, p6, p7
    cdef u64 choose(self, Core core, Moves moves) noexcept nogil
    cpdef u64 playout(self, Core core, Moves moves) noexcept nogil

cdef u64 at_least_one(u64 x) noexcept nogil
cdef u64 at_least_two(u64 x) noexcept nogil
cdef u64 at_least_three(u64 x) noexcept nogil
cdef u64 all_four(u64 x) noexcept nogil
cdef u64 folded(u64 places) noexcept nogil

cdef inline u64 bit(int card) noexcept nogil:
    return ONE << card
