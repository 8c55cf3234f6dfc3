/* A floor for the engine's speed: two-player 500 Rum alone, written out by hand.
 *
 *   floor bench SEED DEALS       uniform random playouts, measured
 *   floor perft DEPTH CARD...    lines of exactly DEPTH plays from a deck of 52 cards, the first dealt first
 *   floor play DECKFILE          applies the plays (ints) on stdin; prints the legal ones before each
 *
 * Seat 0 deals, seat 1 gets the first card and starts. Thirteen cards each, aces high or low in runs, every
 * card taken from the pile by its lowest must be used at once, an empty stock lets a player end the deal.
 *
 * Cards and places are bits of one 64-bit mask: four lanes of 16 bits, a suit each. Bit 0 is the ace, 12 the
 * king, 13 the same ace again as the high card; bits 14 and 15 stay clear and keep the lanes apart. A card is
 * the number of its low bit. A play is the project's 64-bit action, so that lists compare as they are. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif
#ifndef FLAGS
#define FLAGS ""
#endif

typedef uint64_t u64;
typedef uint8_t u8;

#define ACES 0x0001000100010001ULL
#define CARDS 0x1FFF1FFF1FFF1FFFULL
#define RANKS 0x1FFFu
#define PLACES 0x3FFFu
#define MOST_PLAYS 512 /* far above what the cards allow */

enum kind { DRAW = 0, END = 2, TAKE = 4, DISCARD = 6, MELD_RUN = 7, MELD_SET = 8, LAY_RUN = 9, LAY_SET = 10 };
enum phase { AT_DRAW, AT_USE, AT_PLAY, OVER };

typedef struct { u8 suit, low, high, meld; } Run;

typedef struct {
    u64 hand[2];        /* aces at both places */
    u64 pile;           /* the same */
    u64 above, below;   /* the places that the runs on the table could take next */
    u64 wanted;         /* the cards that would complete a set of three */
    u64 under[53];      /* under[i]: the pile's cards below index i */
    const u8 *stock, *stock_end;
    int points[2], turn, phase, must, pile_size, runs, melds;
    Run run[16];
    u8 run_of_meld[20], meld_of_set[13];
    u8 at[64];          /* where in the pile a card lies */
    u8 card[52];        /* the pile, oldest first */
} State;

/* What there is to choose from: takes as bits (bit 0: draw or end, bit k: take k cards), or numbers of plays. */
typedef struct {
    int n, discards, sets, runs, fills, ups, downs;
    u64 takes, list[MOST_PLAYS];
} Menu;

static const int WORTH[14] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 15};               /* by place */
static const int UP_TO[15] = {0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 65, 75, 85, 100};     /* of places below */

static inline int ones(u64 m) { return __builtin_popcountll(m); }
static inline int lowest(u64 m) { return __builtin_ctzll(m); }
static inline u64 bit(int place) { return 1ULL << place; }
static inline u64 both(u64 m) { return m | (m & ACES) << 13 | (m >> 13 & ACES); }
static inline int value(int card) { return card & 15 ? WORTH[card & 15] : 15; }

static inline int nth_bit(u64 m, int n) {
#ifdef __BMI2__
    return lowest(_pdep_u64(bit(n), m));
#else
    while (n--) m &= m - 1;
    return lowest(m);
#endif
}

static u64 rng;
static inline u64 random64(void) {
    u64 z = rng += 0x9E3779B97F4A7C15ULL;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ z >> 27) * 0x94D049BB133111EBULL;
    return z ^ z >> 31;
}
static inline int below(int n) { return (int)((random64() >> 32) * (u64)n >> 32); }

/* ---- what a set of cards could do ---- */

/* The ranks held in three suits at least; *all gets those held in four. */
static inline unsigned triples(u64 h, unsigned *all) {
    uint32_t and = (uint32_t)h & (uint32_t)(h >> 32), or = (uint32_t)h | (uint32_t)(h >> 32);
    uint32_t three = and & (or >> 16 | or << 16);
    *all = and & and >> 16 & RANKS;
    return (three | three >> 16) & RANKS;
}

/* The places of `h` that continue a run on the table upwards: a carry runs through those that follow on. */
static inline u64 rising(const State *s, u64 h) {
    u64 first = s->above & h;
    return first | (h & ~(h + first));
}

