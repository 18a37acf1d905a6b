"""A new player's first game: the set-up, the defence, the end, and going on later."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from rubicon.cli.play import wants_rematch
from rubicon.cli.terminal.board import pieces_legend, pieces_text
from rubicon.cli.terminal.choices import attack_lines, percent
from rubicon.cli.terminal.console import UNICODE, make_output
from rubicon.cli.terminal.opening import QUESTION, open_session, rematch, with_setup
from rubicon.cli.terminal.options import PlayOptions
from rubicon.cli.terminal.saves import games_folder, latest_file, resume_command
from rubicon.cli.terminal.session import foreign_neighbours
from rubicon.cli.terminal.summary import summary_lines
from rubicon.engine.chance import generator
from rubicon.engine.records import Phase, Standing
from rubicon.errors import RubiconError
from rubicon.odds.luck import luck_of
from rubicon.players.player import Player
from rubicon.rules.events import Rolled
from rubicon.rules.game import Game
from rubicon.rules.record import Record
from rubicon.rules.ruleset.ruleset import Ruleset, preset_names
from tests.cli.at_terminal import CHOOSE, COLUMNS, Printed, outside, read_until, rubicon, spawn
from tests.cli.bot_keyboard import play_through

SECONDS = 60


# The set-up.


@pytest.mark.parametrize("preset", preset_names())
@pytest.mark.parametrize("board", ["world", "skerries"])
def test_the_quick_set_up_asks_nothing(preset: str, board: str) -> None:
    code, printed = rubicon(preset, "--board", board, "--seed", "4", typed="quit\n")
    assert code == 0, printed
    assert "Quick set-up" in printed
    first = re.search(r"^red (\w+)", printed.partition("next  holds")[2], re.MULTILINE)
    assert first is not None
    assert first[1] in ("reinforce", "trade", "attack")


@pytest.mark.parametrize("preset", preset_names())
@pytest.mark.parametrize("board", ["world", "skerries"])
def test_the_quick_set_up_spreads_the_armies_over_the_borders(preset: str, board: str) -> None:
    session = open_session(PlayOptions(preset=preset, board=board, setup="quick", seed=4))
    session.advance()
    game = session.game
    placed = next(at for at in (*game.positions, game.position) if at.round_number > 0)
    seat = game.seat(session.people[0])
    ours = [t for t in range(len(game.ruleset.board.territories)) if placed.owner[t] == seat]
    borders = [t for t in ours if foreign_neighbours(game, placed, t)]
    fewest = min(int(placed.armies[t]) for t in borders)
    assert all(placed.armies[t] <= fewest + 1 for t in borders)
    assert all(placed.armies[t] == 1 for t in ours if t not in borders)


def test_the_three_ways_of_setting_up() -> None:
    against = ("--seats", "me,greedy,greedy", "--seed", "4")
    book = rubicon("--setup", "book", *against, typed="quit\n")[1]
    assert "red claim 35> " in book
    choose = rubicon("--setup", "choose", *against, typed="quit\n")[1]
    assert "red sealed 21> " in choose
    quick = rubicon("--setup", "quick", *against, typed="quit\n")[1]
    assert "red reinforce 3> " in quick
    assert "red places" not in quick
    assert "The starting armies of all players are placed." in quick


def test_the_question_fits_eighty_columns() -> None:
    assert max(map(len, QUESTION.splitlines())) < COLUMNS


def test_stated_options_stay_as_they_are() -> None:
    changed = Ruleset.load("classic", {"setup.place": "one_each_round"})
    chosen = with_setup(changed, "choose", stated=("setup.place",))
    assert chosen.option_text("setup.place") == "one_each_round"
    assert chosen.option_text("setup.claim") == "random"


def starting_armies(ruleset: Ruleset) -> dict[int, int]:
    """The option `setup.armies`: armies by number of players."""
    armies = ruleset.options["setup.armies"]
    assert isinstance(armies, Mapping)
    return {int(players): int(count) for players, count in armies.items()}


def test_small_boards_start_with_few_armies() -> None:
    small = Ruleset.load("classic", board="skerries")
    assert starting_armies(with_setup(small, "book", stated=()))[3] == 10
    world = Ruleset.load("classic")
    assert with_setup(world, "book", stated=()) == world
    stated = with_setup(small, "book", stated=("setup.armies",))
    assert starting_armies(stated)[3] == 35


def test_at_a_terminal_the_way_is_asked_for(tmp_path: Path) -> None:
    process, terminal = spawn(["--seed", "4", "--record", str(tmp_path / "game.risk")])
    try:
        read_until(terminal, "1, 2 or 3 (Enter is 1):")
        os.write(terminal, b"2\r")
        read_until(terminal, "red sealed 21>")
        os.write(terminal, b"\x04")
        read_until(terminal, "rubicon play --resume")
        assert process.wait(SECONDS) == 0
    finally:
        process.kill()
        os.close(terminal)


def test_by_the_book_a_list_of_placements_lasts_for_several_rounds() -> None:
    typed = "deploy 3 alaska\nquit\n"
    way = ("--setup", "book", "-o", "setup.claim=random", "--seed", "4")
    _, printed = rubicon(*way, typed=typed)
    assert " ".join(printed.split()).count("red places 1 army on Alaska") == 3


# The defence.


def defence_of(defenders: int) -> Game:
    """A game in which blue attacks red's Alaska, held by so many armies, with three dice."""
    session = open_session(PlayOptions(seed=4, ask_defence=True))
    session.output = make_output(plain=True, stream=Printed())
    game = session.game
    bots = {colour: Player("greedy", colour) for colour in game.colours}
    rng = generator(4)
    while not game.over:
        if game.pending is not None:
            game.settle(game.sample(rng))
            continue
        target = int(game.position.attack_target)
        if game.phase == Phase.DEFEND and int(game.position.armies[target]) >= defenders:
            return game
        game.play(bots[game.actors[0]].decide(game))
    raise AssertionError("no such attack in this game")


