"""A player at the keyboard who decides everything by texts of orders, one text a turn."""

from __future__ import annotations

from typing import Any

from rubicon.cli.terminal.session import Session
from rubicon.engine.records import Phase


class OrdersPlayer:
    """A keyboard that types orders for the only person of a session."""

    interactive = False
    draft = ""

    def __init__(self, session: Session, colour: str) -> None:
        self.session = session
        self.colour = colour
        self.seat = session.game.seat(colour)
        self.lines: list[str] = []
        self.texts: list[tuple[int, str]] = []  # the round, and what was sent in it

    def read(self, prompt: str) -> str:
        """The next line: of the text under way, or of a new one."""
        if not self.lines:
            text = self.text()
            self.texts.append((int(self.session.game.position.round_number), text))
            self.lines = ["orders", *text.splitlines()]
            if self.lines[-1] != "END":
                self.lines.append("")
        line = self.lines.pop(0)
        print(f"{prompt}{line}")
        return line

    def text(self) -> str:
        """What to order now."""
        game = self.session.game
        view = game.view(self.colour)
        match game.phase:
            case Phase.CLAIM:
                free = [n for t, n in enumerate(game.territories) if view.owner[t] < 0]
                return f"CLAIM {', '.join(free)}"
            case Phase.PLACE:
                return f"DEPLOY 1 {self.front(view)[0]}"
            case Phase.DEFEND:
                return "DEFEND MAX"
            case Phase.TRADE:
                return f"TRADE BEST\nDEPLOY REST {self.front(view)[0]}\nEND"
            case _:
                return self.turn(view)

    def turn(self, view: Any) -> str:
        """A whole turn: trade, deploy, attack along a path, secure what was won."""
        source, *path = self.front(view)
        lines = ["TRADE BEST"] if view.hand[self.seat] >= 5 else []
        lines.append(f"DEPLOY REST {source}")
        lines.append(f"ATTACK {' -> '.join([source, *path])} UNTIL LEFT 3 OR ODDS < 45%")
        lines.append(f"IF FAILED {path[0]}: ATTACK {source} -> {path[0]} UNTIL ODDS < 70%")
        inner = self.strongest_inside(view)
        if inner is not None:
            lines.append(f"FORTIFY {inner[0]} -> {inner[1]} ALL")
        return "\n".join([*lines, "END"])

    def neighbours(self, t: int) -> list[int]:
        tables = self.session.game.tables
        return [int(tables.neighbour[t, i]) for i in range(int(tables.degree[t]))]

    def front(self, view: Any) -> list[str]:
        """The strongest own territory on a border, and a way through the weakest enemies."""
        own = [t for t in range(len(self.session.game.territories)) if view.owner[t] == self.seat]
        borders = [t for t in own if any(view.owner[n] != self.seat for n in self.neighbours(t))]
        here = max(borders, key=lambda t: (int(view.armies[t]), -t))
        path = [here]
        while len(path) < 6:
            targets = [
                n for n in self.neighbours(here) if view.owner[n] != self.seat and n not in path
            ]
            if not targets:
                break
            here = min(targets, key=lambda t: (int(view.armies[t]), t))
            path.append(here)
        return [self.session.game.territories[t] for t in path]

    def strongest_inside(self, view: Any) -> tuple[str, str] | None:
        """Armies that stand away from every border, and a neighbour to send them to."""
        names = self.session.game.territories
        inside = [
            t
            for t in range(len(names))
            if view.owner[t] == self.seat
            and view.armies[t] > 1
            and all(view.owner[n] == self.seat for n in self.neighbours(t))
        ]
        if not inside:
            return None
        source = max(inside, key=lambda t: int(view.armies[t]))
        return names[source], names[self.neighbours(source)[0]]
