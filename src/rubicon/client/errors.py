"""The errors of the API, as the client raises them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rubicon.dice.participants.client import Alarm


class ApiError(Exception):
    """An error of the API: `code` is stable, `status` the HTTP status (0 without a response).

    `body` is the whole JSON object, with fields such as `decision` and `problems`.
    """

    def __init__(self, status: int, body: Mapping[str, Any]) -> None:
        self.status = status
        self.code = str(body.get("code", ""))
        self.body = dict(body)
        super().__init__(f"{body.get('message', '')} {body.get('suggestion', '')}".strip())


class DiceAlarm(Exception):
    """The server did with the dice what an honest server does not do; no more links are given.

    Raised once by the next call for the game. `alarms` says what was seen, `journal` is the file
    with the evidence.
    """

    def __init__(self, game: str, alarms: Sequence[Alarm], journal: Path) -> None:
        self.game = game
        self.alarms = tuple(alarms)
        self.journal = journal
        self.code = alarms[0].code
        seen = " ".join(map(str, alarms))
        honest = (
            "An honest server does this only behind a restore, and then the game goes on as a fork"
            if self.code == "lines-lost"
            else "An honest server does not do this"
        )
        super().__init__(
            f"The dice of game {game} are not to be trusted: {seen} {honest}; your program gives no"
            f" more links. Tell the other players, keep {journal}, get"
            f" the transcript, and run: rubicon verify --journal {journal} TRANSCRIPT"
        )
