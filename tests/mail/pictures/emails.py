"""One e-mail of each kind, from a game of six on the world map."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

from rubicon.mail.mail_steps import LineMistake
from rubicon.mail.one_time_codes import CodePurpose
from rubicon.mail.writing.answers import AnswerRecipient, CodeToWrite
from rubicon.table.notices import GameOver
from tests.mail.joining.lobby import ZOE, Lobby, lobby_of
from tests.mail.writing.played import PlayedGame, played_game
from tests.mail.writing.test_answers import IDS, answer_of
from tests.mail.writing.test_forms import form_for
from tests.mail.writing.test_news import body_of, facts, last_battle
from tests.table.hosted import GAME

ARRIVED = 1_795_000_000_000  # milliseconds since 1970
UNCLEAR = "World has no territory 'ontaria'.", "Did you mean Ontario?"
MISTAKE = LineMistake(line=2, message=UNCLEAR[0], suggestion=UNCLEAR[1], text="place 18 ontaria")
ANSWERS = {
    "answer-corrected": answer_of(
        "corrected",
        "1 line is unclear. Nothing was done.",
        orders="TRADE BEST\n// ??? place 18 ontaria\nEND",
        mistakes=(MISTAKE,),
    ),
    "answer-question": answer_of(
        "question",
        "The form came back as it was sent. To have exactly these orders carried out, copy them to "
        "the top of your reply. Nothing was done.",
    ),
    "answer-vote": answer_of(
        "noted", "Your vote for 'extend' is counted. It waits for the votes of others."
    ),
}
CODES = {CodePurpose.RESIGN: "RESIGN", CodePurpose.ADDRESS: "ADDRESS ann@example.org"}


def emails(folder: Path) -> dict[str, EmailMessage]:
    """The e-mails by short names."""
    with played_game(folder) as played:
        played.play_until(4)
        played.add_accounts()
        of_game = [*_news(played), *_answers(played)]
    (folder / "lobby").mkdir()
    with lobby_of(folder / "lobby") as lobby:
        return dict([*of_game, *_joining(lobby)])


def _news(played: PlayedGame) -> Iterator[tuple[str, EmailMessage]]:
    seat = played.hosted.mover()[0]
    yield "turn", played.write(played.pending(seat)).message
    yield "reminder", played.write(played.pending(seat, "deadline", number=8)).message
    battle = last_battle(played)
    capture = battle[1][1]
    for name, side in (("attacker", capture["seat"]), ("defender", capture["before"])):
        pending = played.pending(side, "dice", body_of(battle), number=-3)
        yield f"dice-{name}", played.write(pending).message
    award = facts(played, "awarded")[-1]
    yield "award", played.write(played.pending(seat, "award", body_of([award]), number=-4)).message
    found = facts(played, "rolled", "captured", "drew", "decided", "awarded")
    yield "digest", played.write(played.pending(seat, "digest", body_of(found), number=-5)).message
    for name, result in (("over-won", "green"), ("over-draw", "draw")):
        body = GameOver(result, "the game is won")
        yield name, played.write(played.pending("blue", "over", body)).message


def _answers(played: PlayedGame) -> Iterator[tuple[str, EmailMessage]]:
    writer, at = played.answer_writer(), played.now()
    to = AnswerRecipient(game=GAME, seat=played.hosted.mover()[0], message=3, subject="")
    snapshot = played.hosted.snapshot
    for name, given in ANSWERS.items():
        yield name, writer.write_answer(given, to, IDS, snapshot, at).message
    for purpose, asked in CODES.items():
        code = CodeToWrite(purpose=purpose, code="7G3K-QQ22", asked=asked)
        yield f"code-{purpose}", writer.write_code(code, to, snapshot, at).message
    yield "returned", writer.write_returned("x@example.com", IDS, 5, ARRIVED, ARRIVED).message
    orders = "\n".join(line.removeprefix("// ") for line in form_for(played, to.seat).lines)
    receipt = played.hosted.submit(orders, seat=to.seat, orders=True)
    done = answer_of("done", "Your orders are carried out.", orders=orders)
    lines, after = (receipt.first, receipt.last), played.hosted.snapshot
    yield "answer-done", writer.write_answer(done, to, IDS, after, at, lines=lines).message


def _joining(lobby: Lobby) -> Iterator[tuple[str, EmailMessage]]:
    said = {"refused": "JOIN Mateo", "seated": "JOIN Zoe", "left": "LEAVE", "unclear": "What now?"}
    lobby.write("Hello", name="Zoe Miller")
    yield "join-asked", lobby.got(ZOE)[-1]
    for name, text in said.items():
        lobby.say(text)
        yield f"join-{name}", lobby.got(ZOE)[-1]
