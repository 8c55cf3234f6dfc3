"""The local best response: a lower bound of the gain from knowing a bot's policy.

At each decision the responder tries every choice in many worlds. After the choice, the bot itself plays all
seats, the responder's too, for `turns` decisions, and the rollout policy plays the rest of the deal; a bot
with a compiled policy plays to the end of the deal. The responder deviates from the bot's own choice only if
another one is better by two standard errors. So it plays like the bot except where the bot's replies make
another choice better, and its gain is a lower bound of the bot's exploitability. (After Lisý and Bowling,
"Equilibrium approximation quality of current no-limit poker bots", 2017.)

With `hands="drawn"` the hidden cards of its worlds are random, every deal equally likely; known cards stay in
their hands. With `hands="true"` its worlds have the true hands and differ only in the stock's order, which
gives an upper bound of what inference about the hands could add to this responder.
"""

from __future__ import annotations

from rum500.ai import sample
from rum500.bots import Bot
from rum500.bots.policy_bots import Club
from rum500.rng import Rng
from rum500.rules.action_codes import code_of
from rum500.rules.engine.core import Core, Moves
from rum500.sim.arena.lookahead import (
    Finish,
    at_least_one,
    best_beyond,
    candidates,
    played_on,
    reshuffled,
    rollouts,
)
from rum500.sim.deals import FullInfoPlayer, notes_on
from rum500.sim.results import ANSWERS, HIDDEN
from rum500.state import State


class BestResponse(FullInfoPlayer):
    """A player that answers one bot with the choices that are best against its policy."""

    def __init__(
        self, bot: Bot, worlds: int = 64, turns: int = 4, hands: str = "drawn", label: str = ""
    ) -> None:
        """Set how many decisions the bot's own policy plays, and the number of worlds."""
        if hands not in ("drawn", "true"):
            raise ValueError(f"hands is drawn or true, not {hands}")
        self.bot, self.hands = bot, hands
        self.worlds, self.turns = at_least_one("worlds", worlds), at_least_one("turns", turns)
        self.name = label or f"answers:{bot.name}"
        self.notes = (ANSWERS, *(HIDDEN,) * (hands == "true"), *notes_on(bot))

    def choose_with_state(self, state: State, rng: Rng) -> int:
        """Return the choice with the best average."""
        choices = candidates(state)
        if len(choices) == 1:
            return choices[0]
        seed, seat = rng.next64(), state.actor
        chance = Rng(seed)
        if self.hands == "true":
            worlds = [reshuffled(state.core, chance) for _ in range(self.worlds)]
        else:
            worlds = sample(state.view(seat), chance, self.worlds)
        own = self._choice(state, seat, chance)
        return best_beyond(own, choices, worlds, seat, self._finish(state), seed)

    def _choice(self, state: State, seat: int, chance: Rng) -> int:
        """Return the bot's own choice."""
        return code_of(self.bot.choose(state.view(seat), chance))

    def _finish(self, state: State) -> Finish:
        """Return a function that lets the bot play some decisions and the rollout policy the rest."""
        if isinstance(self.bot, Club):
            return played_on(self.bot.policy(state.rules, state.players))
        rest = rollouts(state)

        def finish(core: Core, moves: Moves, code: int, number: int) -> None:
            ahead, draws = State(state.rules, core, state.past), Rng(number)
            ahead.apply_int(code)
            for _ in range(self.turns):
                if ahead.is_over:
                    return
                ahead.apply_int(self._choice(ahead, ahead.actor, draws))
            if not ahead.is_over:
                rest.playout(core, moves)

        return finish
