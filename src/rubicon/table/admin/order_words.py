"""Compares the opened words of dice requests with the actions of a record.

A request covers all draws until somebody decides again. A player who could end an answer before a
bad draw, and ask again as if for a further decision, would roll that draw again: so the orders of
each request are carried out here once more, and must lead to the record's actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.opening import End
from rubicon.dice.lines.reading import Fields
from rubicon.dice.lines.request import Answer, Request
from rubicon.errors import RubiconError
from rubicon.orders.execute.running import RunningOrders
from rubicon.orders.parse.parser import read_orders
from rubicon.rules.actions import Action
from rubicon.rules.game.game import Game
from rubicon.rules.notation.actions import parse_action


@dataclass(frozen=True, slots=True)
class OpenedRequest:
    """A request with its opened words, and whether its answer could have had more draws."""

    seat: str
    decision: int
    words: str
    has_draws_left: bool


class OrderWords:
    """Follows a record beside the requests of its dice; each call may find what does not fit."""

    def __init__(self, requests: Sequence[OpenedRequest]) -> None:
        self._requests = requests
        self._now: OpenedRequest | None = None  # the request whose draws came last
        self._number = -1  # of that request
        self._running: RunningOrders | None = None  # its orders, where its words are orders
        self._undecided = True  # whether nobody has decided anything since the last draw
        self._since: list[tuple[Game, Action]] = []  # the actions since, each with the game before

    def act(self, game: Game, action: Action) -> None:
        """Note an action that is about to be played."""
        self._since.append((game.copy(), action))
        running = self._running
        if self._undecided and running is not None and running.next(game).action == action:
            running.follow(game, action)
        else:
            self._undecided = False

    def drawn(self, number: int) -> str:
        """What is wrong with a draw of this request, as a sentence; "" where nothing is."""
        fault = "" if number == self._number else self._begin(number)
        self._undecided = True
        self._since.clear()
        return fault

    def _begin(self, number: int) -> str:
        before, request = self._now, self._requests[number]
        self._now, self._number = request, number
        if before is not None and before.has_draws_left and self._undecided:
            return (
                f"The answer to request {number - 1} ended before its orders did, and request"
                f" {number} asked again."
            )
        if before is not None and same_decision(before, request):
            return ""
        self._running = None
        if not request.seat or self._is_action(request):
            return ""
        self._running = self._orders_of(request)
        if self._running is None:
            return f"The words of request {number} do not lead to the actions of the record."
        return ""

    def _is_action(self, request: OpenedRequest) -> bool:
        """Whether the words are one action, which the record has."""
        for game, action in self._since:
            try:
                if parse_action(request.words, game.ruleset.board, game.colours) == action:
                    return True
            except RubiconError:
                return False
        return False

    def _orders_of(self, request: OpenedRequest) -> RunningOrders | None:
        """The orders, behind the actions of the record that they led to; None where there are none.

        The record does not say where they began: each action since the last draw may be the first.
        """
        for first in range(len(self._since)):
            game, _ = self._since[first]
            try:
                orders = read_orders(request.words, game.ruleset.board, game.colours)
                running = RunningOrders(orders, game, request.seat)
                if _leads_to(running, self._since[first:]):
                    return running
            except RubiconError:
                return None
        return None


def opened_requests(entries: Sequence[Entry]) -> list[OpenedRequest]:
    """The requests of a transcript that has ended."""
    words = End.read(Fields(entries[-1].body, "end")).orders
    found: list[OpenedRequest] = []
    for entry in entries:
        if entry.kind == Request.kind:
            request = Request.read(Fields(entry.body, "request"))
            rolls = request.rolls
            opened = OpenedRequest(request.seat, request.decision, words[request.n], False)
            found.append(opened)
        elif entry.kind == Answer.kind:
            answer = Answer.read(Fields(entry.body, "answer"))
            left = len(answer.draws) < rolls and not answer.silent
            last = found[-1]
            found[-1] = OpenedRequest(last.seat, last.decision, last.words, left)
    return found


def same_decision(one: OpenedRequest, other: OpenedRequest) -> bool:
    """Whether two requests follow from the same decision."""
    return (one.seat, one.decision) == (other.seat, other.decision)


def _leads_to(running: RunningOrders, actions: Sequence[tuple[Game, Action]]) -> bool:
    for game, action in actions:
        if game.actor_of(action) == running.colour and running.next(game).action != action:
            return False
        running.follow(game, action)
    return True
