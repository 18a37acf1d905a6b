"""Accept, ask, settle: nothing acknowledged is lost, nothing is done twice."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from rubicon.dice.lines.forms import Fields
from rubicon.dice.lines.request import Answer
from rubicon.dice.verify import verify
from rubicon.engine.records import Phase
from rubicon.errors import RubiconError
from rubicon.rules.ruleset.ruleset import Ruleset, preset_names
from rubicon.table.admin.audit import stored_of, verify_game
from rubicon.table.commands import advance
from rubicon.table.commands.submit import Status, Submission
from rubicon.table.errors import DiceUnavailable, Stale, StoreUnavailable, TableError
from rubicon.table.game.game_cache import dice_of, rebuilt
from rubicon.table.game.log_lines import VoteCast
from rubicon.table.game.snapshot import GameUpdate
from rubicon.table.settings import DiceSource, Settings
from rubicon.table.storage.event_log import lines_of
from rubicon.table.table_service import Command, Step, TableService
from tests.table.hosted import GAME, SOON, Hosted, OtherDice, hosted


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Hosted]:
    with hosted(tmp_path) as game:
        yield game


def lines(game: Hosted) -> list[str]:
    """The log, a word and a text a line."""
    found = game.table.store.read(lambda connection: lines_of(connection, game.game))
    return [f"{line.kind.value} {line.text}" for line in found]


def an_attack(game: Hosted) -> str:
    """Bring the game to an attack, and say one that is legal."""
    game.play(until="attack")
    attacks = [str(a) for a in game.snapshot.game().legal if str(a).startswith("attack")]
    return attacks[0]


@pytest.mark.parametrize("preset", preset_names())
def test_a_hosted_game_is_rebuilt_from_its_log_and_its_dice_are_right(
    preset: str, tmp_path: Path
) -> None:
    players = 2 if "two-player" in preset else 3
    with hosted(tmp_path, preset, players) as game:
        game.play(400)
        seat = game.snapshot.game().colours[0]
        while game.snapshot.ending is None:
            colour, _ = game.mover()
            game.table.out_of_turn(game.game, colour, f"resign {colour}").result(SOON)
        assert game.snapshot.ending is not None
        again = game.table.store.read(lambda connection: rebuilt(connection, game.game))
        held = game.table.cache.held(game.game)
        assert held is not None
        assert again.game.position.tobytes() == held.game.position.tobytes()
        assert (again.head, again.decisions) == (held.head, {})
        assert again.transcript.state == held.transcript.state
        assert again.present == held.present != ""
        entries = game.table.store.read(partial(dice_of, game=game.game))
        verdict = verify(entries)
        assert verdict.ok
        assert verdict.opened
        assert entries[-1].kind == "end"
        assert game.table.facts(game.game, seat, most=100_000)[-1]["kind"] == "over"


def test_a_request_is_on_the_disk_before_it_is_answered(tmp_path: Path) -> None:
    with hosted(tmp_path) as game:
        seen: list[str] = []
        attack = an_attack(game)
        publish = game.table._publish

        def published(step: Step) -> None:
            entries = game.table.store.read(lambda c: dice_of(c, GAME))
            kinds = Counter(entry.kind for entry in entries)
            waiting = kinds["request"] - kinds["answer"]
            seen.append(f"{'dice' if step.dice_follow else ''}{waiting}")
            publish(step)

        game.table._publish = published  # type: ignore[method-assign]
        game.submit(attack)
        assert seen == ["dice1", "0"]  # a commit with the question, and another with the answer


def test_no_event_is_read_ahead_of_the_snapshot(game: Hosted) -> None:
    seen: list[tuple[int, int, int]] = []
    publish = game.table._publish

    def published(step: Step) -> None:
        shown, told = game.snapshot.head, game.table.facts(GAME, "red", most=100_000)
        in_log = game.table.store.read(lambda connection: lines_of(connection, GAME))[-1].index
        seen.append((told[-1]["index"], shown, in_log))
        publish(step)

    game.table._publish = published  # type: ignore[method-assign]
    game.play(20)
    assert all(told <= shown for told, shown, _ in seen)
    assert any(shown < in_log for _, shown, in_log in seen)  # the commit was in the database


def test_watchers_are_told_of_a_decision_and_its_dice_at_once(game: Hosted) -> None:
    attack = an_attack(game)
    updates: list[GameUpdate] = []
    before = game.snapshot.head
    game.table.watch(updates.append)
    game.submit(attack)
    (update,) = updates  # of three lines: the action, the request and the outcome
    assert (update.since, update.snapshot.head) == (before, before + 3)
    assert {told["log_index"] for told in update.stored} == {before + 3}


def test_readers_do_not_see_an_old_position_where_the_dice_cannot_be_rolled(
    game: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    attack = an_attack(game)
    before = game.snapshot.head

    def fails(*_: object, **__: object) -> None:
        raise StoreUnavailable("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(advance, "begin_drawing", fails)
        with pytest.raises(StoreUnavailable):
            game.submit(attack)
        assert game.table.cached_snapshot(GAME) is None
    assert game.snapshot.head == before + 3
    assert game.snapshot.waits_for == ""


def test_a_repeated_submission_gets_the_same_answer_and_no_new_dice(game: Hosted) -> None:
    attack = an_attack(game)
    seat, decision = game.mover()
    first = game.submit_async(seat, decision, attack).result(SOON)
    head = game.snapshot.head
    again = game.submit_async(seat, decision, f"  {attack}\n").result(SOON)
    assert again == first
    assert game.snapshot.head == head


def test_the_same_attack_ordered_twice_throws_twice(game: Hosted) -> None:
    attack = an_attack(game)
    before = len([line for line in lines(game) if line.startswith("outcome")])
    seat, decision = game.mover()
    one, two = (game.submit_async(seat, decision, attack) for _ in range(2))
    assert one.result(SOON) == two.result(SOON)
    thrown = len([line for line in lines(game) if line.startswith("outcome")])
    assert thrown == before + 1
    if game.snapshot.game().phase is Phase.OCCUPY:
        game.play(1)
    attack = next(a for a in map(str, game.snapshot.game().legal) if a.startswith("attack"))
    game.submit(attack)
    thrown = len([line for line in lines(game) if line.startswith("outcome")])
    assert thrown == before + 2


def test_another_text_for_an_answered_decision_is_stale(
    game: Hosted,
) -> None:
    attack = an_attack(game)
    seat, decision = game.mover()
    game.submit_async(seat, decision, attack).result(SOON)
    head = game.snapshot.head
    with pytest.raises(Stale) as caught:
        game.submit_async(seat, decision, "end attack").result(SOON)
    assert caught.value.decision == game.snapshot.decisions[seat]
    assert game.snapshot.head == head


def test_a_refusal_changes_nothing_and_the_game_goes_on(game: Hosted) -> None:
    before, head = str(game.snapshot.game()), game.snapshot.head
    for text in (
        "attack skye -> mull",
        "place nowhere 3",
        "",
        "claim \0",
        "end turn",
        "x" * 70_000,
    ):
        with pytest.raises(RubiconError):
            game.submit(text)
    other = next(c for c in game.snapshot.game().colours if c not in game.snapshot.decisions)
    with pytest.raises(Stale):
        game.submit_async(other, 0, "end turn").result(SOON)
    assert (str(game.snapshot.game()), game.snapshot.head) == (before, head)
    assert game.play(5) == 5


def test_sealed_placements_do_not_outdate_one_another(tmp_path: Path) -> None:
    with hosted(tmp_path, "email", 3) as game:
        game.play(until="sealed")
        decisions = game.snapshot.decisions
        assert len(decisions) == 3
        held = {
            seat: next(str(a) for a in game.snapshot.game().legal_for(seat)) for seat in decisions
        }
        for seat, decision in decisions.items():
            game.submit_async(seat, decision, held[seat]).result(SOON)
        first, *others = decisions
        told = game.table.facts(game.game, first, decisions[first])
        assert not [fact for fact in told for seat in others if f'"{seat}"' in fact["body"]]


def test_what_was_taken_for_no_order_is_said_in_the_receipt(game: Hosted) -> None:
    an_attack(game)
    seat, decision = game.mover()
    legal = [a for a in map(str, game.snapshot.game().legal) if a.startswith("attack")]
    source, target = legal[0].split()[1], legal[0].split()[3]
    text = f"ATTACK {source} -> {target}\nI hope this works\nThanks, Tom"
    receipts = [game.submit_async(seat, decision, text, orders=True).result(SOON) for _ in range(2)]
    for receipt in receipts:
        assert [said.partition(":")[0] for said in receipt.warnings] == [
            "Line 2, column 1",
            "Line 3, column 1",
        ]


def test_a_request_beside_orders_is_not_done_and_the_receipt_says_so(game: Hosted) -> None:
    attack = an_attack(game)
    seat, decision = game.mover()
    text = f"{attack}\nRESIGN CONFIRM\nPRESS TO ALL\nFarewell\nENDPRESS\nVOTE DRAW"
    receipts = [game.submit_async(seat, decision, text, orders=True).result(SOON) for _ in range(2)]
    for receipt in receipts:
        assert [warning.split(" is not done")[0] for warning in receipt.warnings] == [
            "Line 2, column 1: RESIGN CONFIRM",
            "Line 3, column 1: PRESS TO ALL",
            "Line 6, column 1: VOTE DRAW",
        ]
        assert all(said.endswith("[orders/request-not-done]") for said in receipt.warnings)
        assert "out-of-turn" in receipt.warnings[0]
    assert receipts[0].last >= receipts[0].first  # the attack was carried out
    assert f"{seat}:resigned" not in str(game.snapshot.game())


@pytest.mark.parametrize("ask", ["PREVIEW", "WAIT", "CLEAR", "UNDO"])
def test_a_request_about_the_orders_beside_it_is_refused_with_them(game: Hosted, ask: str) -> None:
    attack = an_attack(game)
    before, head = game.mover(), game.snapshot.head
    with pytest.raises(TableError) as refused:
        game.submit(f"{ask}\n{attack}", orders=True)
    assert refused.value.code == "orders/request-against-orders"
    assert f"Line 1: {ask}" in str(refused.value)
    assert (game.mover(), game.snapshot.head) == (before, head)


@pytest.mark.parametrize("text", ["HELP", "MAP\nSTATUS"])
def test_a_text_without_orders_does_not_use_up_the_decision(game: Hosted, text: str) -> None:
    an_attack(game)
    seat, decision = game.mover()
    with pytest.raises(TableError) as refused:
        game.submit(text, orders=True)
    assert refused.value.code == "orders/none"
    assert game.mover() == (seat, decision)


def test_orders_are_carried_out_and_reported(game: Hosted) -> None:
    an_attack(game)
    seat, decision = game.mover()
    legal = [a for a in map(str, game.snapshot.game().legal) if a.startswith("attack")]
    source, target = legal[0].split()[1], legal[0].split()[3]
    text = f"ATTACK {source} -> {target} UNTIL WON OR LEFT 1\nEND"
    receipt = game.submit(text, orders=True)
    assert receipt.status is Status.DONE
    written = lines(game)[receipt.first : receipt.last + 1]
    assert written[0] == f"orders {text}"
    assert any(line.startswith("report") for line in written)
    assert sum(line.startswith("request") for line in written) >= 1
    assert game.submit_async(seat, decision, text, orders=True).result(SOON).last == receipt.last
    assert game.snapshot.decisions.get(seat) != decision
    hosted = game.table.store.read(lambda connection: rebuilt(connection, game.game))
    held = game.table.cache.held(game.game)
    assert held is not None
    assert hosted.present == held.present == seat


def test_a_seat_need_not_wait_for_the_orders_of_another(game: Hosted) -> None:
    an_attack(game)
    seat, decision = game.mover()
    other = next(colour for colour in game.snapshot.game().colours if colour != seat)
    legal = [a for a in map(str, game.snapshot.game().legal) if a.startswith("attack")]
    source, target = legal[0].split()[1], legal[0].split()[3]
    orders = game.submit_async(seat, decision, f"ATTACK {source} -> {target}\nEND", orders=True)
    out_of_turn = [
        game.table.out_of_turn(GAME, other, f"standing {other} {dice}")
        for dice in ("1", "2", "max")
    ]
    assert orders.result(SOON).status is Status.DONE
    indexes = [standing.result(SOON).first for standing in out_of_turn]
    written = lines(game)
    for index in indexes:
        assert written[index].startswith(f"action standing {other}")


def test_a_failing_watcher_does_not_affect_others(
    game: Hosted, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_: object) -> None:
        raise KeyError("watcher")

    game.table.watch(fail)
    assert game.play(3) == 3
    assert "watcher" in caplog.text


def test_orders_that_cannot_be_read_do_nothing(game: Hosted) -> None:
    head = game.snapshot.head
    with pytest.raises(RubiconError) as caught:
        game.submit("ATAK nowhere", orders=True)
    assert caught.value.code.startswith("orders/")
    assert game.snapshot.head == head


@pytest.mark.parametrize("orders", [False, True])
def test_an_undone_decision_that_is_sent_again_is_stale(game: Hosted, orders: bool) -> None:
    game.play(until="reinforce")
    seat, decision = game.mover()
    place = next(a for a in map(str, game.snapshot.game().legal) if a.startswith("place"))
    _, territory, *_ = place.split()
    text = f"deploy 1 {territory}" if orders else place
    sent = Submission(game.game, seat, decision, text, orders)
    first = game.table.submit(sent).result(SOON)
    assert game.table.submit(sent).result(SOON).first == first.first
    game.table.undo(game.game, seat, game.snapshot.decisions[seat]).result(SOON)
    head, asked = game.snapshot.head, game.snapshot.decisions[seat]
    with pytest.raises(Stale) as caught:
        game.table.submit(sent).result(SOON)
    assert caught.value.decision == asked != decision
    assert game.snapshot.head == head
    again = Submission(game.game, seat, asked, text, orders)
    assert game.table.submit(again).result(SOON).first == head + 1


def test_a_decision_is_taken_back_as_an_entry_but_never_past_dice(game: Hosted) -> None:
    game.play(until="reinforce")
    seat, _ = game.mover()
    before = str(game.snapshot.game())
    place = next(a for a in map(str, game.snapshot.game().legal) if a.startswith("place"))
    assert not game.snapshot.can_undo(seat, 0)
    game.submit(place)
    assert str(game.snapshot.game()) != before
    assert [each for each in game.snapshot.decisions if game.snapshot.can_undo(each, 0)] == [seat]
    head = game.snapshot.head
    game.table.undo(game.game, seat, game.snapshot.decisions[seat]).result(SOON)
    assert str(game.snapshot.game()) == before
    assert lines(game)[-1] == f"undo {head}"
    with pytest.raises(RubiconError) as caught:
        game.table.undo(game.game, seat, game.snapshot.decisions[seat]).result(SOON)
    assert caught.value.code.startswith("undo/")
    assert not game.snapshot.can_undo(seat, 0)
    rebuilt_game = game.table.store.read(lambda connection: rebuilt(connection, game.game))
    assert str(rebuilt_game.game) == before


def test_real_dice_are_typed_by_the_seat_that_rolls(tmp_path: Path) -> None:
    settings = Settings(dice=DiceSource.TYPED)
    with hosted(tmp_path, settings=settings) as game:
        assert game.snapshot.waits_for == "typed"
        with pytest.raises(RubiconError, match="log index 99"):
            game.table.type_dice(GAME, "red", 99, "dice 6 1").result(SOON)
        with pytest.raises(RubiconError):
            game.table.type_dice(GAME, "red", game.snapshot.head, "dice 6 1").result(SOON)
        game.table.type_dice(GAME, "red", game.snapshot.head, "dice 1 6 1").result(SOON)
        assert game.snapshot.waits_for == ""
        assert list(game.snapshot.decisions) == [game.snapshot.game().colours[1]]


@pytest.fixture
def dice() -> OtherDice:
    return OtherDice()


@pytest.fixture
def there(tmp_path: Path, dice: OtherDice) -> Iterator[Hosted]:
    """A game with a remote dice server."""
    with hosted(tmp_path, dice=dice) as game:
        yield game


def test_unavailable_dice_stop_only_their_game(there: Hosted, dice: OtherDice) -> None:
    attack = an_attack(there)
    dice.away, dice.asked = True, []
    seat, decision = there.mover()
    receipt = there.submit_async(seat, decision, attack).result(SOON)
    assert receipt.status is Status.DICE
    assert there.snapshot.waits_for == "dice"
    with pytest.raises(DiceUnavailable):
        there.submit_async(seat, decision, "end attack").result(SOON)
    assert there.table.wake(GAME).result(SOON).status is Status.DICE
    other = Hosted(there.table, "otherdice1")
    there.table.dice = None  # a game with dice of this server
    other.begin(Ruleset.load("classic", board="skerries"), 3, Settings())
    assert other.play(5) == 5
    there.table.dice, dice.away = dice, False
    assert there.table.wake(GAME).result(SOON).status is Status.DONE
    assert there.snapshot.waits_for == ""
    assert len({question.line for question in dice.asked}) == 1  # the same, again and again
    later = there.submit_async(seat, decision, attack).result(SOON)
    assert later.status is Status.DONE
    assert there.play(20) == 20


def test_after_a_crash_between_request_and_answer_the_same_dice_come(
    there: Hosted, dice: OtherDice
) -> None:
    attack = an_attack(there)
    dice.away = True
    seat, decision = there.mover()
    there.submit_async(seat, decision, attack).result(SOON)
    question = dice.asked[-1]
    dice.away = False
    restarted = Hosted(TableService(there.table.store, dice=dice))
    receipt = restarted.submit_async(seat, decision, attack).result(SOON)
    assert receipt.status is Status.DONE
    entries = there.table.store.read(lambda connection: dice_of(connection, GAME))
    answers = [Answer.read(Fields(one.body, "answer")) for one in entries if one.kind == "answer"]
    assert answers[question.n].links["dice"] == dice.link(question).result()


def test_a_failed_unit_of_work_stores_nothing(game: Hosted) -> None:
    game.play(30)
    before, head = str(game.snapshot.game()), game.snapshot.head

    def fail(unit: object) -> None:
        unit.add_line(VoteCast("draw"), "red")  # type: ignore[attr-defined]
        raise KeyError("something unforeseen")

    with pytest.raises(KeyError):
        game.table.change(GAME, fail).result(SOON)
    assert game.table.cache.held(GAME) is None  # forgotten: the store has the truth
    game.table.wake(GAME).result(SOON)
    assert (str(game.snapshot.game()), game.snapshot.head) == (before, head)
    assert game.play(5) == 5


def test_a_seats_notifications_contain_no_secrets(tmp_path: Path) -> None:
    with hosted(tmp_path, "secret-mission", 3, board="world") as game:
        game.play(60)
        position = game.snapshot.game()
        missions = {
            colour: f'"M{int(position.position.mission[seat]) + 1:02}"'
            for seat, colour in enumerate(position.colours)
        }
        told = {
            colour: " ".join(fact["body"] for fact in game.table.facts(GAME, colour))
            for colour in (*position.colours, "")
        }
        for owner, mission in missions.items():
            for reader, text in told.items():
                assert (mission in text) is (reader == owner)


def test_every_answer_can_be_had_again(game: Hosted) -> None:
    seat, decision = game.mover()
    kept = []
    for _ in range(40):
        seat, decision = game.mover()
        text = str(game.snapshot.game().legal[0])
        kept.append((seat, decision, text, game.submit_async(seat, decision, text).result(SOON)))
    for seat, decision, text, receipt in kept:
        again = game.submit_async(seat, decision, text).result(SOON)
        assert (again.first, again.last) == (receipt.first, receipt.last)


def test_facts_before_the_dice_are_announced_after_a_crash(
    tmp_path: Path,
) -> None:
    with hosted(tmp_path) as game:
        attack = an_attack(game)
        seat, decision = game.mover()
        store, told = game.table.store, game.snapshot.head
        dying = TableService(store)
        transaction, begun = dying._transaction, list[str]()

        async def once(name: str, command: Command) -> Step:
            begun.append(name)
            if len(begun) > 1:
                raise KeyError("it died")
            return await transaction(name, command)

        dying._transaction = once  # type: ignore[method-assign, assignment]
        died = dying.submit(Submission(GAME, seat, decision, attack))
        assert isinstance(died.exception(SOON), KeyError)
        assert not game.table.facts(GAME, seat, told)
        after = TableService(store)
        after.wake(GAME).result(SOON)
        facts = [n for n in after.facts(GAME, seat, told) if n["kind"] == "events"]
        events = [fact["event"] for notice in facts for fact in json.loads(notice["body"])]
        assert events[:2] == ["decided", "rolled"]
        verify_game(store.read(lambda connection: stored_of(connection, GAME)))


def test_a_refused_decision_leaves_the_game_in_memory(game: Hosted) -> None:
    seat, decision = game.mover()
    held = game.table.cache.held(GAME)
    with pytest.raises(RubiconError):
        game.submit("attack alaska -> alaska dice 9", seat=seat, decision=decision)
    assert game.table.cache.held(GAME) is held
