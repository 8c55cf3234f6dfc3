"""The page's texts: complete in every language, for everything that the rules and the server can say."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from rum500 import Ruleset, ruleset
from rum500.cards import JOKER
from rum500.rules.choices import choices
from rum500.rules.english import number_word, numbers
from rum500.rules.explain import FALLBACK, Refusal
from rum500.rules.named_variations import variations
from rum500.rules.notation import VERBS, NotationError, parse_play
from rum500.rules.options import HOUSE_RULES
from rum500.rules.problems import RulesetError
from rum500.rules.profiles import profile_names
from rum500.rules.refusals import _Filling
from rum500.rules.sentences import Sentence, describe
from rum500.server.live.log.table_options import choice_refused
from tests.support.rulesets import rulesets
from tests.support.table import table
from tests.support.words import (
    LOCALES,
    NAMESPACES,
    Message,
    filled,
    messages,
    places,
    selectors,
    texts,
    variants,
)
from tests.test_refusals import CASES, position, wrong_play

WORDS = ("game", "words")
"""The files of sentences: of what the rules say, and of what the page says itself."""


def sentences(locale: str) -> dict[str, Message]:
    return {key: message for name in WORDS for key, message in messages(locale, name).items()}


ROOT = Path(__file__).resolve().parent.parent
OTHERS = LOCALES[1:]
ENGLISH = sentences("en")
SENTENCES = [
    entry
    for entries in tomllib.loads(
        (ROOT / "src/rum500/rules/sentences.toml").read_text(encoding="utf-8")
    ).values()
    for entry in entries
]


# --- every file, every language ----------------------------------------------------------------------------


@pytest.mark.parametrize("locale", OTHERS)
@pytest.mark.parametrize("namespace", NAMESPACES)
def test_keys_and_places_are_those_of_english(namespace: str, locale: str) -> None:
    english, ours = messages("en", namespace), messages(locale, namespace)
    assert list(ours) == list(english)
    for key, message in ours.items():
        chosen = selectors(english[key])
        assert selectors(message) <= chosen, key
        assert places(message) ^ places(english[key]) <= chosen, key


SEPARATORS = {"words_between", "words_comma"}
"""Messages that stand between others, with the blanks round them."""


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("namespace", NAMESPACES)
def test_nothing_is_empty_or_badly_spaced(namespace: str, locale: str) -> None:
    for key, message in messages(locale, namespace).items():
        assert key.startswith(f"{namespace}_"), key
        for text in texts(message):
            assert text.strip() == text or key in SEPARATORS, key
            assert text, key
            assert "  " not in text, key


ALIKE = {
    # Names, and words that these languages share with English.
    "game_profile_500_rum_title": {"de", "es", "fr"},
    "game_profile_500_rummy_title": {"de", "es", "fr"},
    "game_profile_rummy_500_title": {"de", "es", "fr"},
    "words_bot_for": {"es", "fr"},
    "words_bots": {"de", "es", "fr"},
    "words_joker": {"fr"},
    "words_points_head": {"fr"},
    "words_table": {"fr"},
    "game_heading_points": {"fr"},
    "words_points": {"fr"},
    "words_ranks": {"fr"},
    "words_gain": {"fr"},
    "words_rule_number": {"fr"},
}
"""Sentences that are rightly the same as in English."""


def places_off(text: str) -> str:
    return re.sub(r"\{.*?\}", "", text)


@pytest.mark.parametrize("locale", OTHERS)
def test_nothing_is_left_in_english(locale: str) -> None:
    ours = sentences(locale)
    alike = {
        key
        for key, message in ours.items()
        if {*texts(message)} & {text for text in texts(ENGLISH[key]) if re.search(r"[a-z]", places_off(text))}
    }
    assert alike == {key for key, languages in ALIKE.items() if locale in languages}


@pytest.mark.parametrize("locale", OTHERS)
@pytest.mark.parametrize("namespace", [name for name in NAMESPACES if name not in WORDS])
def test_no_sentence_is_left_in_english(namespace: str, locale: str) -> None:
    """Labels of a word or two (a name, Bot, Chat) may be alike; whole sentences may not."""
    ours = messages(locale, namespace)
    for key, message in messages("en", namespace).items():
        long = {text for text in texts(message) if len(re.findall(r"[A-Za-z]{2,}", places_off(text))) > 2}
        assert long & {*texts(ours[key])} == set(), key


@pytest.mark.parametrize("locale", ["de", "es", "fr"])
def test_singular_exists_where_english_has_one(locale: str) -> None:
    """These languages have the plural forms of English; Persian leaves nouns as they are after a number."""
    ours = sentences(locale)
    for key, message in ENGLISH.items():
        ones = [sum(name.endswith("Plural") for name in found) for found, _ in variants(message)]
        if any(ones) and any("one" in found.values() for found, _ in variants(message)):
            assert any("one" in found.values() for found, _ in variants(ours[key])), key
        for found, _ in variants(ours[key]):
            plural = [wanted for name, wanted in found.items() if name.endswith("Plural")]
            assert {*plural} <= {"one", "*"}, key


def test_each_message_has_a_default_variant() -> None:
    for locale in LOCALES:
        for key, message in sentences(locale).items():
            assert any({*found.values()} <= {"*"} for found, _ in variants(message)), (locale, key)


def test_typography() -> None:
    for key, message in sentences("fa").items():
        for text in texts(message):
            plain = re.sub(r"«[^»]*»|JK=6S|\{\w+\}", "", text)
            assert not re.search(r"[0-9يك?;,]", plain), key
    for key, message in sentences("fr").items():
        for text in texts(message):
            assert not re.search(r"'|[^\s\u202f][!?;](?!\w)| [!?;:»]|« ", text), key
    for locale in ("en", "de", "es"):
        for key, message in sentences(locale).items():
            assert not re.search(r"\w'\w|\.\.\.|\"", "".join(texts(message))), key


# --- refusals ----------------------------------------------------------------------------------------------

SERVER_SAYS = tomllib.loads((ROOT / "src/rum500/server/messages/refusals.toml").read_text(encoding="utf-8"))[
    "sentences"
]
SAID = tomllib.loads((ROOT / "src/rum500/rules/refusals.toml").read_text(encoding="utf-8"))


@cache
def option_codes() -> set[str]:
    """The codes by which choices of house rules and variations are refused, up to two of them together."""
    found = set()
    for rules in map(ruleset, profile_names()):
        names = [*HOUSE_RULES, *variations()]
        for chosen, players in product(
            [(), *((name,) for name in names)], {rules.players[0], rules.players[-1]}
        ):
            found |= {
                choice_refused(each.problem).code for each in choices(rules, chosen, players) if each.problem
            }
        for name in names:
            house = [name] if name in HOUSE_RULES else []
            try:
                rules.changed(house_rules=house, variations=[] if house else [name])
            except RulesetError as error:
                found.add(choice_refused(error.problems[0]).code)
    return found


def explained(code: str) -> str:
    """The key of a code's message: its own or its family's."""
    own = key_of("game_reason", code)
    return own if own in ENGLISH else key_of("game_reason", code.split(".", maxsplit=1)[0])


def key_of(prefix: str, code: str) -> str:
    """The key of what goes by a code."""
    return f"{prefix}_{re.sub(r'[^a-z0-9_]', '_', code.lower())}"


def test_every_code_has_its_sentence() -> None:
    codes = {*SAID["sentences"], *SERVER_SAYS} | option_codes()
    assert {case["code"] for case in CASES} <= codes
    assert {explained(code) for code in codes} == {key for key in ENGLISH if key.startswith("game_reason_")}


TYPED = (
    ("500-rum", "fold"), ("500-rum", "draw 3"), ("500-rum", "take KD"), ("500-rum", "take 9C:2"),
    ("500-rum", "lay 4C on"), ("500-rum", "lay KH"), ("500-rum", "lay 4C on 9"), ("500-rum", "let it"),
    ("500-rum", "take"), ("500-rum", "take 0 cards"), ("500-rum", "meld 6S=7S 8S 9S"),
    ("500-rum", "meld 6S-9H"), ("500-rum", "discard 1D"), ("500-rum", "discard D6"), ("500-rum", "lay 9S"),
    ("rummy-500", "meld 6S 7S JK"), ("rummy-500", "meld 6S 9H JK"), ("rummy-500", "lay JK JK on 2"),
)  # fmt: skip
"""Typed plays that cannot be read, at the table of `mistyped`."""


def mistyped(game: str, line: str) -> NotationError:
    at = table(game, ["", ""], melds=["6S 7S 8S", "9H 9D 9C"], pile="8C 9C 5H 9C")
    with pytest.raises(NotationError) as caught:
        parse_play(line, at)
    return caught.value


@cache
def refusals() -> tuple[Refusal, ...]:
    """What is said in every case of `refusals.toml`, and to every line that cannot be read."""
    refused = [position(case).why_not(wrong_play(case["play"])) for case in CASES]
    errors = [mistyped(game, line) for game, line in TYPED]
    unread = [Refusal(error.code, "", error.card, error.parts) for error in errors]
    return *filter(None, refused), *unread


def test_the_parts_of_a_refusal_are_those_of_its_sentence() -> None:
    """In English: the other languages have the same places."""
    for refusal in refusals():
        message = ENGLISH[explained(refusal.code)]
        asked = {name.removesuffix("_count") for name in places(message) | selectors(message)} - {"rule"}
        assert asked - {"card"} == {*refusal.parts}, refusal.code
        assert "card" not in asked or refusal.card is not None, refusal.code
        named = refusal.card is not None and refusal.card != JOKER
        assert not named or asked & {"card", "cards"}, refusal.code
    assert {refusal.code for refusal in refusals()} == {*SAID["sentences"]} - {FALLBACK}


def page_inputs(refusal: Refusal) -> dict[str, object]:
    """The inputs that the page makes of a refusal, as English has them."""
    said = _Filling({**refusal.parts, "card": refusal.card})
    inputs = {name: said[name] for name in (*refusal.parts, *(["card"] if refusal.card is not None else []))}
    raw = {name: refusal.parts[name] for name in ("kind", "wanted") if name in refusal.parts}
    counts = {f"{name}_count": part for name, part in refusal.parts.items() if isinstance(part, int)}
    return {"rule": refusal.rule, **inputs, **raw, **counts}


def plain(text: str) -> str:
    return re.sub(r"[“”’\"]", "'", text)


def test_english_refusals_are_the_server_s() -> None:
    for refusal in refusals():
        said = filled(ENGLISH[explained(refusal.code)], page_inputs(refusal))
        message = refusal.message
        assert plain(said) == plain(message[:1].upper() + message[1:] + "."), refusal.code
    for name, text in SAID["advice"].items():
        assert filled(ENGLISH["game_advice"], {"advice": name}) == text


def test_each_word_for_a_play_means_one() -> None:
    """In its language, and beside the English ones, which are understood in each."""
    for locale in LOCALES:
        mine = {
            key.removeprefix("words_say_").replace("_", " "): text
            for key, text in sentences(locale).items()
            if key.startswith("words_say_")
        }
        words = [(word.casefold(), verb) for verb, text in mine.items() for word in str(text).split(" ")]
        words += [(word, verb) for verb, names in VERBS.items() for word in names]
        means: dict[str, set[str]] = {}
        for word, verb in words:
            means.setdefault(word, set()).add(verb)
        assert {word: verbs for word, verbs in means.items() if len(verbs) > 1} == {}, locale


# --- rules -------------------------------------------------------------------------------------------------


def test_sentences_have_ids_of_their_own() -> None:
    ids = [entry["id"] for entry in SENTENCES]
    assert [id_ for id_, count in Counter(ids).items() if count > 1] == []
    assert all(re.fullmatch(r"[a-z]+\.[a-z_]+", id_) for id_ in ids)
    assert {key for key in ENGLISH if key.startswith("game_rule_")} == {
        key_of("game_rule", id_) for id_ in ids
    }


def inputs_of(params: Mapping[str, Any]) -> dict[str, object]:
    """The inputs that the page makes of a sentence's params."""
    inputs: dict[str, object] = {}
    for name, value in params.items():
        if isinstance(value, int):
            inputs |= {name: value, f"{name}_count": value, f"{name}_word": number_word(value)}
        else:
            inputs[name] = numbers(value) if isinstance(value, list) else value
    return inputs


