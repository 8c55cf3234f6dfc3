from rum500.rng cimport inline_advance as advance, inline_mix64 as mix64
from rum500.rules.engine.core cimport JOKER_CARD, MAX_CARDS, MAX_SEATS, ONE, Core

ctypedef unsigned long long u64

cdef enum:
    PLACES_TO_LIE = 9
    STOCK_PLACE = 8
    KEEP_STEPS = 2048
    TRIES = 8

cdef int[2048] KEEP

cdef class Worlds:
    cdef Core base
    cdef short[112] cards
    cdef short[112] places
    cdef int[9] room
    cdef int[1008] weights
    cdef int[8] penalties
    cdef readonly int count, bound, weighted, sweeps, plain, penalized
    cdef bytes kept
    cdef const unsigned char* kept_at
    cdef int kept_n
    cdef u64 deal_weighted(self, Core into, u64 seed) noexcept nogil
    cdef u64 restore(self, Core into, u64 random) noexcept nogil
    cdef void deal(self, Core into, u64 seed) noexcept nogil
    cdef u64 deal_evenly(self, Core into, u64 random) noexcept nogil
    cdef int is_accepted(self, Core into, u64 random) noexcept nogil
    cdef u64 settle(self, Core into, u64 random) noexcept nogil

cdef u64 shuffle_part(short* cards, int first, int end, int low, u64 random) noexcept nogil
