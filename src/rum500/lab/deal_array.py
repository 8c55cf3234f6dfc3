"""Many deals in the core, stepped without the GIL; `Batch` is the public interface to them.

The code without the GIL reaches the deals' cores through an array of C pointers, which avoids reference
counting. Results are written to buffers of the caller, one row for each deal.
"""

from __future__ import annotations

try:
    import cython
except ModuleNotFoundError:  # without Cython, this module runs interpreted
    from rum500 import _cython as cython

if not cython.compiled:
    from rum500.rng import advance, mix64
    from rum500.rules.engine.core import PHASE_OVER, Core, Moves
    from rum500.spaces.actions import NO_CODE

    LEARNER, POLICY, RANDOM = 0, 1, 2
    RESET, PICK, CHECK, STEP, REFRESH, END = 0, 1, 2, 3, 4, 5
    POINTS, MARGIN, ZERO_SUM, MATCH_EQUITY = 0, 1, 2, 3


class DealArray:
    """The deals, their numbers and their buffers."""

    def __init__(self, fresh: Core, n, actions, features, hidden_state, levels, reward, skip_forced) -> None:
        """Create `n` deals like `fresh`, whose cards are not dealt yet.

        `levels` says, by seat, who plays: a learner, a policy, or random choices.
        """
        core: Core
        seat: cython.int
        i: cython.int
        self.n = n
        self.players = fresh.n
        self.actions, self.features, self.hidden_state = actions, features, hidden_state
        self.width = actions.n
        self.size = features.size
        self.hiding = hidden_state is not None
        self.hidden_size = hidden_state.size if hidden_state is not None else 0
        self.reward = reward
        self.skip_forced = skip_forced
        self.stream = self.random = 0
        self.several = 0
        if not cython.compiled:
            self.level = [LEARNER] * 8
        for seat in range(fresh.n):
            self.level[seat] = levels[seat]
        cores = [Core() for _ in range(n)]
        moves = [Moves() for _ in range(n)]
        self.kept = [cores, moves]
        for core in cores:
            core.copy_from(fresh)
        if cython.compiled:
            self.cores = cython.cast(cython.pp_void, malloc(n * cython.sizeof(cython.p_void)))
            self.moves = cython.cast(cython.pp_void, malloc(n * cython.sizeof(cython.p_void)))
            if self.cores == cython.NULL or self.moves == cython.NULL:
                raise MemoryError
            for i in range(n):
                self.cores[i] = cython.cast(cython.p_void, cores[i])
                self.moves[i] = cython.cast(cython.p_void, moves[i])
        else:
            self.cores, self.moves = cores, moves

    def __dealloc__(self):
        if cython.compiled:
            free(self.cores)
            free(self.moves)

    def use(self, mask, done, obs, hidden, rewards, actor, number, chance, code) -> None:
        """Set the buffers for results. Each is one-dimensional and has the deals one after the other."""
        self.mask, self.done, self.obs, self.hidden = mask, done, obs, hidden
        self.rewards, self.actor, self.number = rewards, actor, number
        self.chance, self.code = chance, code

    def choose(self, ids, variants, random) -> None:
        """Set the buffers of chosen numbers and variants (or None), and the seed for the task `PICK`."""
        self.ids = ids
        self.variants = variants
        self.several = variants is not None
        self.random = random

    def core(self, i: cython.int) -> Core:
        """Return the core of deal i itself, not a copy: it changes with the batch."""
        core: Core = self.kept[0][i]
        return core

    def play_count(self, i: cython.int, number: cython.int) -> int:
        """Return how many legal actions of deal i have this number."""
        core: Core = self.kept[0][i]
        moves: Moves = self.kept[1][i]
        if self.actions.is_play(number):
            return self.actions.count_plays(core, moves, number)
        return 1 if self.actions.fixed_code(number) in moves.actions() else 0

    def advise(self, ids, seating) -> None:
        """Write into `ids`, for each deal, the action number that the policies of `seating` choose."""
        into: cython.longlong[::1] = ids
        policies: SeatPolicies = seating
        i: cython.int
        with cython.nogil:
            for i in range(self.n):
                code: u64 = policies.choose(
                    cython.cast(Core, self.cores[i]), cython.cast(Moves, self.moves[i])
                )
                into[i] = self.actions.id_of(cython.cast(Core, self.cores[i]), code)
                # The policy used `moves` as working memory: restore the legal actions.
                cython.cast(Core, self.cores[i]).generate(cython.cast(Moves, self.moves[i]))


