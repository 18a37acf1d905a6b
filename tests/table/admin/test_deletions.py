"""`rubicon table verify` finds changed times, notifications and owners, and deleted games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, select

from rubicon.server.accounts import merge_guest
from rubicon.table.admin.audit import Report, verify_store
from rubicon.table.admin.game_files import import_record, record_of
from rubicon.table.lobby.seats import depart
from rubicon.table.storage import schema
from tests.table.agreeing import lines, votes
from tests.table.hosted import Hosted
from tests.table.lobby.lobbied import Lobbied, lobbied

ALL_TABLES = ("notification", "clock", "dice", "dice_secrets", "seat", "log")


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobbied]:
    with lobbied(tmp_path) as lobby:
        yield lobby


@pytest.fixture
def game(lobby: Lobbied) -> Hosted:
    """A game in the middle, and two others."""
    lobby.running()
    game = lobby.running()
    game.play(20)
    lobby.running()
    return game


def forge(lobby: Lobbied, statement: str, *values: object) -> None:
    """Change something behind the table's back."""
    assert lobby.write(lambda c: c.exec_driver_sql(statement, values).rowcount) > 0


def verify(lobby: Lobbied, *heads: str) -> Report:
    """The check of everything."""
    return verify_store(lobby.table.store, heads=heads)


def code(report: Report, game: str) -> str:
    """The only fault that was found."""
    assert list(report.damaged) == [game]
    return report.damaged[game].code


def delete_game(lobby: Lobbied, game: str) -> None:
    """Delete a game and everything that belongs to it."""
    for table in ALL_TABLES:
        if has(lobby, table, game):
            forge(lobby, f"DELETE FROM {table} WHERE game = ?", game)
    forge(lobby, "DELETE FROM game WHERE id = ?", game)


def has(lobby: Lobbied, table: str, game: str) -> bool:
    """Whether a table has rows of a game."""
    rows = select(schema.metadata.tables[table].c.game)
    return game in lobby.read(lambda connection: connection.execute(rows).scalars().all())


def test_intact_games_pass(lobby: Lobbied, game: Hosted) -> None:
    report = verify(lobby)
    assert (report.games, report.good, report.damaged) == (3, 3, {})
    assert verify(lobby, report.checkpoint).damaged == {}


def test_a_changed_time_is_found(lobby: Lobbied, game: Hosted) -> None:
    last = lines(game)[-1]
    forge(
        lobby,
        "UPDATE log SET at = at + 1 WHERE game = ? AND log_index = ?",
        game.game,
        last.index,
    )
    assert code(verify(lobby), game.game) == "log/digest"


def test_the_time_of_the_beginning_is_found(lobby: Lobbied, game: Hosted) -> None:
    forge(lobby, "UPDATE game SET started = started - 1 WHERE id = ?", game.game)
    assert code(verify(lobby), game.game) == "log/time"


def test_the_time_of_the_end_is_found(lobby: Lobbied, game: Hosted) -> None:
    votes(game, "draw", *game.snapshot.game().colours)
    assert verify(lobby).damaged == {}
    forge(lobby, "UPDATE game SET ended = ended + 1 WHERE id = ?", game.game)
    assert code(verify(lobby), game.game) == "log/time"


@pytest.mark.parametrize("change", ["at = at + 1", "body = '{}'", "seat = 'green'"])
@pytest.mark.parametrize("kind", ["decision", "over"])
def test_a_changed_notification_is_found(
    lobby: Lobbied, game: Hosted, kind: str, change: str
) -> None:
    votes(game, "draw", *game.snapshot.game().colours)
    first = f"SELECT min(id) FROM notification WHERE game = ? AND kind = '{kind}' AND seat = 'red'"
    forge(lobby, f"UPDATE notification SET {change} WHERE id = ({first})", game.game)
    assert code(verify(lobby), game.game) == "log/digest"


