"""Players' own clients in the dice, over the API: present, silent, back again, cheated."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from rubicon.cli.main import main
from rubicon.client import ApiError, Client, DiceAlarm, DicePart, dice
from rubicon.client.session import ApiSession
from rubicon.dice.client import DiceClient
from rubicon.dice.errors import DiceError
from rubicon.dice.journal import Journal, compare
from rubicon.dice.lines.request import GivenLink
from rubicon.dice.transcript import entries_of
from rubicon.dice.verify import Verdict, verify
from rubicon.table.commands import advance
from tests.web.conftest import RunningServer, start, stop

SMALL = {"board": "skerries", "seats": 3, "bots": {2: "greedy"}}
PATIENT = {"entropy_wait": 600}  # however slow the machine is


@pytest.fixture(autouse=True)
def state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Journals without a name of their own do not go to the home of who runs the tests."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "rubicon" / "dice"


@contextmanager
def two(server: RunningServer, **wish: Any) -> Iterator[tuple[Client, Client, str]]:
    """Two people at a table whose game has not begun; Ann is its host."""
    with ExitStack() as stack:
        ann, bob = (stack.enter_context(server.client(name)) for name in ("Ann", "Bob"))
        game = ann.open_table(**(SMALL | {"settings": PATIENT} | wish))["game"]
        bob.join(game)
        yield ann, bob, game


def seat_of(client: Client, game: str) -> str:
    """The colour of a client."""
    return str(client.table(game)["your_seat"])


def checked(client: Client, game: str) -> Verdict:
    """What a checker says of the transcript that this client sees."""
    verdict = verify(entries_of(client.transcript(game)))
    assert verdict.ok, verdict.fault
    return verdict


def answers(client: Client, game: str) -> int:
    """The answered requests so far."""
    return client.transcript(game).count('"kind":"answer"')


def move(client: Client, game: str) -> dict[str, Any] | None:
    """Take the first attack there is, or else the first decision; None where none is pending."""
    legal = client.legal(game)
    if legal["decision"] is None:
        return None
    texts = [each["lowest"] for each in legal["ranges"]]
    attacks = [text for text in texts if text.startswith("attack")]
    try:
        return client.submit(game, legal["decision"], (attacks or texts)[0])
    except ApiError as error:
        if error.status not in (409, 503):  # it was decided by another, or dice wait
            raise
    return None


def play(people: tuple[Client, ...], game: str, enough: Callable[[], bool]) -> None:
    """Play until it is enough, or the game is over."""
    while not enough():
        assert people[0].game(game)["result"] is None, "the game ended too early"
        moved = [move(client, game) for client in people]
        if not any(moved):
            time.sleep(0.02)


def until(happened: Callable[[], object]) -> None:
    """Wait for something that other threads do."""
    end = time.monotonic() + 60
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.02)


def crash(client: Client, game: str) -> None:
    """End a program's part without a farewell."""
    client._dice.pop(game).stop()


def sit_and_play(server: RunningServer) -> None:
    """Two clients from the lobby on, in every roll."""
    with two(server) as (ann, bob, game):
        parts = [client.take_part(game) for client in (ann, bob)]
        ann.start(game)
        signed = '"signed":{'  # an order of one of them: the others are those of the bot
        play(
            (ann, bob),
            game,
            lambda: answers(ann, game) >= 8 and signed in ann.transcript(game),
        )
        verdict = checked(ann, game)
        genesis = json.loads(ann.transcript(game).split("\n")[0])["body"]
        for part in parts:
            seat = verdict.seats[part.seat]
            assert genesis["participants"][part.seat]["end"] == part.client.deposit.end.hex()
            assert seat.took_part in (verdict.requests, verdict.requests - 1)  # one may wait
            assert (seat.silent, seat.lost, seat.unsigned) == (0, 0, 0)
            assert part.client.alarms == []
            assert len(part.client.receipts) >= 8
        assert sum(seat.signed for seat in verdict.seats.values()) > 0
        assert verdict.without_clients == 0
        assert set(ann.game(game)["dice_clients"]) == {part.seat for part in parts}


def test_two_clients_are_in_every_roll(server: RunningServer) -> None:
    sit_and_play(server)


