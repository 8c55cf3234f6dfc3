cimport cython
from rum500.rng cimport inline_advance as advance, inline_mix64 as mix64
from rum500.ai.policy cimport Policy
from rum500.rules.engine.core cimport DISCARD, DRAW, JOKER_CARD, MELD_RUN, PHASE_DRAW, PHASE_PLAY, TAKE, Core, Moves, bit
from rum500.ai.clues cimport ClueTracker
from rum500.ai.worlds cimport KEEP, KEEP_STEPS, STOCK_PLACE, Worlds

ctypedef unsigned long long u64
ctypedef long long i64

cdef enum:
    HELD = 1073741824
    MOST_ACTS = 1024
    SLOTS = 112
    DRAW_T = 160
    DISCARD_T = 30
    HOLD = 1000
    LAX = 655

cdef int[64] LOG

cdef int log_of(u64 x) noexcept nogil
cdef int share_of(i64* costs, int count, int done, int t) noexcept nogil

@cython.final
cdef class HandSampler:
    cdef ClueTracker tracker
    cdef Policy own, other
    cdef Moves moves
    cdef int observer, time, slots
    cdef public int stopped
    cdef list kept, drew, shown, acts
    cdef int[1024] act_time
    cdef u64[1024] act_code
    cdef void* moments[1024]
    cdef int[9] first_act, end_act, first_slot, end_slot, likely
    cdef i64[113] cost
    cdef int[112] seat, came, went, card, index
    cdef void reset(self) noexcept
    cpdef void follow(self, u64 code) noexcept
    cdef list own_cards(self, Core core, int seat)
    cdef void index_actions(self) noexcept
    cdef void put_moment(self, int i, Core moment) noexcept
    cdef int begin(self, Worlds worlds, u64 seed) except -1
    cdef void put(self, int seat, int time, tuple what) noexcept
    cdef bytes arrangement(self)
    cdef void walk(self, u64 seed, int steps) noexcept
    cdef void metropolis_steps(self, u64 random, int steps) noexcept nogil
    cdef int differ(self, int i, int j) noexcept nogil
    cdef int fits(self, int i, int j) noexcept nogil
    cdef void propose(self, int i, int j, int chance) noexcept nogil
    cdef void swap(self, int i, int j) noexcept nogil
    cdef int weigh(self, int seat) noexcept nogil
    cdef void show(self, Core core, int seat, int time) noexcept nogil
    cdef int action_cost(self, Core core, Policy policy, u64 code) noexcept nogil
    cdef int action_cost_draw(self, Core core, Policy policy, u64 code) noexcept nogil
    cdef int action_cost_discard(self, Core core, Policy policy, int card) noexcept nogil
