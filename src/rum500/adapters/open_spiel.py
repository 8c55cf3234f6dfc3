"""Games of OpenSpiel, written in Python. Every card is dealt and drawn at an explicit chance node.

Importing this module registers them: `pyspiel.load_game("python_rum500(profile=500-rum,players=2)")`.

With `deals=1000` chance is sampled: a single chance node chooses one of 1000 shuffles, all equally likely.
They are the shuffles of the first 1000 deals of `seed`. The shuffle includes the order of the stock, so a
draw is then an ordinary action.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from operator import index
from typing import Any

from rum500.extras import with_extra

try:
    import numpy as np
    import pyspiel
except ModuleNotFoundError as error:
    raise with_extra(error) from None

from rum500.cards import JOKER, LANE, card_text
from rum500.rng import Rng
from rum500.rules.profiles import STANDARD, ruleset
from rum500.rules.ruleset import Ruleset
from rum500.sim import deal_seed
from rum500.spaces import DRAW_ID, Actions, Features
from rum500.state import State, deal, view_to_text

__all__ = ["RumGame", "RumObserver", "RumState"]

CARDS = 53
"""The number of outcomes of a chance node: ♠A to ♠K, ♥, ♦, ♣, and the joker."""
LONGEST = 20_000
"""An upper bound on the actions of a deal, with draws counted twice; deals end long before it (D7)."""
MOST_POINTS = 2_000.0
"""An upper bound on the return of a deal."""

PARAMETERS: dict[str, Any] = {"profile": STANDARD, "players": 2, "deals": 0, "seed": 0}
"""The parameters of the game. Without `deals`, chance deals and draws card by card."""

CHANCE, TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)

GAME_TYPE = pyspiel.GameType(
    short_name="python_rum500",
    long_name="Python 500 Rum",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=8,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=PARAMETERS,
)


class Spaces:
    """The action ids and outcomes of a game, shared by all its states: copying a state does not copy them."""

    def __init__(self, rules: Ruleset, players: int, deals: int, seed: int) -> None:
        """Assign the action ids. Raises `RulesetError` for a wrong number of players."""
        if deals < 0:
            raise ValueError(f"the number of deals is 0 or more, not {deals}")
        self.rules, self.players = rules, players
        self.seed = seed
        self.shuffles = [(number, 1 / deals) for number in range(deals)]
        """The outcomes of the only chance node if chance is sampled, with their probabilities."""
        self.actions, self.features = Actions(rules, players), Features(rules, players)
        self.deck = sorted(rules.deck(players))
        self.outcome_of = {
            card: CARDS - 1 if card == JOKER else card // LANE * 13 + card % LANE for card in self.deck
        }
        self.card_at = {outcome: card for card, outcome in self.outcome_of.items()}
        self.counts = dict(Counter(self.outcome_of[card] for card in self.deck))
        """The number of copies of each card, by its outcome at a chance node."""
        self.dealt = len(self.deck) - len(State.new(rules, players, self.deck).stock)

    def deal(self, number: int) -> State:
        """Return deal number `number` of the sampled ones, the same deal as in `Batch` and `simulate`."""
        return deal(self.rules, self.players, deal_seed(self.seed, number), number % self.players)

    def __deepcopy__(self, memo: object) -> Spaces:
        return self


class RumGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """A deal of a profile. Its returns are `margin`: the points of the seat's side less the mean of the
    others.

    An action's id is its number plus `n` times its variant, so that every play has an id.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """Set up the game. Raises `RulesetError` for an unknown profile or a wrong number of players."""
        given = PARAMETERS | (params or {})
        numbers = (index(given[name]) for name in ("players", "deals", "seed"))
        self.spaces = Spaces(ruleset(given["profile"]), *numbers)
        actions = self.spaces.actions
        super().__init__(
            GAME_TYPE,
            pyspiel.GameInfo(
                num_distinct_actions=actions.n * actions.variants,
                max_chance_outcomes=max(CARDS, len(self.spaces.shuffles)),
                num_players=self.spaces.players,
                min_utility=-MOST_POINTS,
                max_utility=MOST_POINTS,
                utility_sum=0.0,
                max_game_length=LONGEST,
            ),
            given,
        )

    def new_initial_state(self) -> RumState:
        """Return a state in which no card is dealt yet."""
        return RumState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> RumObserver:
        """Return the object that writes observations."""
        if params:
            raise ValueError(f"observations have no parameters, not {params}")
        return RumObserver(self, iig_obs_type)


