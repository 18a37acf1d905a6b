"""A simple program that plays a game by the buttons and the map of the page."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.app import words
from tests.browser.app.person import Json, Person

BETTER = 2  # armies more than the defender, for an attack
MOST = 3000  # decisions in a game that must come to an end
GAMES = 5  # that may end, by their dice, before what a test waits for


def play(person: Person, until: Callable[[Json], bool] | None = None) -> int:
    """Take decisions until the game is over, or (before that) in a state; returns how many."""
    for taken in range(MOST):
        legal = person.wait()
        if legal is None:
            assert until is None or until(person.state()), "the game is over before the state came"
            return taken
        if until is not None and until(person.state()):
            return taken
        decide(person, legal)
    raise AssertionError(f"the game does not end within {MOST} decisions")


def play_up_to(person: Person, open_game: Callable[[], str], until: Callable[[Json], bool]) -> None:
    """Play up to a state; if real dice end a game before it comes, play another."""
    for _ in range(GAMES):
        person.open_game(open_game())
        play(person, until=lambda state: state["result"] is not None or until(state))
        if person.state()["result"] is None:
            return
    raise AssertionError(f"{GAMES} games are over before the state came")


def play_together(people: dict[str, Person], until: Callable[[Json], object]) -> set[str]:
    """Everybody decides on their own page when it is their turn, until a state; who decided.

    The people are by the colours of their seats; other seats are bots.
    """
    moved: set[str] = set()
    first = next(iter(people.values()))
    for _ in range(MOST):
        state = first.state()
        if state["result"] is not None or until(state):
            return moved
        turns = [colour for colour in state["deadlines"] if colour in people]
        if not turns:
            first.page.wait_for_timeout(20)  # a bot decides
            continue
        legal = people[turns[0]].wait()
        if legal is not None:
            decide(people[turns[0]], legal)
            people[turns[0]].settle()
            moved.add(turns[0])
    raise AssertionError("the state does not come")


def decide(person: Person, legal: Json) -> None:
    """Take the decision that the page shows."""
    kinds = {each["kind"] for each in legal["ranges"]}
    for kind, button in BUTTONS.items():
        if kind in kinds:
            person.press(button)
            return
    for kind, action in ON_THE_MAP.items():
        if kind in kinds:
            action(person, legal)
            return
    if "end_attack" in kinds:
        person.press(words.END_ATTACK)
    elif "end_turn" in kinds:
        person.press(words.END_TURN)
    else:
        raise AssertionError(f"no button is known for {kinds}")


def claim(person: Person, legal: Json) -> None:
    """The first free territory."""
    person.tap(legal["ranges"][0]["target"])


def claim_objective(person: Person, legal: Json) -> None:
    """The first that can be claimed; its airfield at the first place."""
    person.press(words.CLAIM)
    places = [each["action"] for each in legal["ranges"] if each["kind"] == "claim_objective"]
    objective = next((each["objective"] for each in places if each["airfield"]), None)
    if objective is not None and person.page.get_by_text(words.AIRFIELD_PLACE).is_visible():
        person.tap(next(each["airfield"] for each in places if each["objective"] == objective))
        person.press(words.CLAIM_AIRFIELD)


def choose_capital(person: Person, legal: Json) -> None:
    """The first of the own territories."""
    person.tap(legal["ranges"][0]["target"])
    person.press(words.CAPITAL)


def place(person: Person, legal: Json) -> None:
    """In the set-up all armies evenly; in a turn all where the enemy beside is weakest."""
    phase = person.state()["phase"]
    first = next(each["target"] for each in legal["ranges"] if each["kind"] == "place")
    if territories(person)[first]["owner"] == "neutral":
        person.tap(first)  # every third army of two players
        return
    if phase not in ("reinforce", "trade"):
        person.press(words.SPREAD)
        if legal["about"]["to_place"] <= max(each["most"] or 1 for each in legal["ranges"]):
            person.press(words.PLACED)  # all at once are a draft first
        return
    lead = fronts(person)
    choices = [each["target"] for each in legal["ranges"] if each["kind"] == "place"]
    person.tap(max(choices, key=lambda place: lead.get(place, -1000)))
    if person.button(words.PLACED).is_disabled():
        # On a phone the table of the own borders, with its button, is closed.
        person.press(words.SPREAD if person.touch else words.ALL_ON_ONE)
    person.press(words.PLACED)


def attack(person: Person, legal: Json) -> None:
    """The attack with the largest lead, to the end."""
    armies = {name: each["armies"] for name, each in territories(person).items()}
    pairs = [
        (armies[each["source"]] - (armies[each["target"]] or 0), each["source"], each["target"])
        for each in legal["ranges"]
        if each["kind"] == "attack"
    ]
    lead, source, target = max(pairs)
    if lead < BETTER:
        person.press(words.END_ATTACK)
        return
    select(person, source, target)
    # The odds make room for themselves: before they are there, what is below would move.
    expect(person.page.get_by_role("slider", name=words.STOP)).to_be_visible()
    to_the_end = person.page.get_by_role("radio", name=words.TO_THE_END)
    if not to_the_end.is_checked():
        person.page.locator("label", has=to_the_end).click()  # the input is drawn as its label
        expect(to_the_end).to_be_checked()
    person.press(words.ATTACK)


def fortify(person: Person, legal: Json) -> None:
    """The largest army that has no enemy beside it moves to where one is."""
    front = fronts(person)
    moves = [
        (each["most"], each["source"], each["target"])
        for each in legal["ranges"]
        if each["kind"] == "fortify" and each["source"] not in front and each["target"] in front
    ]
    if not moves or max(moves)[0] < BETTER:
        person.press(words.END_TURN)
        return
    _, source, target = max(moves)
    select(person, source, target)
    person.press(words.FORTIFY)


def select(person: Person, source: str, target: str) -> None:
    """Tap a source, unless it is selected already, and a target."""
    badge = person.territory(source)
    if badge.get_attribute("aria-pressed") != "true":
        person.tap(source)
    expect(badge).to_have_attribute("aria-pressed", "true")
    person.tap(target)


def territories(person: Person) -> dict[str, Json]:
    """The territories as this person sees them."""
    found: dict[str, Json] = person.state()["position"]["territories"]
    return found


def fronts(person: Person) -> dict[str, int]:
    """Own territories beside an enemy, with the lead over the weakest one."""
    state = person.state()
    held, mine = state["position"]["territories"], state["you"]
    best: dict[str, int] = {}
    for one, other in borders(person, state["position"]["board"]["name"]):
        for own, enemy in ((one, other), (other, one)):
            if held[own]["owner"] == mine != held[enemy]["owner"]:
                lead = held[own]["armies"] - (held[enemy]["armies"] or 0)
                best[own] = max(best.get(own, -1000), lead)
    return best


def can_fortify(person: Person) -> bool:
    """Whether two own territories with armies to move lie side by side.

    In one deal of eleven on the small board none do: then the turn ends with its attacks.
    """
    state = person.state()
    held, mine = state["position"]["territories"], state["you"]
    able = {name for name, each in held.items() if each["owner"] == mine and each["armies"] > 1}
    return any(
        able.issuperset(pair) for pair in borders(person, state["position"]["board"]["name"])
    )


def borders(person: Person, board: str) -> list[tuple[str, str]]:
    """The pairs of neighbours of a board."""
    return [tuple(each["between"]) for each in person.ask(f"/boards/{board}")["borders"]]


BUTTONS: dict[
    str, str | re.Pattern[str]
] = {  # by the kind of action: what is pressed wherever it can be
    "trade": words.TRADE,
    "occupy": words.MOVE_IN,
    "defend_with": words.DEFEND,
    "seal": words.PLACED,
}
ON_THE_MAP: dict[str, Callable[[Person, Json], None]] = {
    "claim_objective": claim_objective,
    "claim": claim,
    "place_capital": choose_capital,
    "place": place,
    "attack": attack,
    "fortify": fortify,
}
