"""Programs in seats: they play, and whatever goes wrong with one is one clear error."""

from __future__ import annotations

import os
from contextlib import closing, suppress
from pathlib import Path

import pytest

from rubicon.errors import RubiconError
from rubicon.players.bot_seat import PlayerError
from rubicon.players.program import MOST_BYTES, ProgramSeat
from rubicon.players.seating import seated
from rubicon.rules.actions import Action
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import preset_names
from tests.players.played import SOON, first_turn, play_on, played, player_count
from tests.players.programs.programs import answering, program, rubicon_bot
from tests.waiting import until

SHORT = 0.5  # seconds for an answer that never comes
LAST = '{"action": asked["legal"][-1]["highest"]}'
FLOOD = "while True:\n    print('x' * 1000, flush=True)\n"


@pytest.fixture
def game() -> Game:
    return first_turn()


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is, a program may end by itself."""
    monkeypatch.setattr("rubicon.players.program.END_SECONDS", SOON)


def asked(game: Game, name: str, seconds: float = SOON) -> Action:
    with closing(ProgramSeat(name, game.actors[0], seconds=seconds)) as player:
        return player.decide(game)


@pytest.mark.parametrize("preset", ["classic", "revised", "secret-mission", "two-player"])
def test_a_program_plays_whole_games(preset: str, tmp_path: Path) -> None:
    names = ["greedy"] * player_count(preset)
    names[0] = answering(tmp_path, LAST)
    assert played(preset, names, cap=300).over


def test_it_may_answer_with_orders(game: Game, tmp_path: Path) -> None:
    land = next(iter(game.legal.ranges)).lowest
    place = str(land).split()[1]
    name = answering(tmp_path, f'{{"orders": "DEPLOY 1 {place}; DEPLOY 1 {place}; END"}}')
    with closing(ProgramSeat(name, game.actors[0], seconds=SOON)) as player:
        first = player.decide(game)
        game.play(first)
        assert str(first) == str(player.decide(game)) == f"place {place} 1"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("sys.exit(3)", "ended"),
        ("heard(); os._exit(1)", "ended"),
        ("heard(); os.kill(os.getpid(), 9)", "ended"),
        ("heard(); sys.stdout.write('{'); sys.stdout.flush(); os._exit(0)", "ended"),
        ("os.close(1); time.sleep(600)", "ended"),
        (FLOOD, "not-json"),
        (f"heard(); print('x' * {MOST_BYTES + 5}, flush=True); time.sleep(600)", "too-long"),
        ("while True:\n    sys.stdout.write('x' * 65536)", "too-long"),
        ("heard(); print('attack!', flush=True); time.sleep(600)", "not-json"),
        ("heard(); print('[' * 100_000, flush=True); time.sleep(600)", "not-json"),
        ("heard(); os.write(1, b'\\xff\\xfe\\n'); time.sleep(600)", "not-json"),
        ("heard(); say([1]); heard()", "not-json"),
        ("heard(); say({'kind': 'answer'}); heard()", "bad-message"),
        (
            "heard(); say({'kind': 'answer', 'number': 2, 'action': 'end turn'}); heard()",
            "bad-message",
        ),
        ("heard(); say({'kind': 'answer', 'number': 1}); heard()", "bad-message"),
        ("heard(); say({'kind': 'answer', 'number': 1, 'action': 7}); heard()", "bad-message"),
        ("say({'kind': 'ready', 'version': 1}); heard()", "bad-message"),
    ],
)
def test_whatever_goes_wrong_is_one_error(body: str, code: str, game: Game, tmp_path: Path) -> None:
    name = program(tmp_path, body)
    with pytest.raises(PlayerError) as caught:
        asked(game, name)
    assert caught.value.code == f"player/{code}"
    assert caught.value.message.startswith(f"{name} as {game.actors[0]}: ")


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ('{"action": "attack alaska -> kamchatka dice 3"}', "illegal"),
        ('{"action": "fly to the moon"}', "no-answer"),
        ('{"orders": "fly to the moon"}', "orders"),
        ('{"orders": "FORTIFY alaska -> kamchatka"}', "idle"),
        ('{"action": "end turn", "orders": "END"}', "bad-message"),
    ],
)
def test_a_wrong_answer_is_one_error(answer: str, code: str, game: Game, tmp_path: Path) -> None:
    with pytest.raises(PlayerError) as caught:
        asked(game, answering(tmp_path, answer))
    assert caught.value.code == f"player/{code}"
    if code != "bad-message":
        assert "Legal now: place" in caught.value.suggestion


@pytest.mark.parametrize(
    "body",
    [
        "heard(); time.sleep(600)",
        "time.sleep(600)",  # it does not read either
        "subprocess.Popen(['sleep', '600']); time.sleep(600)",  # which has its pipes, too
    ],
)
def test_a_silent_program_is_not_waited_for(body: str, game: Game, tmp_path: Path) -> None:
    with pytest.raises(PlayerError) as caught:
        asked(game, program(tmp_path, body), seconds=SHORT)
    assert caught.value.code == "player/too-slow"
    assert "within 0.5 seconds" in caught.value.message


def test_a_newer_program_is_refused(game: Game, tmp_path: Path) -> None:
    body = "say({'kind': 'ready', 'version': 2}); heard()"
    with pytest.raises(PlayerError, match="'version': 2"):
        asked(game, program(tmp_path, body, ready=False))


def test_its_standard_error_is_passed_on(
    game: Game, tmp_path: Path, capfd: pytest.CaptureFixture[str], patient: None
) -> None:
    with pytest.raises(PlayerError, match="ended with status 1"):
        asked(game, program(tmp_path, "heard(); raise SystemExit('I resign from Python')"))
    assert "I resign from Python" in capfd.readouterr().err


@pytest.mark.parametrize("command", ["", "no-such-program --now", "'unclosed"])
def test_a_program_that_is_not_there_is_refused_at_once(command: str) -> None:
    with pytest.raises(RubiconError) as caught:
        seated(f"exec:{command}", "red", seed=1)
    assert caught.value.code == "player/no-program"


def test_a_file_that_is_no_program_is_refused(tmp_path: Path, game: Game) -> None:
    file = tmp_path / "text"
    file.write_text("no program", "utf-8")
    file.chmod(0o755)
    with pytest.raises(RubiconError) as caught:
        asked(game, f"exec:{file}")
    assert caught.value.code == "player/no-program"


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
def test_the_time_is_a_number_of_seconds(seconds: float) -> None:
    with pytest.raises(RubiconError) as caught:
        seated("exec:sleep 600", "red", seed=1, seconds=seconds)
    assert caught.value.code == "player/seconds"


def alive(process: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(process, 0)
        return True
    return False


def test_all_that_it_has_started_ends_with_it(game: Game, tmp_path: Path) -> None:
    note = tmp_path / "processes"
    body = f"""