def test_an_invented_and_a_deleted_notification_are_found(lobby: Lobbied, game: Hosted) -> None:
    forge(
        lobby,
        "INSERT INTO notification (game, log_index, seat, kind, body, at)"
        " SELECT game, log_index, seat, 'deadline', body, at FROM notification"
        " WHERE game = ? AND kind = 'decision' LIMIT 1",
        game.game,
    )
    assert code(verify(lobby), game.game) == "log/digest"
    forge(lobby, "DELETE FROM notification WHERE kind = 'deadline'")
    assert verify(lobby).damaged == {}
    forge(
        lobby,
        "DELETE FROM notification WHERE id ="
        " (SELECT max(id) FROM notification WHERE game = ? AND kind = 'decision')",
        game.game,
    )
    assert code(verify(lobby), game.game) == "log/digest"


@pytest.mark.parametrize("change", ["account = 'dot'", "account = NULL", "bot = 'greedy'"])
def test_another_owner_of_a_seat_is_found(lobby: Lobbied, game: Hosted, change: str) -> None:
    forge(lobby, f"UPDATE seat SET {change} WHERE game = ? AND colour = 'blue'", game.game)
    assert code(verify(lobby), game.game) == "seat/digest"


def test_owners_may_change_as_the_table_changes_them(lobby: Lobbied, game: Hosted) -> None:
    def guest_signs_in(connection: Connection) -> None:
        merge_guest(connection, "bob", "dot")

    lobby.write(guest_signs_in)
    assert "dot" in [seat.account for seat in lobby.seats(game.game)]
    lobby.write(lambda connection: depart(connection, "ann"))
    record = record_of(game.game, lines(game))
    imported = lobby.write(lambda connection: import_record(connection, record, "again"))
    seat = next(iter(imported.invites))
    lobby.join(imported.game, "cid", invite=imported.invites[seat])
    assert verify(lobby).damaged == {}


def test_a_deleted_game_is_found(lobby: Lobbied, game: Hosted) -> None:
    delete_game(lobby, game.game)
    report = verify(lobby)
    assert code(report, game.game) == "checkpoint/deleted"
    assert (report.games, report.good) == (2, 2)


def test_a_game_that_is_said_not_to_have_begun_is_found(lobby: Lobbied, game: Hosted) -> None:
    forge(lobby, "UPDATE game SET head = -1, state = 'closed' WHERE id = ?", game.game)
    assert code(verify(lobby), game.game) == "checkpoint/deleted"


def test_a_game_deleted_with_its_checkpoint_leaves_a_gap(lobby: Lobbied, game: Hosted) -> None:
    delete_game(lobby, game.game)
    forge(lobby, "DELETE FROM checkpoint WHERE game = ?", game.game)
    assert code(verify(lobby), "games") == "checkpoint/gap"
    forge(lobby, "UPDATE checkpoint SET number = 2 WHERE number = 3")
    (other,) = verify(lobby).damaged.values()
    assert other.code == "checkpoint/changed"


def test_the_last_game_is_missed_by_a_saved_checkpoint(lobby: Lobbied, game: Hosted) -> None:
    last = lobby.running()
    saved = verify(lobby).checkpoint
    delete_game(lobby, last.game)
    forge(lobby, "DELETE FROM checkpoint WHERE game = ?", last.game)
    assert verify(lobby).damaged == {}  # as docs/hosting.md says
    assert code(verify(lobby, saved), "games") == "checkpoint/other-history"


@pytest.mark.parametrize("saved", ["games:9:" + "a" * 32, "games:1:ab", "games:x:", "games:1"])
def test_a_checkpoint_of_another_database_is_refused(
    lobby: Lobbied, game: Hosted, saved: str
) -> None:
    assert code(verify(lobby, saved), "games") == "checkpoint/other-history"


def test_a_game_that_was_put_in_is_found(lobby: Lobbied, game: Hosted) -> None:
    forge(lobby, "DELETE FROM checkpoint WHERE number = 3")
    (fault,) = verify(lobby).damaged.values()
    assert fault.code == "checkpoint/missing"


def test_a_changed_first_line_is_found(lobby: Lobbied, game: Hosted) -> None:
    """Such as a setting that is made stricter after the game."""
    forge(
        lobby,
        'UPDATE log SET text = replace(text, \'"table": {}\', \'"table": {"delay": 9}\')'
        " WHERE game = ? AND log_index = 0",
        game.game,
    )
    assert verify(lobby).damaged[game.game].code in ("checkpoint/changed", "log/digest")
