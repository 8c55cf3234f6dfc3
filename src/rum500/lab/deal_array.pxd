cimport cython
from libc.stdlib cimport free, malloc
from rum500.ai.policy cimport SeatPolicies
from rum500.ai.search cimport SearchWorker
from rum500.rng cimport inline_advance as advance, inline_mix64 as mix64
from rum500.rules.engine.core cimport PHASE_OVER, Core, Moves
from rum500.spaces.actions cimport NO_CODE, Actions
from rum500.spaces.features cimport Features, HiddenState

ctypedef unsigned long long u64
ctypedef long long i64

# Who plays a seat, and what a reward is: the same numbers as in deal_array.py.
cpdef enum:
    LEARNER = 0
    POLICY = 1
    RANDOM = 2

# What a stepper does with its deals.
cpdef enum:
    RESET = 0
    PICK = 1
    CHECK = 2
    STEP = 3
    REFRESH = 4
    END = 5

cpdef enum:
    POINTS = 0
    MARGIN = 1
    ZERO_SUM = 2
    MATCH_EQUITY = 3

@cython.final
cdef class DealArray:
    cdef readonly int n, players, width, size, hidden_size, hiding
    cdef Actions actions
    cdef Features features
    cdef HiddenState hidden_state
    cdef list kept
    cdef void** cores
    cdef void** moves
    cdef int reward, skip_forced, several
    cdef u64 random
    cdef public u64 stream
    cdef int[8] level
    cdef unsigned char[::1] mask, done
    cdef float[::1] obs, hidden, rewards
    cdef int[::1] actor
    cdef i64[::1] number, ids, variants
    cdef u64[::1] chance, code

@cython.final
cdef class DealStepper:
    cdef DealArray deals
    cdef SeatPolicies seating
    cdef SearchWorker judge
    cdef i64[8] chances
    cdef int first, end
    cdef readonly int wrong
    cdef void play(self, int task) noexcept nogil
    cdef void pick_all(self) noexcept nogil
    cdef int find(self) noexcept nogil
    cdef void step_all(self) noexcept nogil
    cdef void begin_all(self) noexcept nogil
    cdef void show_all(self) noexcept nogil
    cdef void begin(self, Core core, int i) noexcept nogil
    cdef void go_on(self, Core core, Moves moves, int i) noexcept nogil
    cdef void settle(self, Core core, int i) noexcept nogil
    cdef void show(self, Core core, Moves moves, int i) noexcept nogil
