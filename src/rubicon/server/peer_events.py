"""Changes that other servers on the same database have committed, dispatched in this one."""

from __future__ import annotations

from collections.abc import Callable

from rubicon.server.accounts.accounts import Accounts
from rubicon.table.service.chat import ChatService
from rubicon.table.service.lobby_service import Lobby
from rubicon.table.storage.database import Store
from rubicon.table.storage.notifications import Change, ChangeKind, Listener


class PeerEvents:
    """Listens to the database from `start` on; changes of games go to the subscribers."""

    def __init__(self, store: Store, lobby: Lobby, chat: ChatService, accounts: Accounts) -> None:
        self._store = store
        self._lobby = lobby
        self._chat = chat
        self._accounts = accounts
        self._subscribers: list[Callable[[Change], None]] = []
        self._listener: Listener | None = None

    def subscribe(self, subscriber: Callable[[Change], None]) -> None:
        """Call `subscriber` for each committed change of a game, in a thread that may block."""
        self._subscribers.append(subscriber)

    def start(self) -> None:
        """Open the LISTEN connection."""
        self._listener = Listener(self._store, self.dispatch)

    @property
    def disconnected_seconds(self) -> float:
        """Total time without a LISTEN connection, during which changes arrived late."""
        return self._listener.disconnected_seconds if self._listener is not None else 0.0

    def close(self) -> None:
        """Close the LISTEN connection."""
        if self._listener is not None:
            self._listener.close()

    def dispatch(self, change: Change) -> None:
        """Pass a change to the part of this server that it concerns."""
        match change.what:
            case ChangeKind.GAME:
                for subscriber in self._subscribers:
                    subscriber(change)
            case ChangeKind.TABLE:
                self._lobby.publish(change.game)
            case ChangeKind.CHAT:
                self._chat.publish(change.number)
            case ChangeKind.ACCOUNTS:
                self._accounts.invalidate()
