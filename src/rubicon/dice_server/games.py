"""The games of a dice server in memory: loaded when asked for, stored before an answer goes out."""

from __future__ import annotations

import re
import sqlite3
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rubicon.dice.errors import DiceError
from rubicon.dice.hashing import SIZE, keyed
from rubicon.dice.keys import public_key
from rubicon.dice.lines.deposit import Deposit
from rubicon.dice.lines.request import GivenLink
from rubicon.dice.participants.dice_server import DiceServerGame, LinkQuestion
from rubicon.dice.participants.public_log import MOST_SHOWN, AnsweredRequest, PublicLog
from rubicon.dice_server.settings import DiceServerSettings
from rubicon.dice_server.store import DiceStore
from rubicon.errors import RubiconError

DAY = 24 * 3600  # seconds
GAME_ID = re.compile(r"[A-Za-z0-9_-]{1,80}")


class OpenedGames:
    """The games; every method may be called from any thread, and they run one after another.

    `owner` is who asks: the name of a token, or an address where no tokens are needed.
    """

    def __init__(
        self,
        store: DiceStore,
        private_key: bytes,
        settings: DiceServerSettings,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.key = public_key(private_key)
        self._store = store
        self._private_key = private_key
        self._settings = settings
        self._clock = clock
        self._lock = threading.Lock()
        self._games: OrderedDict[str, DiceServerGame] = OrderedDict()

    def open(self, game: str, owner: str) -> Deposit:
        """The deposit of a game, the same for ever; DiceError refuses."""
        if not GAME_ID.fullmatch(game):
            message = f"A game cannot be called {game[:40]!r}."
            raise DiceError("dice/game-id", message, "Use letters, digits, - and _.")
        with self._lock:
            found = self._found(game)
            if found is not None:
                self._check_owner(game, owner)
                return found.deposit()
            hidden = self._hidden(owner)
            at, most = int(self._clock()), self._settings.games_per_day
            if most and self._store.opened_since(hidden, at - DAY) >= most:
                message = f"You have opened {most:,} games in a day."
                raise DiceError("dice/too-many-games", message, "Try again tomorrow.")
            begun = DiceServerGame.begin(game, self._private_key)
            deposit = begun.deposit()
            with _store_errors():
                self._store.begin(begun, hidden, at)
            self._keep(begun)
            return deposit

    def link(self, question: LinkQuestion, owner: str) -> GivenLink:
        """The link for a request, stored; DiceError refuses."""
        with self._changed(question.game) as game:
            self._check_owner(game.game, owner)
            return game.answer(question)

    def hand_in(
        self, game: str, name: str, n: int, head: bytes, given: GivenLink, receipt: bytes
    ) -> None:
        """A client's link with the table's receipt; no list may call it missing from then on."""
        with self._changed(game) as known:
            known.hand_in(name, n, head, given, receipt)

    def log(self, game: str, after: int = -1) -> PublicLog:
        """The public log behind a request, at most MOST_SHOWN requests of it."""
        with self._lock:
            known = self._known(game)
            genesis = known.bound[0] if known.bound is not None else b""
            shown = range(after + 1, min(after + 1 + MOST_SHOWN, known.next_request))
            answered = tuple(
                AnsweredRequest(n, known.heads[n], known.given(genesis, n).link) for n in shown
            )
            total, refusals = known.next_request, tuple(known.refusals)
            return PublicLog(game, genesis, total, answered, refusals)

    def __len__(self) -> int:
        return len(self._games)

    @contextmanager
    def _changed(self, name: str) -> Iterator[DiceServerGame]:
        """A game that may change, and is stored behind the change, a refusal too."""
        with self._lock:
            game = self._known(name)
            answered, before = game.next_request, _state(game)
            try:
                try:
                    yield game
                finally:
                    if _state(game) != before:
                        with _store_errors():
                            self._store.save(game, answered)
            except BaseException as error:
                if not isinstance(error, DiceError):
                    self._games.pop(name, None)  # what is in memory may not be stored
                raise

    def _known(self, game: str) -> DiceServerGame:
        found = self._found(game)
        if found is None:
            message = f"There is no game {game[:40]!r}."
            raise DiceError("dice/unknown-game", message, "It is opened by its table first.")
        return found

    def _found(self, game: str) -> DiceServerGame | None:
        found = self._games.get(game)
        if found is None:
            with _store_errors():
                found = self._store.load(game, self._private_key)
        if found is not None:
            self._keep(found)
        return found

    def _keep(self, game: DiceServerGame) -> None:
        self._games[game.game] = game
        self._games.move_to_end(game.game)
        while len(self._games) > self._settings.games_in_memory:
            self._games.popitem(last=False)

    def _check_owner(self, game: str, owner: str) -> None:
        """With tokens, a game belongs to the table that has opened it."""
        if self._settings.tokens and self._store.owner(game) != self._hidden(owner):
            message = f"The game {game[:40]!r} belongs to another table."
            raise DiceError("dice/not-yours", message, "Ask with the token that opened it.")

    def _hidden(self, owner: str) -> str:
        """The owner as it is stored: an address is personal data."""
        return keyed(self._private_key, b"owner " + owner.encode())[: SIZE // 2].hex()


def _state(game: DiceServerGame) -> tuple[object, ...]:
    """Everything of a game that changes."""
    handed = dict(game.handed)
    return game.bound, game.next_request, len(game.keys), handed, len(game.refusals)


@contextmanager
def _store_errors() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        message = f"The store of the dice server is unavailable: {error}."
        raise RubiconError("dice-server/store-unavailable", message, "Try again.") from error