class RumState(pyspiel.State):  # type: ignore[misc]  # pyspiel has no types
    """A deal in progress."""

    def __init__(self, game: RumGame) -> None:
        """Begin with the whole deck undealt."""
        super().__init__(game)
        self.spaces = game.spaces
        self.dealt: tuple[int, ...] = ()
        """The cards dealt so far."""
        self.left = self.spaces.counts.copy()
        """The number of undealt copies of each card, by outcome."""
        self.deal: State | None = None
        """The deal, once its upcard has been dealt; None before."""
        self.drawing = False

    def current_player(self) -> int:
        """Return the seat to move, or OpenSpiel's number for chance or for a terminal state."""
        if self.deal is None or self.drawing:
            return CHANCE
        return TERMINAL if self.deal.is_over else self.deal.actor

    def is_chance_node(self) -> bool:
        """Return whether a card is to be dealt or drawn. The inherited method would call C++."""
        return self.deal is None or self.drawing

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the possible next cards, or shuffles, each with its probability."""
        if self.deal is not None:
            outcome_of = self.spaces.outcome_of
            return [(outcome_of[card], chance) for card, chance in self.deal.chance_outcomes()]
        if self.spaces.shuffles:
            return self.spaces.shuffles[:]
        cards = len(self.spaces.deck) - len(self.dealt)
        return [(outcome, count / cards) for outcome, count in self.left.items()]

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """Return the observer's tensor. The inherited method would create an initial state each time."""
        player = self.current_player() if player is None else player
        if self.deal is None or not 0 <= player < self.spaces.players:
            return list(super().observation_tensor(player))
        return self.spaces.features.to_list(self.deal, player)

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the ids of legal actions. The inherited method would call `current_player` four times."""
        if player is not None or self.is_chance_node():
            return list(super().legal_actions(*(() if player is None else (player,))))
        return self._legal_actions(self._known().actor)

    def _legal_actions(self, player: int) -> list[int]:
        actions, deal = self.spaces.actions, self.deal
        if deal is None or self.drawing or deal.is_over or player != deal.actor:
            return []
        numbers = actions.legal(deal)
        if actions.variants == 1:
            return numbers
        legal = []
        for number in numbers:
            count = min(len(actions.plays(deal, number)), actions.variants)
            legal += [number + actions.n * variant for variant in range(count)]
        return sorted(legal)

    def _apply_action(self, action: int) -> None:
        if self.is_chance_node():
            self._apply_chance(action)
            return
        deal = self._known()
        variant, number = divmod(action, self.spaces.actions.n)
        code = self.spaces.actions.decode(deal, number, variant)
        if action == DRAW_ID and not self.spaces.shuffles:
            self.drawing = True
        else:
            deal.apply_int(code)

    def _apply_chance(self, outcome: int) -> None:
        """Apply an outcome of chance: the number of a deal, or the card that is dealt or drawn next."""
        spaces = self.spaces
        if spaces.shuffles:
            if not 0 <= outcome < len(spaces.shuffles):
                raise ValueError(f"the deals are 0 to {len(spaces.shuffles) - 1}, not {outcome}")
            self.deal = spaces.deal(outcome)
            return
        if outcome not in (spaces.card_at if self.drawing else self.left):
            raise ValueError(f"{outcome} is not a card that can come")
        card = spaces.card_at[outcome]
        if self.drawing:
            self._known().step_draw(card)
            self.drawing = False
            return
        self.dealt += (card,)
        self.left[outcome] -= 1
        if not self.left[outcome]:
            del self.left[outcome]
        if len(self.dealt) == spaces.dealt:
            rest = sorted((Counter(spaces.deck) - Counter(self.dealt)).elements())
            self.deal = State.new(spaces.rules, spaces.players, [*self.dealt, *rest])

    def resample_from_infostate(self, player_id: int, sampler: Callable[[], float]) -> RumState:
        """Return another state that this seat cannot tell from this one; all such states are equally likely.

        `sampler` returns random numbers from 0 to 1. Raises `ValueError` until all cards are dealt.
        """
        deal = self._known()
        other: RumState = self.clone()
        other.deal = deal.resample(player_id, Rng(int(sampler() * (1 << 53))))
        return other

    def _known(self) -> State:
        if self.deal is None:
            raise ValueError("the cards are not dealt yet")
        return self.deal

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action if self.spaces.shuffles else card_text(self.spaces.card_at[action])}"
        variant, number = divmod(action, self.spaces.actions.n)
        name = self.spaces.actions.names[number]
        return f"{name} ({variant})" if variant else name

    def is_terminal(self) -> bool:
        """Return whether the deal is over."""
        return self.deal is not None and self.deal.is_over

    def returns(self) -> list[float]:
        """Return the return of each seat; zeros until the deal is over."""
        if self.deal is None:
            return [0.0] * self.spaces.players
        return list(self.deal.returns("margin"))

    def __str__(self) -> str:
        """Return the position as text, showing all cards."""
        if self.deal is None:
            return "dealt: " + " ".join(map(card_text, self.dealt))
        return f"{self.deal}{' drawing' if self.drawing else ''}"


class RumObserver:
    """Writes a seat's observation: as a tensor its `Features`, as text its information state or its view.

    Until the upcard is dealt, seats see only how many cards have been dealt.
    """

    def __init__(self, game: RumGame, kind: Any) -> None:
        """Allocate the tensor."""
        self.spaces = game.spaces
        self.recalls = kind is not None and kind.perfect_recall
        self.tensor = np.zeros(self.spaces.features.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: RumState, player: int) -> None:
        """Write the features of the seat `player` into the tensor; zeros until the upcard is dealt."""
        if state.deal is None:
            self.tensor.fill(0)
        else:
            self.spaces.features.write(state.deal, player, self.tensor)

    def string_from(self, state: RumState, player: int) -> str:
        """Return the information state of the seat `player` as text; without perfect recall, its view."""
        if state.deal is None:
            return f"seat {player}, {len(state.dealt)} cards dealt"
        drawing = " drawing" if state.drawing else ""
        if self.recalls:
            return str(state.deal.information_state(player).text) + drawing
        return view_to_text(state.deal.view(player)) + drawing


pyspiel.register_game(GAME_TYPE, RumGame)