/* The same downwards. */
static inline u64 falling(const State *s, u64 h) {
    u64 m = 0;
    for (u64 next = s->below & h; next; next = next >> 1 & h) m |= next;
    return m;
}

/* The places in `h` that some play made of `h` and the table could fill. */
static inline u64 usable(const State *s, u64 h) {
    unsigned all;
    u64 three = h & h >> 1 & h >> 2;
    u64 m = three | three << 1 | three << 2 | triples(h, &all) * ACES | s->wanted | rising(s, h) | falling(s, h);
    return m | (m >> 13 & ACES);
}

static inline int above_run(const Run *r, unsigned lane) { return lowest(~((u64)lane >> (r->high + 1))); }
static inline int below_run(const Run *r, unsigned lane) {
    return __builtin_clzll(~((u64)lane << 1 << (63 - r->low)));
}
static inline unsigned span(int low, int length) { return ((1u << length) - 1) << low; }

/* ---- plays: how many, and the n-th ---- */

static inline u64 set_play(int rank, unsigned suits) {
    u64 counts = (suits & 1) | (suits & 2) << 1 | (suits & 4) << 2 | (suits & 8) << 3;
    return MELD_SET | (u64)rank << 4 | counts << 8;
}
static inline u64 run_play(int suit, unsigned places) { return MELD_RUN | (u64)suit << 4 | (u64)places << 6; }
static inline u64 lay_play(const Run *r, unsigned places) {
    return LAY_RUN | (u64)r->suit << 4 | (u64)places << 6 | (u64)r->meld << 34;
}
static inline u64 fill_play(const State *s, int card) {
    return LAY_SET | (u64)(card & 15) << 4 | 1ULL << (8 + 2 * (card >> 4)) | (u64)s->meld_of_set[card & 15] << 34;
}
static inline unsigned suits_of(u64 h, int rank) {
    h = h >> rank & ACES;
    return (unsigned)((h | h >> 15 | h >> 30 | h >> 45) & 15);
}

/* Lists the lay-offs on runs that use a card of `must`; with `two_ended` only those that add at both ends. */
static int list_lays(const State *s, u64 h, u64 must, bool two_ended, u64 *out) {
    int n = 0;
    for (int i = 0; i < s->runs; i++) {
        const Run *r = &s->run[i];
        unsigned lane = (unsigned)(h >> 16 * r->suit) & PLACES, need = (unsigned)(must >> 16 * r->suit) & PLACES;
        int up = above_run(r, lane), down = below_run(r, lane);
        for (int d = two_ended; d <= down; d++)
            for (int u = two_ended || !d; u <= up; u++) {
                unsigned places = span(r->low - d, d) | span(r->high + 1, u);
                if (!(places & need)) continue;
                if (r->low - d == 0 && r->high + u == 13) continue; /* the one ace cannot be at both ends */
                out[n++] = lay_play(r, places);
            }
    }
    return n;
}

/* Lists the plays that use the card which must be used now. */
static int list_uses(const State *s, u64 h, u64 *out) {
    int suit = s->must >> 4, rank = s->must & 15;
    u64 must = both(bit(s->must));
    int n = must & (rising(s, h) | falling(s, h)) ? list_lays(s, h, must, false, out) : 0;
    if (must & s->wanted) out[n++] = fill_play(s, s->must);
    unsigned suits = suits_of(h, rank), lane = (unsigned)(h >> 16 * suit) & PLACES;
    if (ones(suits) >= 3)
        for (unsigned m = 0; m < 16; m++)
            if ((m & suits) == m && m >> suit & 1 && ones(m) >= 3) out[n++] = set_play(rank, m);
    for (int at = rank; at < 14; at += rank ? 14 : 13) {
        int first = at, last = at;
        while (first > 0 && lane >> (first - 1) & 1) first--;
        while (lane >> (last + 1) & 1) last++;
        for (int a = first; a <= at; a++)
            for (int b = at > a + 2 ? at : a + 2; b <= last; b++)
                if (b - a < 13) out[n++] = run_play(suit, span(a, b - a + 1));
    }
    return n;
}

