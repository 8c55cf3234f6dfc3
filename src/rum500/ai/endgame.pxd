cimport cython
from rum500.rng cimport inline_mix64 as mix64
from rum500.rules.engine.core cimport MELD_SHIFT, ONE, PHASE_OVER, PHASE_USE, Core, Moves
from rum500.ai.search cimport SearchWorker

ctypedef unsigned long long u64

cdef enum:
    DEEPEST = 160
    SLOTS = 32768
    WORST = -1000000

@cython.final
cdef class SearchNode:
    cdef Core core
    cdef Moves moves
    cdef SearchNode next

@cython.final
cdef class Endgame:
    cdef SearchNode first
    cdef int seat, judged
    cdef SearchWorker judge
    cdef long long nodes, budget
    cdef u64[32768] keys
    cdef int[32768] values
    cdef signed char[32768] bounds

    cdef int value(self, SearchNode frame, int alpha, int beta) noexcept nogil
    cdef int lead(self, Core core) noexcept nogil
    cdef int outcome(self, Core core) noexcept nogil
    cdef u64 key(self, Core core) noexcept nogil
    cdef int child(self, SearchNode frame, u64 action, int alpha, int beta) noexcept nogil
