ctypedef unsigned long long u64

# The functions of rng.py in C, so that the core can inline them. A test compares the checksums of the compiled and
# the interpreted engine, which keeps both the same.
cdef extern from *:
    """
    static inline unsigned long long rum500_advance(unsigned long long state) {
        return state + 0x9E3779B97F4A7C15ULL;
    }
    static inline unsigned long long rum500_mix64(unsigned long long x) {
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
        return x ^ (x >> 31);
    }
    """
    u64 inline_advance "rum500_advance" (u64 state) noexcept nogil
    u64 inline_mix64 "rum500_mix64" (u64 x) noexcept nogil

cpdef u64 mix64(u64 x) noexcept nogil
cpdef u64 advance(u64 state) noexcept nogil
