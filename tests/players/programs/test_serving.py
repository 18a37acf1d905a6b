"""A player of Rubicon as a program: `rubicon bot`."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import pytest

from rubicon.errors import RubiconError
from rubicon.players.player import Player
from rubicon.players.program import Message, decide, hello, line_of, over, read_line
from rubicon.players.seating import play_seat
from rubicon.players.view import View
from tests.players.played import first_turn


def answers(name: str, *messages: Message) -> list[Message]:
    output = io.BytesIO()
    play_seat(name, io.BytesIO(b"".join(map(line_of, messages))), output)
    return [read_line(line) for line in output.getvalue().splitlines(keepends=True)]


def test_a_bot_answers_as_it_decides() -> None:
    game = first_turn()
    seat = game.actors[0]
    question = decide(View(game, seat), 4, 30.0)
    ready, answer = answers("hunter", hello(game, seat, 9, 30.0), question, over(game, seat))
    assert ready == {"kind": "ready", "version": 1, "name": "hunter"}
    action = Player("hunter", seat, seed=9).decide(game)
    assert answer == {"kind": "answer", "number": 4, "action": str(action)}


def test_what_a_bot_prints_does_not_come_between(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "loud.py"
    file.write_text("def loud(view):\n    print('hm')\n    return view.legal[0]\n", "utf-8")
    game = first_turn()
    seat = game.actors[0]
    found = answers(f"{file}:loud", hello(game, seat, 1, 1.0), decide(View(game, seat), 1, 1.0))
    assert [one["kind"] for one in found] == ["ready", "answer"]
    assert capsys.readouterr().err == "hm\n"
    assert sys.stdout is not sys.stderr


def test_without_a_message_there_is_no_answer() -> None:
    assert answers("hunter") == []


GAME = first_turn()
SEAT = GAME.actors[0]
OTHER = next(colour for colour in GAME.colours if colour not in GAME.actors)
HELLO: dict[str, Any] = hello(GAME, SEAT, 1, 1.0)
DECIDE: dict[str, Any] = decide(View(GAME, SEAT), 1, 1.0)


@pytest.mark.parametrize(
    ("messages", "code"),
    [
        ([DECIDE], "player/bad-message"),
        ([HELLO | {"seed": "7"}], "player/bad-message"),
        ([HELLO | {"version": 2}], "player/newer"),
        ([HELLO, HELLO], "player/bad-message"),
        ([HELLO, DECIDE | {"position": 7}], "player/bad-message"),
        ([HELLO | {"seat": "pink"}, DECIDE], "seat/unknown"),
        ([HELLO | {"seat": OTHER}, DECIDE], "player/bad-message"),
    ],
)
def test_what_is_not_understood_is_an_error(messages: list[Message], code: str) -> None:
    with pytest.raises(RubiconError) as caught:
        answers("hunter", *messages)
    assert caught.value.code == code


def test_a_position_that_cannot_be_read_is_an_error() -> None:
    with pytest.raises(RubiconError, match="position"):
        answers("hunter", HELLO, DECIDE | {"position": "position 1 / nonsense ."})
