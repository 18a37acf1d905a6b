"""Texts that no parser likes: each becomes an order text or an error, quickly and stably.

As a script it tries the given number of texts, and prints which took longest:
`python tests/orders/parse/test_fuzz.py 100000`.
"""

import random
import re
import sys
import time
import unicodedata
from collections.abc import Iterator
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubicon.orders.errors import MOST_PROBLEMS, OrdersError
from rubicon.orders.parse.parser import NO_NAMES, OrdersParser, read_orders
from rubicon.orders.parse.repair import MOST_CHARACTERS
from rubicon.orders.parse.words import (
    MOST_LOOKUPS,
    MOST_ORDER_CHARACTERS,
    MOST_ORDERS,
    NameResolver,
    TooLongError,
)
from rubicon.orders.syntax import OrderText
from rubicon.rules.board.board import COLOURS, Board

WORLD = Board.load("world")
VALID = """\
DEPLOY 3 kamchatka, 2 alaska, REST northwest_territory  // the rest in the north
TRADE alaska, brazil, wild1 ON alaska
att ala > kam -> irkutsk dice 2 until left 3 or odds < 40% or won advance all but 2
IF WON: ATTACK kam → japan; FORTIFY ala kam 3 ELSE: FORTIFY 2 from alaska to kamchatka
IF kamchatka >= 3 THEN end turn
ELSE: ATTACK ural -> siberia UNTIL ROUNDS 2 OR LOST 5 ADVANCE MIN
IF ELIMINATED blue: TRADE BEST; DEPLOY REST kam
manoeuvre all but 1 from ural to siberia # early
CLAIM alaska, great britain, w us; CAPITAL congo; OBJECTIVE 3 AIRFIELD brazil
DEFEND 2 IN kamchatka; ADVANCE ALL; REVEAL; STATUS; HISTORY 12; HELP attack
PRESS TO blue
  Let us have peace \u2014 attack alaska -> kamchatka, \u202eplease\u202c.
ENDPRESS
ABSENCE 2026-12-24 2026-12-27 BOT greedy; VOTE PAUSE; CONFIRM 7G3K-QQ
FORK 12; EXTEND 2 days; REPLACE green; BOT yellow random
ANNOUNCE Happy new year; // to all of you!
END ATTACK
END
"""
NASTY = [
    "\0", "\ufeff", "\u200f", "\u202e", "\xa0", "\u2028", "\x85", "\ud800", "\ufdfa", "≠", "；",
    "＃", "<", ">", "->", "-" * 40, "=" * 40, ":", ";", ",", "//", "#", "%", "IF ", " ELSE: ",
    " THEN ", "CONFIRM", "RESIGN", "PRESS TO red", "ENDPRESS", "END", "-- ", "\r\n", "\r", "\n",
    "ATTACK ", "DEPLOY ", " UNTIL ", " OR ", " ADVANCE ", " ALL BUT ", "9" * 30, "0", "²", "٣",
    "wild", "e aus", "western united states ",
]  # fmt: skip
FULL_SIZE = 64 * 1024


def mutated(rng: random.Random, text: str) -> str:
    """A mutated text."""
    for _ in range(rng.randint(1, 6)):
        text = MUTATIONS[rng.randrange(len(MUTATIONS))](rng, text)
    return text[:FULL_SIZE]


def _flip(rng: random.Random, text: str) -> str:
    data = bytearray(text.encode("utf-8", "surrogatepass"))
    for _ in range(rng.randint(1, 4)):
        if data:
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return data.decode("utf-8", rng.choice(["replace", "surrogateescape"]))


def _cut(rng: random.Random, text: str) -> str:
    start = rng.randrange(len(text) + 1)
    return text[:start] + text[start + rng.randint(0, 60) :]


def _insert(rng: random.Random, text: str) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(NASTY) * rng.choice([1, 1, 1, 2, 7, 300]) + text[at:]


def _join(rng: random.Random, text: str) -> str:
    lines = text.split("\n")
    at = rng.randrange(len(lines))
    return "\n".join(lines[:at]) + rng.choice([" ", ";", ":", ""]) + "\n".join(lines[at:])


def _repeat(rng: random.Random, text: str) -> str:
    lines = text.split("\n")
    at = rng.randrange(len(lines))
    lines[at:at] = [lines[at]] * rng.choice([1, 2, 30, 2000])
    return "\n".join(lines)


def _shuffle(rng: random.Random, text: str) -> str:
    lines = text.split("\n")
    rng.shuffle(lines)
    return "\n".join(lines)


def _swap_words(rng: random.Random, text: str) -> str:
    words = text.split(" ")
    for _ in range(rng.randint(1, 5)):
        first, second = rng.randrange(len(words)), rng.randrange(len(words))
        words[first], words[second] = words[second], words[first]
    return " ".join(words)


def _misspell(rng: random.Random, text: str) -> str:
    letters = list(text)
    for _ in range(rng.randint(1, 30)):
        letters[rng.randrange(len(letters)) :][:1] = []
        at = rng.randrange(max(1, len(letters)))
        letters[at : at + 1] = rng.choice("abcdefghijklmnop ")
    return "".join(letters)


MUTATIONS = [_flip, _cut, _insert, _insert, _join, _repeat, _shuffle, _swap_words, _misspell]


