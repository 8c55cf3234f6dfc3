cimport cython
from libc.string cimport memset
from rum500.ai.policy cimport at_least_three, at_least_two, folded, trios
from rum500.rules.engine.core cimport (
    ABOVE_ACE, ACES, JOKER_CARD, NATURALS, ONE, PHASE_USE, Core, rum500_lowest as lowest, rum500_popcount as popcount,
)
from rum500.spaces.actions cimport CARD_INDEX

ctypedef unsigned long long u64

cpdef enum:
    CARDS = 53

cdef void clear(float* out, int size) noexcept nogil
cdef void spread(float* out, int at, u64 cards, double value) noexcept nogil
cdef void copies(float* out, int at, u64 once, u64 twice, double value) noexcept nogil

cdef class Vector:
    cdef readonly object rules, planes, names
    cdef readonly str version
    cdef readonly int players, size
    cdef double a_copy, a_joker, a_card
    cdef object lay_out(self, object rules, object players, object version, object layout)
    cdef object filled(self, Core core, object seat, object out)
    cdef void fill(self, Core core, int seat, float* out) noexcept nogil

@cython.final
cdef class Features(Vector):
    cdef int shown, completes, fits, table, pile, below, unseen, known, must, taken, banned, restocked
    cdef int phase, turn, actor, dealer, cards, few, laid, totals, held, stock, pile_size, idle, passes, restocks
    cdef int floater, progress, deal
    cdef double a_point
    cdef int target, deals
    cdef void write_cards(self, Core core, int seat, float* out) noexcept nogil
    cdef void write_pile(self, Core core, float* out) noexcept nogil
    cdef void write_numbers(self, Core core, int seat, float* out) noexcept nogil
    cdef u64 completing(self, Core core, int seat) noexcept nogil

@cython.final
cdef class HiddenState(Vector):
    pass
