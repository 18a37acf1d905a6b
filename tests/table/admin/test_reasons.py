"""`rubicon table verify` finds lines that somebody invents: motions, deadlines, endings."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.table.admin.audit import verify_store
from rubicon.table.commands.votes import vote
from rubicon.table.deadlines import announce_absence, take_back_seat
from rubicon.table.game.log_lines import LineKind, LogLine
from rubicon.table.settings import DAY, HOUR, Clock, Settings
from rubicon.table.storage.database import Store, migrate
from rubicon.table.table_service import TableService
from tests.table.agreeing import do, lines, sweep, votes
from tests.table.hosted import GAME, Hosted
from tests.table.timed import set_time


@pytest.fixture(scope="module")
def agreed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a game in which every kind of motion was carried, and which ended by one."""
    file = tmp_path_factory.mktemp("agreed") / "games.db"
    store = Store.open(str(file))
    migrate(store)
    with pytest.MonkeyPatch.context() as patch:
        time = set_time(patch)
        game = Hosted(TableService(store))
        settings = Settings(clock=Clock.DAYS, decision_time=DAY, bank=0)
        game.begin(Ruleset.load("classic", board="skerries"), 3, settings)
        play_and_agree(game, time.pass_by)
    assert verify_store(store).damaged == {}
    store.close()
    return file


def play_and_agree(game: Hosted, pass_by: Callable[[float], None]) -> None:
    """Every kind of line that a seat or a clock adds."""
    colours = game.snapshot.game().colours
    game.play(until="reinforce")
    seat, _ = game.mover()
    others = [colour for colour in colours if colour != seat]
    place = next(str(a) for a in game.snapshot.game().legal if str(a).startswith("place"))
    game.submit(place)
    game.table.undo(GAME, seat, game.snapshot.decisions[seat]).result(30)
    votes(game, "pause", *colours)
    votes(game, "resume", seat)
    votes(game, "extend", *colours)
    pass_by(2 * DAY - HOUR)
    sweep(game)  # warns
    pass_by(HOUR)
    sweep(game)
    votes(game, f"replace {seat}", *others)
    game.play(1)
    do(game, take_back_seat, seat)
    do(game, announce_absence, others[0], "2027-01-17 2027-01-25 greedy")
    do(game, announce_absence, others[0], "")
    votes(game, "draw", *others)
    do(game, vote, others[0], "draw", withdrawn=True)
    votes(game, "draw", others[0], seat)
    assert {line.kind for line in lines(game)} >= {
        LineKind.PAUSE,
        LineKind.EXTEND,
        LineKind.WARNED,
        LineKind.LATE,
        LineKind.BOT,
        LineKind.UNDO,
        LineKind.AWAY,
        LineKind.VOTE,
        LineKind.END,
    }


class Forged:
    """A copy of the store, to be changed behind the table's back."""

    def __init__(self, file: Path) -> None:
        self.file = file
        store = Store.open_read_only(str(file))
        self.lines = lines(Hosted(TableService(store)))
        store.close()

    def find(self, kind: LineKind, text: str, *, skip: int = 0) -> LogLine:
        """A line of the log with this text."""
        return [li for li in self.lines if li.kind is kind and li.text == text][skip]

    def change(self, line: LogLine, **values: object) -> None:
        """Change columns of a line."""
        columns = ", ".join(f"{name} = ?" for name in values)
        self._run(f"UPDATE log SET {columns} WHERE log_index = ?", *values.values(), line.index)

    def forget_notifications(self, line: LogLine) -> None:
        """Delete the notification that contradicts a changed line."""
        self._run("DELETE FROM notification WHERE log_index >= ? AND kind = 'events'", line.index)

    def damage(self) -> tuple[int | None, str]:
        """Where the first fault is found, and its code."""
        store = Store.open_read_only(str(self.file))
        found = verify_store(store).damaged[GAME]
        store.close()
        return found.index, found.code

    def _run(self, statement: str, *values: object) -> None:
        connection = sqlite3.connect(self.file)
        assert connection.execute(statement, values).rowcount > 0
        connection.commit()
        connection.close()