def test_two_clients_are_in_every_roll_of_a_server_process(tmp_path: Path) -> None:
    running = start(tmp_path)
    try:
        sit_and_play(running)
    finally:
        stop(running)


def test_a_whole_game_is_verified_with_the_journal(
    server: RunningServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with two(server, seats=3) as (ann, bob, game):
        part = ann.take_part(game, tmp_path / "ann.jsonl")
        ann.start(game)
        play((ann, bob), game, lambda: answers(ann, game) >= 3)
        giving = threading.Thread(target=ann.give_links, args=(game,))
        giving.start()
        for client in (bob, ann):
            if client.game(game)["result"] is None:
                client.out_of_turn(game, f"resign {seat_of(client, game)}")
        until(lambda: ann.game(game)["result"] is not None)
        giving.join(60)
        assert not giving.is_alive()
        file = tmp_path / "dice.jsonl"
        file.write_text(ann.transcript(game), "utf-8")
    capsys.readouterr()
    assert main(["verify", str(file), "--journal", str(tmp_path / "ann.jsonl")]) == 0
    given = len(part.client.receipts)
    said = f"journal of {part.seat}: {given} links given, {given} in answers, {given} receipts;"
    assert said in capsys.readouterr().out


def test_a_deposit_is_for_the_own_seat_only(server: RunningServer) -> None:
    with two(server) as (ann, bob, game), server.client("Cid") as cid:
        foreign = DiceClient(game, seat_of(bob, game)).deposit.form()
        body = {name: foreign[name] for name in ("key", "nonce", "end", "length")}
        body |= {"signature": foreign["sig"]}
        with pytest.raises(ApiError) as refused:
            ann._session.post(f"/games/{game}/dice/deposit", **body)
        assert refused.value.code == "dice/wrong-signature"
        with pytest.raises(ApiError) as refused:
            cid.take_part(game)
        assert (refused.value.status, refused.value.code) == (403, "seat/required")
        with pytest.raises(ApiError) as refused:
            cid._session.post(f"/games/{game}/dice/deposit", **body)
        assert (refused.value.status, refused.value.code) == (403, "seat/required")


def test_a_table_without_a_wait_takes_no_clients(server: RunningServer) -> None:
    with two(server, settings={"entropy_wait": 0}) as (ann, _, game):
        with pytest.raises(ApiError) as refused:
            ann.take_part(game)
        assert refused.value.code == "dice/no-clients"


def test_the_deposit_of_who_left_the_seat_does_not_stand(server: RunningServer) -> None:
    with two(server) as (ann, bob, game), server.client("Cid") as cid:
        seat = bob.take_part(game).seat
        bob.leave(game)
        assert cid.join(game, colour=seat) == seat
        ann.start(game)
        genesis = json.loads(ann.transcript(game).split("\n")[0])["body"]
        assert list(genesis["participants"]) == ["server"]


def test_the_deposit_follows_to_another_seat(server: RunningServer) -> None:
    with two(server) as (ann, bob, game):
        part = bob.take_part(game)
        before, first = part.seat, part.client
        ann.swap(game, before, seat_of(ann, game))
        until(lambda: part.seat != before and part.client.in_lobby)
        ann.start(game)
        genesis = json.loads(ann.transcript(game).split("\n")[0])["body"]
        end = genesis["participants"][part.seat]["end"]
        assert end == part.client.deposit.end.hex() != first.deposit.end.hex()
        assert before not in genesis["participants"]
        play((ann, bob), game, lambda: answers(ann, game) >= 2)
        assert part.client.alarms == []


def test_an_exchange_of_seats_before_the_stream_is_open_is_heard(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, exchanged = threading.Event(), threading.Event()
    stream = ApiSession.stream

    def late(session: ApiSession, *where: Any, **more: Any) -> Iterator[dict[str, Any]]:
        asked.set()
        assert exchanged.wait(60)
        yield from stream(session, *where, **more)

    monkeypatch.setattr(ApiSession, "stream", late)
    with two(server) as (ann, bob, game):
        part = bob.take_part(game)
        before = part.seat
        assert asked.wait(60)
        ann.swap(game, before, seat_of(ann, game))
        exchanged.set()
        until(lambda: part.seat != before and part.client.in_lobby)
        assert part.seat == seat_of(bob, game)


def waiting(ann: Client, bob: Client, game: str, unsent: threading.Event) -> threading.Thread:
    """Play until a roll waits for a link that stays `unsent`; the thread whose order waits."""

    def attack() -> None:
        while not unsent.is_set():  # a link that is under way already ends another wait
            try:
                moved = [move(client, game) for client in (ann, bob)]
            except DiceError as error:
                # The order that waits may be Bob's own, whose program is ended meanwhile.
                if error.code != "dice/cannot-write":
                    raise
                return
            if not any(moved):
                time.sleep(0.02)

    thread = threading.Thread(target=attack)
    thread.start()
    assert unsent.wait(60)
    assert ann.game(game)["waiting_for"] == "links"
    return thread


def test_a_client_is_started_again_in_the_middle_of_a_request(
    server: RunningServer, state_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with two(server) as (ann, bob, game), server.connect(bob.token) as again:
        first = bob.take_part(game)
        send, unsent = DicePart._send, threading.Event()

        def unplugged(part: DicePart, what: str, body: Any, **more: Any) -> Any:
            if what == "link":
                unsent.set()
                raise RuntimeError("the machine went down")
            return send(part, what, body, **more)

        ann.start(game)
        play((ann, bob), game, lambda: answers(ann, game) >= 2)
        monkeypatch.setattr(DicePart, "_send", unplugged)
        roll_waits = waiting(ann, bob, game, unsent)
        until(lambda: first.client.answered not in first.client.receipts)
        crash(bob, game)
        state = ann.game(game)
        assert state["waiting_for"] == "links"
        assert list(state["links_pending"]) == [first.seat]
        assert state["now"] < state["links_pending"][first.seat]
        monkeypatch.setattr(DicePart, "_send", send)
        kept = Journal.read((state_folder / f"{game}-{first.seat}.jsonl").read_text("utf-8"))
        part = again.take_part(game)
        roll_waits.join(60)
        assert not roll_waits.is_alive()
        assert part.client.own == first.client.own
        n = max(kept.given)
        until(lambda: n in part.client.receipts)
        until(lambda: answers(ann, game) > n)
        answer = [line for line in ann.transcript(game).split("\n") if '"kind":"answer"' in line][n]
        assert json.loads(answer)["body"]["links"][part.seat]["link"] == kept.given[n][2]
        assert checked(ann, game).seats[part.seat].silent == 0
        assert part.client.alarms == []


def silent_and_back(server: RunningServer, wait: int) -> Verdict:
    """A client is silent once, for `wait` seconds, and comes back; it may be too slow then."""
    with two(server, settings={"entropy_wait": wait}) as (ann, bob, game):
        ann.start(game)
        part = bob.take_part(game, background=False)  # it deposits, and then hears nothing
        assert part.client.takes_part
        play((ann, bob), game, lambda: checked(ann, game).seats[part.seat].silent == 1)
        assert part.seat not in ann.game(game)["dice_clients"]
        before = answers(ann, game)
        play((ann, bob), game, lambda: answers(ann, game) >= before + 2)  # without waiting for it
        assert checked(ann, game).silences[0].roll == "withheld"
        bob._dice[game].start()
        until(lambda: part.seat in ann.game(game)["dice_clients"])

        def settled() -> bool:
            seat = checked(ann, game).seats[part.seat]
            return seat.took_part_uncertified >= 1 or seat.silent > 1

        play((ann, bob), game, settled)
        verdict = checked(ann, game)
        assert verdict.seats[part.seat].took_part == 0  # nobody has certified its key
        return verdict


def test_a_silent_client_delays_one_roll_and_comes_back(server: RunningServer) -> None:
    for wait in (1, 5, 60):  # however slow the machine is
        verdict = silent_and_back(server, wait)
        if len(verdict.silences) == 1:
            break
    assert len(verdict.silences) == 1
    assert verdict.silences[0].roll != "withheld"


def test_who_leaves_is_waited_for_no_longer(server: RunningServer) -> None:
    with two(server) as (ann, bob, game):
        part = bob.take_part(game)
        ann.start(game)
        play((ann, bob), game, lambda: answers(ann, game) >= 2)
        bob.leave_dice(game)
        until(lambda: ann.game(game)["dice_clients"] == {})
        before = answers(ann, game)
        play((ann, bob), game, lambda: answers(ann, game) >= before + 2)
        seat = checked(ann, game).seats[part.seat]
        assert (seat.left, seat.silent) == (1, 0)
        again = bob.take_part(game)  # on the same chain
        until(lambda: again.client.takes_part)
        assert checked(ann, game).seats[part.seat].chains == 1


def test_spectators_see_the_transcript_with_the_delay_of_the_table(server: RunningServer) -> None:
    late = {"settings": PATIENT | {"delay": 3600}, "ruleset": "secret-mission"}
    with two(server, **late) as (ann, bob, game), server.client("Cid") as cid:
        ann.take_part(game)
        ann.start(game)
        play((ann, bob), game, lambda: answers(ann, game) >= 2)
        assert answers(cid, game) == 0
        assert ann.transcript(game).startswith(cid.transcript(game))


def test_the_journal_is_private_and_has_one_user(server: RunningServer, state_folder: Path) -> None:
    with two(server) as (ann, _, game), server.connect(ann.token) as other:
        part = ann.take_part(game)
        assert ann.take_part(game) is part
        file = state_folder / f"{game}-{part.seat}.jsonl"
        assert file.stat().st_mode & 0o777 == 0o600
        with pytest.raises(DiceError) as refused:
            other.take_part(game)
        assert refused.value.code == "dice/journal-locked"
        crash(ann, game)
        assert other.take_part(game).client.own == part.client.own


def test_a_chain_is_renewed_before_it_ends(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dice, "CHAIN_LENGTH", 66)
    with two(server) as (ann, bob, game):
        part = bob.take_part(game)
        ann.start(game)
        play((ann, bob), game, lambda: checked(ann, game).seats[part.seat].chains >= 2)
        verdict = checked(ann, game).seats[part.seat]
        assert (verdict.silent, verdict.uncertified, len(verdict.keys)) == (0, 0, 1)
        assert part.client.alarms == []


def test_a_server_that_hides_a_link_is_caught(
    server: RunningServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with two(server) as (ann, bob, game), server.connect(bob.token) as again:
        journal, file = tmp_path / "bob.jsonl", tmp_path / "dice.jsonl"
        part = bob.take_part(game, journal)
        ann.start(game)
        honest = advance._links

        def hidden(hosted: Any) -> dict[str, GivenLink | None]:
            links = honest(hosted)
            return links | {part.seat: None} if part.seat in links else links

        monkeypatch.setattr(advance, "_links", hidden)
        play((ann,), game, lambda: bob.game(game)["decision"] is not None)

        def cheated() -> None:
            play((ann, bob), game, lambda: checked(ann, game).seats[part.seat].silent > 0)
            bob.check_dice(game)

        with pytest.raises(DiceAlarm) as alarm:
            cheated()
        monkeypatch.undo()
        assert alarm.value.code == "false-silence"
        assert alarm.value.journal == journal
        assert "gives no further links" in str(alarm.value)
        file.write_text(ann.transcript(game), "utf-8")
        n = part.client.answered
        play((ann, bob), game, lambda: answers(ann, game) > n + 2)  # without its links
        assert part.client.answered == n
        crash(bob, game)
        with pytest.raises(DiceAlarm):  # the journal remembers
            again.take_part(game, journal)
        found = compare(Journal.read(journal.read_text("utf-8")), entries_of(file.read_text()))
        assert [(one.code, one.proof) for one in found.findings] == [("false-silence", True)]
        capsys.readouterr()
        assert main(["verify", str(file), "--journal", str(journal)]) == 1
        assert "PROOF OF FRAUD: [dice/false-silence]" in capsys.readouterr().out


def test_links_that_are_not_wanted_have_no_effect(server: RunningServer) -> None:
    with two(server) as (ann, _, game):
        ann.start(game)
        body = {"link": "ab" * 32, "signature": "cd" * 64}
        with pytest.raises(ApiError) as refused:
            ann._session.post(f"/games/{game}/dice/link", n=99, **body)
        assert refused.value.code == "dice/no-link-wanted"
        with pytest.raises(ApiError) as refused:
            ann._session.post(f"/games/{game}/dice/link", n=99, link="AB" * 32, signature="cd" * 64)
        assert refused.value.status == 400
