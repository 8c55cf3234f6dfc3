cimport cython
from rum500.rng cimport inline_advance as advance, inline_mix64 as mix64
from rum500.ai.policy cimport Policy
from rum500.rules.engine.core cimport (
    CALL, DISCARD, MAX_SEATS, MELD_RUN, PHASE_OVER, PHASE_USE, REASON_TARGET, TAKE, Core, Moves,
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

cdef i64 chance_of(short* chances, int own, int other) noexcept nogil

@cython.final
cdef class Search:
    cdef Worlds worlds
    cdef int seat
    cdef readonly int n
    cdef u64[64] action
    cdef int[64] alive
    cdef i64[64] total, square, gap, gap_square
    cdef readonly i64 done
    cdef public int stopped
    cdef int staked, target, prize
    cdef short[1296] chances

@cython.final
cdef class SearchWorker:
    cdef Search search
    cdef Core world, twin
    cdef Moves moves
    cdef Policy own, other
    cdef int two, unlike
    cdef i64[64] total, square, gap, gap_square
    cdef i64 done
    cdef i64[64] row

    cdef void work(self, u64 seed, i64 first, i64 end, i64 step) noexcept nogil
    cdef void play_out(self) noexcept nogil
    cdef i64 utility(self) noexcept nogil
    cdef int account(self, int seat) noexcept nogil
    cdef int ahead(self) noexcept nogil
    cdef i64 winning(self) noexcept nogil
