"""The base class of everybody's own bots, and the names that they are registered by."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from random import Random
from typing import Any, TypeVar

from rubicon.errors import RubiconError
from rubicon.players.bots.view import View
from rubicon.players.registry import FULL_NAMES
from rubicon.rules.actions import Action
from rubicon.wording import quoted

Answer = str | Action
Made = TypeVar("Made", bound=Callable[..., Any])

REGISTERED: dict[str, Callable[..., Any]] = {}
IN_MODULE: dict[tuple[str, str], Callable[..., Any]] = {}  # by module and name
OF_A_FILE = "rubicon_bot_"  # the module of a bot's file begins with it
NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")


class Bot(ABC):
    """A bot in one seat of one game.

        class MyBot(Bot):
            def decide(self, view):
                return view.legal[0]

    `random` is a generator of its own; the same seed gives the same numbers. What a bot wants to
    remember it keeps in attributes.
    """

    def __init__(self, seat: str, *, seed: int = 0) -> None:
        self.seat = seat
        self.random = Random(seed)

    @abstractmethod
    def decide(self, view: View) -> Answer:
        """An action of `view.legal`, or orders as text (`docs/orders.md`).

        Orders are carried out as far as they go; then the bot is asked again.
        """


def register(name: str) -> Callable[[Made], Made]:
    """Give a bot a name; it may be a class, a function of a view, or a compiled policy.

        @register("first")
        def first(view):
            return view.legal[0]

    Raises RubiconError: `player/bad-name`, `player/name-taken`.
    """
    check_name(name)

    def registered(made: Made) -> Made:
        before, home = REGISTERED.get(name), _home(made)
        # A module that is loaded once more may register its bots again. Two files may be versions
        # of one bot: the name alone means the one that was loaded last.
        files = home[0].startswith(OF_A_FILE)
        if before is not None and home != _home(before) and not files:
            raise RubiconError(
                "player/name-taken",
                f"Another bot is registered as {name!r} already: {'.'.join(_home(before))}.",
                "Choose another name.",
            )
        REGISTERED[name] = IN_MODULE[home[0], name] = made
        return made

    return registered


def check_name(name: object) -> None:
    """Raise RubiconError for what cannot be the name of an own bot."""
    if not isinstance(name, str) or not NAME.fullmatch(name) or name == "me":
        raise RubiconError(
            "player/bad-name",
            f"{quoted(name)} cannot be a bot's name.",
            'Write @register("my-bot"): up to 40 small letters, digits, - and _.',
        )
    if name in FULL_NAMES:
        raise RubiconError(
            "player/name-taken", f"Rubicon has a bot {name!r} of its own.", "Choose another name."
        )


def _home(made: Callable[..., Any]) -> tuple[str, str]:
    function = getattr(made, "py_func", made)
    return str(function.__module__), str(function.__qualname__)