/* The lay-off that lengthens the run next below `place` up to it; and the same downwards. */
static u64 lay_up_to(const State *s, int place) {
    const Run *best = NULL;
    for (const Run *r = s->run; r < s->run + s->runs; r++)
        if (r->suit == place >> 4 && r->high < (place & 15) && (!best || r->high > best->high)) best = r;
    return lay_play(best, span(best->high + 1, (place & 15) - best->high));
}
static u64 lay_down_to(const State *s, int place) {
    const Run *best = NULL;
    for (const Run *r = s->run; r < s->run + s->runs; r++)
        if (r->suit == place >> 4 && r->low > (place & 15) && (!best || r->low < best->low)) best = r;
    return lay_play(best, span(place & 15, best->low - (place & 15)));
}

static inline int count_runs(u64 h) {
    int n = 0;
    u64 m = h & h >> 1 & h >> 2;
    for (int length = 3; m && length <= 13; length++, m &= h >> (length - 1)) n += ones(m);
    return n;
}

static u64 nth_run(u64 h, int n) {
    u64 m = h & h >> 1 & h >> 2;
    int length = 3;
    for (; n >= ones(m); length++, m &= h >> (length - 1)) n -= ones(m);
    int place = nth_bit(m, n);
    return run_play(place >> 4, span(place & 15, length));
}

static u64 nth_set(u64 h, int n) {
    unsigned all, three = triples(h, &all);
    for (; three; three &= three - 1) {
        int rank = lowest(three), here = all >> rank & 1 ? 5 : 1;
        unsigned suits = suits_of(h, rank);
        if (n < here) return set_play(rank, n && n <= 4 ? suits ^ 1u << (n - 1) : suits);
        n -= here;
    }
    abort();
}

static inline int count(const State *s, Menu *menu) {
    u64 h = s->hand[s->turn];
    if (s->phase == AT_DRAW) {
        u64 likely = usable(s, h | s->pile) & s->pile & CARDS, takes = 1;
        for (; likely; likely &= likely - 1) {
            int card = lowest(likely), at = s->at[card];
            u64 taken = s->pile ^ s->under[at];
            takes |= (usable(s, h | taken) >> card & 1) << (s->pile_size - at);
        }
        menu->takes = takes;
        return menu->n = ones(takes);
    }
    if (s->phase == AT_USE) return menu->n = list_uses(s, h, menu->list);
    unsigned all, three = triples(h, &all);
    menu->discards = ones(h & CARDS);
    menu->sets = ones(three) + 4 * ones(all);
    menu->runs = count_runs(h);
    menu->fills = ones(h & s->wanted);
    menu->ups = ones(rising(s, h));
    menu->downs = ones(falling(s, h));
    menu->n = menu->discards + menu->sets + menu->runs + menu->fills + menu->ups + menu->downs;
    if (menu->ups && menu->downs) menu->n += list_lays(s, h, ~0ULL, true, menu->list);
    return menu->n;
}

static inline u64 nth(const State *s, const Menu *menu, int n) {
    u64 h = s->hand[s->turn];
    if (s->phase == AT_DRAW) {
        int take = nth_bit(menu->takes, n);
        return take ? TAKE | (u64)take << 4 : s->stock == s->stock_end ? END : DRAW;
    }
    if (s->phase == AT_USE) return menu->list[n];
    if (n < menu->discards) return DISCARD | (u64)nth_bit(h & CARDS, n) << 4;
    if ((n -= menu->discards) < menu->sets) return nth_set(h, n);
    if ((n -= menu->sets) < menu->runs) return nth_run(h, n);
    if ((n -= menu->runs) < menu->fills) return fill_play(s, nth_bit(h & s->wanted, n));
    if ((n -= menu->fills) < menu->ups) return lay_up_to(s, nth_bit(rising(s, h), n));
    if ((n -= menu->ups) < menu->downs) return lay_down_to(s, nth_bit(falling(s, h), n));
    return menu->list[n - menu->downs];
}

/* ---- making a play ---- */

static void finish(State *s) {
    s->phase = OVER;
    for (int seat = 0; seat < 2; seat++)
        for (u64 m = s->hand[seat] & CARDS; m; m &= m - 1) s->points[seat] -= value(lowest(m));
}

static inline void lay_down(State *s, u64 cards, int points) {
    s->points[s->turn] += points;
    s->hand[s->turn] &= ~both(cards);
    s->phase = AT_PLAY;
    if (!s->hand[s->turn]) finish(s);
}

