ctypedef unsigned long long u64

cdef extern from *:
    """
    #define MASK64 0xFFFFFFFFFFFFFFFFULL
    #define GAMMA 0x9E3779B97F4A7C15ULL
    #define MIX_A 0xBF58476D1CE4E5B9ULL
    #define MIX_B 0x94D049BB133111EBULL
    """
    u64 MASK64, GAMMA, MIX_A, MIX_B

cpdef u64 mix64(u64 x) noexcept nogil
cpdef u64 advance(u64 state) noexcept nogil
