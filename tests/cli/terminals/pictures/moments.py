"""The typical moments of a game in the terminal, and how each is reached by keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tests.cli.terminals.screen_terminal import ENTER, ScreenTerminal
from tests.cli.terminals.test_full_screen import OVER

LARGE, USUAL, SMALL = (120, 40), (80, 24), (60, 20)
ALONE = ("--seats", "me,medium,easy")
TOGETHER = ("--seats", "me:Ann,me:Bob,greedy")
QUICK = ("--setup", "quick", "--delay", "0", "--seed", "3")
CARDS, FOLD, LOOK_AHEAD = "\x1bOS", "\x1b[20~", "\x1b[19~"  # F4, F9, F8
LEFT = "\x1b[D"
MOST = 150  # keys


@dataclass(frozen=True, slots=True)
class TerminalMoment:
    """A picture: `wanted` stands on the screen after Enter was pressed often enough; then `keys`.

    `attacks` is whether attacks are proposed and carried out on the way, `hosted` whether it is on
    a server.
    """

    name: str
    size: tuple[int, int]
    arguments: Sequence[str]
    wanted: str
    keys: Sequence[str] = ()
    attacks: bool = True
    environment: Mapping[str, str] = field(default_factory=dict)
    hosted: bool = False

    def reach(self, terminal: ScreenTerminal) -> None:
        """Play until it has come."""
        for _ in range(MOST):
            terminal.settle()
            text = terminal.shown()
            if self.wanted in text:
                break
            assert OVER not in text, f"{self.name}: the game is over before {self.wanted!r}"
            terminal.press("." if "› attack" in text and not self.attacks else ENTER)
        else:
            raise AssertionError(f"{self.name}: {self.wanted!r} does not come")
        for key in self.keys:
            terminal.press(key)
            terminal.settle()


def game(*more: str, preset: str = "classic", theme: str = "dark") -> tuple[str, ...]:
    """Arguments of a game with known dice."""
    return (preset, *QUICK, "--theme", theme, *(more or ALONE))


ATTACK = "Attack until"
WATCHED = ("--watch", "--seed", "1", "--delay", "0.6", "--theme", "dark")
ON_SERVER = ("--theme", "dark")
MOMENTS = (
    TerminalMoment("new game", USUAL, ("classic", "--theme", "dark"), "1"),
    TerminalMoment("lobby large", LARGE, ON_SERVER, "Try it", hosted=True),
    TerminalMoment("lobby usual", USUAL, ON_SERVER, "Try it", hosted=True),
    TerminalMoment("lobby small", SMALL, ON_SERVER, "Try it", hosted=True),
    TerminalMoment(
        "lobby light", USUAL, ("--theme", "light"), "Try it", tuple("new revised 4"), hosted=True
    ),
    TerminalMoment(
        "waiting room",
        USUAL,
        ON_SERVER,
        "Try it",
        ("3", ENTER, *[LEFT] * 8),  # which does nothing, and gives the server time
        hosted=True,
    ),
    TerminalMoment("attack large", LARGE, game(), ATTACK),
    TerminalMoment("attack usual", USUAL, game(), ATTACK),
    TerminalMoment("attack small", SMALL, game(), ATTACK),
    TerminalMoment("attack light", LARGE, game(theme="light"), ATTACK),
    TerminalMoment("attack without colours", LARGE, game(), ATTACK, environment={"NO_COLOR": "1"}),
    TerminalMoment(
        "attack in 256 colours",
        USUAL,
        game(),
        ATTACK,
        environment={"COLORTERM": "", "TERM": "xterm-256color"},
    ),
    TerminalMoment("reinforce", LARGE, game(), "armies to place", ("+", "+")),
    TerminalMoment("typed order", USUAL, game(), ATTACK, tuple("attack ")),
    TerminalMoment("refused order", USUAL, game(), ATTACK, (*"attack brazil", ENTER)),
    TerminalMoment("cards", USUAL, game(), ATTACK, (CARDS,)),
    TerminalMoment("occupy", USUAL, game(), "Move in"),
    TerminalMoment("fortify", USUAL, game(), "Move armies once"),
    TerminalMoment("defend", USUAL, game(*TOGETHER), "Choose your dice", attacks=False),
    TerminalMoment("hand over", USUAL, game(*TOGETHER), "Pass the keyboard"),
    TerminalMoment("preview", USUAL, game(), ATTACK, (LOOK_AHEAD,)),
    TerminalMoment(
        "whole turn",
        LARGE,
        game(),
        "armies to place",
        (FOLD, *"deploy rest ice", ENTER, *"att ice > gbr until left 3", ENTER),
    ),
    TerminalMoment("help", USUAL, game(), ATTACK, ("?",)),
    TerminalMoment("borders", USUAL, game(), ATTACK, ("\x1bOQ",)),
    TerminalMoment("log", USUAL, game(), "Move armies once", ("\x1b[15~",)),
    TerminalMoment("revised", LARGE, game(preset="revised"), ATTACK),
    TerminalMoment("objectives", USUAL, game(preset="revised"), ATTACK, (CARDS,)),
    TerminalMoment("capital", LARGE, game(preset="capital"), ATTACK),
    TerminalMoment(
        "secret mission", USUAL, game(*TOGETHER, preset="secret-mission"), "armies to", (CARDS,)
    ),
    TerminalMoment("small board", LARGE, game("--board", "skerries", *ALONE), ATTACK),
    TerminalMoment(
        "watched",
        LARGE,
        ("--watch", "--seed", "1", "--delay", "0.6", "--theme", "dark"),
        "round 1",
    ),
    TerminalMoment("line mode", USUAL, game("--line", *ALONE), "reinforce 4>"),
    TerminalMoment("plain", USUAL, game("--plain", *ALONE), "reinforce 4>"),
)
