ctypedef unsigned long long u64

# What rng.py computes, once more in C: inlined where the core draws a number with each action. Compiled and
# interpreted checksums, held equal by a test, are what keeps the two the same.
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
