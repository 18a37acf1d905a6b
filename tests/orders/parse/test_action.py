"""Actions are read as they are written, and as people type them; nothing else gets through."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubicon.engine.records import Standing
from rubicon.errors import RubiconError
from rubicon.orders.parse.action import ALONE, READERS, VERBS, read_action
from rubicon.rules.actions import (
    Action,
    Attack,
    Claim,
    ClaimObjective,
    Decline,
    DefendWith,
    EndAttack,
    EndTurn,
    Fortify,
    Occupy,
    Offer,
    Place,
    PlaceCapital,
    Resign,
    RevealMission,
    Seal,
    StandingOrder,
    Trade,
    Withdraw,
)
from rubicon.rules.board.board import COLOURS, Board
from rubicon.rules.notation.actions import OBJECTIVE_IDS, WILD_IDS
from rubicon.rules.notation.words import TextError

WORLD = Board.load("world")
SEATS = ("red", "blue", "green")


def actions(board: Board) -> st.SearchStrategy[Action]:
    """Any action at all on a board."""
    territory = st.sampled_from([territory.id for territory in board.territories])
    card = territory | st.sampled_from(WILD_IDS)
    seat = st.sampled_from(COLOURS)
    armies = st.integers(0, 2**31 - 1)
    dice = st.none() | st.integers(1, 2**31 - 1)
    three = st.tuples(card, card, card)
    return st.one_of(
        st.builds(Claim, territory),
        st.builds(PlaceCapital, territory),
        st.builds(Place, territory, armies),
        st.builds(Offer, card),
        st.builds(Trade, three, st.none() | territory),
        st.builds(Attack, territory, territory, dice, st.booleans()),
        st.builds(DefendWith, armies),
        st.builds(Occupy, armies),
        st.builds(ClaimObjective, st.sampled_from(OBJECTIVE_IDS), st.none() | territory),
        st.builds(Fortify, territory, territory, armies),
        st.builds(StandingOrder, seat, st.none() | territory, st.sampled_from(Standing)),
        st.builds(Seal, seat),
        st.builds(Resign, seat),
        st.builds(RevealMission, seat),
        st.sampled_from([Trade(), Withdraw(), EndAttack(), Decline(), EndTurn()]),
    )


BOARDS = [WORLD, Board.load("skerries")]


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.id)
@given(data=st.data())
def test_what_is_written_is_read_back(board: Board, data: st.DataObject) -> None:
    action = data.draw(actions(board))
    assert read_action(str(action), board, COLOURS, strict=True) == action


@given(actions(WORLD))
def test_case_and_spaces_do_not_matter(action: Action) -> None:
    typed = "  " + str(action).upper().replace(" ", "   ") + " . "
    if "->" in typed or not str(action).startswith(("attack", "fortify")):
        assert read_action(typed, WORLD, COLOURS) == action


TYPED = [
    ("attack alaska kamchatka", "attack alaska -> kamchatka"),
    ("attack alaska>kamchatka 2", "attack alaska -> kamchatka dice 2"),
    ("attack ala=>kam 2", "attack alaska -> kamchatka dice 2"),
    ("attack ala ⇒ kam 2", "attack alaska -> kamchatka dice 2"),
    ("attack ala —> kam 2", "attack alaska -> kamchatka dice 2"),
    ("attack 2 ala kam", "attack alaska -> kamchatka dice 2"),
    ("attack from alaska to kamchatka with 2", "attack alaska -> kamchatka dice 2"),
    ("attack kamchatka from alaska with 2 dice", "attack alaska -> kamchatka dice 2"),
    ("attack western united states eastern united states 1", None),
    ("attack wus eus 1", None),
    ("attack e us, w us 2", None),
    ("att ala kam dice 3 again", "attack alaska -> kamchatka dice 3 again"),
    ("Ａttack ala kam ３", "attack alaska -> kamchatka dice 3"),
    ("place three alaska", None),
    ("place 3 in alaska", "place alaska 3"),
    ("place alaska 003", "place alaska 3"),
    ("reinforce alaska with 3 armies", "place alaska 3"),
    ("put 3 armies on great britain", "place great_britain 3"),
    ("fortify siberia ural 4", "fortify siberia -> ural 4"),
    ("fortify ural from siberia 4", "fortify siberia -> ural 4"),
    ("maneuver 4 siberia -> ural", "fortify siberia -> ural 4"),
    ("transfer 4 siberia -> ural", None),
    ("occupy with 3 armies", "occupy 3"),
    ("defend with two", None),
    ("defend with 2 dice", "defend 2"),
    ("trade alaska great britain wild1", "trade alaska great_britain wild1"),
    ("trade alaska, brazil, joker 2", "trade alaska brazil wild2"),
    ("trade alaska + brazil + wild2 on alaska", "trade alaska brazil wild2 on alaska"),
    ("claim for alaska", "claim alaska"),
    ("claim OB03", "objective OB03"),
    ("objective 3 airfield in ural", "objective OB03 airfield ural"),
    ("hq congo", "capital congo"),
    ("reveal mission red", "reveal red"),
    ("show red", "reveal red"),
    ("surrender red", "resign red"),
    ("end att", "end attack"),
    ("stop", "end attack"),
    ("finish turn", "end turn"),
    ("skip", "end turn"),
    ("standing red 2", "standing red all 2"),
    ("standing red everywhere max", "standing red all max"),
    ("standing red on ural none", "standing red ural none"),
]


@pytest.mark.parametrize(("typed", "meant"), TYPED)
def test_what_people_type(typed: str, meant: str | None) -> None:
    try:
        read = str(read_action(typed, WORLD, SEATS))
    except TextError:
        assert meant is None
        return
    if meant is not None:
        assert read == meant


@pytest.mark.parametrize(
    ("typed", "code", "column"),
    [
        ("", "empty", 1),
        ("   ", "empty", 1),
        ("x" * 501, "too-long", 501),
        ("dance", "unknown-verb", 1),
        ("3", "unknown-verb", 1),
        ("re alaska", "ambiguous-verb", 1),
        ("res red", "ambiguous-verb", 1),
        ("end", "ambiguous-verb", 4),
        ("end game", "unknown-verb", 5),
        ("end turn now", "extra-words", 10),
        ("pass on", "extra-words", 6),
        ("claim", "missing-territory", 6),
        ("claim atlantis", "unknown-territory", 7),
        ("claim north", "ambiguous-territory", 7),
        ("place alaska", "missing-number", 13),
        ("place 3", "missing-territory", 8),
        ("place alaska 2147483648", "bad-number", 14),
        ("place alaska all", "missing-number", 14),
        ("attack alaska", "missing-territory", 14),
        ("attack alaska kamchatkka 3", "unknown-territory", 15),
        ("attack ala > kam > irk", "extra-words", 18),
        ("attack to kam 3", "missing-territory", 8),
        ("attack ala kam dice 0", "bad-number", 21),
        ("attack " + "a " * 60, "extra-words", 8),
        ("fortify siberia ural", "missing-number", 21),
        ("fortify from siberia 3", "missing-territory", 23),
        ("trade alaska brazil", "missing-card", 20),
        ("trade alaska, brazil", "not-three-cards", 7),
        ("trade alaska brazil wild1 siam", "extra-words", 27),
        ("trade alaska brazil wild1 on", "missing-territory", 29),
        ("offer", "missing-card", 6),
        ("offer wild", "ambiguous-card", 7),
        ("defend", "missing-number", 7),
        ("defend two", "bad-number", 8),
        ("defend 2 3", "extra-words", 10),
        ("occupy max", "missing-number", 8),
        ("objective", "missing-objective", 10),
        ("objective 13", "unknown-objective", 11),
        ("seal", "missing-colour", 5),
        ("seal mauve", "unknown-colour", 6),
        ("seal red blue", "extra-words", 10),
        ("standing", "missing-number", 9),
        ("standing red all", "missing-number", 14),
        ("standing alaska 2", "missing-colour", 18),
        ("withdraw it", "extra-words", 10),
    ],
)
def test_errors_say_what_and_where(typed: str, code: str, column: int) -> None:
    with pytest.raises(TextError) as refused:
        read_action(typed, WORLD, SEATS)
    assert refused.value.code == f"text/{code}"
    assert refused.value.column == column
    assert f"column {column}" in refused.value.message


def test_errors_quote_and_suggest() -> None:
    with pytest.raises(TextError) as refused:
        read_action("attack alaska kamchatkka 3", WORLD, SEATS)
    assert "'attack alaska kamchatkka 3'" in refused.value.message
    assert "Kamchatka" in str(refused.value)
    with pytest.raises(TextError, match="Did you mean 'attack'"):
        read_action("attak alaska", WORLD, SEATS)


def test_strict_takes_only_the_exact_text() -> None:
    with pytest.raises(TextError) as refused:
        read_action("att ala kam 3", WORLD, SEATS, strict=True)
    assert refused.value.code == "text/not-canonical"
    assert "attack alaska -> kamchatka dice 3" in refused.value.suggestion


@pytest.mark.parametrize("nonsense", [None, 3, b"place alaska 3", ["place"]])
def test_what_is_no_text_is_refused(nonsense: Any) -> None:
    with pytest.raises(TextError) as refused:
        read_action(nonsense, WORLD, SEATS)
    assert refused.value.code == "text/not-text"


def test_pass_ends_the_turn() -> None:
    assert read_action("pass", WORLD, SEATS) == EndTurn()


def test_no_word_stands_for_two_verbs() -> None:
    words = [word for verb, others in ALONE.items() for word in (verb, *others)]
    assert len(words) == len(set(words))
    assert all(VERBS[word.casefold()] in READERS for word in (*words, *VERBS))


FIRST = [
    "attack",
    "claim",
    "place",
    "fortify",
    "trade",
    "standing",
    "objective",
    "resign",
    "end",
]
SMALL = ["->", ">", "→", "to", "from", "on", "with", "dice", "again", "all", "max", ",", ";", "and"]
THINGS = ["0", "3", "99999999999", "alaska", "ala", "n", "w", "us", "red", "wild", "wild1", "OB07"]
STRANGE = ["٣", "²", "\x00", "\ud800", "ß", "ﬁ", "\u2028"]
SHARDS = st.sampled_from(FIRST + SMALL + THINGS + STRANGE)


@given(st.text(max_size=80) | st.lists(SHARDS, max_size=10).map(" ".join))
def test_no_input_raises_anything_else(text: str) -> None:
    with suppress(RubiconError):
        action = read_action(text, WORLD, SEATS)
        assert read_action(str(action), WORLD, SEATS, strict=True) == action
