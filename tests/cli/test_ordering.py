"""Which lines at the terminal are orders, and where the text of orders comes from."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rubicon.cli.terminal.ordering import gathered, is_order
from rubicon.rules.errors import RubiconError


class Typing:
    """A keyboard that types lines, then presses control-C."""

    interactive = False

    def __init__(self, *lines: str) -> None:
        self.lines: Iterator[str] = iter(lines)

    def read(self, prompt: str) -> str:
        for line in self.lines:
            return line
        raise KeyboardInterrupt


def say(_: str) -> None:
    """Nobody listens."""


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("attack alaska > kamchatka", False),
        ("attack alaska > kamchatka; attack brazil > peru", False),
        ("attack alaska > kamchatka > irkutsk", True),
        ("pl ala 3; att ala > kam until left 3", True),
        ("if won: end turn", True),
        ("advance 3", False),
        ("att ala > kam advance all", True),
    ],
)
def test_what_is_an_order(line: str, order: bool) -> None:
    assert is_order(line) is order


def test_lines_up_to_end() -> None:
    assert gathered("", Typing("deploy 3 ala", "END", "no more"), say) == "deploy 3 ala\nEND"
    assert gathered("", Typing("deploy 3 ala", "", "no more"), say) == "deploy 3 ala"


def test_control_c_drops_the_text_and_not_the_game() -> None:
    with pytest.raises(RubiconError) as dropped:
        gathered("", Typing("deploy 3 ala"), say)
    assert dropped.value.code == "orders/dropped"


def test_a_file_or_the_words_themselves(tmp_path: Path) -> None:
    file = tmp_path / "turn.txt"
    file.write_text("END\n")
    assert gathered(str(file), Typing(), say) == "END\n"
    assert gathered("end turn", Typing(), say) == "end turn"
    assert gathered("~nobodyx/turn.txt", Typing(), say) == "~nobodyx/turn.txt"