def test_the_defender_is_told_what_he_answers() -> None:
    game = defence_of(2)
    lines = attack_lines(game, game.actors[0])
    position = game.position
    source, target = int(position.attack_source), int(position.attack_target)
    names = [territory.name for territory in game.ruleset.board.territories]
    assert f"your {names[target]} ({int(position.armies[target])} armies)" in lines[0]
    assert f"from {names[source]} ({int(position.armies[source])} armies)" in lines[0]
    assert f"rolls {int(position.attack_dice)} dice" in lines[0]
    assert lines[1].startswith("  2 dice: ")
    assert lines[2].startswith("  1 die : ")
    assert sum(map(int, re.findall(r"(\d+)%", lines[1]))) in (99, 100, 101)
    assert re.search(r"you hold .* in \d+% of games", lines[-1])


def test_the_question_stands_above_the_defenders_prompt() -> None:
    typed = "pl brazil 21; seal\n" + "\n" * 40
    _, printed = rubicon(*CHOOSE, "--seed", "4", "--ask-defence", typed=typed)
    for before in printed.split("red defend>")[:-1]:
        assert "attacks your" in before.rpartition("> ")[2]


def test_a_forced_answer_is_not_asked_for() -> None:
    typed = "pl brazil 21; seal\n" + "\n" * 40
    _, printed = rubicon(*CHOOSE, "--seed", "4", "--ask-defence", typed=typed)
    assert "(1 army)" not in printed
    assert "Enter: defend 1\n" not in printed


def test_people_at_one_keyboard_read_each_roll_once() -> None:
    attack = "deploy rest new guinea\natt new guinea > indonesia until won\n"
    typed = "\n" + attack + "\n" * 6 + "quit\n"
    _, printed = rubicon("--seats", "me:Ann,me:Bob,greedy", "--seed", "4", typed=typed)
    lines = [line for line in printed.splitlines() if "Indonesia (red): " in line]
    assert len(lines) == 4
    assert len(set(lines)) == 4
    assert printed.count("captured") == 1


@pytest.mark.parametrize(
    ("chance", "shown"),
    [(0.0, "0%"), (0.001, "<1%"), (0.37, "37%"), (0.999, ">99%"), (1.0, "100%")],
)
def test_a_chance_is_never_rounded_to_certainty(chance: float, shown: str) -> None:
    assert percent(chance) == shown


# The end.


def test_a_summary_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    session, _, printed = play_through(monkeypatch, "classic", "me,greedy,greedy", board="skerries")
    end = printed.rpartition("holds")[2]
    assert re.search(r"You win!|wins\.|draw", end)
    assert re.search(r"\d+ rounds? w", end)
    assert "Territories: " in end
    assert "Luck with the dice, in armies: red " in end
    assert abs(sum(luck.balance for luck in luck_of(session.game).values())) < 1e-9


def test_luck_is_what_the_rolls_cost_beyond_the_average() -> None:
    game = Game.new(Ruleset.load("classic", {"setup.claim": "random"}), 3)
    rng, bots = generator(2), {c: Player("greedy", c) for c in game.colours}
    while not game.over:
        if game.pending is None:
            game.play(bots[game.actors[0]].decide(game))
            continue
        outcome = game.sample(rng)
        lucky = game.pending.attack_dice == 3 and game.pending.defence_dice == 2
        if not lucky:
            game.settle(outcome)
            continue
        events = game.settle("roll 6 6 6 v 1 1")
        roll = next(event for event in events if isinstance(event, Rolled))
        break
    # Three dice against two: the defender loses 0.158 armies more than the attacker on average.
    before = luck_without_last_roll(game)
    gained = balances(game)[roll.attacker] - before[roll.attacker]
    assert gained == pytest.approx(2 - (2 * 2890 - 2 * 2275) / 7776)


def luck_without_last_roll(game: Game) -> dict[str, float]:
    """The luck before the last entry."""
    record = Record.of(game)
    return balances(record.replay(len(record.entries) - 1))


def balances(game: Game) -> dict[str, float]:
    """The balance of each colour."""
    return {colour: luck.balance for colour, luck in luck_of(game).items()}


