"""No part of an e-mail depends on what its recipient may not see."""

from __future__ import annotations

from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path

import pytest

from rubicon.engine.records import copy_position
from rubicon.server.notifications import News
from rubicon.table.game.snapshot import Snapshot
from tests.mail.writing.played import PlayedGame, played_game
from tests.mail.writing.test_forms import PRESETS, bot_move

WRITTEN = 12  # e-mails of a game
BETWEEN = 25  # decisions between two of them
MOST_MOVES = 600


@pytest.mark.parametrize("preset", PRESETS)
def test_e_mails_are_the_same_whatever_is_hidden_from_the_seat(tmp_path: Path, preset: str) -> None:
    compared = 0
    with played_game(tmp_path, preset, PRESETS[preset]) as played:
        for move in range(MOST_MOVES):
            if played.hosted.snapshot.ending is not None or compared == WRITTEN:
                break
            if move % BETWEEN == 0:
                compare(played)
                compared += 1
            bot_move(played)
    assert compared >= WRITTEN // 4  # the dice may end a game soon


def compare(played: PlayedGame) -> None:
    """Write each seat's e-mail from the game, and from the seat's own view of it."""
    whole = played.hosted.snapshot
    at = played.now()
    for seat in whole.game().colours:
        kind = "decision" if seat in whole.decisions else "award"
        body = News((), 0, 0) if kind == "award" else None
        pending = replace(played.pending(seat, kind, body), at=at)
        seen = replace(whole, position=copy_position(whole.game().view(seat)))
        first, second = (played.writer.write(pending, each, at).message for each in (whole, seen))
        assert parts(first) == parts(second)
        for secret in secrets_of(whole, seat):
            assert all(secret not in part for part in parts(first)), secret


def parts(message: EmailMessage) -> list[str]:
    """Every part of an e-mail, the picture as text too."""
    found = [str(message["Subject"])]
    for part in message.walk():
        if not part.is_multipart():
            data = part.get_payload(decode=True)
            assert isinstance(data, bytes)
            found.append(data.decode("utf-8", "replace"))
    return found


def secrets_of(snapshot: Snapshot, seat: str) -> list[str]:
    """The missions of the others, where they are in play."""
    game = snapshot.game()
    board = snapshot.ruleset.board
    position = game.position
    own = int(position.mission[game.seat(seat)])
    numbers = {int(position.mission[game.seat(c)]) for c in game.colours} - {own, -1}
    return [board.missions[n].text for n in numbers] if game.rules.missions_in_play else []
