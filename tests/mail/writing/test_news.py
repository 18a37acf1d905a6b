"""News: dice in the words of attacker, defender and onlooker, awards, digests; short notices."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, select, update

from rubicon.engine.records import Phase, copy_position
from rubicon.mail.writing.history import NumberedFact, numbered_facts, turns_in
from rubicon.mail.writing.layout import as_text
from rubicon.mail.writing.news_emails import news_email
from rubicon.mail.writing.scene import scene_of
from rubicon.mail.writing.turn_email import Answering
from rubicon.rules.actions import Attack
from rubicon.rules.events import Awarded, Drew, Rolled
from rubicon.server.notifications import News
from rubicon.table.game.snapshot import Snapshot
from rubicon.table.notices import Fact, GameOver, Notice, TableEvent, read_facts
from rubicon.table.storage import schema
from rubicon.telling.turns import TurnEvents
from tests.mail.writing.played import PlayedGame, played_game
from tests.mail.writing.test_turn_email import html_of, text_of

MOST_SHORT = 25_000
Found = list[tuple[int, dict[str, Any]]]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedGame]:
    with played_game(tmp_path_factory.mktemp("news")) as made:
        made.play_until(4)
        yield made


def facts(played: PlayedGame, *events: str) -> Found:
    """The log index and the fact of public events, the last one last."""

    def read(connection: Connection) -> Found:
        notice = schema.notification.c
        wanted = select(notice.log_index, notice.body).where(
            notice.kind == "events", notice.seat == "*"
        )
        rows = connection.execute(wanted.order_by(notice.id)).all()
        return [(row.log_index, fact) for row in rows for fact in json.loads(row.body)]

    return [(at, fact) for at, fact in played.store.read(read) if fact.get("event") in events]


def body_of(found: Found) -> News:
    events = read_facts(json.dumps([fact for _, fact in found]))
    return News(events, found[0][0], found[-1][0])


@contextmanager
def events_with(played: PlayedGame, at: int, fact: dict[str, Any]) -> Iterator[None]:
    """Let a notification of events tell one fact more."""
    notice = schema.notification
    own = (notice.c.log_index == at) & (notice.c.seat == "*") & (notice.c.kind == "events")
    body = played.store.read(lambda c: c.execute(select(notice.c.body).where(own)).scalar_one())

    def tell(text: str) -> None:
        change = update(notice).where(own).values(body=text)
        played.store.write(lambda c: c.execute(change).rowcount).result()

    tell(json.dumps([*json.loads(body), fact]))
    try:
        yield
    finally:
        tell(body)


def last_battle(played: PlayedGame) -> Found:
    """The last roll that took a territory, and its capture."""
    rolls, taken = facts(played, "rolled"), facts(played, "captured")
    at, capture = next((at, fact) for at, fact in reversed(taken) if fact["before"] != "neutral")
    target = capture["territory"]
    roll = next((i, f) for i, f in reversed(rolls) if i <= at and f["target"] == target)
    return [roll, (at, capture)]


def test_each_side_reads_of_a_battle_in_its_own_words(played: PlayedGame) -> None:
    found = last_battle(played)
    capture, roll = found[1][1], found[0][1]
    territory = capture["territory"]
    name = next(
        t.name for t in played.hosted.snapshot.ruleset.board.territories if t.id == territory
    )
    colours = played.hosted.snapshot.game().colours
    other = next(c for c in colours if c not in (capture["seat"], capture["before"]))
    texts = {}
    for seat in (capture["seat"], capture["before"], other):
        message = played.write(played.pending(seat, "dice", body_of(found), number=-3)).message
        texts[seat] = text_of(message)
        assert message["Subject"].startswith("Dice: ")
        assert len(message.as_bytes()) <= MOST_SHORT
    dice = " ".join(str(face) for face in sorted(roll["roll"]["attack"], reverse=True))
    assert all(f"{dice} v " in text for text in texts.values())
    assert f"You took {name} from" in texts[capture["seat"]]
    assert f"took {name} from you" in texts[capture["before"]]
    assert f"took {name} from you" not in texts[other]
    assert "Ties go to the defender." in texts[other]


def test_an_award_is_itemised_for_everybody(played: PlayedGame) -> None:
    at, award = facts(played, "awarded")[-1]
    total = sum(award[item] for item in ("territories", "continents", "capitals", "rewards"))
    other = next(c for c in played.hosted.snapshot.game().colours if c != award["seat"])
    pending = played.pending(other, "award", body_of([(at, award)]), number=-4)
    message = played.write(pending).message
    assert f"receives {total} armies (Letters from Lyon, round" in message["Subject"]
    text = " ".join(text_of(message).split())
    held = len(held_by(played, award["seat"]))
    territories = "territory" if held == 1 else "territories"
    assert f"{award['territories']} for {held} {territories}" in text
    assert "Reply NEWS DIGEST for one e-mail a day, or NEWS NEVER for no news of others." in text
    assert len(message.as_bytes()) <= MOST_SHORT


def held_by(played: PlayedGame, seat: str) -> set[int]:
    """The territories of a seat."""
    game = played.hosted.snapshot.game()
    return {t for t, owner in enumerate(game.position.owner) if owner == game.seat(seat)}


def award_told(played: PlayedGame, snapshot: Snapshot, award: Awarded) -> str:
    """The e-mail of an award to another seat than the one that gets it."""
    other = next(c for c in snapshot.game().colours if c != award.seat)
    pending = played.pending(other, "award")
    scene = played.store.read(partial(scene_of, pending, snapshot, played.now(), "https://x"))
    content = news_email(scene, "award", [TurnEvents(award.seat, events=[award])], Answering())
    return " ".join(as_text(content).split())


def test_an_award_names_the_continents_if_they_are_held_still(played: PlayedGame) -> None:
    snapshot = played.hosted.snapshot
    board, game = snapshot.ruleset.board, snapshot.game()
    seat, other, *_ = map(game.seat, game.colours)
    continent = min(board.continents, key=lambda each: len(each.territories))
    without = copy_position(snapshot.position)
    without.phase, without.turn = Phase.REINFORCE, seat
    without.owner[[each.territories[0] for each in board.continents]] = other
    within = copy_position(without)
    within.owner[list(continent.territories)] = seat
    award = Awarded(game.colours[seat], 99, continent.bonus, 0, 0)
    told = award_told(played, replace(snapshot, position=within), award)
    assert f"99 for territories and {continent.bonus} for {continent.name}, held when" in told
    told = award_told(played, replace(snapshot, position=without), award)
    assert f"99 for territories and {continent.bonus} for continents, held when" in told


def test_the_email_in_which_a_player_goes_out_says_what_comes_then(played: PlayedGame) -> None:
    found = last_battle(played)
    victim = found[1][1]["before"]
    at = found[-1][0]
    gone = {"kind": "event", "event": "eliminated", "seat": victim, "by": "red", "text": ""}
    pending = played.pending(victim, "dice", body_of([*found, (at, gone)]), number=-3)
    message = played.write(pending).message
    assert "You are out of the game." not in text_of(message)  # it is in no log
    with events_with(played, at, gone):
        text = " ".join(text_of(played.write(pending).message).split())
    assert "You are out of the game." in text
    assert "To keep following the game, reply NEWS DIGEST" in text


def test_every_link_leads_to_a_page_of_the_app(played: PlayedGame) -> None:
    # The views of App.svelte behind /games/GAME, where e-mails lead to.
    views = r"(?:/(?:cards|rolls|dice|review|rules))?"
    page = rf"https://risk\.example\.org(?:/games/abcdefghij{views}|/account|/unsubscribe/.+)?"
    found = facts(played, "rolled", "captured", "awarded")[-20:]
    seat = played.hosted.mover()[0]
    told: dict[str, Notice | News | None] = {
        "decision": None,
        "award": body_of(found),
        "dice": body_of(found),
    }
    told["over"] = GameOver(seat, "the game is won")
    for kind, body in told.items():
        message = played.write(played.pending(seat, kind, body, number=-8)).message
        links = re.findall(r"https?://[^\s\"<>]+", f"{text_of(message)} {html_of(message)}")
        assert any("/games/abcdefghij" in link for link in links)
        wrong = [
            link for link in links if "risk.example.org" in link and not re.fullmatch(page, link)
        ]
        assert wrong == []


def test_votes_and_absences_are_told_with_what_agrees(played: PlayedGame) -> None:
    at, award = facts(played, "awarded")[-1]
    votes = {"draw": frozenset({"blue", "green"}), "replace black": frozenset({"red"})}
    snapshot = replace(played.hosted.snapshot, votes=votes, away={"green": 1_800_000_000_000})
    texts = {}
    for seat, kind, body in (("red", "award", body_of([(at, award)])), ("blue", "decision", None)):
        pending = played.pending(seat, kind, body, number=-7)
        message = played.writer.write(pending, snapshot, played.now()).message
        texts[seat] = " ".join(text_of(message).split())
    assert "* Ann and Priya vote for a draw. To agree, reply VOTE DRAW CONFIRM." in texts["red"]
    assert "* You vote for a stand-in for Otto." in texts["red"]
    assert "* You and Priya vote for a draw. *" in texts["blue"]
    agree = "votes for a stand-in for Otto. To agree, reply REPLACE black CONFIRM."
    assert f"* Mateo {agree}" in texts["blue"]
    absent = "* Priya has announced an absence, until Friday 15 January 2027, 09:00 in Paris"
    assert all(absent in text for text in texts.values())


def test_a_digest_tells_turns_and_rolls(played: PlayedGame) -> None:
    found = facts(played, "rolled", "captured", "drew", "decided", "awarded")
    seat = played.hosted.mover()[0]
    message = played.write(played.pending(seat, "digest", body_of(found), number=-5)).message
    text = text_of(message)
    assert message["Subject"] == "Today in Letters from Lyon"
    assert "Armies awarded:" in text
    assert " v " in text
    assert "You places" not in text


@pytest.mark.parametrize(
    ("result", "subject"),
    [
        ("draw", "A draw: Letters from Lyon"),
        ("void", "Closed without a winner: Letters from Lyon"),
        ("green", "Priya has won Letters from Lyon"),
    ],
)
def test_the_end_names_its_winner(played: PlayedGame, result: str, subject: str) -> None:
    body = GameOver(result, "the game is won")
    message = played.write(played.pending("blue", "over", body)).message
    assert message["Subject"] == subject
    assert "This is the last e-mail of this game." in text_of(message)
    assert message["Reply-To"] is None
    assert re.search(r"Fair dice do worse in \d+ of 100 games", text_of(message))


def test_the_reminder_has_the_form_and_the_subject_of_its_turn(played: PlayedGame) -> None:
    seat = played.hosted.mover()[0]
    turn = played.write(played.pending(seat)).message
    reminder = played.write(played.pending(seat, "deadline", number=8)).message
    assert reminder["Subject"] == f"Re: {turn['Subject']}"
    assert "DEPLOY" in text_of(reminder)
    assert reminder["Message-ID"] != turn["Message-ID"]


def test_rolls_get_the_numbers_of_their_outcomes_in_order() -> None:
    roll = Rolled("red", "blue", "alaska", "kamchatka", None, 1, 0)
    rows: list[tuple[int, list[Fact]]] = [(5, [roll]), (9, [Drew("red", None), roll, roll])]
    numbered = list(numbered_facts(rows, [(4, "1"), (7, "2"), (8, "3")]))
    assert [each.number for each in numbered] == ["1", "", "2", "3"]


def test_lines_of_the_table_are_no_part_of_a_turn() -> None:
    vote = TableEvent(event="vote", seat="red", text="draw")
    (turn,) = turns_in([NumberedFact(vote), NumberedFact(Drew("red", None))])
    assert turn.events == [Drew("red", None)]


def test_the_dice_of_orders_that_were_carried_out_at_once_have_their_numbers(
    tmp_path: Path,
) -> None:
    with played_game(tmp_path, players=3) as own:
        seat = own.play_until(1, phase="attack")
        legal = own.hosted.snapshot.game().legal
        attack = next(each.lowest for each in legal.ranges if isinstance(each.lowest, Attack))
        orders = f"ATTACK {attack.source} -> {attack.target} UNTIL ROUNDS 2"
        own.hosted.submit(orders, seat=seat, orders=True)
        rolls = facts(own, "rolled")
        at, roll = rolls[-1]
        pending = own.pending(roll["attacker"], "dice", body_of([(at, roll)]), number=-6)
        text = text_of(own.write(pending).message)
    # As the page of the dice counts them: all rolls of the game from 1.
    assert re.search(rf"^{len(rolls)} +[1-6 ]+ v ", text, re.MULTILINE)
