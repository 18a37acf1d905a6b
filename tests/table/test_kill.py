"""Kill -9 of a hosting process, again and again: nothing acknowledged is lost or done twice.

Players' programs take part in the dice of most games. They are killed with the table, and check
it from their journals: no line that one of them has seen is ever another one.
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from subprocess import PIPE

import pytest

from rubicon.dice.journal import Journal, compare
from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.forms import Fields
from rubicon.dice.lines.request import Answer, Request
from rubicon.dice.lines.state import REQUIRED
from rubicon.dice.verify import Verdict, verify
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.table.game.game_cache import dice_of, rebuilt
from rubicon.table.game.log_lines import LineKind, LogLine
from rubicon.table.settings import HOUR, Settings
from rubicon.table.storage import schema
from rubicon.table.storage.database import Store
from rubicon.table.storage.event_log import lines_of
from rubicon.table.table_service import TableService
from tests.conftest import FULL
from tests.table.dice_programs import DicePrograms, journal_of, seats_with_programs
from tests.table.hosted import Hosted

KILLS = 100 if FULL else 3
GAMES = 60 if FULL else 4
AT_ONCE = 8  # games
HANGS = 300  # seconds after which a process that has not been killed is taken for stuck
PROGRAM = [sys.executable, "-m", "tests.table.playing_server"]
ROOT = Path(__file__).parents[2]
MOST = {"load": 400, "between": 40}  # lines, or requests without an answer, until a kill
# Few armies, most of them on the board at once: the dice come soon.
QUICK = {"setup.claim": "random", "setup.armies": "2:8,3:8,4:8,5:8,6:8"}
# However slow the machine is, no program counts as silent.
SETTINGS = Settings(entropy_wait=HOUR)


@dataclass
class Witness:
    """What was heard of the process: submissions, the acknowledged ones, heads of the dice."""

    asked: dict[str, str] = field(default_factory=dict)  # by game: the submission without an answer
    acknowledged: dict[tuple[str, str, int], tuple[str, int]] = field(default_factory=dict)
    over: set[str] = field(default_factory=set)
    heads: dict[str, set[str]] = field(default_factory=dict)  # that a program has seen, by game
    alarms: list[str] = field(default_factory=list)

    def hear(self, line: str) -> None:
        """A line of the process; the last one may be cut."""
        mark, _, rest = line.partition(" ")
        if mark == "?":
            self.asked[rest.split(" ", 1)[0]] = rest
        elif mark == "!":
            game, seat, decision, first, _ = rest.split(" ")
            text = self.asked.pop(game).split(" ", 3)[3]
            known = self.acknowledged.setdefault((game, seat, int(decision)), (text, int(first)))
            assert known == (text, int(first))
        elif mark == "=":
            game, head = rest.split(" ")
            self.heads.setdefault(game, set()).add(head)
        elif mark == "over":
            self.over.add(rest)
        elif mark == "alarm":
            self.alarms.append(rest)


@dataclass
class Rolls:
    """How many rolls there were."""

    made: int = 0  # in all games
    decided: int = 0  # of them, behind a decision in a game with programs
    with_programs: int = 0  # of these, with a link of a program
    links: int = 0  # of programs


def begin_games(url: str) -> list[str]:
    """Small games that have begun."""
    store = Store.open(url)
    schema.metadata.create_all(store.engine)
    table = TableService(store)
    ruleset = Ruleset.load("classic", QUICK, board="skerries")
    games = [f"game{number}" for number in range(GAMES)]
    for game in games:
        Hosted(table, game).begin(ruleset, 3, SETTINGS)
    store.close()
    return games


def run_and_kill(arguments: Sequence[str], count: int, games: list[str], witness: Witness) -> bool:
    """Let it play for a while, and kill it, if it does not do so itself; whether it was killed.

    All of its games may be over before: then it ends in peace.
    """
    mode = arguments[-1]
    program = [*PROGRAM, *arguments, str(count), *games]
    stuck = threading.Event()
    with subprocess.Popen(program, stdin=PIPE, stdout=PIPE, text=True, cwd=ROOT) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def give_up() -> None:
            stuck.set()
            process.kill()

        process.stdin.write("".join(f"{line}\n" for line in witness.asked.values()))
        process.stdin.close()
        killer = threading.Timer(HANGS, give_up)
        killer.start()
        for heard, line in enumerate(process.stdout, 1):
            if line.endswith("\n"):
                witness.hear(line.strip())
            if (mode == "load" and heard == count) or witness.alarms:
                process.kill()
        killer.cancel()
    assert witness.alarms == []
    assert not stuck.is_set()
    killed = process.returncode == -signal.SIGKILL
    assert killed or (process.returncode == 0 and witness.over >= set(games))
    return killed


def check(url: str, folder: Path, games: list[str], witness: Witness) -> Rolls:
    """Check that the log has every acknowledged submission once, and every roll as it was seen."""
    store = Store.open(url)
    table = TableService(store)
    rolls = Rolls()
    for game in games:
        seats = come_to_rest(table, folder, game, witness)
        lines = store.read(partial(lines_of, game=game))
        check_lines(game, lines, witness)
        chain = store.read(partial(dice_of, game=game))
        verdict = check_dice(chain, witness.heads.get(game, set()))
        assert verdict.draws == sum(line.kind is LineKind.OUTCOME for line in lines)
        rolls.made += verdict.requests
        rolls.with_programs += sum(has_link_of_program(entry) for entry in chain)
        if seats:
            rolls.decided += sum(follows_decision(entry) for entry in chain)
        for seat in seats:
            rolls.links += check_journal(journal_of(folder, game, seat), chain, verdict)
        assert store.read(partial(rebuilt, game=game)).head == lines[-1].index
    store.close()
    return rolls


def come_to_rest(table: TableService, folder: Path, game: str, witness: Witness) -> Sequence[str]:
    """Let the programs give the links for which a request still waits; the programs' seats."""
    colours = table.snapshot(game).game().colours
    seats = [s for s in seats_with_programs(game, colours) if journal_of(folder, game, s).exists()]
    heads = witness.heads.setdefault(game, set())
    programs = DicePrograms(table, game, seats, folder, heads.add)
    programs.begin()
    while table.snapshot(game).waits_for:
        programs.wait(table.wake(game))
    programs.close()
    return seats


