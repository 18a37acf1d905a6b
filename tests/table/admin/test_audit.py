"""`rubicon table verify`: whatever is changed in a store is found, and where."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.table.admin.audit import Report, verify_store
from rubicon.table.admin.dice_lines import Damaged
from rubicon.table.errors import NoSuchGame, TableError
from rubicon.table.game.log_lines import LineKind, LogLine
from rubicon.table.settings import DiceSource, Settings
from rubicon.table.storage.database import Store, migrate
from rubicon.table.storage.event_log import lines_of
from rubicon.table.table_service import TableService
from tests.table.hosted import GAME, SOON, Hosted

Rows = list[tuple[object, ...]]


class Copy:
    """A copy of the store, to be forged."""

    def __init__(self, file: Path) -> None:
        self.file = file
        store = Store.open_read_only(str(file))
        self.lines = store.read(lambda connection: lines_of(connection, GAME))
        store.close()

    def forge(self, statement: str, *values: object) -> None:
        """Change something behind the table's back."""
        connection = sqlite3.connect(self.file)
        assert connection.execute(statement, values).rowcount > 0
        connection.commit()
        connection.close()

    def select(self, statement: str, *values: object) -> Rows:
        """The rows of a query."""
        connection = sqlite3.connect(self.file)
        rows = connection.execute(statement, values).fetchall()
        connection.close()
        return rows

    def verify(self, *heads: str) -> Report:
        """The check."""
        store = Store.open_read_only(str(self.file))
        try:
            return verify_store(store, heads=heads)
        finally:
            store.close()

    def damage(self, *heads: str) -> Damaged:
        """What it finds."""
        report = self.verify(*heads)
        assert list(report.damaged) == [GAME]
        return report.damaged[GAME]

    def find(self, kind: LineKind, beginning: str = "", *, skip: int = 0) -> LogLine:
        """A line of the log."""
        found = [li for li in self.lines if li.kind is kind and li.text.startswith(beginning)]
        return found[skip]


