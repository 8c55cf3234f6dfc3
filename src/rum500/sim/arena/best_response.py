"""The local best response: what somebody who knows a bot's policy gains against it, from below.

At each of its decisions the responder tries every choice in many worlds. In each it makes the choice, then
lets the bot itself play all seats, its own too, for `turns` decisions, and the rollout policy the rest of
the deal; a bot that the compiled core can ask plays to the deal's end. It leaves the bot's own choice only
for one that is better by two standard errors. So it plays as the bot does except where the bot's answers
make another choice pay: what it gains is a lower bound of the bot's exploitability. (After Lisý and Bowling,
"Equilibrium approximation quality of current no-limit poker bots", 2017.)

`hands="drawn"`: the hidden cards of its worlds are drawn anew among those it cannot see, every deal of them
as likely; what it has seen the seats take stays with them. `hands="true"`: its worlds have the true hands
and differ in the stock's order alone, which bounds from above what any inference about the hands could add
to this responder.
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
    """Answers one bot with the choices that its policy makes good."""

    def __init__(
        self, bot: Bot, worlds: int = 64, turns: int = 4, hands: str = "drawn", label: str = ""
    ) -> None:
        """Look so many decisions ahead with the bot's own policy, in so many worlds."""
        if hands not in ("drawn", "true"):
            raise ValueError(f"hands is drawn or true, not {hands}")
        self.bot, self.hands = bot, hands
        self.worlds, self.turns = at_least_one("worlds", worlds), at_least_one("turns", turns)
        self.name = label or f"answers:{bot.name}"
        self.notes = (ANSWERS, *(HIDDEN,) * (hands == "true"), *notes_on(bot))

    def choose_seeing(self, state: State, rng: Rng) -> int:
        """The choice that brings most on average."""
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
        """What the bot itself would do."""
        return code_of(self.bot.choose(state.view(seat), chance))

    def _finish(self, state: State) -> Finish:
        """The bot for some decisions and the rollout policy after them, or the bot alone."""
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
