"""Games in typical moments, for pictures of the app."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rubicon.client import Client
from tests.browser.app.clicking import fronts, play, select, territories
from tests.browser.app.conftest import opened
from tests.browser.app.person import Json, Person

ROUND = 2  # the map is mixed, and everybody still plays


@dataclass(frozen=True)
class Moment:
    """A picture: what it is called, and how a person at an empty page comes there."""

    name: str
    reach: Callable[[Person, Client], object]


def game(phase: str, **table: Any) -> Callable[[Person, Client], object]:
    """A game against bots on the world, in a phase of the person's turn of a later round."""

    def reach(person: Person, ann: Client) -> None:
        person.open_game(opened(ann, bots=3, **({"board": "world"} | table)).id)
        play(person, until=lambda state: state["round"] >= ROUND and state["phase"] == phase)
        if (state := person.state())["result"] is not None:
            raise AssertionError(f"The game was over in round {state['round']}.")

    return reach


def set_up(person: Person, ann: Client) -> None:
    """The first decision of a game."""
    person.open_game(opened(ann, bots=3, board="world").id)
    person.wait()


def placing(person: Person, ann: Client) -> None:
    """Armies placed, but not sent."""
    game("reinforce")(person, ann)
    for place in list(fronts(person))[:2]:
        person.tap(place)


def attacking(person: Person, ann: Client) -> None:
    """A battle before its first roll, with its odds."""
    game("attack")(person, ann)
    legal = person.wait()
    assert legal is not None, "The game is over."
    select(person, *best_attack(person, legal))
    person.page.get_by_role("slider").first.wait_for()


def best_attack(person: Person, legal: Json) -> tuple[str, str]:
    """The attack with the largest army."""
    held = territories(person)
    pairs = [each for each in legal["ranges"] if each["kind"] == "attack"]
    best = max(pairs, key=lambda each: held[each["source"]]["armies"])
    return best["source"], best["target"]


def finished(person: Person, ann: Client) -> None:
    """The end of a game."""
    person.open_game(opened(ann, bots=2, bot="greedy").id)
    play(person)


def address(path: str) -> Callable[[Person, Client], object]:
    """A screen that has an address of its own."""
    return lambda person, ann: person.visit(path)


def of_game(view: str, *, over: bool = False) -> Callable[[Person, Client], object]:
    """Another view of a game."""

    def reach(person: Person, ann: Client) -> None:
        (finished if over else game("attack", board="skerries"))(person, ann)
        person.visit(f"/games/{person.game}/{view}")

    return reach


def lobby(person: Person, ann: Client) -> None:
    """A table before its game, with seats that are free."""
    opened = ann.open_table(seats=5, access="link", bots={"4": "random"}, title="Sunday table")
    person.visit(f"/tables/{opened['game']}")


def own_page(person: Person, ann: Client) -> None:
    """The page of a player after a game."""
    finished(person, ann)
    person.visit(f"/players/{ann.me()['account']}")


# A new screen with an address of its own is one line: Moment("Name", address("/path")).
MOMENTS = [
    Moment("Start", address("/")),
    Moment("New game", address("/new")),
    Moment("Lobby", lobby),
    Moment("Set-up", set_up),
    Moment("Reinforce", placing),
    Moment("Attack", attacking),
    Moment("Fortify", game("fortify")),
    Moment("Revised", game("attack", ruleset="revised")),
    Moment("Secret mission", game("attack", ruleset="secret-mission")),
    Moment("The end", finished),
    Moment("Orders", of_game("orders")),
    Moment("Dice of a game", of_game("dice", over=True)),
    Moment("Map of a game", of_game("map")),
    Moment("Cards of a game", of_game("cards")),
    Moment("Rolls of a game", of_game("rolls")),
    Moment("Messages of a game", of_game("messages")),
    Moment("Game master", of_game("master")),
    Moment("Review", of_game("review", over=True)),
    Moment("Watch", address("/watch")),
    Moment("Rulebooks", address("/rules")),
    Moment("A rulebook", address("/rules/classic")),
    Moment("Odds", address("/odds")),
    Moment("Fair dice", address("/fair-dice")),
    Moment("Account", address("/account")),
    Moment("Player", own_page),
    Moment("Administration", address("/admin")),
    Moment("Pass and play", address("/pass")),
    Moment("Not found", address("/games/nowhere")),
]
