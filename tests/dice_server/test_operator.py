"""What a cheating operator of a table tries on an independent dice server, and how it ends.

The table is a real one with its own database; the dice server is a real process.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from rubicon.dice.client import DiceClient
from rubicon.dice.crypto import sign
from rubicon.dice.dice_server import LinkQuestion, handed_in
from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.members import Deposit
from rubicon.dice.lines.request import GivenLink, LinksLine
from rubicon.dice.lines.state import SERVER, given_hash
from rubicon.dice.verify import verify
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.server.dice_server import RemoteDiceServer
from rubicon.table.commands import advance
from rubicon.table.commands.dice_participants import LinkReceipt
from rubicon.table.commands.submit import Receipt
from rubicon.table.errors import DiceRefused
from rubicon.table.game.game_cache import dice_of, dice_texts, secrets_of
from rubicon.table.game.hosted_game import HostedGame
from rubicon.table.settings import Settings
from rubicon.table.storage.database import Store, migrate
from rubicon.table.table_service import TableService
from tests.dice_server.running import DiceServerProcess, dice_server
from tests.table.hosted import GAME, SOON, Hosted
from tests.waiting import until


class Listening:
    """The table's side, which keeps the questions."""

    def __init__(self, remote: RemoteDiceServer) -> None:
        self.remote = remote
        self.questions: list[LinkQuestion] = []

    def open(self, game: str) -> Future[Deposit]:
        """Pass it on."""
        return self.remote.open(game)

    def link(self, question: LinkQuestion) -> Future[GivenLink]:
        """Pass it on, and keep it."""
        self.questions.append(question)
        return self.remote.link(question)


class Crime:
    """A table, its database in a file, and the dice server that it would like to cheat."""

    def __init__(self, folder: Path, dice: DiceServerProcess) -> None:
        self.folder = folder
        self.dice = dice
        self.listening = Listening(dice.client())
        self.open()
        migrate(self.store)
        self.game.begin(Ruleset.load("classic", board="skerries"), 3, Settings())

    def open(self) -> None:
        """Start the table server."""
        self.store = Store.open(f"sqlite:///{self.folder}/table.db")
        self.game = Hosted(TableService(self.store, dice=self.listening))

    def copied(self, name: str) -> None:
        """Stop the table server, copy its database, and start it again."""
        self.store.close()
        shutil.copy(self.folder / "table.db", self.folder / name)
        self.open()

    def restored(self, name: str) -> None:
        """Start the table server on an older copy of its database."""
        self.store.close()
        shutil.copy(self.folder / name, self.folder / "table.db")
        self.open()

    def close(self) -> None:
        """Stop the table server."""
        self.store.close()

    @property
    def last(self) -> LinkQuestion:
        """The last question that was asked."""
        return self.listening.questions[-1]

    def ask(self, question: LinkQuestion) -> GivenLink:
        """Ask the dice server."""
        return self.listening.remote.link(question).result(SOON)

    def signed(
        self, change: Callable[[LinksLine], LinksLine], n: int | None = None
    ) -> LinkQuestion:
        """The last question with a changed list, signed with the table server's real key."""
        asked = self.last
        entry = Entry.parse(asked.line)
        number = asked.n if n is None else n
        given = {SERVER: bytes.fromhex(str(entry.body["list"]["server"]))}  # type: ignore[index,call-overload]
        line = change(LinksLine(number, given))
        made = Entry(entry.seq, entry.prev, LinksLine.kind, line.form())
        key = self.store.read(partial(secrets_of, game=GAME)).private_key
        text = made.signed(sign(key, made.head)).text()
        return replace(asked, n=number, line=text)

    def refused(self, question: LinkQuestion) -> str:
        """The code of the refusal of a question."""
        with pytest.raises(DiceRefused) as caught:
            self.ask(question)
        return caught.value.reason


@pytest.fixture
def crime(tmp_path: Path) -> Iterator[Crime]:
    with dice_server(tmp_path) as dice:
        made = Crime(tmp_path, dice)
        yield made
        made.close()


def to_a_roll(game: Hosted, order: int) -> None:
    """Play until the next dice of an attack; `order` chooses among the first legal actions."""
    before = len(requests_of(game))
    while len(requests_of(game)) == before:
        seat, decision = game.mover()
        legal = list(game.snapshot.game().legal_for(seat))
        attacks = [str(action) for action in legal if str(action).startswith("attack")]
        texts = attacks or [str(action) for action in legal]
        text = texts[order % len(texts)]
        game.submit_async(seat, decision, text).exception(SOON)
        if game.table.refused:
            return


