"""Write questions to the referee with the engine's answers, to test the page with.

The questions are asked at positions of deals that bots play, of every game and with random house rules.
`tests/referee_vectors.json` holds some of them, and the sentences of the rules that hold in some games.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from rum500 import bots
from rum500.cards import JOKER, LANE, Card, card_text
from rum500.rules.actions import Call, Discard, LayOff, LetGo, Meld, Take
from rum500.rules.interpretations import WrittenCard, as_meld, on_meld, plain
from rum500.rules.notation import NotationError
from rum500.rules.profiles import profiles
from rum500.rules.sentences import describe
from rum500.server.messages import Reason
from rum500.server.messages.render import brief_reason, play_reason
from rum500.state.state import State, deal
from rum500.view import Phase
from tools.generate import ROOT
from tools.scoring_rules import REFEREED, changed, fitting, lines

VECTORS = ROOT / "tests" / "referee_vectors.json"

STORED = 720
"""The questions in the file."""
IN_A_DEAL = 8
"""The most questions of a deal."""
OFTEN = 0.5
"""How often bots play at random, so that the hands grow old."""

Json = dict[str, Any]


def games() -> Iterator[tuple[State, Json, random.Random]]:
    """Yield a deal of each game in turn, with random house rules: its state, and its rules for the page."""
    bases, number = list(profiles().values()), 0
    while True:
        chance = random.Random(number)
        base = bases[number % len(bases)]
        chosen = fitting(base, chance)
        rules = changed(base, chosen)
        players = chance.choice(rules.players)
        game = {"profile": base.name, "choices": chosen, "packs": rules.packs(players)}
        yield deal(rules, players, seed=number), game, chance
        number += 1


def vectors(count: int) -> Iterator[Json]:
    """Yield `count` questions with their answers, and the sentences of some games."""
    for state, game, chance in games():
        sentences = [
            [each.id, list(each.rules)]
            for each in describe(state.rules, state.players)
            if each.id.startswith(REFEREED)
        ]
        yield {**game, "sentences": sentences}
        for asked in questions(state, chance):
            yield {**game, **asked}
            count -= 1
            if not count:
                return


def questions(state: State, chance: random.Random) -> Iterator[Json]:
    """Play a deal; yield questions at its positions, at most one of a kind and an answer."""
    bot, seen = bots.get("greedy"), set[tuple[str, str]]()
    while not state.is_over and len(seen) < IN_A_DEAL:
        for asked in at_position(state, chance):
            kind = asked["question"]["ask"], asked["verdict"]
            if kind not in seen and chance.random() < OFTEN:
                seen.add(kind)
                yield asked
        if chance.random() < OFTEN:
            state.apply_int(chance.choice(state.legal_ints()))
        else:
            state.apply(bot.choose(state.view(state.actor)))


def at_position(state: State, chance: random.Random) -> Iterator[Json]:
    """Yield the questions that can be asked at this position."""
    if state.phase == Phase.DRAW:
        yield from takes(state, chance)
    if state.phase == Phase.CLAIM and state.pile:
        yield from calls(state, chance)
    if state.phase == Phase.PLAY and state.hands[state.actor] and state.core.ban < 0:
        yield from melds(state, chance)
        if state.melds:
            yield from lay_offs(state, chance)
        yield from last_cards(state)


def answered(question: Json, yes: bool, refusal: Json | None = None) -> Json:
    return {"question": question, "verdict": "yes" if yes else "no", **({"why": refusal} if refusal else {})}


def why_not(state: State, play: Any) -> Json | None:
    """Return the reason for a refusal as the page reads it; None if the play is legal."""
    try:
        refusal = state.why_not(play)
    except NotationError as error:
        return builtins(play_reason(error)) | {"message": ""}
    return None if refusal is None else builtins(brief_reason(refusal))


def builtins(reason: Reason) -> Json:
    found: Json = msgspec.to_builtins(reason)
    return found


def texts(cards: Sequence[int]) -> list[str]:
    return [card_text(card) for card in cards]


def on_table(state: State) -> list[list[Json]]:
    """Return the melds on the table as the page has them."""
    return [
        [{"card": card_text(each.card), "place": each.place} for each in meld.cards] for meld in state.melds
    ]


def near(hand: tuple[Card, ...], chance: random.Random) -> list[int]:
    """Return some cards of a hand that may fit together: most of a rank, or of a suit and near each other."""
    first = chance.choice(hand)
    others = [card for at, card in enumerate(hand) if at != hand.index(first)]
    width = chance.choice((1, 2, 3, 6))
    apart = {*range(width + 1), *range(13 - width, 13)}
    kin = [
        card
        for card in others
        if JOKER in (card, first)
        or card % LANE == first % LANE
        or (card // LANE == first // LANE and (card - first) % 13 in apart)
    ]
    pool = kin if chance.random() < 0.8 else others
    return [first, *chance.sample(pool, min(len(pool), chance.choice((0, 1, 2, 2, 2, 2, 3, 3, 3, 4))))]


def words(cards: Sequence[int]) -> list[WrittenCard]:
    return [WrittenCard(card, None if card == JOKER else card) for card in cards]


def melds(state: State, chance: random.Random) -> Iterator[Json]:
    found = [play for play in state.legal_actions() if isinstance(play, Meld)]
    cards: Sequence[int] = near(state.hands[state.actor], chance)
    if found and chance.random() < OFTEN:
        cards = [laid.card for laid in chance.choice(found).cards]
    readings = as_meld(words(cards), state.rules, state.rules.packs(state.players))
    yes = any(state.is_legal(Meld(reading)) for reading in readings)
    why = None if yes else why_not(state, "meld " + " ".join(texts(cards)))
    yield answered({"ask": "lay", "cards": texts(cards)}, yes, why)


def lay_offs(state: State, chance: random.Random) -> Iterator[Json]:
    number = chance.randrange(len(state.melds))
    meld, hand = state.melds[number], state.hands[state.actor]
    run = meld.kind == "run"
    fitting_ones = [
        card for card in hand if any(state.is_legal(play) for play in single(card, number, run, state))
    ]
    cards = (
        [chance.choice(fitting_ones)] if fitting_ones and chance.random() < 0.5 else near(hand, chance)[:3]
    )
    readings = on_meld(words(cards), meld, state.rules, state.rules.packs(state.players))
    yes = any(state.is_legal(LayOff(number, reading, run)) for reading in readings)
    text = f"lay {' '.join(texts(cards))} on {number + 1}"
    # The text of a lay-off puts its cards in order; a joker without a meaning exists in text only.
    open_joker = JOKER in cards and state.rules.joker_kind == "wild"
    play = text if readings or open_joker else LayOff(number, plain(words(cards)), run)
    why = None if yes else why_not(state, play)
    if why and why.get("parts", {}).get("meld"):
        why["parts"]["meld"] = 1
    yield answered({"ask": "lay_off", "cards": texts(cards), "meld": on_table(state)[number]}, yes, why)


def single(card: int, meld: int, run: bool, state: State) -> Iterator[LayOff]:
    """Yield the ways to lay this card alone on a meld."""
    packs = state.rules.packs(state.players)
    for reading in on_meld(words([card]), state.melds[meld], state.rules, packs):
        yield LayOff(meld, reading, run)


def takes(state: State, chance: random.Random) -> Iterator[Json]:
    if not state.pile:
        return
    count = chance.choice((1, chance.randint(1, len(state.pile))))
    question = {
        "ask": "take",
        "pile": texts(state.pile),
        "count": count,
        "empty": not state.stock and not state.core.may_restock(),
        "hand": texts(state.hands[state.actor]),
        "melds": on_table(state),
    }
    why = why_not(state, Take(count))
    yield answered(question, why is None, why)
    if not state.rules.claim:
        asked = {"ask": "rummy", "pile": texts(state.pile), "count": count, "own": False, "melds": []}
        yield answered(asked, yes=False, refusal=why_not(state, Call(count)))


def calls(state: State, chance: random.Random) -> Iterator[Json]:
    count = chance.randint(1, len(state.pile))
    question = {"ask": "rummy", "pile": texts(state.pile), "count": count, "melds": on_table(state)}
    why = why_not(state, Call(count))
    yield answered({**question, "own": False}, why is None, why)
    asked, ahead = set[int](), state.copy()
    while ahead.phase == Phase.CLAIM:
        asked.add(ahead.actor)
        ahead.apply(LetGo())
    yield answered({**question, "own": True}, state.turn in asked)


def last_cards(state: State) -> Iterator[Json]:
    """Yield whether the last cards end the deal: laid, and the last one discarded."""
    hand, common = state.hands[state.actor], {"ask": "go_out", "floats": state.floater}
    for play in state.legal_actions():
        if isinstance(play, Meld | LayOff) and len(play.cards) == len(hand):
            yield answered({**common, "by": "meld"}, goes_out(state, play))
            break
    if len(hand) == 1:
        play = Discard(hand[0])
        why = why_not(state, play)
        question = {**common, "by": "discard", "card": card_text(hand[0]), "melds": on_table(state)}
        yield answered(question, why is None and goes_out(state, play), why)


def goes_out(state: State, play: Meld | LayOff | Discard) -> bool:
    """Return whether the actor is out after this play."""
    ahead, actor = state.copy(), state.actor
    ahead.apply(play)
    return ahead.result is not None and ahead.result.out == actor


def files() -> dict[Path, str]:
    """Return the questions."""
    return {VECTORS: lines(vectors(STORED))}
