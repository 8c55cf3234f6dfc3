cimport cython
from rum500.ai.policy cimport Policy, SeatPolicies
from rum500.rng cimport inline_advance as advance, inline_mix64 as mix64
from rum500.rules.engine.core cimport CALL, LET_GO, PHASE_OVER, TAKE, Core, Moves

ctypedef unsigned long long u64

# Added to numbers that may be negative, in a list of actions.
cpdef enum:
    SHIFT = 1048576

cdef void _club_deals(Core core, SeatPolicies seating, Moves moves, Moves rows, u64 stream, int first, int count, int dealer, bint counted) noexcept
cdef u64 _counted_playout(Core core, SeatPolicies seating, Moves moves, Moves counts) noexcept nogil
cdef void _duel_deals(Core core, SeatPolicies seating, Moves moves, Moves rows, u64 seed, int turn, int count) noexcept