def requests_of(game: Hosted) -> list[Entry]:
    """The requests in the table's transcript."""
    entries = game.table.store.read(partial(dice_of, game=game.game))
    return [entry for entry in entries if entry.kind == "request"]


def test_a_second_list_for_a_request_is_refused_for_ever(crime: Crime) -> None:
    to_a_roll(crime.game, 0)
    right = crime.ask(crime.last)
    other = crime.signed(lambda line: replace(line, given={SERVER: given_hash(bytes(32))}))
    assert crime.refused(other) == "dice/answered"
    crime.dice.kill()
    crime.dice.start()
    assert crime.refused(other) == "dice/answered"
    assert crime.ask(crime.last) == right
    told = crime.dice.log(GAME).refusals
    assert len(told) == 1
    assert f"Request {crime.last.n} was answered after another line" in told[0]


def test_the_number_of_a_roll_cannot_be_shifted(crime: Crime) -> None:
    to_a_roll(crime.game, 0)
    n, total = crime.last.n, crime.dice.log(GAME).total
    assert crime.refused(crime.signed(lambda line: line, n + 2)) == "dice/out-of-order"
    unsigned = replace(crime.signed(lambda line: line, n + 1), n=n + 2)
    assert crime.refused(unsigned) == "dice/wrong-line"
    assert crime.refused(crime.signed(lambda line: line, n - 1)) == "dice/answered"
    assert crime.dice.log(GAME).total == total


def test_another_genesis_is_refused(crime: Crime) -> None:
    to_a_roll(crime.game, 0)
    assert crime.refused(replace(crime.last, genesis=bytes(32))) == "dice/other-genesis"
    assert crime.dice.log(GAME).refusals == ()  # a public line, which anybody can send again
    new = crime.signed(lambda line: line, crime.last.n + 1)
    assert crime.refused(replace(new, genesis=bytes(32))) == "dice/other-genesis"
    assert any("another genesis" in told for told in crime.dice.log(GAME).refusals)


def test_a_stranger_leaves_no_trace_in_the_log(crime: Crime) -> None:
    to_a_roll(crime.game, 0)
    stranger = DiceClient(GAME, "")
    entry = Entry.parse(crime.last.line)
    made = Entry(entry.seq, entry.prev, entry.kind, entry.body)
    line = made.signed(sign(stranger.own.private_key, made.head)).text()
    question = replace(crime.last, server_key=stranger.own.key, line=line)
    assert crime.refused(question) == "dice/other-genesis"
    assert crime.refused(replace(crime.last, line=line)) == "dice/wrong-line"
    assert crime.dice.log(GAME).refusals == ()


def test_an_older_copy_of_the_table_gets_the_same_rolls_for_the_same_orders(crime: Crime) -> None:
    crime.copied("older.db")
    for _ in range(3):
        to_a_roll(crime.game, 0)
    before = crime.store.read(partial(dice_texts, game=GAME))
    crime.restored("older.db")
    for _ in range(3):
        to_a_roll(crime.game, 0)
    again = crime.store.read(partial(dice_texts, game=GAME))
    assert [text for text in again if '"answer"' in text][-1] in before
    assert crime.dice.log(GAME).refusals == ()


def test_an_older_copy_of_the_table_gets_no_second_roll(crime: Crime) -> None:
    crime.copied("older.db")
    to_a_roll(crime.game, 0)
    known = crime.store.read(partial(dice_of, game=GAME))
    crime.restored("older.db")
    to_a_roll(crime.game, 1)
    assert crime.game.table.refused == {GAME: "dice/answered"}
    assert crime.game.table.waiting_for(crime.game.snapshot) == "dice-refused"
    shown = crime.store.read(partial(dice_of, game=GAME))
    assert shown[-1].kind == "links"
    log = crime.dice.log(GAME)
    assert list(log.problems(known)) == list(log.refusals)
    assert len(log.refusals) == 1
    assert [told for told in log.problems(shown) if told.startswith("Request")]


def test_a_roll_cannot_be_left_out_or_changed_in_the_transcript(crime: Crime) -> None:
    for _ in range(3):
        to_a_roll(crime.game, 0)
    shown = crime.store.read(partial(dice_of, game=GAME))
    log = crime.dice.log(GAME)
    assert verify(shown).ok
    assert list(log.problems(shown)) == []
    answers = [place for place, entry in enumerate(shown) if entry.kind == "answer"]
    cut = [entry for entry in shown if entry.seq < shown[answers[-1]].seq - 2]
    assert list(log.problems(cut)) == [
        f"Request {log.total - 1} is in the dice server's log, but not in the transcript."
    ]
    one, other = shown[answers[-1]], shown[answers[-2]]
    links = {**one.body["links"], "dice": other.body["links"]["dice"]}  # type: ignore[dict-item,call-overload,index]
    changed = [*shown]
    changed[answers[-1]] = Entry(one.seq, one.prev, one.kind, one.body | {"links": links})
    assert not verify(changed).ok
    assert list(log.problems(changed)) != []


