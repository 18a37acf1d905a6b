"""Every order has its sentence, which also says the defaults."""

import pytest
from hypothesis import given

from rubicon.orders.explain import AFTER_ATTACKS, AFTER_MOVE, explain
from rubicon.orders.parse.parser import read_orders
from rubicon.orders.syntax import OrderText
from rubicon.rules.board.board import COLOURS, Board
from rubicon.rules.ruleset.ruleset import Ruleset
from tests.orders.writing import order_texts

WORLD = Board.load("world")
NO_END = "There is no END: "
OPEN = f"{NO_END}your turn stays open where these orders leave it open."


def told(text: str) -> list[str]:
    return list(explain(read_orders(text, WORLD, COLOURS), WORLD))


def sentence(line: str) -> str:
    """The sentences about one order."""
    lines = [line for line in told(line) if not line.startswith(NO_END)]
    return " ".join(line.removeprefix("1. ").strip() for line in lines)


@given(order_texts(WORLD))
def test_everything_has_words(order_text: OrderText) -> None:
    lines = explain(order_text, WORLD)
    assert len(lines) >= len(order_text.requests) + len(order_text.orders)
    assert all(line.strip()[-1:] in ".:!?" or line.startswith("As game master") for line in lines)
    spelt = [line for line in lines if not line.startswith(("As game master", "You"))]
    assert not any("_" in line for line in spelt)


def test_nothing_is_said_about_nothing() -> None:
    assert told("") == []
    assert told("END") == ["Then your turn ends, without anything else that is still possible."]


def test_a_ruleset_has_a_board_too() -> None:
    order_text = read_orders("deploy rest w us", WORLD, COLOURS)
    assert explain(order_text, Ruleset.load("classic")) == explain(order_text, WORLD)
    assert (
        explain(order_text, WORLD)[0] == "1. Put all armies that are left on Western United States."
    )


