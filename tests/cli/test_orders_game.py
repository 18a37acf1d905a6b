"""Whole games at the terminal in which a person decides everything by texts of orders."""

from collections import Counter
from pathlib import Path

import pytest

from rubicon.cli.play import play_at_keyboard
from rubicon.cli.terminal.console import make_output
from rubicon.cli.terminal.opening import open_session
from rubicon.cli.terminal.session import Session
from rubicon.rules.record import Record
from tests.cli.bot_keyboard import options
from tests.cli.orders_player import OrdersPlayer


def session_of(preset: str, board: str, seed: int, file: Path) -> Session:
    return open_session(
        options(preset, "me,greedy,greedy", board=board, seed=seed, record=file, plain=True)
    )


def played(
    monkeypatch: pytest.MonkeyPatch, preset: str, board: str, seed: int, file: Path
) -> OrdersPlayer:
    """A game to its end; the player with all texts that were sent."""
    session = session_of(preset, board, seed, file)
    session.output = make_output(plain=True)
    player = OrdersPlayer(session, session.people[0])
    monkeypatch.setattr("rubicon.cli.terminal.console.open_keyboard", lambda words: player)
    assert play_at_keyboard(session) == (0, False)
    return player


@pytest.mark.parametrize(("preset", "seed"), [("classic", 1), ("classic", 2), ("digest", 3)])
def test_a_whole_game_by_orders(
    preset: str,
    seed: int,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    full: bool,
) -> None:
    """Every turn is one text, but for the trades that an elimination opens; the record replays."""
    board = "world" if full or seed == 1 else "skerries"
    player = played(monkeypatch, preset, board, seed, tmp_path / "game.risk")
    printed = capsys.readouterr().out
    assert player.session.game.over
    assert "cannot be read" not in printed
    assert "Traceback" not in printed
    turns = Counter(number for number, text in player.texts if number and "DEPLOY REST" in text)
    trades = Counter(number for number, text in player.texts if text.startswith("TRADE BEST\nDEP"))
    assert turns
    assert all(count <= 1 + trades[number] for number, count in turns.items())
    game = Record.load(tmp_path / "game.risk").replay()
    assert game.position.tobytes() == player.session.game.position.tobytes()