def test_a_rematch_has_the_same_players_and_another_file() -> None:
    session = open_session(PlayOptions(seed=4, seats="me:Ann,greedy,random", ask_defence=True))
    again = rematch(session)
    assert again.game.names == session.game.names
    assert again.game.ruleset == session.game.ruleset
    assert [bot and bot.name for bot in again.bots.values()] == [None, "greedy", "random"]
    assert again.file != session.file or not session.file.exists()  # type: ignore[union-attr]
    assert again.game.history == ()
    assert int(again.game.start.standing_all[0]) == Standing.NONE
    assert again.narrations.keys() == session.narrations.keys()


class Answer:
    """A keyboard with one answer; None is the end of the input."""

    def __init__(self, answer: str | None, *, interactive: bool = True) -> None:
        self.answer = answer
        self.interactive = interactive
        self.draft = ""
        self.recalls = True

    def read(self, prompt: str) -> str:
        if self.answer is None:
            raise EOFError
        return self.answer


@pytest.mark.parametrize(
    ("keyboard", "wanted"),
    [
        (Answer("y"), True),
        (Answer("YES"), True),
        (Answer(""), False),
        (Answer(None), False),
        (Answer("y", interactive=False), False),
    ],
)
def test_a_rematch_is_asked_for_at_a_terminal(keyboard: Answer, wanted: bool) -> None:
    assert wants_rematch(keyboard) is wanted


# Saving and going on.


def test_watching_saves_only_on_request() -> None:
    code, printed = rubicon("--watch", "--seed", "1", "--board", "skerries")
    assert code == 0
    assert "saved" not in printed
    assert not games_folder().exists()
    rubicon("--watch", "--save", "--seed", "1", "--board", "skerries")
    assert len(list(games_folder().iterdir())) == 1


def test_resume_takes_the_latest_saved_game(tmp_path: Path) -> None:
    with pytest.raises(RubiconError) as none:
        latest_file()
    assert none.value.code == "play/no-saved-game"
    rubicon(*CHOOSE, "--seed", "4", typed="pl brazil 20\nquit\n")
    older = latest_file()
    time.sleep(0.01)
    rubicon(*CHOOSE, "--seed", "4", typed="pl congo 19\nquit\n")
    latest = latest_file()
    assert latest != older
    code, printed = rubicon("--resume", typed="quit\n")
    assert code == 0
    assert f"Continuing {latest}" in printed.replace("\n", " ")
    assert "red sealed 2> " in printed


def test_resume_prefers_an_unfinished_game() -> None:
    rubicon(*CHOOSE, "--seed", "4", typed="quit\n")
    unfinished = latest_file()
    time.sleep(0.01)
    rubicon("--watch", "--save", "--seed", "1", "--board", "skerries")
    assert len(list(games_folder().iterdir())) == 2
    assert latest_file() == unfinished
    unfinished.unlink()
    assert "the game is over" in rubicon("--resume")[1]


def test_the_hint_how_to_resume_can_be_pasted(tmp_path: Path) -> None:
    file = tmp_path / "my games" / "it's mine.risk"
    file.parent.mkdir()
    _, printed = outside(*CHOOSE, "--seed", "4", "--record", str(file), typed="pl brazil 20\n")
    line = printed.rstrip().splitlines()[-1].strip()
    done = subprocess.run(
        ["/bin/sh", "-c", f"cd / && echo quit | {line}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "red sealed 1> quit" in done.stdout


def test_a_path_of_the_current_folder_is_made_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert resume_command(Path("game.risk")).endswith(f" play --resume {tmp_path}/game.risk")


# Starting.


def test_python_m_rubicon() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "rubicon", "--version"], capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith("rubicon, version")


@pytest.mark.parametrize(
    ("words", "completed"), [("rubicon pl", "play"), ("rubicon play --se", "--seats")]
)
def test_shell_completion(words: str, completed: str) -> None:
    count = str(len(words.split()) - 1)
    done = subprocess.run(
        [sys.executable, "-m", "rubicon"],
        env={
            **os.environ,
            "_RUBICON_COMPLETE": "bash_complete",
            "COMP_WORDS": words,
            "COMP_CWORD": count,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert completed in done.stdout, done.stderr


# Pieces.


def test_armies_as_pieces() -> None:
    text = pieces_text(Ruleset.load("classic"))
    assert text(17) == "1A1C2I"
    assert text(3) == "3I"
    assert text(-1) == "?"
    assert pieces_legend(Ruleset.load("classic")) == "pieces: A 10  C 5  I 1"
    _, printed = rubicon("--seed", "4", "--pieces", typed="quit\n")
    assert re.search(r"R +2A1C? *Brazil|R +\d[ACI]", printed)
    assert "pieces: A 10  C 5  I 1" in printed


def test_the_summary_of_a_game_without_a_roll() -> None:
    game = Game.new(Ruleset.load("classic"), 3)
    lines = summary_lines(game, None, UNICODE)
    assert not any(line.startswith("Luck") for line in lines)