SENTENCES = [
    ("trade best", "Trade in the best set of cards, if you have one."),
    ("trade no", "Trade in no cards, unless the rules demand it."),
    (
        "trade ala, bra, wild2 on ala",
        "Trade in the cards Alaska, Brazil and the second wild card."
        " The armies for a pictured territory go to Alaska.",
    ),
    ("deploy 1 kam, rest ala", "Put 1 army on Kamchatka, then all armies that are left on Alaska."),
    (
        "attack ala kam",
        "Attack Kamchatka from Alaska, roll after roll, with as many dice as the rules allow."
        " It stops when Kamchatka is taken or no army is free to attack (one must stay)."
        " As few armies as the rules allow move into Kamchatka.",
    ),
    (
        "attack ala kam dice 1 until left 3 or odds < 40% or won advance 3",
        "Attack Kamchatka from Alaska, roll after roll, with one die."
        " It stops when Kamchatka is taken, at most 3 armies are left on Alaska,"
        " the chance to take Kamchatka falls below 40% or no army is free to attack"
        " (one must stay)."
        " 3 armies (or the nearest number that the rules allow) move into Kamchatka.",
    ),
    (
        "attack ala > kam > irk dice 2 until rounds 1 or lost 4 or odds < 9%",
        "Attack Kamchatka, then Irkutsk from Alaska, roll after roll, with at most 2 dice."
        " It stops when all of these are taken, one roll was thrown for this order,"
        " this order has cost 4 armies of yours, the chance to take the rest falls below 9%"
        " or no army is free to attack (one must stay)."
        " All armies but the one that must stay move on along the path,"
        " and as few as the rules allow into Irkutsk.",
    ),
    (
        "attack ala kam once advance ask",
        "Attack Kamchatka from Alaska, roll after roll, with as many dice as the rules allow."
        " It stops when Kamchatka is taken, one roll was thrown for this order or no army is free"
        " to attack (one must stay)."
        " You decide how many armies move into Kamchatka.",
    ),
    (
        "advance all but 2",
        "Into the territory just captured: all armies but 2.",
    ),
    (
        "advance 1",
        "Into the territory just captured: 1 army (or the nearest number that the rules allow).",
    ),
    (
        "fort ala kam all",
        "End the attacks, then move all armies but the one that must stay from Alaska to "
        "Kamchatka.",
    ),
    ("fort ala kam 3", "End the attacks, then move 3 armies from Alaska to Kamchatka."),
    (
        "man ala kam 3",
        "Before the first attack, if a reward allows it, move 3 armies from Alaska to Kamchatka.",
    ),
    (
        "defend max",
        "Defend all of your territories with as many dice as the rules allow: now if an "
        "attack is pending, otherwise from now on.",
    ),
    (
        "defend 1 ala",
        "Defend Alaska with one die: now if an attack is pending, otherwise from now on.",
    ),
    ("defend ask", "Ask you each time with how many dice to defend all of your territories."),
    ("claim ala", "Claim Alaska, if it is free."),
    ("claim ala, bra", "Claim the first of these that is free: Alaska, Brazil."),
    ("capital ala", "Make Alaska your capital or headquarters."),
    ("objective no", "End the attacks and claim no objective this turn."),
    (
        "objective 2 airfield ala",
        "End the attacks and claim objective OB02 (Control Europe), if it is met; its "
        "airfield goes to Alaska.",
    ),
    ("decline", "Claim no objective, or trade no further set of cards."),
    ("seal", "Finish your hidden placement."),
    ("map kam", "You ask for the neighbours of kamchatka."),
    ("hand", "You ask for your cards, your mission and your rewards."),
    ("reveal", "Show your mission, if it is completed, and win."),
    ("stop", "End the attacks of this turn."),
    ("pass", "End the turn without moving further armies."),
    ("if won kam: stop", "If you own Kamchatka by then: End the attacks of this turn."),
    ("if failed kam: stop", "If you do not own Kamchatka by then: End the attacks of this turn."),
    (
        "if kam >= 3: stop else pass",
        "If at least 3 armies are on Kamchatka, whether you own it or not: End the "
        "attacks of this turn. Otherwise: End the turn without moving further armies.",
    ),
    ("if card: stop", "If this turn has earned a card: End the attacks of this turn."),
    ("if eliminated red: stop", "If Red is out of the game: End the attacks of this turn."),
    ("resign", "You resign and leave the game, but only if CONFIRM follows."),
    ("vote draw confirm", "You vote for a draw."),
    ("press to gm\nhi there\nendpress", "You send the game master a message of 2 words."),
    ("history 1", "You ask for the last 1 entry of the log."),
    ("extend 1 day", "As game master: the deadline is 24 hours later."),
]


@pytest.mark.parametrize(("text", "meant"), SENTENCES, ids=[text for text, _ in SENTENCES])
def test_sentences(text: str, meant: str) -> None:
    assert sentence(text) == meant


def test_conditions_are_set_in() -> None:
    assert told("att ala kam\nif won: stop; deploy rest kam else: pass")[3:] == [
        "2. If you own the whole path of the last attack by then:",
        "    End the attacks of this turn.",
        "    Put all armies that are left on Kamchatka.",
        "   Otherwise:",
        "    End the turn without moving further armies.",
        OPEN,
    ]


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("deploy 3 kam", OPEN.removeprefix(NO_END)),
        ("deploy 3 kam\nstop", AFTER_ATTACKS),
        ("stop\nfort ala kam 3", AFTER_MOVE),
        ("pass", ""),
        ("if card: pass", OPEN.removeprefix(NO_END)),
    ],
)
def test_what_becomes_of_the_turn_without_an_end(text: str, ends: str) -> None:
    """END TURN needs no sentence; with END, every text has the same one."""
    said = [line.removeprefix(NO_END) for line in told(text) if line.startswith(NO_END)]
    assert said == [ends][: bool(ends)]
    assert told(f"{text}\nEND")[-1].startswith("Then your turn ends")
    assert not any(line.startswith(NO_END) for line in told(f"{text}\nEND"))
