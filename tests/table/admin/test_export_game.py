"""A game as files: replayed, checked die by die, and hosted again from where it stopped."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from rubicon.dice.lines.entry import Entry
from rubicon.dice.transcript import entries_of
from rubicon.dice.verify import verify
from rubicon.errors import RubiconError
from rubicon.rules.record import Record, RecordError
from rubicon.table.admin.audit import verify_store
from rubicon.table.admin.game_files import (
    FACTS,
    RECORD,
    TRANSCRIPT,
    Exported,
    exported,
    import_record,
)
from rubicon.table.admin.record_audit import Compared, compare, draws_of
from rubicon.table.commands.votes import vote
from rubicon.table.errors import NoSuchGame, TableError
from rubicon.table.game.game_cache import rebuilt
from rubicon.table.game.unit_of_work import UnitOfWork
from rubicon.table.lobby.seats import join
from rubicon.table.settings import Clock, DiceSource, Settings
from tests.table.dice_players import sweep
from tests.table.hosted import GAME, SOON, Hosted, hosted
from tests.table.timed import Time


def export(game: Hosted, seat: str = "") -> Exported:
    """Its files."""
    return game.table.store.read(lambda connection: exported(connection, GAME, seat))


def dice_of(files: dict[str, str]) -> Sequence[Entry]:
    """The lines of an exported transcript."""
    entries = entries_of(files[TRANSCRIPT])
    assert verify(entries).ok
    return entries


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    """A game with hidden cards and missions that is over, and in which something was taken back."""
    folder = tmp_path_factory.mktemp("exported")
    with hosted(folder, "secret-mission", 3, board="world") as game:
        game.play(until="reinforce")
        game.play(1)
        seat, decision = game.mover()
        game.table.undo(GAME, seat, decision).result(SOON)
        game.play()
        yield game


@pytest.fixture(scope="module")
def files(game: Hosted) -> dict[str, str]:
    return export(game).files


def test_a_record_that_can_be_played_again(game: Hosted, files: dict[str, str]) -> None:
    record = Record.parse(files[RECORD])
    again = record.verify()
    assert str(again) == str(game.snapshot.game())
    assert again.winner == game.snapshot.ending.result if game.snapshot.ending else None
    assert record.headers["Game"] == GAME
    log = game.table.store.read(lambda connection: rebuilt(connection, GAME))
    assert len(record.entries) < log.head  # no undo, and not what it took back


def test_every_outcome_is_the_transcripts(files: dict[str, str]) -> None:
    record, dice = Record.parse(files[RECORD]), dice_of(files)
    compared = compare(record, dice)
    draws = len(list(draws_of(dice)))
    assert compared == Compared(outcomes=draws)
    assert draws > 20


def changed(files: dict[str, str], line: int, text: str) -> Record:
    """The record with another line, counted from 1."""
    lines = files[RECORD].split("\n")
    lines[line - 1] = text
    return Record.parse("\n".join(lines))


def last_line(files: dict[str, str], beginning: str) -> tuple[int, str]:
    """The number and the text of the last line with a beginning."""
    found = [(n, t) for n, t in enumerate(files[RECORD].split("\n"), 1) if t.startswith(beginning)]
    return found[-1]


@pytest.mark.parametrize("place", [0.0, 0.5, 0.99])
def test_a_changed_die_is_named_by_its_line(files: dict[str, str], place: float) -> None:
    thrown = [
        (number, text)
        for number, text in enumerate(files[RECORD].split("\n"), 1)
        if text.startswith("= ") and " v " in text
    ]
    number, text = thrown[int(place * len(thrown))]
    other = text.replace(text[2], str(int(text[2]) % 6 + 1), 1)
    compared = compare(changed(files, number, other), dice_of(files))
    assert compared.difference is not None
    assert compared.difference.line == number
    assert compared.difference.code == "record/other-outcome"
    assert (compared.difference.expected, compared.difference.found) == (text[2:], other[2:])


def test_a_changed_pick_and_a_changed_order_are_named(files: dict[str, str]) -> None:
    rows = list(enumerate(files[RECORD].split("\n"), 1))
    missions = [(number, text) for number, text in rows if text.startswith("= pick M")]
    compared = compare(changed(files, missions[0][0], missions[1][1]), dice_of(files))
    assert compared.difference is not None
    assert compared.difference.line == missions[0][0]
    number, text = next((n, t) for n, t in rows if "attack" in t and t.endswith("dice 3"))
    compared = compare(changed(files, number, f"{text[:-1]}2"), dice_of(files))
    assert compared.difference is not None
    assert compared.difference.code in ("record/other-order", "record/other-request")


def test_a_record_that_breaks_the_rules_is_refused(files: dict[str, str]) -> None:
    number, _ = last_line(files, "red: ")
    with pytest.raises(RecordError) as caught:
        compare(changed(files, number, "red: place nowhere"), dice_of(files))
    assert caught.value.line == number


def test_other_faults_of_a_record(files: dict[str, str]) -> None:
    record, dice = Record.parse(files[RECORD]), dice_of(files)
    entries = [line for line in record.lines if line.entry is not None]
    headers = {name: value for name, value in record.headers.items() if name != "Result"}
    cut = compare(Record(headers, tuple(entries[:50])), dice)
    assert cut.difference is not None
    assert cut.difference.code == "record/cut"
    seats = dict(headers)
    seats["Seats"] = "; ".join(reversed(seats["Seats"].split("; ")))
    with pytest.raises(RubiconError) as caught:
        compare(Record(seats), dice)
    assert caught.value.code == "record/other-game"


def test_dice_of_another_game_are_not_its_own(files: dict[str, str], tmp_path: Path) -> None:
    with hosted(tmp_path, "secret-mission", 3, board="world") as other:
        theirs = export(other).files
    compared = compare(Record.parse(files[RECORD]), dice_of(theirs))
    assert compared.difference is not None
    assert compared.difference.line > 0


def test_a_running_game_shows_what_a_seat_may_know(tmp_path: Path) -> None:
    with hosted(tmp_path, "secret-mission", 3, board="world") as game:
        game.play(20)
        position = game.snapshot.game()
        missions = {
            colour: f'"M{int(position.position.mission[seat]) + 1:02}"'
            for seat, colour in enumerate(position.colours)
        }
        for reader in ("", *missions):
            found = export(game, reader)
            assert list(found.files) == [FACTS, TRANSCRIPT]
            assert not found.over
            for owner, mission in missions.items():
                assert (mission in found.files[FACTS]) is (owner == reader)
                assert mission not in found.files[TRANSCRIPT]
            told = [json.loads(line) for line in found.files[FACTS].splitlines()]
            assert told[-1]["index"] <= game.snapshot.head
            assert len(dice_of(found.files)) >= 3
        with pytest.raises(TableError, match="purple"):
            export(game, "purple")
        with pytest.raises(NoSuchGame):
            game.table.store.read(lambda connection: exported(connection, "nobody"))


def test_spectators_get_no_more_of_the_dice_than_they_may_see(tmp_path: Path) -> None:
    settings = Settings(delay=3600)
    with hosted(tmp_path, "secret-mission", 3, board="world", settings=settings) as game:
        headers = json.dumps({"Ruleset": "secret-mission 1", "Board": "world 1", "Seats": "red"})
        game.table.store.write(
            lambda connection: connection.exec_driver_sql(
                "UPDATE game SET settings = ?, ruleset = ?", (settings.text(), headers)
            )
        ).result(SOON)
        game.play(20)
        spectators, seat = export(game).files, export(game, "red").files
        assert len(dice_of(seat)) > len(dice_of(spectators)) >= 1
        assert spectators[FACTS].count("\n") <= 1


def test_real_dice_are_counted_and_not_compared(tmp_path: Path) -> None:
    settings = Settings(dice=DiceSource.TYPED)
    with hosted(tmp_path, settings=settings) as game:
        game.table.type_dice(GAME, "red", game.snapshot.head, "dice 1 6 1").result(SOON)
        for colour in game.snapshot.game().colours:
            game.table.change(GAME, partial(vote_for_draw, colour=colour)).result(SOON)
        files = export(game).files
        record = Record.parse(files[RECORD])
        assert record.headers["Ending"].startswith("draw")
        assert compare(record, dice_of(files)) == Compared(typed=1)


def test_dice_that_the_table_rolled_instead_are_compared(tmp_path: Path, time: Time) -> None:
    settings = Settings(dice=DiceSource.TYPED, clock=Clock.LIVE, decision_time=60, bank=0)
    with hosted(tmp_path, settings=settings) as game:
        game.table.type_dice(GAME, "red", game.snapshot.head, "dice 1 6 1").result(SOON)
        for _ in range(3):
            while game.snapshot.waits_for != "typed":
                game.play(1)
            time.pass_by(61)
            sweep(game)
        for colour in game.snapshot.game().colours:
            game.table.change(GAME, partial(vote_for_draw, colour=colour)).result(SOON)
        files = export(game).files
        found = compare(Record.parse(files[RECORD]), dice_of(files))
        assert (found.difference, found.typed) == (None, 1)
        assert found.outcomes >= 3
        before, (attack, defence), after = last_roll(files[RECORD])
        other = f"{before}{defence[0]}{attack[1:]} v {attack[0]}{defence[1:]}{after}"
        if other == files[RECORD]:  # both rolled the same
            other = f"{before}{7 - int(attack[0])}{attack[1:]} v {defence}{after}"
        difference = compare(Record.parse(other), dice_of(files)).difference
        assert difference is not None
        assert difference.code == "record/cut"


def last_roll(record: str) -> tuple[str, tuple[str, str], str]:
    """The attacker's and the defender's dice of the last roll, with what stands around them."""
    found = list(re.finditer(r"([1-6](?: [1-6])*) v ([1-6](?: [1-6])*)", record))[-1]
    return record[: found.start()], (found[1], found[2]), record[found.end() :]


def vote_for_draw(unit: UnitOfWork, colour: str) -> None:
    """One of the votes that end a game."""
    vote(unit, colour, "draw")


def test_a_record_is_hosted_again_from_where_it_stops(tmp_path: Path) -> None:
    with hosted(tmp_path, "classic", 3) as game:
        game.play(12)
        log = game.table.store.read(lambda connection: rebuilt(connection, GAME))
        before = str(log.game)
        lines = game.table.store.read(exported_record)
        store = game.table.store
        new = store.write(lambda c: import_record(c, lines, "again", bots={"blue": "greedy"}))
        imported = new.result(SOON)
        again = Hosted(game.table, imported.game)
        game.table.wake(imported.game).result(SOON)
        assert str(again.snapshot.game()) == before
        assert again.snapshot.witness != game.snapshot.witness
        assert again.snapshot.server_bots == {"blue": "greedy"}
        assert list(imported.invites) == [c for c in again.snapshot.game().colours if c != "blue"]
        assert again.play(10) == 10
        assert verify_store(store).damaged == {}
        colour, invite = next(iter(imported.invites.items()))
        add = (
            "INSERT INTO account (id, name, created, seen, settings) VALUES ('me', 'Me', 0, 0, '')"
        )
        store.write(lambda c: c.exec_driver_sql(add)).result(SOON)
        seat = store.write(lambda c: join(c, imported.game, "me", "Me", {}, invite=invite))
        assert seat.result(SOON) == colour
        wrong = store.write(lambda c: join(c, imported.game, "you", "You", {}, invite=invite))
        assert wrong.exception(SOON) is not None


def exported_record(connection: object) -> Record:
    """The record of a game that is not over, as its operator may have it."""
    from rubicon.table.admin.game_files import record_of  # noqa: PLC0415
    from rubicon.table.storage.event_log import lines_of  # noqa: PLC0415

    return record_of(GAME, lines_of(connection, GAME))  # type: ignore[arg-type]


def test_a_record_that_breaks_the_rules_is_not_hosted(files: dict[str, str], game: Hosted) -> None:
    number, text = last_line(files, "= 6")
    broken = changed(files, number, f"{text} 6 6 6")
    job = game.table.store.write(lambda c: import_record(c, broken, "broken"))
    assert isinstance(job.exception(SOON), RubiconError)
    record = Record.parse(files[RECORD])
    bad = game.table.store.write(lambda c: import_record(c, record, "x", bots={"purple": "greedy"}))
    assert isinstance(bad.exception(SOON), TableError)
