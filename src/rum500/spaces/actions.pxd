cimport cython
from rum500.rules.engine.core cimport (
    CALL, DISCARD, DRAW, END, FULL_RUN, JOKER_CARD, JOKER_RANK, LAY_RUN, LET_GO, MELD_RUN, MELD_SET, MELD_SHIFT, ONE,
    PASS, RUM500_SOURCE_HASH, TAKE, Core, Moves, rum500_lowest as lowest, rum500_popcount as popcount,
)
from libc.string cimport memset

ctypedef unsigned long long u64

# The numbers of the blocks: the same as in actions.py.
cpdef enum:
    DISCARDS = 4
    RUNS = 57
    RUNS_OF_SUIT = 77
    SETS = 365
    JOKER_SETS = 430
    TAKES = 432

cdef extern from *:
    """
    #define RUM500_NO_CODE (~0ULL)
    """
    const u64 NO_CODE "RUM500_NO_CODE"

cdef int[64] CARD_INDEX
cdef int[54] CARD_CODE
cdef int[16] RUN_AT

cdef int meld_id(u64 meld) noexcept nogil

@cython.final
cdef class Actions:
    cdef readonly object rules, names
    cdef readonly int players, n, variants
    cdef int calls, most
    cdef Moves moves
    cdef int id_of(self, Core core, u64 code) noexcept nogil
    cdef void mark(self, Core core, Moves moves, unsigned char* out) noexcept nogil
    cdef int is_play(self, int number) noexcept nogil
    cdef u64 fixed_code(self, int number) noexcept nogil
    cdef u64 nth_play(self, Core core, Moves moves, int number, int variant) noexcept nogil
    cdef int count_plays(self, Core core, Moves moves, int number) noexcept nogil