def said_by_page(sentence: Sentence) -> str:
    return filled(ENGLISH[key_of("game_rule", sentence.id)], inputs_of(sentence.params)).replace("’", "'")


def rule_sets() -> list[Ruleset]:
    """Each profile with every set of house rules it can have, and some odd numbers."""
    found = []
    for name in profile_names():
        for count in range(len(HOUSE_RULES) + 1):
            for ids in combinations(HOUSE_RULES, count):
                try:
                    found.append(ruleset(name, house_rules=ids))
                except RulesetError:
                    continue
    odd: list[dict[str, Any]] = [
        {"going_out_bonus": 1, "match_bonus": 1, "max_deals": 1, "no_progress_rounds": 1},
        {"restock": True, "restock_limit": 1, "second_pack_from": 2, "top_must_meld": False},
        {"upcard_free_when_stock_empty": True, "top_must_meld": False},
        {"hand": 1, "max_deals": 13, "match_end": "deal", "doubles": "melds", "match_bonus": 20},
        {"hands": "winner", "count": "as_laid", "match_end": "at_once", "settlement": "totals"},
        {"claim": True, "blind_claims": True},
        {"match": "deals", "deals": 1, "ties": "drawn", "players": (2, 4, 6)},
        {"match": "deals", "deals": 30, "ties": "drawn", "match_bonus": 5, "players": (2,)},
        {"jokers": 1, "joker_kind": "wild", "joker_points": 15, "stock_out": "pass"},
        {"jokers": 3, "joker_kind": "rank", "joker_points": 20, "players": (2, 3), "second_pack_from": 0},
        {"sides": 2, "players": (4,), "hands": "winner", "draw_for_deal": "partners", "second_pack_from": 0},
    ]
    return [*found, *(ruleset("500-rum").replace(**changes) for changes in odd)]


@given(rulesets())
def test_english_rules_equal_the_servers_for_any_numbers(rules: Ruleset) -> None:
    for sentence in describe(rules):
        assert said_by_page(sentence) == sentence.text


def test_english_rules_are_the_server_s() -> None:
    """Word for word; and every sentence is met."""
    met = set()
    for rules in rule_sets():
        for sentence in describe(rules):
            met.add(sentence.id)
            assert said_by_page(sentence) == sentence.text
            heading = filled(ENGLISH["game_heading_" + sentence.id.split(".")[0]], {})
            assert heading == sentence.heading
    assert {entry["id"] for entry in SENTENCES} - met == set()


def test_number_words_are_the_server_s() -> None:
    for number in range(1, 30):
        said = filled(ENGLISH["words_rule_number"], {"n": number, "digits": number})
        assert said == number_word(number)