def hostile() -> Iterator[str]:
    """Hostile texts of the full size, written to take long."""
    for seed in [
        *NASTY,
        "a",
        "a ",
        "ab,",
        "a\n",
        ";a",
        ";\n",
        "//\n",
        "> a\n",
        "a>",
        "x;" * 3 + "\n",
    ]:
        yield (seed * (FULL_SIZE // len(seed) + 1))[:FULL_SIZE]
    for verb in ["ATTACK ", "DEPLOY 1 ", "CLAIM ", "TRADE ", "FORTIFY ", "PRESS TO ", "ANNOUNCE "]:
        for word in ["a ", "ala,", "western united states ", "-", "->", "> ", "1 ", "ｅ", "\ufdfa"]:
            yield (verb + word * FULL_SIZE)[:FULL_SIZE]
            line = (verb + word * 999)[:320] + "\n"
            yield line * (FULL_SIZE // len(line))
    yield "IF WON: " * (FULL_SIZE // 8)
    yield "IF kam > 1: ATTACK a -> b ELSE: " * (FULL_SIZE // 32)
    yield "IF" + " " * (FULL_SIZE - 9) + "> 3: END"
    yield "PRESS TO red\n" + "\n" * (FULL_SIZE - 20)
    yield "PRESS TO red\n" * (FULL_SIZE // 13)
    yield "PRESS TO red\nENDPRESS\n" * (FULL_SIZE // 22)
    yield "".join(f"atack alsaka{n} kamchtka{n} 3\n" for n in range(2000))
    yield "".join(f"attack east{n} west{n} unit{n} stat{n} 3\n" for n in range(1500))
    yield "".join(f"attack {'e' * (n % 50 + 1)} south{n} e aus\n" for n in range(1500))
    yield "CLAIM " + ", ".join(f"ea{'-' * (n % 77)}st{'.' * (n // 77)}" for n in range(900))
    names = ", ".join(f"s{'-' * (n % 9)}outh{'.' * (n // 9)}ern europe" for n in range(99))
    yield f"CLAIM {names}\n" * (FULL_SIZE // (len(names) + 7))
    yield "DEPLOY " + ", ".join(f"{n} e_aus" for n in range(6000))


def read(text: str) -> OrderText:
    """The order text, or that of the corrected text; any other exception is a bug."""
    order_text, error = attempt(text)
    if error is not None:
        assert 0 < len(error.problems) <= MOST_PROBLEMS
        assert len(error.corrected) <= MOST_CHARACTERS
        order_text = read_orders(error.corrected, WORLD, COLOURS)
    assert order_text is not None
    assert dangers(order_text) <= len(re.findall(r"confirm", plain(text)))
    assert read_orders(str(order_text), WORLD, COLOURS) == order_text
    return order_text


def attempt(text: str) -> tuple[OrderText | None, OrdersError | None]:
    """The result of parsing a text."""
    try:
        return read_orders(text, WORLD, COLOURS), None
    except OrdersError as error:
        return None, error


def plain(text: str) -> str:
    """The words of a text."""
    shown = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    return unicodedata.normalize("NFKC", shown).casefold()


def dangers(order_text: OrderText) -> int:
    """The number of confirmed requests."""
    return sum(getattr(found, "confirmed", False) for found in order_text.requests)


def test_mutated_texts(full: bool) -> None:
    rng = random.Random(7)
    for _ in range(20_000 if full else 200):
        read(mutated(rng, VALID))


@pytest.mark.parametrize("text", list(hostile()), ids=lambda text: ascii(text[:20]))
def test_hostile_texts_cost_no_more_than_the_caps(text: str) -> None:
    read(text)
    reading = OrdersParser(text, NameResolver(WORLD, COLOURS, NO_NAMES))
    try:
        reading.read()
    except TooLongError:
        pass
    else:
        assert reading.resolver.orders <= MOST_ORDERS
        assert reading.resolver.characters <= MOST_ORDER_CHARACTERS
    assert len(reading.resolver.looked_up) <= MOST_LOOKUPS
    assert len(reading.resolver.problems) <= MOST_PROBLEMS


@given(st.text() | st.text("aeklst>-;:,#/ \n0123%<IFEOR", max_size=300))
def test_any_text(text: str) -> None:
    read(text)


@given(st.lists(st.sampled_from([*NASTY, *VALID.split(" ")]), max_size=40))
def test_any_words(words: list[str]) -> None:
    read(" ".join(words))


def timed(text: str) -> float:
    """The seconds that parsing a text takes."""
    start = time.perf_counter()
    attempt(text)
    return time.perf_counter() - start


def main(count: int) -> None:
    """Try the given number of texts and print how long the slowest took."""
    rng = random.Random(count)
    slowest, tried = (0.0, ""), 0
    for text in chain(hostile(), (mutated(rng, VALID) for _ in range(count))):
        seconds = min(timed(text), timed(text), timed(text))
        slowest = max(slowest, (seconds, text))
        read(text)
        tried += 1
    print(f"{tried} texts, none failed; the slowest took {slowest[0] * 1000:.1f} ms:")
    print(f"  {len(slowest[1])} characters, {slowest[1][:70]!r}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