def test_a_link_of_the_dice_server_that_does_not_hold_stops_the_game(
    crime: Crime, caplog: pytest.LogCaptureFixture
) -> None:
    link = crime.listening.remote.link

    def forged(question: LinkQuestion) -> Future[GivenLink]:
        future: Future[GivenLink] = Future()
        future.set_result(GivenLink(bytes(32), link(question).result(SOON).sig))
        return future

    crime.listening.remote.link = forged  # type: ignore[method-assign]
    to_a_roll(crime.game, 0)
    assert crime.game.table.refused == {GAME: "dice/wrong-link"}
    assert crime.game.table.waiting_for(crime.game.snapshot) == "dice-refused"
    assert [r for r in caplog.records if r.message == "dice server refused"]
    crime.listening.remote.link = link  # type: ignore[method-assign]
    until(lambda: bool(crime.game.table.wake(GAME).result(SOON)) and not crime.game.table.refused)
    assert crime.game.table.waiting_for(crime.game.snapshot) == ""


def test_a_clients_link_cannot_be_hidden(crime: Crime, monkeypatch: pytest.MonkeyPatch) -> None:
    red, blue = (DiceClient(GAME, seat) for seat in ("red", "blue"))
    for client in (red, blue):
        crime.game.table.deposit(GAME, client.own.seat, client.deposit).result(SOON)
    attacked = attack(crime)
    give(crime, red)
    give(crime, blue)
    attacked.result(SOON)
    attacked = attack(crime)
    message = hand_in_of(red, give(crime, red))
    with crime.dice.http() as http:
        path = f"/games/{GAME}/hand-in"
        false = http.post(path, json=message | {"receipt": "00" * 64})
        assert (false.status_code, false.json()["code"]) == (400, "dice/wrong-receipt")
        assert http.post(path, json=message).status_code == 200
    crime.dice.kill()
    crime.dice.start()
    links_of = advance._links

    def without_red(hosted: HostedGame) -> dict[str, GivenLink | None]:
        return {**links_of(hosted), "red.1": None}

    monkeypatch.setattr(advance, "_links", without_red)
    give(crime, blue)
    until(lambda: crime.game.table.refused == {GAME: "dice/hidden-link"})
    assert "hides the link of red.1" in crime.dice.log(GAME).refusals[0]
    red.follow(lines_behind(crime, red))
    assert red.transcript.state.pending is not None
    assert not attacked.done() or attacked.exception() is None


def attack(crime: Crime) -> Future[Receipt]:
    """Play until an attack waits for links; its future result."""
    table = crime.game.table
    for _ in range(200):
        seat, decision = crime.game.mover()
        legal = [str(action) for action in crime.game.snapshot.game().legal_for(seat)]
        attacks = [text for text in legal if text.startswith("attack")]
        submitted = crime.game.submit_async(seat, decision, (attacks or legal)[0])
        while not submitted.done():
            known = table.cached_snapshot(GAME)
            if known is not None and known.links_wanted:
                return submitted
            time.sleep(0.01)
        submitted.result()
    raise AssertionError("nobody attacks")


def lines_behind(crime: Crime, client: DiceClient) -> list[str]:
    """The lines of the table's transcript that a client does not know."""
    return list(crime.store.read(partial(dice_texts, game=GAME, since=len(client.transcript))))


def give(crime: Crime, client: DiceClient) -> LinkReceipt:
    """A client follows the transcript, and gives its link to the table."""
    assert not client.follow(lines_behind(crime, client))
    message = client.give()
    assert message is not None
    given = GivenLink(bytes.fromhex(message["link"]), bytes.fromhex(message["signature"]))
    receipt = crime.game.table.link(GAME, client.own.seat, message["n"], given).result(SOON)
    client.check_receipt(receipt.n, receipt.signature)
    return receipt


def hand_in_of(client: DiceClient, receipt: LinkReceipt) -> dict[str, object]:
    """What a client sends to the dice server."""
    message = client.give()
    assert message is not None
    return handed_in(client, message, receipt.signature)