other = subprocess.Popen(["sleep", "600"])
with open({str(note)!r}, "w") as file:
    print(os.getpid(), other.pid, file=file)
{ANSWER_ONCE}
time.sleep(600)
"""
    with closing(ProgramSeat(program(tmp_path, body), game.actors[0], seconds=SOON)) as player:
        player.decide(game)
        mine, other = map(int, note.read_text("utf-8").split())
        assert alive(mine)
        assert alive(other)
    until(lambda: not alive(mine) and is_gone(other))


ANSWER_ONCE = """
asked = heard()
say({"kind": "answer", "number": 1, "action": asked["legal"][0]["lowest"]})
"""


def is_gone(process: int) -> bool:
    """Whether a process has ended; nobody may have asked for its status yet."""
    with suppress(OSError):
        state = Path(f"/proc/{process}/stat").read_text("utf-8")
        return state.rpartition(")")[2].split()[0] in "ZX"
    return not alive(process)


def test_it_is_told_how_the_game_ended(tmp_path: Path, patient: None) -> None:
    note = tmp_path / "over"
    body = f"""
while (asked := heard())["kind"] == "decide":
    say({{"kind": "answer", "number": asked["number"], **{LAST}}})
with open({str(note)!r}, "w") as file:
    json.dump([hello, asked], file)
"""
    game = played("classic", [program(tmp_path, body), "greedy", "greedy"], cap=300)
    text = note.read_text("utf-8")
    assert f'"finished": true, "winner": "{game.winner}"' in text
    assert '"seat": "red", "seats": ["red", "blue", "green"], "seed": 1' in text


def test_closing_twice_is_closing_once(game: Game, tmp_path: Path) -> None:
    player = ProgramSeat(answering(tmp_path, LAST), game.actors[0], seconds=SOON)
    player.decide(game)
    player.close()
    player.close()
    assert repr(player) == f"<ProgramSeat {player.name} as {game.actors[0]}>"


@pytest.mark.parametrize("preset", preset_names())
def test_our_bot_as_a_program_plays_the_same(preset: str, full: bool) -> None:
    """The same seed, the same decisions: the position says all that the bot sees."""
    count, cap = player_count(preset), 300 if full else 6
    names = ["hunter"] * count
    itself = played(preset, names, seed=8, cap=cap)
    names[0] = rubicon_bot("hunter")
    assert played(preset, names, seed=8, cap=cap).history == itself.history


def test_a_game_of_programs_alone(tmp_path: Path) -> None:
    game = first_turn()
    players = {c: seated(answering(tmp_path, LAST), c, seed=1) for c in game.seats}
    try:
        play_on(game, players, 1, 4)
    finally:
        for player in players.values():
            player.close()
    assert game.over or game.position.round_number == 5
