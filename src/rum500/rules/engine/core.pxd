cimport cython
from libc.stdlib cimport free
from rum500.rng cimport inline_advance as advance, inline_mix64 as mix64

ctypedef unsigned long long u64

cdef extern from *:
    """
    #ifndef RUM500_SOURCE_HASH
    #define RUM500_SOURCE_HASH ""
    #endif
    #define ONE 1ULL
    #define ACES 0x0001000100010001ULL
    #define NATURALS 0x1FFF1FFF1FFF1FFFULL
    #define PLACES 0x3FFF3FFF3FFF3FFFULL
    #define ABOVE_ACE 0x3FFE3FFE3FFE3FFEULL
    #define FULL_RUN 0x3FFFULL
    #include <stdlib.h>
    static unsigned long long *rum500_roomier(unsigned long long *a, int count) {
        a = (unsigned long long *) realloc(a, count * sizeof *a);
        if (!a) abort();
        return a;
    }
    static inline int rum500_popcount(unsigned long long x) { return __builtin_popcountll(x); }
    #ifdef __BMI2__
    #include <immintrin.h>
    static inline int rum500_nth(unsigned long long x, int n) { return __builtin_ctzll(_pdep_u64(1ULL << n, x)); }
    #else
    static inline int rum500_nth(unsigned long long x, int n) {
        int lane = 0, count;
        while ((count = __builtin_popcountll(x & 0xFFFF)) <= n) { n -= count; x >>= 16; lane += 16; }
        while (n-- > 0) x &= x - 1;
        return lane + __builtin_ctzll(x);
    }
    #endif
    static inline int rum500_lowest(unsigned long long x) { return __builtin_ctzll(x); }
    static inline int rum500_highest(unsigned long long x) { return 63 - __builtin_clzll(x); }
    """
    const char* RUM500_SOURCE_HASH
    const u64 ONE, ACES, NATURALS, PLACES, ABOVE_ACE, FULL_RUN
    u64* roomier "rum500_roomier" (u64* a, int count) noexcept nogil
    int rum500_popcount(u64 x) noexcept nogil
    int rum500_lowest(u64 x) noexcept nogil
    int rum500_nth(u64 x, int n) noexcept nogil
    int rum500_highest(u64 x) noexcept nogil

# Kinds of action, phases, ways a deal ends: the same numbers as in core.py.
cpdef enum:
    DRAW = 0
    PASS = 1
    END = 2
    LET_GO = 3
    TAKE = 4
    CALL = 5
    DISCARD = 6
    MELD_RUN = 7
    MELD_SET = 8
    LAY_RUN = 9
    LAY_SET = 10

cpdef enum:
    PHASE_DRAW = 0
    PHASE_USE = 1
    PHASE_PLAY = 2
    PHASE_CLAIM = 3
    PHASE_OVER = 4

cpdef enum:
    REASON_NONE = 0
    REASON_OUT = 1
    REASON_STOCK = 2
    REASON_PASSES = 3
    REASON_NO_PROGRESS = 4
    REASON_TARGET = 5

cpdef enum:
    GO_OUT_EITHER = 0
    GO_OUT_MELD = 1
    GO_OUT_DISCARD = 2

cpdef enum:
    JOKER_CARD = 62
    JOKER_RANK = 14
    MELD_SHIFT = 34
    MAX_SEATS = 8
    MAX_CARDS = 112
    MAX_MELDS = 36
    PACK_HEAD = 63
    PACK_SEAT = 42

cdef int[16] SPREAD
cdef tuple CARDS
cdef u64[256] SUITS_ONCE, SUITS_TWICE
cdef int N_SHAPES, N_PLAIN_SHAPES
cdef int[512] SHAPE_NEED
cdef int[512] SHAPE_NATURAL
cdef int[512] SHAPE_WILD
cdef int[512] SHAPE_JOKERS
cdef int[512] SHAPE_COUNT

