cimport cython
from rum500.rng cimport inline_advance as advance, inline_mix64 as mix64
from rum500.ai.policy cimport Policy
from rum500.rules.engine.core cimport (
    CALL, DISCARD, DRAW, JOKER_CARD, LET_GO, MELD_RUN, ONE, PHASE_OVER, REASON_OUT, REASON_TARGET, TAKE,
    Core, Moves,
)
from rum500.ai.worlds cimport Worlds

ctypedef unsigned long long u64
ctypedef long long i64

cdef enum:
    MOST = 64
    STEPS = 36
    STEP = 20
    SURE = 1000
    WORTH = 8
    MEASURES = 17
    OWN_LAID = 0
    OWN_HELD = 1
    OTHERS_LAID = 2
    OTHERS_HELD = 3
    BONUS = 4
    POINTS = 5
    CHANCE = 6
    VALUE = 7
    OUT = 8
    OTHER_OUT = 9
    NO_OUT = 10
    NEXT_TAKES = 11
    CAUGHT = 12
    TOOK_BACK = 13
    AT_ONCE = 14
    OTHER_GETS = 15
    PARTNER_GETS = 16

cdef i64 chance_of(short* chances, int own, int other) noexcept nogil

@cython.final
cdef class Breakdown:
    cdef i64[1088] total, lead, lead_square, gained, lost, row  # MOST * MEASURES
    cdef int of_points, of_chance
    cdef u64 watched
    cdef void enter(self, int i) noexcept nogil
    cdef void move(self, Breakdown other) noexcept nogil

@cython.final
cdef class Search:
    cdef Worlds worlds
    cdef int seat
    cdef readonly int n
    cdef u64[64] action
    cdef int[64] alive
    cdef i64[64] tried, total, square, gap, gap_square
    cdef readonly i64 done
    cdef public int stopped
    cdef int staked, target, prize, chance_alone
    cdef Breakdown breakdown
    cdef short[1296] chances

@cython.final
cdef class SearchWorker:
    cdef Search search
    cdef Core world, twin
    cdef Moves moves
    cdef Policy own, other, of_seat
    cdef int two, unlike
    cdef i64[64] total, square, gap, gap_square
    cdef i64 done
    cdef i64[64] row
    cdef Breakdown breakdown
    cdef int explaining, next_takes, took_back, at_once, other_gets, partner_gets

    cdef void work(self, u64 seed, i64 first, i64 end, i64 step) noexcept nogil
    cdef void play_out(self, u64 played) noexcept nogil
    cdef void measure(self, int at) noexcept nogil
    cdef i64 chance_of_seat(self) noexcept nogil
    cdef void add_chances(self, Core core, i64* chances) noexcept nogil
    cdef i64 utility(self) noexcept nogil
    cdef int final_total(self, int seat) noexcept nogil
    cdef int ahead(self) noexcept nogil
    cdef i64 winning(self) noexcept nogil