class DealStepper:
    """Plays a range of the deals in one thread, with its own policies and judge."""

    def __init__(self, deals, first, end, seating, judge) -> None:
        """Set the range: the deals from `first` to `end - 1`.

        `seating` has the seats' policies; `judge` computes the chance to win the match, and is None unless
        rewards are match equities.
        """
        self.deals = deals
        self.first, self.end = first, end
        self.seating = seating
        self.judge = judge
        self.wrong = -1
        if not cython.compiled:
            self.chances = [0] * 8

    # --- without the GIL --------------------------------------------------------------------------

    def play(self, task):
        """Do one task (`PICK`, `CHECK`, ...) with all deals of the range."""
        if task == PICK:
            self.pick_all()
        elif task == CHECK:
            self.wrong = self.find()
        elif task == STEP:
            self.step_all()
        elif task == RESET:
            self.begin_all()
        elif task == REFRESH:
            self.show_all()

    def pick_all(self):
        """Choose a random legal action in each deal, all actions equally likely."""
        i: cython.int
        k: cython.int
        random: u64 = self.deals.random
        # Each deal uses its own number of one random stream: skip the numbers of the deals before this range.
        for i in range(self.first):
            random = advance(random)
        for i in range(self.first, self.end):
            random = advance(random)
            count: u64 = cython.cast(Moves, self.deals.moves[i]).n
            k = ((mix64(random) >> 32) * count) >> 32
            self.deals.ids[i] = self.deals.actions.id_of(
                cython.cast(Core, self.deals.cores[i]), cython.cast(Moves, self.deals.moves[i]).a[k]
            )

    def find(self):
        """Convert the chosen numbers to codes; return the index of the first illegal one, or -1."""
        i: cython.int
        k: cython.int
        number: cython.longlong
        variant: cython.longlong = 0
        code: u64
        for i in range(self.first, self.end):
            number = self.deals.ids[i]
            if self.deals.several:
                variant = self.deals.variants[i]
            if number < 0 or number >= self.deals.width or variant < 0:
                return i
            if self.deals.actions.is_play(number):
                if variant >= cython.cast(Moves, self.deals.moves[i]).n:
                    return i
                code = self.deals.actions.nth_play(
                    cython.cast(Core, self.deals.cores[i]),
                    cython.cast(Moves, self.deals.moves[i]),
                    number,
                    variant,
                )
                if code == NO_CODE:
                    return i
            else:
                code = self.deals.actions.fixed_code(number)
                k = cython.cast(Moves, self.deals.moves[i]).n - 1
                while k >= 0 and cython.cast(Moves, self.deals.moves[i]).a[k] != code:
                    k -= 1
                if k < 0 or variant > 0:
                    return i
            self.deals.code[i] = code
        return -1

    def step_all(self):
        """Apply the actions that `find` found, then play on to the next decision of a learner."""
        i: cython.int
        k: cython.int
        players: cython.int = self.deals.players
        for i in range(self.first, self.end):
            self.deals.done[i] = 0
            for k in range(players):
                self.deals.rewards[i * players + k] = 0.0
            cython.cast(Core, self.deals.cores[i]).apply(
                self.deals.code[i], cython.cast(Moves, self.deals.moves[i])
            )
            self.go_on(cython.cast(Core, self.deals.cores[i]), cython.cast(Moves, self.deals.moves[i]), i)

    def begin_all(self):
        """Start each deal, by its number, and play on to the first decision of a learner."""
        i: cython.int
        k: cython.int
        players: cython.int = self.deals.players
        for i in range(self.first, self.end):
            self.begin(cython.cast(Core, self.deals.cores[i]), i)
            self.go_on(cython.cast(Core, self.deals.cores[i]), cython.cast(Moves, self.deals.moves[i]), i)
            self.deals.done[i] = 0
            for k in range(players):
                self.deals.rewards[i * players + k] = 0.0

    def show_all(self):
        """Write masks and vectors of the deals without playing."""
        i: cython.int
        for i in range(self.first, self.end):
            cython.cast(Core, self.deals.cores[i]).generate(cython.cast(Moves, self.deals.moves[i]))
            self.show(cython.cast(Core, self.deals.cores[i]), cython.cast(Moves, self.deals.moves[i]), i)

    def begin(self, core, i):
        """Start a deal by its number, exactly as a simulation with the batch's seed starts it."""
        number: u64 = self.deals.number[i]
        seat: cython.int = number % self.deals.players
        number = mix64(advance(self.deals.stream ^ mix64(advance(number))))
        number = mix64(advance(number))
        core.shuffle(number)
        core.start(seat)
        self.deals.chance[i] = mix64(advance(number))

    def go_on(self, core, moves, i):
        """Play to a learner's next decision, beyond the end of the deal if necessary, and write its data."""
        level: cython.int
        while True:
            if core.phase == PHASE_OVER:
                # Only the first finished deal is reported; later ones in which no learner had a choice are
                # skipped.
                if self.deals.done[i] == 0:
                    self.settle(core, i)
                    self.deals.done[i] = 1
                self.deals.number[i] += self.deals.n
                self.begin(core, i)
            level = self.deals.level[core.actor]
            if level == POLICY:
                core.apply(self.seating.choose(core, moves), moves)
            elif level == RANDOM:
                self.deals.chance[i] = advance(self.deals.chance[i])
                core.apply(core.pick(moves, mix64(self.deals.chance[i])), moves)
            else:
                core.generate(moves)
                if moves.n > 1 or not self.deals.skip_forced:
                    break
                core.apply(moves.a[0], moves)
        self.show(core, moves, i)

    def settle(self, core, i):
        """Write the rewards of all seats in this finished deal."""
        seat: cython.int
        other: cython.int
        own: cython.int
        total: cython.int = 0
        players: cython.int = self.deals.players
        at: cython.int = i * players
        sides: cython.double = core.sides if core.sides else players
        worth: cython.double
        if self.deals.reward == MATCH_EQUITY:
            for seat in range(players):
                self.chances[seat] = 0
            self.judge.add_chances(core, self.chances)
            for seat in range(players):
                worth = self.chances[seat]
                self.deals.rewards[at + seat] = worth / 1000
            return
        for seat in range(players):
            total += core.score(seat)
        for seat in range(players):
            if self.deals.reward == POINTS:
                self.deals.rewards[at + seat] = core.score(seat)
                continue
            own = 0
            for other in range(players):
                if core.same_side(seat, other):
                    own += core.score(other)
            worth = own - total / sides
            if self.deals.reward == MARGIN:
                worth = worth * (sides / (sides - 1))
            self.deals.rewards[at + seat] = worth

    def show(self, core, moves, i):
        """Write the mask, the actor and the actor's vectors of deal i; `moves` contains the legal actions."""
        row: i64 = i
        mask: i64 = row * self.deals.width
        obs: i64 = row * self.deals.size
        hidden: i64 = row * self.deals.hidden_size
        self.deals.actor[i] = core.actor
        if cython.compiled:
            self.deals.actions.mark(core, moves, cython.address(self.deals.mask[mask]))
            self.deals.features.fill(core, core.actor, cython.address(self.deals.obs[obs]))
            if self.deals.hiding:
                self.deals.hidden_state.fill(core, core.actor, cython.address(self.deals.hidden[hidden]))
        else:
            self.deals.actions.mark(core, moves, self.deals.mask[mask : mask + self.deals.width])
            self.deals.features.fill(core, core.actor, self.deals.obs[obs : obs + self.deals.size])
            if self.deals.hiding:
                end: cython.int = hidden + self.deals.hidden_size
                self.deals.hidden_state.fill(core, core.actor, self.deals.hidden[hidden:end])
