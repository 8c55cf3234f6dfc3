"""The page's words: complete in every language, for everything that the rules and the server can say."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
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
from rum500.rules.house_rules import variations
from rum500.rules.notation import VERBS, NotationError, parse_play
from rum500.rules.options import HOUSE_RULES
from rum500.rules.problems import RulesetError
from rum500.rules.profiles import profile_names
from rum500.rules.refusals import _Filling
from rum500.rules.sentences import Sentence, describe
from rum500.server.live.table_options import choice_refused
from rum500.server.messages import ReasonParts
from rum500.server.messages.table_error import refusal_sentence
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
from tests.test_refusals import position, wrong_play

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
    "words_joker": {"fr"},
    "game_heading_points": {"fr"},
    "words_points": {"fr"},
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
def test_one_is_told_apart_wherever_english_does(locale: str) -> None:
    """These languages have the plural forms of English; Persian leaves nouns as they are after a number."""
    ours = sentences(locale)
    for key, message in ENGLISH.items():
        ones = [sum(name.endswith("Plural") for name in found) for found, _ in variants(message)]
        if any(ones) and any("one" in found.values() for found, _ in variants(message)):
            assert any("one" in found.values() for found, _ in variants(ours[key])), key
        for found, _ in variants(ours[key]):
            plural = [wanted for name, wanted in found.items() if name.endswith("Plural")]
            assert {*plural} <= {"one", "*"}, key


OTHER_WORDS = {
    "de": r"\b(Stapels?|Meldung(en)?|Ausmachen|Ihnen)\b",  # Talon, Figur, Schluss machen, du
    "es": r"\b(usted(es)?|talón|monte)\b",  # tú, mazo
    "fr": r"\b(tu|toi|ton|ta|tes|talon|robots?)\b",  # vous, pioche, bot
    "fa": r"ورق‌های|تحلیل|\bخودت\b|پایین گذاشت",  # کارت‌های، بررسی، شما، چیدن
}
"""Words that a catalogue has another for, and the form of address that it does not use."""


@pytest.mark.parametrize("locale", OTHERS)
@pytest.mark.parametrize("namespace", NAMESPACES)
def test_one_thing_has_one_word(namespace: str, locale: str) -> None:
    for key, message in messages(locale, namespace).items():
        for text in texts(message):
            assert not re.search(OTHER_WORDS[locale], places_off(text), re.IGNORECASE), (key, text)


def test_each_message_has_a_variant_for_whatever_comes() -> None:
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

_FAMILIES = (
    "bot|call|card|claim|deal|discard|draw|drill|end|guest|hint|joker|lay|limit|match|meld|message|mistake"
    "|notation|option|pass|play|profile|puzzle|request|review|rules|run|server|set|store|table|take|turn|use"
)
_CODE = re.compile(rf'"((?:{_FAMILIES})\.[a-z_]+)"')
NO_REFUSALS = {
    # What the log calls what happened.
    "server.started",
    "server.stopped",
    "table.created",
    "table.late",
    "table.lost",
    "table.not_kept",
    "table.not_released",
    # A table whose log cannot be followed; who asks for it is told `table.unreadable`.
    "table.log",
    # The library's own: no table writes a match as bytes.
    "match.forgotten",
}
CASES = tomllib.loads((ROOT / "tests/refusals.toml").read_text(encoding="utf-8"))["case"]
SAID = tomllib.loads((ROOT / "src/rum500/rules/refusals.toml").read_text(encoding="utf-8"))


def codes() -> set[str]:
    """Every code that the rules, the match, the server and its store refuse by."""
    sources = [
        path
        for part in ("rules", "match", "server", "store")
        for path in (ROOT / "src/rum500" / part).rglob("*.py")
    ]
    found = {code for path in sources for code in _CODE.findall(path.read_text(encoding="utf-8"))}
    return (found | option_codes()) - NO_REFUSALS


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
    assert len(codes()) > 100
    assert {case["code"] for case in CASES} <= codes()
    assert {explained(code) for code in codes()} == {key for key in ENGLISH if key.startswith("game_reason_")}
    families = {"game_reason_" + name for name in ("limit", "message", "request", "server", "store")}
    assert {explained(code) for code in codes() if explained(code) != key_of("game_reason", code)} == families


TYPED = (
    ("500-rum", "fold"), ("500-rum", "draw 3"), ("500-rum", "take KD"), ("500-rum", "take 9C:2"),
    ("500-rum", "lay 4C on"), ("500-rum", "lay KH"), ("500-rum", "lay 4C on 9"), ("500-rum", "let it"),
    ("500-rum", "take"), ("500-rum", "take 0 cards"), ("500-rum", "meld 6S=7S 8S 9S"),
    ("500-rum", "meld 6S-9H"), ("500-rum", "discard 1D"), ("500-rum", "lay 9S"),
    ("rummy-500", "meld 6S 7S JK"), ("rummy-500", "meld 6S 9H JK"), ("rummy-500", "lay JK JK on 2"),
)  # fmt: skip
"""Typed plays that cannot be read, at the table of `mistyped`."""


def mistyped(game: str, line: str) -> NotationError:
    at = table(game, ["", ""], melds=["6S 7S 8S", "9H 9D 9C"], pile="8C 9C 5H 9C")
    with pytest.raises(NotationError) as caught:
        parse_play(line, at)
    return caught.value


def refusals() -> Iterator[Refusal]:
    """What is said in every case of `refusals.toml`, and to every line that cannot be read."""
    for case in CASES:
        refusal = position(case).why_not(wrong_play(case["play"]))
        assert refusal is not None
        yield refusal
    for game, line in TYPED:
        error = mistyped(game, line)
        yield Refusal(error.code, "", error.card, error.parts)


def asked_for(locale: str, code: str) -> set[str]:
    """The card and the parts that a sentence of the page uses."""
    message = sentences(locale)[explained(code)]
    return {name.removesuffix("_count") for name in places(message) | selectors(message)} - {"rule"}


@pytest.mark.parametrize("locale", LOCALES)
def test_the_parts_of_a_refusal_are_those_of_its_sentence(locale: str) -> None:
    met = set()
    for refusal in refusals():
        met.add(refusal.code)
        asked = asked_for(locale, refusal.code)
        assert asked - {"card"} == {*refusal.parts}, refusal.code
        assert "card" not in asked or refusal.card is not None, refusal.code
        named = refusal.card is not None and refusal.card != JOKER
        assert not named or asked & {"card", "cards"}, refusal.code
    assert met == {*SAID["sentences"]} - {FALLBACK}


def table_parts() -> dict[str, set[str]]:
    """The parts that the server gives to its own codes, as its source says."""
    found: dict[str, set[str]] = {}
    for path in (ROOT / "src/rum500/server").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and ast.unparse(node.func) == "TableError"):
                continue
            given = [each for each in ast.walk(node) if isinstance(each, ast.Call) and each is not node]
            parts = {
                str(word.arg) for call in given for word in call.keywords if "Parts" in ast.unparse(call)
            }
            code = node.args[0]
            if isinstance(code, ast.Constant):
                found.setdefault(str(code.value), parts)
                assert found[str(code.value)] == parts, code.value
    return found


@pytest.mark.parametrize("locale", LOCALES)
def test_the_parts_of_the_server_s_codes_are_those_of_their_sentences(locale: str) -> None:
    given = table_parts()
    assert given["table.no_seat"] == {"most"}
    for code in codes() - {*SAID["sentences"]}:
        assert asked_for(locale, code) == given.get(code, set()), code


def page_inputs(refusal: Refusal) -> dict[str, object]:
    """The inputs that the page makes of a refusal, as English has them."""
    said = _Filling({**refusal.parts, "card": refusal.card})
    told = {name: said[name] for name in (*refusal.parts, *(["card"] if refusal.card is not None else []))}
    raw = {name: refusal.parts[name] for name in ("kind", "wanted") if name in refusal.parts}
    counts = {f"{name}_count": part for name, part in refusal.parts.items() if isinstance(part, int)}
    return {"rule": refusal.rule, **told, **raw, **counts}


def plain(text: str) -> str:
    return re.sub(r"[“”’\"]", "'", text)


def test_english_refusals_are_the_server_s() -> None:
    for refusal in refusals():
        said = filled(ENGLISH[explained(refusal.code)], page_inputs(refusal))
        message = refusal.message
        assert plain(said) == plain(message[:1].upper() + message[1:] + "."), refusal.code
    for name, text in SAID["advice"].items():
        assert filled(ENGLISH["game_advice"], {"advice": name}) == text


SERVER_SAYS = tomllib.loads((ROOT / "src/rum500/server/messages/refusals.toml").read_text(encoding="utf-8"))[
    "sentences"
]


@pytest.mark.parametrize("code", SERVER_SAYS)
def test_english_refusals_of_the_server_are_its_own(code: str) -> None:
    parts = {"most": 4, "count": 5, "players": [2, 4], "kind": "pause"}
    inputs = {**parts, "players": "2 or 4"}
    said = filled(ENGLISH[explained(code)], inputs)
    message = refusal_sentence(code, ReasonParts(**parts))
    assert plain(said) == plain(message[:1].upper() + message[1:] + ".")


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
    told: dict[str, object] = {}
    for name, value in params.items():
        if isinstance(value, int):
            told |= {name: value, f"{name}_count": value, f"{name}_word": number_word(value)}
        else:
            told[name] = numbers(value) if isinstance(value, list) else value
    return told


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
def test_english_rules_are_the_server_s_whatever_the_numbers(rules: Ruleset) -> None:
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


def test_games_and_house_rules_have_their_names() -> None:
    for name in profile_names():
        rules, key = ruleset(name), key_of("game_profile", name)
        assert (ENGLISH[f"{key}_title"], ENGLISH[f"{key}_summary"]) == (rules.title, rules.summary)
    for rule in HOUSE_RULES.values():
        assert ENGLISH[key_of("game_house", rule.id)] == re.sub(r'"(\w+!)"', r"“\1”", rule.title)
