"""What is typed while the game is busy: it waits for the next question of the same turn."""

from __future__ import annotations

from dataclasses import dataclass

MOST = 4000  # characters that wait
Moment = tuple[str, int, int]  # the seat that is asked, the seat whose turn it is, the round


@dataclass(slots=True)
class TypeAhead:
    """Lines that are typed before they are asked for; the last one may not be ended yet.

    A key that means something on an empty line alone is dropped, and so is Enter: what they would
    do is not on the screen yet.
    """

    text: str = ""
    moment: Moment = ("", 0, 0)  # of the last question

    def press(self, key: str, sign: str) -> None:
        """Keep a key."""
        begun = self.text.rpartition("\n")[2]
        if key == "enter" and begun:
            self.text += "\n"
        elif key == "backspace":
            self.text = self.text[: len(self.text) - bool(begun)]
        elif (begun or sign.isalnum()) and len(self.text) < MOST:
            self.text += sign

    def at(self, moment: Moment) -> None:
        """A question of this moment: what was typed for another turn is dropped."""
        if moment != self.moment:
            self.text = ""
        self.moment = moment

    def take(self) -> tuple[str, bool]:
        """The first line that waits, and whether Enter has ended it."""
        line, ended, self.text = self.text.partition("\n")
        return line, bool(ended)
