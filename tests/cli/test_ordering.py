"""Which lines at the terminal are orders, and where the text of orders comes from."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from rubicon.cli.terminal.ordering import Ordering, error_lines, gathered, is_order
from rubicon.orders.problems import OrdersError
from rubicon.rules.errors import RubiconError
from rubicon.rules.game import Game
from rubicon.rules.ruleset import Ruleset


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
    for words in ("stop.", "// later", "deploy 3 ala. stop", "1. stop", "att ala>kam"):
        assert gathered(words, Typing(), say) == words


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("~nobodyx/turn.txt", "'~nobodyx/turn.txt' cannot be read: there is no such file."),
        ("turn.txt", "'turn.txt' cannot be read: there is no such file."),
        ("./", "'./' cannot be read: it is a folder."),
        ("./binary", "'./binary' is no plain text: line 1 cannot be read as UTF-8."),
    ],
)
def test_a_file_that_holds_no_text(
    name: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("binary").write_bytes(b"stop\xff\n")
    with pytest.raises(RubiconError) as refused:
        gathered(name, Typing(), say)
    assert refused.value.message == message


def test_warnings_are_said_and_a_text_without_orders_is_refused() -> None:
    said: list[str] = []
    session = SimpleNamespace(game=Game.new(Ruleset.load("classic"), 3))
    ordering = Ordering(session, said.append)  # type: ignore[arg-type]
    assert str(ordering.read("stop\nThanks, Tom", "red")) == "END ATTACK"
    assert said == ["Line 2, column 1: 'Thanks, Tom' is no order; it was passed over."]
    with pytest.raises(OrdersError) as wrong:
        ordering.read("stop\nThanks, Tom\nfoo 3", "red")
    assert said[0] in error_lines(wrong.value)
    with pytest.raises(RubiconError) as empty:
        ordering.read("// later", "red")
    assert empty.value.code == "orders/empty"
