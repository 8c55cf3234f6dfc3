cimport cython
from rum500.rng cimport inline_mix64 as mix64
from rum500.ai.policy cimport SeatPolicies
from rum500.ai.search cimport SearchWorker
from rum500.rules.engine.core cimport DISCARD, DRAW, JOKER_CARD, MAX_SEATS, PHASE_PLAY, Core, Moves
from rum500.ai.worlds cimport Worlds

ctypedef unsigned long long u64
ctypedef long long i64

@cython.final
cdef class Outcomes:
    cdef SeatPolicies seating
    cdef Core world, twin
    cdef Moves moves
    cdef SearchWorker winner
    cdef i64[8] points, square, chances
    cdef int done, counting, at_random

    cdef object _compare(self, Worlds worlds, played, other, seed, count)
    cdef void compare_all(self, Worlds worlds, u64 played, u64 other, u64 seed, i64 count) noexcept nogil
    cdef object _value(self, int drawing, seed, int orders)
    cdef void value_all(self, int drawing, u64 seed, int orders) noexcept nogil
    cdef bint begin(self, first)
    cdef object _play_out(self, seed, int times)
    cdef void play_out_all(self, u64 seed, int times) noexcept nogil
    cdef void put_in_order(self, int number) noexcept nogil