static inline void put_on_pile(State *s, int card) {
    s->under[s->pile_size] = s->pile;
    s->at[card] = (u8)s->pile_size;
    s->card[s->pile_size++] = (u8)card;
    s->pile |= both(bit(card));
}

static inline void mark_ends(State *s, const Run *r) {
    s->above ^= bit(r->high + 1) << 16 * r->suit;
    s->below ^= bit(r->low) >> 1 << 16 * r->suit;
}

static inline void apply(State *s, u64 play) {
    int rank = play >> 4 & 15, suit = play >> 4 & 3;
    unsigned places = play >> 6 & PLACES;
    switch (play & 15) {
    case DRAW:
        s->hand[s->turn] |= both(bit(*s->stock++));
        s->phase = AT_PLAY;
        break;
    case END:
        finish(s);
        break;
    case TAKE:
        s->pile_size -= (int)(play >> 4);
        s->must = s->card[s->pile_size];
        s->hand[s->turn] |= s->pile ^ s->under[s->pile_size];
        s->pile = s->under[s->pile_size];
        s->phase = AT_USE;
        break;
    case DISCARD:
        put_on_pile(s, (int)(play >> 4));
        s->hand[s->turn] &= ~both(bit((int)(play >> 4)));
        if (!s->hand[s->turn]) { finish(s); break; }
        s->turn ^= 1;
        s->phase = AT_DRAW;
        break;
    case MELD_RUN: {
        Run r = {(u8)suit, (u8)lowest(places), (u8)(31 - __builtin_clz(places)), (u8)s->melds};
        s->run_of_meld[s->melds++] = (u8)s->runs;
        s->run[s->runs++] = r;
        mark_ends(s, &r);
        lay_down(s, (u64)places << 16 * suit, UP_TO[r.high + 1] - UP_TO[r.low]);
        break;
    }
    case LAY_RUN: {
        Run *r = &s->run[s->run_of_meld[play >> 34]], old = *r;
        mark_ends(s, r);
        r->low -= (u8)ones(places & (bit(old.low) - 1));
        r->high += (u8)ones(places >> old.high);
        mark_ends(s, r);
        lay_down(s, (u64)places << 16 * suit,
                 UP_TO[r->high + 1] - UP_TO[old.high + 1] + UP_TO[old.low] - UP_TO[r->low]);
        break;
    }
    case MELD_SET: {
        u64 cards = (play >> 8 & 1) | (play >> 10 & 1) << 16 | (play >> 12 & 1) << 32 | (play >> 14 & 1) << 48;
        s->meld_of_set[rank] = (u8)s->melds++;
        s->wanted |= (ACES ^ cards) << rank;
        lay_down(s, cards << rank, ones(cards) * value(rank));
        break;
    }
    case LAY_SET: {
        int card = rank + 16 * (lowest(play >> 8 & 0xFF) / 2);
        s->wanted ^= bit(card);
        lay_down(s, bit(card), value(card));
        break;
    }
    }
}

static void deal(State *s, const u8 *deck) {
    s->hand[0] = s->hand[1] = s->pile = s->above = s->below = s->wanted = 0;
    s->points[0] = s->points[1] = s->pile_size = s->runs = s->melds = 0;
    for (int i = 0; i < 26; i++) s->hand[~i & 1] |= both(bit(deck[i]));
    put_on_pile(s, deck[26]);
    s->stock = deck + 27, s->stock_end = deck + 52;
    s->turn = 1, s->phase = AT_DRAW;
}

/* ---- the three uses ---- */

static u64 perft(const State *s, int depth) {
    Menu menu;
    u64 lines = 0;
    if (depth == 0) return 1;
    if (s->phase == OVER) return 0;
    int n = count(s, &menu);
    if (depth == 1) return (u64)n;
    for (int i = 0; i < n; i++) {
        State next = *s;
        apply(&next, nth(s, &menu, i));
        lines += perft(&next, depth - 1);
    }
    return lines;
}

