cimport cython
from rum500.rng cimport inline_advance as advance, inline_mix64 as mix64
from rum500.rules.engine.core cimport PHASE_OVER, Core, Moves

ctypedef unsigned long long u64

cdef u64 _random_deals(Core core, Moves moves, u64 seed, int count) noexcept
cdef void _copies(Core target, Core source, int count) noexcept
