cimport cython
from rum500.rules.engine.core cimport (
    ACES, CALL, DISCARD, DRAW, FULL_RUN, JOKER_CARD, JOKER_RANK, LAY_RUN, MELD_RUN, NATURALS, ONE, PHASE_CLAIM, PHASE_DRAW,
    PHASE_OVER, TAKE,
    Core, Moves, bit, lowest, popcount, two_bit_sum,
)

ctypedef unsigned long long u64
ctypedef long long i64

cpdef enum:
    CARD_FEATURES = 38
    FEATURES = 66
    NEURONS = 32
    CLUE = 16
    STREAK = 15
    MOST = 8192

cdef u64 near(int card, int step, int ace_low) noexcept nogil

@cython.final
cdef class ClueNetwork:
    cdef int[2112] inner
    cdef int[32] bias, outer
    cdef int last

@cython.final
cdef class ClueTracker:
    cdef public Core table
    cdef Moves moves
    cdef int[512] same, rank, next, gap, declined, top_rank, top_next, top_gap, streak
    cdef int[8] turns, takes, gifts, idle, missed, last, late, busy
    cdef int plays, taken
    cdef u64 unseen1, unseen2
    cdef int unseen_jokers
    cdef int[66] x
    cdef i64[32] base, sums
    cdef bint admits(self, u64 code) except *
    cdef void need(self, int seat, int card, int copies) noexcept
    cdef void reveal(self, u64 code) noexcept
    cpdef void follow(self, u64 code) noexcept
    cdef void draw(self) noexcept
    cdef void decay(self, int seat) noexcept
    cdef void read_draw(self, int seat) noexcept
    cdef void read_play(self, int seat) noexcept
    cdef void read_discard(self, int seat, int card) noexcept
    cdef void add_near(self, int* clues, int seat, u64 cards) noexcept
    cdef void set_unseen(self, int card, int copies) noexcept
    cdef void read_seat(self, int seat, int observer) noexcept
    cdef void read_card(self, int seat, int card) noexcept
    cdef void weigh_seat(self, ClueNetwork net) noexcept
    cdef int weigh_card(self, ClueNetwork net) noexcept