static void bench(u64 seed, long deals) {
    static u8 deck[52];
    static State s;
    static Menu menu;
    struct timespec start, stop;
    u64 actions = 0, checksum = 0;
    for (int i = 0; i < 52; i++) deck[i] = (u8)(i / 13 * 16 + i % 13);
    rng = seed;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (long d = 0; d < deals; d++) {
        for (int i = 51; i > 0; i--) {
            int j = below(i + 1);
            u8 card = deck[i];
            deck[i] = deck[j], deck[j] = card;
        }
        deal(&s, deck);
        for (; s.phase != OVER; actions++) {
            int n = count(&s, &menu);
            apply(&s, nth(&s, &menu, below(n)));
        }
        checksum = checksum * 31 + (u64)(int64_t)(s.points[0] * 1000 + s.points[1]);
    }
    clock_gettime(CLOCK_MONOTONIC, &stop);
    double ns = (double)(stop.tv_sec - start.tv_sec) * 1e9 + (double)(stop.tv_nsec - start.tv_nsec);
    printf("{\"deals\": %ld, \"actions\": %llu, \"ns_per_action\": %.2f, \"points_checksum\": %llu, "
           "\"flags\": \"%s\"}\n", deals, (unsigned long long)actions, actions ? ns / (double)actions : 0.0,
           (unsigned long long)checksum, FLAGS);
}

static int fail(const char *what, const char *which) {
    fprintf(stderr, "floor: %s%s\n", what, which);
    return 2;
}

static bool number(const char *text, long long *value) {
    char *end;
    *value = strtoll(text, &end, 0);
    return *text && !*end && *value >= 0;
}

static int card_from_text(const char *text) {
    static const char ranks[] = "A23456789TJQK", suits[] = "SHDC";
    bool ten = text[0] == '1' && text[1] == '0';
    const char *rank = text[0] ? strchr(ranks, ten ? 'T' : text[0]) : NULL;
    const char *suit = rank && text[1 + ten] ? strchr(suits, text[1 + ten]) : NULL;
    return suit && !text[2 + ten] ? (int)(suit - suits) * 16 + (int)(rank - ranks) : -1;
}

static bool add_card(u8 *deck, int at, const char *text) {
    int card = card_from_text(text);
    if (card < 0 || memchr(deck, card, (size_t)at)) return false;
    deck[at] = (u8)card;
    return true;
}

static int play(const u8 *deck) {
    static State s;
    static Menu menu;
    deal(&s, deck);
    for (unsigned long long wish;;) {
        bool legal = false;
        int n = s.phase == OVER ? 0 : count(&s, &menu);
        printf("%d %d %d %d:", s.turn, s.phase, s.points[0], s.points[1]);
        for (int i = 0; i < n; i++) printf(" %llu", (unsigned long long)nth(&s, &menu, i));
        printf("\n");
        fflush(stdout);
        if (n == 0 || scanf("%llu", &wish) != 1) return 0;
        for (int i = 0; i < n; i++) legal |= nth(&s, &menu, i) == wish;
        if (!legal) return fail("no legal play", "");
        apply(&s, wish);
    }
}

int main(int argc, char **argv) {
    u8 deck[52];
    char word[8];
    long long first, second;
    if (argc == 4 && !strcmp(argv[1], "bench")) {
        if (!number(argv[2], &first) || !number(argv[3], &second)) return fail("SEED and DEALS are numbers", "");
        bench((u64)first, (long)second);
        return 0;
    }
    if (argc == 3 + 52 && !strcmp(argv[1], "perft")) {
        State s = {0};
        if (!number(argv[2], &first) || first > 1000) return fail("no depth: ", argv[2]);
        for (int i = 0; i < 52; i++)
            if (!add_card(deck, i, argv[3 + i])) return fail("no card, or there twice: ", argv[3 + i]);
        deal(&s, deck);
        printf("%llu\n", (unsigned long long)perft(&s, (int)first));
        return 0;
    }
    if (argc == 3 && !strcmp(argv[1], "play")) {
        FILE *file = fopen(argv[2], "r");
        if (!file) return fail("cannot read ", argv[2]);
        for (int i = 0; i < 52; i++)
            if (fscanf(file, "%7s", word) != 1 || !add_card(deck, i, word)) return fail("not a deck: ", argv[2]);
        fclose(file);
        return play(deck);
    }
    return fail("usage: floor bench SEED DEALS | floor perft DEPTH CARD... | floor play DECKFILE", "");
}
