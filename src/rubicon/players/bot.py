"""The base class of users' own bots, their names, and how they are found."""

from __future__ import annotations

import importlib.util
import inspect
import re
import sys
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, TypeVar
from zlib import crc32

from rubicon.errors import NotFound, RubiconError
from rubicon.players.characters import FULL_NAMES, NAMES
from rubicon.players.view import View
from rubicon.rules.actions import Action
from rubicon.wording import listed, nearest, quoted, quoted_path

# The base class, and registered names.

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

    `random` is its own generator; the same seed gives the same numbers. What a bot wants to
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
            "player/name-taken", f"Rubicon already has a bot {name!r}.", "Choose another name."
        )


def _home(made: Callable[..., Any]) -> tuple[str, str]:
    function = getattr(made, "py_func", made)
    return str(function.__module__), str(function.__qualname__)


# Finds own bots by name: in a file, among the registered ones, in installed packages.

GROUP = "rubicon.players"  # the entry points of packages with bots
IN_FILE = ".py:"
PROGRAM = "exec:"


def is_own(name: str) -> bool:
    """Whether a name is that of a bot or a program which is not Rubicon's own."""
    return name.startswith(PROGRAM) or IN_FILE in name or name in {*REGISTERED, *installed()}


def bot_named(name: str) -> Callable[..., Any]:
    """The class, the function or the compiled policy of an own bot.

    `mybot.py:MyBot` is in a file; any other name is registered, or is an entry point of the group
    `rubicon.players`. Raises RubiconError: `player/unknown`, `player/no-file`, `player/bad-file`,
    `player/not-in-file`, `player/not-a-bot`.
    """
    file, found, wanted = name.rpartition(IN_FILE)
    if found:
        return checked(name, _in_file(Path(f"{file}.py"), wanted))
    if name in REGISTERED:
        return checked(name, REGISTERED[name])
    if name in installed():
        return checked(name, _loaded(installed()[name]))
    known = [*NAMES, *REGISTERED, *installed()]
    raise NotFound(
        "player/unknown",
        f"There is no bot {quoted(name)}. {nearest(name, known)}".rstrip(),
        f"There are {', '.join(known)}; your own: mybot.py:MyBot, or exec:COMMAND.",
    )


def installed() -> dict[str, EntryPoint]:
    """The bots of installed packages, by name; a name of Rubicon's own bots never counts."""
    return {one.name: one for one in entry_points(group=GROUP) if one.name not in FULL_NAMES}


def checked(name: str, made: object) -> Callable[..., Any]:
    """The same thing, if it can be a bot; else RubiconError `player/not-a-bot`."""
    good = issubclass(made, Bot) if inspect.isclass(made) else callable(made)
    if good:
        return made  # type: ignore[return-value]
    raise RubiconError(
        "player/not-a-bot",
        f"{name} is no bot.",
        "A bot is a subclass of rubicon.players.Bot, or a function of a view.",
    )


def _in_file(file: Path, wanted: str) -> object:
    module = loaded_file(file.resolve())
    if hasattr(module, wanted):
        return getattr(module, wanted)
    if (module.__name__, wanted) in IN_MODULE:
        return IN_MODULE[module.__name__, wanted]
    bots = [
        name
        for name, thing in vars(module).items()
        if inspect.isclass(thing) and issubclass(thing, Bot) and thing is not Bot
    ]
    there = f"It has {listed(bots)}." if bots else "It has no subclass of Bot."
    raise RubiconError("player/not-in-file", f"{quoted_path(file)} has no {quoted(wanted)}.", there)


@cache
def loaded_file(file: Path) -> ModuleType:
    """The module of a file, run once; the modules alongside it can be imported in it."""
    if not file.is_file():
        raise RubiconError(
            "player/no-file", f"There is no file {quoted_path(file)}.", "Write PATH.py:CLASS."
        )
    # Without the path, where it can be: compiled procedures are stored under this name.
    name = f"{OF_A_FILE}{file.stem}"
    if name in sys.modules:
        name += f"_{crc32(bytes(file)):08x}"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    if str(file.parent) not in sys.path:
        sys.path.append(str(file.parent))
    try:
        with redirect_stdout(sys.stderr):
            spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        if isinstance(error, RubiconError):
            raise
        raise RubiconError(
            "player/bad-file",
            f"{quoted_path(file)} cannot be loaded: {type(error).__name__}: {error}"
            f"{_line(error, file)}.",
            "Correct the file.",
        ) from error
    return module


def _line(error: BaseException, file: Path) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    here = [one.lineno for one in frames if one.filename == str(file)]
    return f" (line {here[-1]})" if here else ""


def _loaded(entry: EntryPoint) -> object:
    try:
        with redirect_stdout(sys.stderr):
            return entry.load()
    except (Exception, SystemExit) as error:
        raise RubiconError(
            "player/bad-package",
            f"The bot {entry.name!r} ({entry.value}) cannot be loaded: "
            f"{type(error).__name__}: {error}.",
            "Repair or remove the package that offers it.",
        ) from error
