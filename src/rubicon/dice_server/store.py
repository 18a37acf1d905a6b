"""The SQLite file of a dice server: what it has promised and given, durable before it is sent."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rubicon.dice.participants.dice_server import DiceServerGame
from rubicon.dice_server.key_file import create_private
from rubicon.errors import RubiconError

VERSION = 1
_SCHEMA = """
CREATE TABLE IF NOT EXISTS server (key BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS game (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    opened INTEGER NOT NULL,
    secret BLOB NOT NULL,
    nonce BLOB NOT NULL,
    genesis BLOB,
    server_key BLOB,
    refusals TEXT NOT NULL DEFAULT '[]'
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS game_by_owner ON game (owner, opened);
CREATE TABLE IF NOT EXISTS client (
    game TEXT NOT NULL, name TEXT NOT NULL, key BLOB NOT NULL, handed BLOB,
    PRIMARY KEY (game, name)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS answer (
    game TEXT NOT NULL, n INTEGER NOT NULL, head BLOB NOT NULL, PRIMARY KEY (game, n)
) WITHOUT ROWID;
"""


class DiceStore:
    """The games of a dice server. One process uses the file; its caller calls it in turn."""

    def __init__(self, path: Path, public_key: bytes) -> None:
        """Open or create the file; RubiconError where it cannot be used, or is of another key."""
        self.path = path
        try:
            create_private(path)
            self._database = sqlite3.connect(
                path, timeout=2, isolation_level=None, check_same_thread=False
            )
            # Held until the process ends, even by a kill: two servers would give two answers.
            self._database.execute("PRAGMA locking_mode=EXCLUSIVE")
            self._database.execute("PRAGMA journal_mode=WAL")
            self._database.execute("PRAGMA synchronous=FULL")
            self._check_version()
            self._database.executescript(_SCHEMA)
        except (OSError, sqlite3.Error) as error:
            message = f"The store {str(path)!r} cannot be used: {error}."
            suggestion = "Is another dice server running on it? Choose another file: --store"
            raise RubiconError("dice-server/store", message, suggestion) from error
        self._check_key(public_key)

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def opened_since(self, owner: str, moment: int) -> int:
        """How many games of an owner were opened since a time, in seconds since 1970."""
        query = "SELECT count(*) FROM game WHERE owner = ? AND opened > ?"
        return int(self._database.execute(query, (owner, moment)).fetchone()[0])

    def begin(self, game: DiceServerGame, owner: str, at: int) -> None:
        """Store a new game."""
        row = game.game, owner, at, game.secret, game.nonce
        with self._transaction():
            self._database.execute(
                "INSERT INTO game (id, owner, opened, secret, nonce) VALUES (?, ?, ?, ?, ?)", row
            )

    def owner(self, game: str) -> str | None:
        """Who has opened a game; None where nobody has."""
        row = self._database.execute("SELECT owner FROM game WHERE id = ?", (game,)).fetchone()
        return None if row is None else str(row[0])

    def load(self, game: str, private_key: bytes) -> DiceServerGame | None:
        """A game as it was stored."""
        query = "SELECT secret, nonce, genesis, server_key, refusals FROM game WHERE id = ?"
        row = self._database.execute(query, (game,)).fetchone()
        if row is None:
            return None
        secret, nonce, genesis, server_key, refusals = row
        loaded = DiceServerGame(game, private_key, secret, nonce)
        loaded.bound = None if genesis is None else (genesis, server_key)
        loaded.refusals = json.loads(refusals)
        query = "SELECT head FROM answer WHERE game = ? ORDER BY n"
        loaded.heads = [head for (head,) in self._database.execute(query, (game,))]
        query = "SELECT name, key, handed FROM client WHERE game = ?"
        for name, key, handed in self._database.execute(query, (game,)):
            loaded.keys[name] = key
            if handed is not None:
                loaded.handed[name] = handed
        return loaded

    def save(self, game: DiceServerGame, answered_before: int) -> None:
        """Store what has changed; durable when it returns. The primary keys refuse a second head
        for a request, whatever the program believes."""
        genesis, server_key = game.bound or (None, None)
        answers = [(game.game, n, game.heads[n]) for n in range(answered_before, len(game.heads))]
        clients = [(game.game, name, key, game.handed.get(name)) for name, key in game.keys.items()]
        with self._transaction():
            run, run_all = self._database.execute, self._database.executemany
            run(
                "UPDATE game SET genesis = ?, server_key = ?, refusals = ? WHERE id = ?",
                (genesis, server_key, json.dumps(game.refusals), game.game),
            )
            run_all("INSERT INTO answer (game, n, head) VALUES (?, ?, ?)", answers)
            run_all(
                "INSERT INTO client (game, name, key, handed) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (game, name) DO UPDATE SET handed = excluded.handed"
                " WHERE handed IS NOT excluded.handed",
                clients,
            )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._database.execute("COMMIT")
        except BaseException:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            raise

    def _check_version(self) -> None:
        found = self._database.execute("PRAGMA user_version").fetchone()[0]
        if found > VERSION:
            message = f"The store {str(self.path)!r} was written by a newer version."
            raise RubiconError("dice-server/newer", message, "Install that version.")
        self._database.execute(f"PRAGMA user_version = {VERSION}")

    def _check_key(self, public_key: bytes) -> None:
        row = self._database.execute("SELECT key FROM server").fetchone()
        if row is None:
            with self._transaction():
                self._database.execute("INSERT INTO server (key) VALUES (?)", (public_key,))
        elif row[0] != public_key:
            self.close()
            message = f"The games in {str(self.path)!r} belong to the key {row[0].hex()}."
            suggestion = "Put its key file back, or begin with an empty store."
            raise RubiconError("dice-server/other-key", message, suggestion)
