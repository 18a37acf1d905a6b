"""What is under the prompt: the exact form of the line with its odds, or how it may go on."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rubicon.cli.screen.map.tints import neighbours_in
from rubicon.cli.screen.odds import battle_at
from rubicon.cli.terminal.display.codes import without_codes
from rubicon.cli.terminal.display.defence import percent
from rubicon.cli.terminal.help import COMMANDS, ORDERS, whole_word
from rubicon.errors import RubiconError
from rubicon.odds.stop import Stop
from rubicon.orders.completion import Candidate, candidates
from rubicon.orders.order_text import OrderText
from rubicon.orders.parse.parser import read_orders
from rubicon.orders.syntax import AttackOrder, StopKind
from rubicon.rules.game.game import Game


@dataclass(frozen=True, slots=True)
class Reading:
    """How a line is understood: its exact form and odds, or candidates for its end."""

    exact: str = ""
    odds: str = ""
    following: tuple[Candidate, ...] = ()

    def ghost(self, text: str) -> str:
        """What Tab would add behind the caret; "" where it would change what is typed."""
        if not self.following:
            return ""
        first = self.following[0]
        typed = text[first.start : first.stop]
        begins = first.text.casefold().startswith(typed.casefold())
        rest = first.text[len(typed) :] if begins else ""
        return rest.lower() if typed.islower() and first.kind in ("verb", "keyword") else rest


def read_line(
    text: str, cursor: int, game: Game, colour: str, *, hand_open: bool = True
) -> Reading:
    """How a line is understood; only with an open hand are its cards proposed."""
    word = whole_word(text.partition(" ")[0])
    following = following_words(text, cursor, game, colour) if text else ()
    if not hand_open:
        following = tuple(one for one in following if one.kind != "card")
    if not text or word in COMMANDS:
        return Reading(
            exact=COMMANDS.get(word, ""), following=() if word in COMMANDS else following
        )
    try:
        names = dict(zip(game.names, game.colours, strict=True))
        board = game.ruleset.board
        orders = read_orders(without_codes(text, board), board, game.colours, names=names)
    except RubiconError:
        return Reading(following=following)
    exact = "; ".join(" ".join(str(order).split()) for order in orders.orders)
    if orders.ended and not orders.orders:
        exact = "END"
    return Reading(exact, odds_of(orders, game, colour), following)


def following_words(text: str, cursor: int, game: Game, colour: str) -> tuple[Candidate, ...]:
    """The candidates at the cursor; a verb that is cut short counts as the whole one."""
    begin = text.rfind(";", 0, cursor) + 1
    begin += len(text[begin:cursor]) - len(text[begin:cursor].lstrip())
    word = text[begin:cursor].partition(" ")[0]
    whole = [verb for verb in ORDERS if verb.startswith(word.casefold())]
    if not word or len(whole) != 1 or " " not in text[begin:cursor]:
        return candidates(text, cursor, game, colour)
    longer = len(whole[0]) - len(word)
    written = text[:begin] + whole[0] + text[begin + len(word) :]
    return tuple(
        replace(one, start=one.start - longer, stop=one.stop - longer)
        for one in candidates(written, cursor + longer, game, colour)
    )


def odds_of(orders: OrderText, game: Game, colour: str) -> str:
    """The odds of a single attack: `63%  −4.1  kills 4.9`; "" for other orders."""
    match orders.orders:
        case (AttackOrder() as order,) if len(order.path) == 2:
            index = game.territories.index
            source, target = index(order.path[0]), index(order.path[1])
            if target not in neighbours_in(game, source):
                return f"{order.path[0]} and {order.path[1]} share no border".replace("_", " ")
            found = battle_at(game, game.view(colour), source, target, stop_of(order))
        case _:
            return ""
    if found is None:
        return ""
    lost, killed = found.expected_attack_losses, found.expected_defend_losses
    return f"{percent(found.win)}  −{lost:.1f}  kills {killed:.1f}"


def stop_of(order: AttackOrder) -> Stop:
    """The stop of an attack; without one, a single roll."""
    left, lost, rounds, odds = 1, None, None, None
    for rule in order.stops:
        match rule.kind:
            case StopKind.LEFT:
                left = rule.number
            case StopKind.LOST:
                lost = rule.number
            case StopKind.ROUNDS:
                rounds = rule.number
            case StopKind.ODDS:
                odds = rule.number / 100
    return Stop(left, lost, rounds if order.stops else 1, odds)