def attack_by_orders(game: Hosted) -> None:
    """A whole turn as a text, so that the log has orders and their report."""
    game.play(until="attack")
    legal = [a for a in map(str, game.snapshot.game().legal) if a.startswith("attack")]
    source, target = legal[0].split()[1], legal[0].split()[3]
    game.submit(f"ATTACK {source} -> {target} UNTIL WON OR LEFT 1\nEND", orders=True)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a game that is over."""
    file = tmp_path_factory.mktemp("played") / "games.db"
    store = Store.open(str(file))
    migrate(store)
    game = Hosted(TableService(store))
    game.begin(Ruleset.load("secret-mission", board="world"), 3, Settings())
    attack_by_orders(game)
    game.play(30)
    if game.snapshot.ending is None:  # the dice may have made it a short game
        seat, decision = game.mover()
        game.play(1)
        if "undo" not in str(game.table.undo(GAME, seat, decision).exception(SOON)):
            game.play(1)
    game.play()
    store.close()
    return file


@pytest.fixture
def copy(played: Path, tmp_path: Path) -> Copy:
    shutil.copy(played, tmp_path / "copy.db")
    return Copy(tmp_path / "copy.db")


def test_an_intact_game_passes(copy: Copy) -> None:
    report = copy.verify()
    assert (report.games, report.damaged) == (1, {})
    assert report.log_lines == len(copy.lines) > 150
    assert report.answers == sum(line.kind is LineKind.REQUEST for line in copy.lines)
    assert {line.kind for line in copy.lines} >= {LineKind.ORDERS, LineKind.REPORT, LineKind.END}


@pytest.fixture
def playing(store: Store) -> Hosted:
    """A game in the middle, on both databases."""
    game = Hosted(TableService(store))
    game.begin(Ruleset.load("classic", board="skerries"), 3, Settings())
    attack_by_orders(game)
    return game


def test_a_game_in_the_middle_on_both_databases(playing: Hosted) -> None:
    steps: list[tuple[int, int]] = []
    store = playing.table.store
    report = verify_store(store, progress=lambda done, of: steps.append((done, of)))
    assert (report.damaged, report.log_lines) == ({}, playing.snapshot.head + 1)
    assert steps == [(0, 1), (1, 1)]
    with pytest.raises(NoSuchGame):
        verify_store(store, games=["nobody"])


@pytest.mark.parametrize(
    ("preset", "players"), [("email", 3), ("capital", 3), ("two-player", 2), ("digest", 3)]
)
def test_other_rules(preset: str, players: int, new_url: Callable[[str], str]) -> None:
    store = Store.open(new_url("sqlite"))
    migrate(store)
    game = Hosted(TableService(store))
    game.begin(Ruleset.load(preset), players, Settings())
    game.play(60)
    assert verify_store(store).damaged == {}
    store.close()


def test_real_dice_are_not_verified(new_url: Callable[[str], str]) -> None:
    store = Store.open(new_url("sqlite"))
    migrate(store)
    game = Hosted(TableService(store))
    game.begin(Ruleset.load("classic", board="skerries"), 3, Settings(dice=DiceSource.TYPED))
    game.table.type_dice(GAME, "red", game.snapshot.head, "dice 1 6 1").result(SOON)
    assert verify_store(store).damaged == {}
    store.close()


def test_a_changed_outcome(copy: Copy) -> None:
    line = next(
        li
        for li in copy.lines
        if li.kind is LineKind.OUTCOME and " v " in li.text and "1" in li.text
    )
    changed = line.text.replace("1", "2", 1)
    copy.forge("UPDATE log SET text = ? WHERE log_index = ?", changed, line.index)
    found = copy.damage()
    assert (found.index, found.code) == (line.index, "log/other-outcome")
    assert (found.expected, found.found) == (line.text, changed)


def test_a_changed_pick(copy: Copy) -> None:
    picks = [
        li for li in copy.lines if li.kind is LineKind.OUTCOME and li.text.startswith("pick M")
    ]
    one, other = picks[0], picks[1]
    copy.forge("UPDATE log SET text = ? WHERE log_index = ?", other.text, one.index)
    assert copy.damage().index == one.index


def test_a_time_before_the_entry_before(copy: Copy) -> None:
    line = copy.find(LineKind.ACTION, "attack")
    copy.forge("UPDATE log SET at = at - 100000 WHERE log_index = ?", line.index)
    found = copy.damage()
    assert (found.index, found.code) == (line.index, "log/time")


def test_another_report_of_the_orders(copy: Copy) -> None:
    line = copy.find(LineKind.REPORT)
    said = json.loads(line.text)
    assert said["status"] == "done"
    copy.forge(
        "UPDATE log SET text = ? WHERE log_index = ?",
        json.dumps(said | {"status": "paused"}),
        line.index,
    )
    found = copy.damage()
    assert (found.index, found.code) == (line.index, "log/other-report")
    copy.forge("UPDATE log SET seat = 'nobody' WHERE log_index = ?", line.index)
    assert copy.damage().code == "log/no-orders"


def test_a_missing_line(copy: Copy) -> None:
    line = copy.lines[len(copy.lines) // 2]
    copy.forge("DELETE FROM log WHERE log_index = ?", line.index)
    found = copy.damage()
    assert (found.index, found.code) == (line.index, "log/gap")


def test_a_log_that_is_cut(copy: Copy) -> None:
    last = copy.lines[-1].index
    copy.forge("DELETE FROM log WHERE log_index = ?", last)
    found = copy.damage()
    assert (found.index, found.code) == (last - 1, "log/head")
    copy.forge("UPDATE game SET head = ?", last - 1)
    assert copy.damage().code == "log/state"
    copy.forge("UPDATE game SET state = 'running'")
    assert copy.damage().code == "log/untold"
    copy.forge("DELETE FROM notification WHERE log_index = ?", last)
    assert copy.damage().code == "log/untold"  # of the same unit of work


def test_a_changed_action_that_is_legal_too(copy: Copy) -> None:
    line = copy.find(LineKind.ACTION, "attack", skip=2)
    words = line.text.split()
    words[-1] = "2" if words[-1] == "1" else "1"
    copy.forge("UPDATE log SET text = ? WHERE log_index = ?", " ".join(words), line.index)
    assert copy.damage().index in (line.index, line.index + 1)  # or the request that it led to


def test_a_changed_placement(copy: Copy) -> None:
    places = [li for li in copy.lines if li.kind is LineKind.ACTION and li.text.startswith("place")]
    by_seat = [li for li in places if li.seat == places[0].seat and li.text != places[0].text]
    line = places[0]
    copy.forge("UPDATE log SET text = ? WHERE log_index = ?", by_seat[0].text, line.index)
    assert copy.damage().index == line.index


def test_orders_are_carried_out_as_they_say(copy: Copy) -> None:
    orders = copy.find(LineKind.ORDERS)
    copy.forge("UPDATE log SET text = 'END' WHERE log_index = ?", orders.index)
    found = copy.damage()
    assert (found.index, found.code) == (orders.index + 1, "log/other-orders")
    assert found.found.startswith("attack")


def test_a_decision_in_anothers_name(copy: Copy) -> None:
    line = copy.find(LineKind.ACTION, "end", skip=1)
    other = next(li.seat for li in copy.lines if li.seat and li.seat != line.seat)
    copy.forge("UPDATE log SET seat = ? WHERE log_index = ?", other, line.index)
    found = copy.damage()
    assert (found.index, found.code) == (line.index, "seat/not-yours")


def test_an_action_for_another_decision_is_found(copy: Copy) -> None:
    line = copy.find(LineKind.ACTION, "end", skip=2)
    copy.forge("UPDATE log SET decision = decision - 1 WHERE log_index = ?", line.index)
    found = copy.damage()
    assert (found.index, found.code) == (line.index, "log/wrong-decision")


@pytest.mark.parametrize("fraction", [0.3, 0.6, 0.95])
def test_a_changed_dice_entry(copy: Copy, fraction: float) -> None:
    answers = [
        (seq, text)
        for seq, text in copy.select("SELECT seq, text FROM dice ORDER BY seq")
        if '"draws":[{"battle":[[' in str(text)
    ]
    seq, text = answers[int(len(answers) * fraction)]
    body = json.loads(str(text))
    attack, _ = body["body"]["draws"][0]["battle"]
    attack[0] = attack[0] % 6 + 1
    changed = json.dumps(body, sort_keys=True, separators=(",", ":"))
    copy.forge("UPDATE dice SET text = ? WHERE seq = ?", changed, seq)
    found = copy.damage()
    assert found.code == "dice/wrong-dice"
    assert found.index is not None
    assert copy.lines[found.index].kind is LineKind.OUTCOME


def test_a_dropped_dice_entry(copy: Copy) -> None:
    rows = copy.select("SELECT seq FROM dice WHERE text LIKE '%\"request\"%' ORDER BY seq")
    copy.forge("DELETE FROM dice WHERE seq = ?", *rows[5])
    found = copy.damage()
    assert found.index is not None
    assert copy.lines[found.index].kind is LineKind.REQUEST


def test_other_seeds(copy: Copy) -> None:
    copy.forge("UPDATE dice_secrets SET seed = ?", bytes(32))
    assert copy.damage().code == "dice/wrong-seed"
    copy.forge("UPDATE dice_secrets SET links = ?", bytes(2080))
    assert copy.damage().code.startswith("dice/wrong-")
    copy.forge("UPDATE dice_secrets SET seed = 'short'")
    assert copy.damage().code.startswith(("dice/", "log/"))


def test_another_head(copy: Copy) -> None:
    copy.forge("UPDATE game SET head = head + 1")
    found = copy.damage()
    assert (found.code, found.index) == ("log/head", copy.lines[-1].index)


def test_changed_facts_are_found(copy: Copy) -> None:
    (first, *_) = copy.select(
        "SELECT id, log_index, body FROM notification WHERE kind = 'events' "
        "AND seat IN ('red', '*') AND body LIKE '%\"red\"%' ORDER BY id"
    )
    number, index, body = first
    copy.forge(
        "UPDATE notification SET body = ? WHERE id = ?", str(body).replace('"red"', '"x"'), number
    )
    found = copy.damage()
    assert (found.index, found.code) == (index, "log/other-facts")
    copy.forge("DELETE FROM notification WHERE id = ?", number)
    assert copy.damage().code == "log/other-facts"


def test_a_secret_in_the_facts_of_another_seat_is_found(copy: Copy) -> None:
    (row, *_) = copy.select(
        "SELECT log_index, seat, body FROM notification "
        "WHERE kind = 'events' AND body LIKE '%\"M0%'"
    )
    index, seat, body = row
    other = "blue" if seat != "blue" else "red"
    forged = "UPDATE notification SET body = ? WHERE log_index = ? AND seat = ? AND kind = 'events'"
    copy.forge(forged, body, index, other)
    assert copy.damage().index == index


def test_garbage_in_any_column(copy: Copy) -> None:
    line = copy.find(LineKind.ACTION, skip=3)
    copy.forge("UPDATE log SET text = 'no such words' WHERE log_index = ?", line.index)
    assert copy.damage().index == line.index
    copy.forge("UPDATE log SET kind = 'nonsense' WHERE log_index = ?", line.index)
    assert copy.damage().code == "log/unreadable"
    copy.forge("UPDATE log SET text = '{' WHERE log_index = 0")
    copy.forge("UPDATE log SET kind = 'action' WHERE log_index = ?", line.index)
    assert copy.damage().index == 0


def test_a_saved_head_reveals_an_older_backup(copy: Copy) -> None:
    heads = [
        f"{GAME}:{seq}:{json.loads(str(text))['prev'][:20]}"
        for seq, text in copy.select("SELECT seq - 1, text FROM dice WHERE seq > 0 ORDER BY seq")
    ]
    assert copy.verify(heads[3], heads[-1]).damaged == {}
    assert copy.damage(f"{heads[3][:-4]}0000").code == "dice/other-history"
    assert copy.damage(f"{GAME}:99999:{'a' * 20}").code == "dice/cut-log"
    with pytest.raises(TableError) as caught:
        copy.verify("12:aaaaaaaaaaaaaaaa"[3:])
    assert caught.value.code == "head/bad"