@pytest.fixture
def forged(agreed: Path, tmp_path: Path) -> Forged:
    shutil.copy(agreed, tmp_path / "copy.db")
    return Forged(tmp_path / "copy.db")


MOTIONS = [
    (LineKind.PAUSE, "on", "pause"),
    (LineKind.PAUSE, "off", "resume"),
    (LineKind.EXTEND, "", "extend"),
    (LineKind.END, "draw agreed", "draw"),
]


@pytest.mark.parametrize(("kind", "text", "motion"), MOTIONS)
def test_a_motion_that_lacks_one_vote(
    forged: Forged, kind: LineKind, text: str, motion: str
) -> None:
    effect = forged.find(kind, text)
    last = [li for li in forged.lines if li.text == motion and li.index < effect.index][-1]
    forged.change(last, text="fork 0")
    forged.forget_notifications(last)
    assert forged.damage() == (effect.index, "log/unfounded")


@pytest.mark.parametrize(("kind", "text", "motion"), MOTIONS)
def test_a_vote_for_a_motion_that_is_not_possible(
    forged: Forged, kind: LineKind, text: str, motion: str
) -> None:
    effect = forged.find(kind, text)
    last = [li for li in forged.lines if li.text == motion and li.index < effect.index][-1]
    forged.change(last, seat="nobody")
    assert forged.damage() == (last.index, "log/unfounded")


def test_an_invented_motion(forged: Forged) -> None:
    """The vote of an honest seat becomes the motion itself."""
    votes_for_draw = [li for li in forged.lines if li.text == "draw"]
    forged.change(votes_for_draw[1], kind="end", seat="", text="draw agreed")
    assert forged.damage() == (votes_for_draw[1].index, "log/unfounded")


@pytest.mark.parametrize(
    ("text", "reason"),
    [("void no action for too long", "early"), ("void the game became too long", "short")],
)
def test_an_invented_end(forged: Forged, text: str, reason: str) -> None:
    end = forged.find(LineKind.END, "draw agreed")
    forged.change(end, text=text)
    assert forged.damage() == (end.index, "log/unfounded"), reason


def test_an_invented_replacement(forged: Forged) -> None:
    bot = forged.find(LineKind.BOT, "medium")
    votes_for_it = [li for li in forged.lines if li.text == f"replace {bot.seat}"]
    forged.change(votes_for_it[0], kind="bot", seat=bot.seat, text="medium")
    assert forged.damage() == (votes_for_it[0].index, "log/unfounded")


def test_a_bot_that_the_table_does_not_have(forged: Forged) -> None:
    bot = forged.find(LineKind.BOT, "medium")
    forged.change(bot, text="random")
    assert forged.damage() == (bot.index, "log/unfounded")


def test_a_seat_that_was_late_before_its_time(forged: Forged) -> None:
    late = forged.find(LineKind.LATE, "")
    other = next(li.seat for li in forged.lines if li.seat not in ("", late.seat))
    forged.change(late, seat=other)
    assert forged.damage() == (late.index, "log/unfounded")


def test_a_warning_that_was_not_due(forged: Forged) -> None:
    warned = forged.find(LineKind.WARNED, "")
    forged.change(warned, decision=warned.decision + 1)
    assert forged.damage() == (warned.index, "log/unfounded")


def test_an_absence_that_was_too_long(forged: Forged) -> None:
    away = forged.find(LineKind.AWAY, "2027-01-17 2027-01-25 greedy")
    forged.change(away, text="2027-01-17 2027-04-25 greedy")
    assert forged.damage() == (away.index, "log/unfounded")


def test_an_undo_of_another_action(forged: Forged) -> None:
    undo = next(li for li in forged.lines if li.kind is LineKind.UNDO)
    forged.change(undo, text=str(undo.index - 2))
    assert forged.damage() == (undo.index, "log/unfounded")


def test_an_erased_account_that_the_seat_never_had(forged: Forged) -> None:
    back = forged.find(LineKind.AWAY, "")
    forged.change(back, kind="erased", seat="nobody")
    assert forged.damage() == (back.index, "log/unfounded")
