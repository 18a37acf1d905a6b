"""The line that is typed: its text, its caret, and the lines that were sent before."""

from __future__ import annotations

from dataclasses import dataclass, field

from rubicon.wording import printable

MOST = 4000  # characters of a line: each key reads it anew
MOST_EARLIER = 200  # lines that are kept


@dataclass(slots=True)
class LineEditor:
    """A line with a caret before the character `cursor`; `earlier` are lines of the same seat."""

    text: str = ""
    cursor: int = 0
    earlier: list[str] = field(default_factory=list)
    at: int = 0  # of the earlier lines, counted from the last; 0 is the new line

    def set(self, text: str) -> None:
        """Another text, the caret behind it."""
        self.text, self.cursor = text, len(text)

    def insert(self, text: str) -> None:
        """Type at the caret: what can be printed, as long as the line has room for it."""
        text = printable(text)[: max(0, MOST - len(self.text))]
        self.text = self.text[: self.cursor] + text + self.text[self.cursor :]
        self.cursor += len(text)

    def replace(self, start: int, stop: int, text: str) -> None:
        """Write a text over some characters."""
        self.text = self.text[:start] + text + self.text[stop:]
        self.cursor = start + len(text)

    def edit(self, key: str) -> bool:
        """Carry out an editing key; False for any other."""
        match key:
            case "backspace":
                if self.cursor:
                    self.replace(self.cursor - 1, self.cursor, "")
            case "delete":
                self.text = self.text[: self.cursor] + self.text[self.cursor + 1 :]
            case "left":
                self.cursor = max(0, self.cursor - 1)
            case "right":
                self.cursor = min(len(self.text), self.cursor + 1)
            case "home" | "ctrl+a":
                self.cursor = 0
            case "end" | "ctrl+e":
                self.cursor = len(self.text)
            case "ctrl+u":
                self.replace(0, self.cursor, "")
            case "ctrl+k":
                self.text = self.text[: self.cursor]
            case "ctrl+w" | "ctrl+backspace" | "alt+backspace":
                self._drop_word()
            case "up" | "down":
                self._recall(1 if key == "up" else -1)
            case _:
                return False
        return True

    def _drop_word(self) -> None:
        kept = self.text[: self.cursor].rstrip().rpartition(" ")[0]
        self.replace(len(kept) + 1 if kept else 0, self.cursor, "")

    def _recall(self, step: int) -> None:
        self.at = max(0, min(len(self.earlier), self.at + step))
        self.set(self.earlier[-self.at] if self.at else "")

    def take(self) -> str:
        """The line, which is sent now."""
        line = self.text.strip()
        if line and self.earlier[-1:] != [line]:
            self.earlier.append(line)
            del self.earlier[:-MOST_EARLIER]
        self.set("")
        self.at = 0
        return line