cdef int popcount(u64 x) noexcept nogil
cdef int lowest(u64 x) noexcept nogil
cdef int highest(u64 x) noexcept nogil
cdef u64 bit(int card) noexcept nogil
cdef int suits_at(u64 mask, int rank) noexcept nogil
cdef int two_bit_sum(u64 field) noexcept nogil
cdef int nth_card(u64 mask, int n) noexcept nogil
cdef int put(bytearray data, int at, u64 value, int count) noexcept
cdef u64 get(bytes data, int at, int count) noexcept
cdef long long with_sign(u64 value) noexcept nogil
cdef list _cards(u64 once, u64 twice, int jokers)

@cython.final
cdef class Moves:
    cdef u64* a
    cdef public int n
    cdef int cap
    cdef int grow(self) noexcept nogil
    cdef void push(self, u64 action) noexcept nogil

@cython.final
cdef class Core:
    # the rules, as numbers
    cdef public int n, sides, packs, wild, own_rank, ace_low, same_suit, top_must_meld, go_out, may_pass
    cdef public int restock_allowed, upcard_free, doubles, at_once, target, bonus, to_winner
    cdef public int unnamed_jokers, keep_upcard, claim_allowed, claim_blind, idle_limit, restock_limit, joker_value
    cdef public int hand_size, jokers_total
    cdef public int[14] value
    cdef public int[8] totals
    # the table
    cdef public u64[8] h1, h2, k1, k2
    cdef public int[8] hj, hn, kj, laid
    cdef public short[112] stock, pile
    cdef public int stock_next, stock_end, pile_n, pile_j
    cdef public u64 pile_mask
    cdef public u64[36] meld, owner
    cdef public int meld_n
    cdef public u64 ups, downs, opens
    # natural cards on the table: those with at least one copy there, and those with two
    cdef public u64 down1, down2
    cdef public u64[4] runs
    cdef public u64[16] sets
    # the cards of the last restock (H5), which everybody knows
    cdef public u64 r1, r2
    cdef public int rj
    # the turn
    cdef public int dealer, turn, actor, phase, must, claiming, ban, floater, progress
    cdef public u64 t1, t2
    cdef public int tj
    cdef public int idle, passes, restocks, drawn
    cdef public int reason, out
    # the number of the deal in its match, which no rule uses
    cdef public int number
    cdef public u64 rng

    cpdef void copy_from(self, Core other) noexcept nogil
    cdef int below(self, int n) noexcept nogil
    cdef void mix(self, int first, int end) noexcept nogil
    cpdef void shuffle(self, u64 seed) noexcept nogil
    cpdef void start(self, int dealer) noexcept nogil
    cdef void gain(self, int seat, int card) noexcept nogil
    cdef void lose_cards(self, u64 cards) noexcept nogil
    cdef void lose_jokers(self, int count) noexcept nogil
    cdef void throw(self, int card) noexcept nogil
    cdef void cut_pile(self, int left) noexcept nogil
    cdef u64 places(self, u64 cards) noexcept nogil
    cdef u64 usable(self, u64 cards) noexcept nogil
    cdef u64 layable(self, u64 places) noexcept nogil
    cpdef int can_use(self, Moves moves, int card, u64 a1, u64 a2, int jokers) noexcept nogil
    cdef int joker_pairs(self, int card, u64 a1, u64 a2) noexcept nogil
    cpdef int meld_count(self, u64 meld) noexcept nogil
    cpdef int fits_table(self, int card) noexcept nogil
    cdef void clear_melds(self) noexcept nogil
    cdef void place_meld(self, u64 meld) noexcept nogil
    cdef void grow_meld(self, int index, u64 action) noexcept nogil
    cpdef u64 room_above(self, u64 meld) noexcept nogil
    cpdef u64 room_below(self, u64 meld) noexcept nogil
    cpdef u64 room_in_set(self, u64 meld) noexcept nogil
    cpdef int room_for_joker(self, u64 meld) noexcept nogil
    cpdef int fits_meld(self, u64 meld, int card) noexcept nogil
    cdef void gen_takes(self, Moves moves) noexcept nogil
    cdef void gen_calls(self, Moves moves, int first_only) noexcept nogil
    cdef void gen_pile(self, Moves moves, int kind, u64 a1, u64 a2, int jokers, int skip, int first_only) noexcept nogil
    cpdef int top_binds(self) noexcept nogil
    cpdef int last_bound(self) noexcept nogil
    cdef void gen_turn(self, Moves moves) noexcept nogil
    cdef u64 joined(self, int index, u64 action) noexcept nogil
    cpdef void gen_plays(self, Moves moves, u64 a1, u64 a2, int jokers, int must) noexcept nogil
    cdef void gen_sets(self, Moves moves, u64 a1, u64 a2, int jokers, int must) noexcept nogil
    cdef void gen_shapes(self, Moves moves, int rank, u64 a1, u64 a2, int jokers, int must) noexcept nogil
    cdef void gen_runs(self, Moves moves, u64 a1, int must) noexcept nogil
    cdef void gen_wild_runs(self, Moves moves, u64 a1, int jokers, int must) noexcept nogil
    cdef void gen_lays(self, Moves moves, u64 a1, int jokers, int must) noexcept nogil
    cdef void gen_run_lays(self, Moves moves, int index, u64 lane, int must) noexcept nogil
    cdef void gen_wild_lays(self, Moves moves, int index, u64 a1, int jokers, int must) noexcept nogil
    cdef void gen_set_lays(self, Moves moves, int index, u64 a1, int jokers, int must) noexcept nogil
    cdef void push_wild(self, Moves moves, u64 head, u64 wild, u64 rest, int left, u64 never, int need) noexcept nogil
    cdef void drop_stranding(self, Moves moves) noexcept nogil
    cpdef int strands(self, u64 action) noexcept nogil
    cpdef int uses(self, u64 action, int card) noexcept nogil
    cpdef int may_restock(self) noexcept nogil
    cpdef int joker_discard(self) noexcept nogil
    cpdef u64 discards(self) noexcept nogil
    cpdef int doubled(self, u64 action) noexcept nogil
    cpdef int points(self, u64 action) noexcept nogil
    cpdef int held(self, int seat) noexcept nogil
    cpdef void generate(self, Moves moves) noexcept nogil
    cdef u64 pick(self, Moves moves, u64 random) noexcept nogil
    cpdef void apply(self, u64 action, Moves moves) noexcept nogil
    cdef void draw(self) noexcept nogil
    cdef void gather(self) noexcept nogil
    cdef void restock(self) noexcept nogil
    cdef void take(self, int count, int top_binds) noexcept nogil
    cdef void discard(self, int card, Moves moves) noexcept nogil
    cdef void put_down(self, u64 action, Moves moves) noexcept nogil
    cdef void sign(self, int index, u64 action) noexcept nogil
    cdef u64 cards_of(self, u64 action) noexcept nogil
    cdef u64 twins_of(self, u64 action) noexcept nogil
    cdef int jokers_of(self, u64 action) noexcept nogil
    cdef void lose_play(self, u64 action) noexcept nogil
    cdef void see_laid(self, u64 cards) noexcept nogil
    cdef void end_turn(self, Moves moves) noexcept nogil
    cdef void begin(self) noexcept nogil
    cdef void next_turn(self, int seat) noexcept nogil
    cdef void finish(self, int reason, int out) noexcept nogil
    cdef int same_side(self, int a, int b) noexcept nogil
    cpdef int side_points(self, int seat) noexcept nogil
    cpdef int deduction(self, int seat) noexcept nogil
    cpdef int collected(self, int seat) noexcept nogil
    cpdef int bonus_of(self, int seat) noexcept nogil
    cpdef int score(self, int seat) noexcept nogil
    cpdef u64 playout(self, Moves moves, u64 seed) noexcept nogil
    cdef int is_meld(self, u64 meld, u64 owner) noexcept nogil
    cdef int is_sound(self) noexcept nogil
    cdef int holds_taken(self, int card) noexcept nogil
    cdef int is_card(self, int card) noexcept nogil
