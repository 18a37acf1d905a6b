"""The examples of docs/orders.md are executed, and sentences of its grammar are parsed."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.lark import from_lark
from lark import Lark

from rubicon.cli.orders import pointed
from rubicon.orders.errors import OrdersError
from rubicon.orders.explain import explain
from rubicon.orders.parse import words
from rubicon.orders.parse.parser import MOST_PRESS, read_orders
from rubicon.orders.parse.places import IN_FULL, ORDERS, REQUESTS
from rubicon.orders.parse.repair import MOST_CHARACTERS
from rubicon.orders.preview.preview import preview, preview_lines
from rubicon.orders.syntax import (
    Ask,
    AskRequest,
    IfOrder,
    MasterAct,
    MasterRequest,
    OrderText,
    Request,
    SimpleOrder,
)
from rubicon.rules.board.board import COLOURS, Board
from tests.orders.scenes import scene

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "orders.md").read_text(encoding="utf-8")
WORLD = Board.load("world")
BEFORE = "ATTACK alaska -> kamchatka"
LONGEST = 3_000  # what hypothesis writes may be longer than any text that is read


def read(text: str) -> OrderText:
    return read_orders(text, WORLD, COLOURS, names={"Ann": "red"})


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def lines(kind: str) -> list[str]:
    return [line for block in blocks(kind) for line in block.splitlines()]


def read_line(line: str) -> str:
    """The exact text of a line, behind an attack that its condition may mean."""
    if not line.lower().startswith("if"):
        return str(read(line))
    return str(read(f"{BEFORE}\n{line}")).removeprefix(f"{BEFORE}\n")


@pytest.mark.parametrize("line", lines("order"))
def test_exact_lines(line: str) -> None:
    assert read_line(line) == line


@pytest.mark.parametrize("line", lines("typed"))
def test_what_is_typed(line: str) -> None:
    typed, meant = re.split(r"\s+= (?=[A-Z])", line)
    assert read_line(typed) == meant


@pytest.mark.parametrize("text", blocks("orders"))
def test_order_texts(text: str) -> None:
    assert f"{read(text)}\n" == text


def test_the_first_example_is_explained() -> None:
    (told,) = blocks("explained")
    assert list(explain(read(blocks("orders")[0]), WORLD)) == told.splitlines()


def test_mistakes_are_answered_like_this() -> None:
    (wrong,), (answer,), (correct,) = blocks("wrong"), blocks("answer"), blocks("corrected")
    with pytest.raises(OrdersError) as caught:
        read(wrong)
    shown: list[str] = []
    for problem in caught.value.problems:
        shown.append(f"{problem} [{problem.code}]")
        shown += [f"  {line}" for line in pointed(problem, wrong.splitlines()[problem.line - 1])]
    assert shown == answer.splitlines()
    assert f"{caught.value.corrected}\n" == correct


def test_prose_is_warned_of_like_this() -> None:
    (chatter,), (warned,) = blocks("chatter"), blocks("warned")
    order_text = read(chatter)
    assert [f"{warning} [{warning.code}]" for warning in order_text.warnings] == warned.splitlines()
    assert str(order_text).upper() == chatter.splitlines()[0].upper()


def test_preview() -> None:
    """The first example of the page, with nine armies against three and two."""
    unplaced = "red standing_all=max unplaced=3; blue standing_all=max; green standing_all=max"
    held = {"kamchatka": "r6", "yakutsk": "r5", "alaska": "b3", "alberta": "b2"}
    game = scene(held, seats=unplaced)
    seen = preview(read(blocks("orders")[0]), game, "red")
    assert "\n".join(preview_lines(seen, WORLD)) + "\n" == blocks("previewed")[0]


@pytest.mark.parametrize("block", blocks("python"))
def test_python(block: str) -> None:
    assert "assert " in block, "the example shows no result"
    exec(block, {})


def test_every_order_and_request_is_shown() -> None:
    order_texts = [read(f"{BEFORE}\n{line}") for line in lines("order")]
    order_texts += [read(text) for text in blocks("orders")]
    orders = {type(order) for order_text in order_texts for order in order_text.orders}
    requests = [request for order_text in order_texts for request in order_text.requests]
    assert orders == {*SimpleOrder.__args__, IfOrder}
    assert {type(request) for request in requests} == set(Request.__args__)
    assert {found.ask for found in requests if isinstance(found, AskRequest)} == set(Ask)
    assert {found.act for found in requests if isinstance(found, MasterRequest)} == set(MasterAct)


def test_every_synonym_is_listed() -> None:
    for verb, others in {**ORDERS, **REQUESTS}.items():
        assert verb in PAGE
        assert all(f"`{other}" in PAGE or f"`{other.upper()}`" in PAGE for other in others)
    master = set(MasterAct)
    assert all(f"`{verb}`" in PAGE for verb in IN_FULL - master - {"IF", "ABSENCE"})


def test_the_limits_are_these() -> None:
    for limit in (
        MOST_CHARACTERS,
        MOST_PRESS,
        words.MOST_ORDERS,
        words.MOST_ORDER_CHARACTERS,
        words.MOST_LOOKUPS,
    ):
        assert f"{limit:,}" in PAGE


def test_every_code_is_listed() -> None:
    folder = ROOT / "src" / "rubicon" / "orders" / "parse"
    # The codes of a single typed action are those of docs/notation.md.
    sources = [source for source in folder.glob("*.py") if source.name != "action.py"]
    text = "".join(source.read_text(encoding="utf-8") for source in sources)
    codes = set(re.findall(r'(?:error|problem)\([^"]*?"([a-z]+(?:-[a-z]+)+|twice|quoted)"', text))
    assert len(codes) > 20
    kinds = ("unknown", "ambiguous", "missing", "bad")
    for code in codes:
        kind, _, what = code.partition("-")
        listed = kind in kinds and f"`{what}`" in PAGE
        assert listed or f"`orders/{code}`" in PAGE, code


def spaced(strategy: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Words with a space behind them."""
    return strategy.map(lambda text: f"{text} ")


def written() -> st.SearchStrategy[str]:
    """Sentences of the grammar, with a space behind every word."""
    (grammar,) = blocks("lark")
    grammar = re.sub(r'"([^"\\]+)"', r'"\1 "', grammar)
    names = [name for land in WORLD.territories for name in (land.id, land.name, *land.aliases)]
    number = st.integers(1, 999).map(str)
    explicit = {
        "NUMBER": number,
        "DICE": st.sampled_from("123"),
        "PERCENT": st.integers(1, 100).map(str),
        "HOURS": st.integers(1, 99).map(str),
        "DATE": st.just("2026-12-24"),
        "OBJECTIVE": st.integers(1, 12).map("OB{:02}".format),
        "TERRITORY": st.sampled_from(names),
        "CARD": st.sampled_from([*names, "wild1", "wild2"]),
        "PLAYER": st.sampled_from([*COLOURS, "Ann"]),
        "BOT": st.sampled_from(["greedy", "random", "b-2.1"]),
        "WORD": st.sampled_from(["attack", "odds", "1-2"]),
        "CODE": st.sampled_from(["abcd", "7G3K-QQ"]),
        "TEXT": st.text(st.characters(exclude_characters="\r\n"), max_size=20).map("so {}".format),
    }
    return from_lark(
        Lark(grammar, start="start"),
        explicit={name: spaced(strategy) for name, strategy in explicit.items()},
    )


@given(written().filter(lambda text: len(text) < LONGEST))
def test_what_the_grammar_writes_is_read(text: str) -> None:
    order_text = read(f"{BEFORE}\n{text}")
    assert read(str(order_text)) == order_text