def check_dice(chain: Sequence[Entry], heads: set[str]) -> Verdict:
    """Check the transcript: it is right, and it is the history that the programs have seen."""
    verdict = verify(chain, known_heads=sorted(heads))
    assert verdict.fault is None
    assert verdict.silences == []
    assert not verdict.waiting
    return verdict


def follows_decision(entry: Entry) -> bool:
    """Whether a line is the request of a roll that is not of the set-up."""
    return entry.kind == Request.kind and Request.read(Fields(entry.body, "request")).seat != ""


def has_link_of_program(entry: Entry) -> bool:
    """Whether a line is the answer of a roll in which a player's program took part."""
    if entry.kind != Answer.kind:
        return False
    links = Answer.read(Fields(entry.body, "answer")).links
    return any(link is not None for name, link in links.items() if name not in REQUIRED)


def check_journal(path: Path, chain: Sequence[Entry], verdict: Verdict) -> int:
    """Check what a program has kept: all its links stand in rolls; how many."""
    journal = Journal.read(path.read_text("utf-8"))
    assert verify(chain, known_heads=journal.heads).ok
    compared = compare(journal, chain)
    assert compared.findings == []
    assert compared.alarms == []
    summary = verdict.seats[compared.seat]
    took_part = summary.took_part + summary.took_part_uncertified
    assert compared.given == compared.used == took_part
    return took_part


def check_lines(game: str, lines: list[LogLine], witness: Witness) -> None:
    """Check that the log has every acknowledged action once, and one answer to each request."""
    taken = Counter((line.seat, line.decision) for line in lines if line.kind is LineKind.ACTION)
    assert not [key for key, times in taken.items() if times > 1]
    for (of, seat, decision), (text, first) in witness.acknowledged.items():
        if of == game:
            line = lines[first]
            assert (line.kind, line.seat, line.decision, line.text) == (
                LineKind.ACTION,
                seat,
                decision,
                text,
            )
    # A link may come behind its request, once; nothing else comes before the answer.
    links = Counter(line.text for line in lines if line.kind is LineKind.LINK)
    assert not [text for text, times in links.items() if times > 1]
    kinds = [line.kind for line in lines if line.kind is not LineKind.LINK]
    behind = [kinds[place + 1] for place, kind in enumerate(kinds) if kind is LineKind.REQUEST]
    assert set(behind) <= {LineKind.OUTCOME}


@pytest.mark.parametrize("mode", ["load", "between"])
def test_killed_again_and_again(mode: str, url: str, tmp_path: Path) -> None:
    games, witness, rng = begin_games(url), Witness(), random.Random(7)
    folder = tmp_path / "journals"
    killed = 0
    while killed < KILLS:
        left = [game for game in games if game not in witness.over][:AT_ONCE]
        assert left, f"all games were over after {killed} kills"
        count = rng.randrange(1, MOST[mode])
        killed += run_and_kill([url, str(folder), mode], count, left, witness)
    rolls = check(url, folder, games, witness)
    print(f"{killed} kills, {len(witness.acknowledged)} acknowledged, {rolls}")
    assert len(witness.acknowledged) > KILLS
    assert rolls.with_programs > rolls.decided * 0.9
