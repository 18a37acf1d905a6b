"""What other hosts on the same database have done, handed on to those who watch here."""

from __future__ import annotations

from collections.abc import Callable

from rubicon.host.accounts import Accounts
from rubicon.table.chat import Talk
from rubicon.table.listening import Change, Listener, What
from rubicon.table.lobby import Lobby
from rubicon.table.store import Store


class Elsewhere:
    """Listens to the database from `start` on; pages are for whoever watches them."""

    def __init__(self, store: Store, lobby: Lobby, talk: Talk, accounts: Accounts) -> None:
        self._store = store
        self._lobby = lobby
        self._talk = talk
        self._accounts = accounts
        self._watchers: list[Callable[[Change], None]] = []
        self._listener: Listener | None = None

    def watch(self, watcher: Callable[[Change], None]) -> None:
        """Be told of each page that another host has committed, in a thread that may wait."""
        self._watchers.append(watcher)

    def start(self) -> None:
        """Begin to listen."""
        self._listener = Listener(self._store, self.hear)

    @property
    def deaf_seconds(self) -> float:
        """How long others were not heard so far, in all."""
        return self._listener.deaf_seconds if self._listener is not None else 0.0

    def close(self) -> None:
        """Listen no more."""
        if self._listener is not None:
            self._listener.close()

    def hear(self, change: Change) -> None:
        """Hand on a change."""
        match change.what:
            case What.PAGE:
                for watcher in self._watchers:
                    watcher(change)
            case What.TABLE:
                self._lobby.tell(change.game)
            case What.CHAT:
                self._talk.hear(change.number)
            case What.ACCOUNTS:
                self._accounts.forget()
