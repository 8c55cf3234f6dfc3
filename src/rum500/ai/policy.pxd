cimport cython
from rum500.rng cimport inline_advance as advance, inline_mix64 as mix64
from rum500.rules.engine.core cimport (
    ABOVE_ACE, ACES, CALL, DISCARD, DRAW, END, FULL_RUN, GO_OUT_DISCARD, GO_OUT_EITHER, GO_OUT_MELD, JOKER_CARD, JOKER_RANK,
    LAY_RUN, LAY_SET, LET_GO, MAX_SEATS, MELD_RUN, MELD_SET, MELD_SHIFT, NATURALS, ONE, PASS, PHASE_CLAIM,
    PHASE_DRAW, PHASE_OVER, PHASE_PLAY, PHASE_USE, PLACES, TAKE, Core, Moves,
    rum500_lowest as lowest, rum500_popcount as popcount,
)

ctypedef unsigned long long u64
ctypedef long long i64

cdef extern from *:
    """
    #define UPPER 0x100000000LL
    #define NO_PRICE 0x10000000000LL
    static inline int rum500_byte(const unsigned long long *words, int i) {
    #if defined __BYTE_ORDER__ && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        return ((const unsigned char *) words)[i];
    #else
        return (words[i >> 3] >> (8 * (i & 7))) & 255;
    #endif
    }
    """
    const i64 UPPER, NO_PRICE
    int byte "rum500_byte" (const u64 *words, int i) noexcept nogil

# The indices of the weights: the same numbers as in policy.py, which describes them.
cpdef enum:
    DRAWN = 0
    CARDS = 1
    HOPE = 2
    TEMPO = 3
    MELDED = 4
    LAY = 5
    FOURTH = 6
    JOKER = 7
    LONE_JOKER = 8
    GO = 9
    GO_CARDS = 10
    OPEN = 11
    LEFT = 12
    BURDEN = 15
    NEAR = 23
    COST = 24
    SIGNS = 15
    JOKER_COST = 114
    JOKER_SIGNS = 4
    WEIGHTS = 126
    FAR = -1073741824
    FEW = 6
    LAY_ALL = 64

cdef u64[256] SPREAD

@cython.final
cdef class Policy:
    cdef public bint forgets
    cdef public int lays_at
    cdef int[126] w
    cdef i64[768] near_sum
    cdef i64[192] flag_sum
    cdef bint[3] uses_held
    # working memory: data of the core for the current choice
    cdef int scale, seat, least, foes, burden, lay, time, hidden, others, rest
    cdef u64 ground, v0, v1, v2, v3
    cdef u64 live, foe, pile, outs, out_places, out_ends, out_ranks
    cdef u64 sets, down, left
    cdef u64[24] sign
    cdef u64[8] near_bytes, flag_bytes, chance_bytes, held_bytes
    cdef int held
    cdef i64[8] half_sum, maybe_sum
    cdef i64[16] held_sum
    cdef i64 lowest_cost
    cdef int[16] value
    cdef int[113] paid
    cdef i64[64] price

    cdef u64 choose(self, Core core, Moves moves) noexcept nogil
    cdef void set_actor(self, Core core) noexcept nogil
    cdef u64 places(self, u64 cards) noexcept nogil
    cdef void read_values(self, Core core) noexcept nogil
    cdef void read_table(self, Core core) noexcept nogil
    cdef int is_foe(self, Core core, int other) noexcept nogil
    cdef void read_end(self, Core core) noexcept nogil
    cdef u64 waiting(self, Core core, u64 hand, u64 outs) noexcept nogil
    cdef int points(self, u64 cards) noexcept nogil
    cdef int worth(self, Core core, u64 h1, u64 h2, int jokers) noexcept nogil
    cdef int parts_worth(self, Core core, u64 h1, u64 h2, int jokers) noexcept nogil
    cdef u64 choose_draw(self, Core core, Moves moves) noexcept nogil
    cdef int weigh_draws(self, Core core, Moves moves) noexcept nogil
    cdef u64 choose_call(self, Core core, Moves moves) noexcept nogil
    cdef int taken_worth(self, Core core, int count) noexcept nogil
    cdef u64 choose_use(self, Core core, Moves moves) noexcept nogil
    cdef u64 choose_play(self, Core core, Moves moves) noexcept nogil
    cdef u64 four_at_once(self, Core core, Moves moves) noexcept nogil
    cdef int stuck(self, Core core, u64 rest, u64 down, int jokers) noexcept nogil
    cdef u64 best_play(self, Core core, Moves moves, int floor) noexcept nogil
    cdef u64 opened(self, Core core, u64 action) noexcept nogil
    cdef void read_outs(self, Core core, u64 outs) noexcept nogil
    cdef void part(self, Core core, u64 h1, u64 h2, int jokers) noexcept nogil
    cdef u64 best_partition(self, Core core, u64 hand, u64 runs) noexcept nogil
    cdef u64 high_aces(self, Core core, u64 hand) noexcept nogil
    cdef int ends(self, Core core) noexcept nogil
    cdef int fourth(self, Core core, u64 action) noexcept nogil
    cdef void read_signs(self, Core core) noexcept nogil
    cdef void add_up(self) noexcept nogil
    cdef void count(self, int at, u64 a, u64 b, u64 c, u64 d) noexcept nogil
    cdef void count_pairs(self, int at, u64 y, u64 z, u64 mates) noexcept nogil
    cdef i64 both(self, int time, int sign) noexcept nogil
    cdef void add_chances(self) noexcept nogil
    cdef void read_bytes(self) noexcept nogil
    cdef u64 bits(self, int first, int end, int card) noexcept nogil
    cdef i64 cost(self, int card, int near, int flags, int chances, int held) noexcept nogil
    cdef i64 read_cost(self, int card) noexcept nogil
    cdef void weigh_discards(self, Core core) noexcept nogil
    cdef int cheapest(self, u64 cards) noexcept nogil
    cdef u64 bytes(self, int first, int end, int block) noexcept nogil
    cdef int joker_cost(self, Core core) noexcept nogil
    cdef u64 choose_discard(self, Core core, u64 mask) noexcept nogil

@cython.final
cdef class SeatPolicies:
    cdef Policy p0, p1, p2, p3, p4, p5, p6, p7
    cdef u64 choose(self, Core core, Moves moves) noexcept nogil
    cpdef u64 playout(self, Core core, Moves moves) noexcept nogil

cdef u64 turned(u64 places) noexcept nogil
cdef u64 trios(u64 x) noexcept nogil
cdef u64 at_least_one(u64 x) noexcept nogil
cdef u64 at_least_two(u64 x) noexcept nogil
cdef u64 at_least_three(u64 x) noexcept nogil
cdef u64 all_four(u64 x) noexcept nogil
cdef u64 folded(u64 places) noexcept nogil

cdef inline u64 bit(int card) noexcept nogil:
    return ONE << card
