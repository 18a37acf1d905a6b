"""Accept, ask, settle: nothing acknowledged is lost, nothing is done twice."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rubicon.dice.bodies import Answer, Request, Reveal
from rubicon.dice.verify import verify
from rubicon.rules.errors import RubiconError
from rubicon.rules.position import Phase
from rubicon.rules.ruleset import Ruleset, preset_names
from rubicon.table.errors import DiceAway, Stale, TableError
from rubicon.table.lines import Kind, lines_of
from rubicon.table.lives import dice_of, rebuilt
from rubicon.table.settings import DiceSource, Settings
from rubicon.table.submission import Status, Submission
from rubicon.table.table import Snapshot, Table
from rubicon.table.verifying import stored_of, verify_game
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
            game.table.aside(game.game, colour, f"resign {colour}").result(SOON)
        assert game.snapshot.ending is not None
        live = game.table.store.read(lambda connection: rebuilt(connection, game.game))
        held = game.table.lives.held(game.game)
        assert held is not None
        assert live.game.position.tobytes() == held.game.position.tobytes()
        assert (live.head, live.duties, live.opened) == (held.head, {}, held.opened)
        assert live.there == held.there != ""
        verdict = verify(live.chain.entries)
        assert verdict.ok
        assert verdict.opened
        assert isinstance(live.chain.entries[-1].body, Reveal)
        assert game.table.facts(game.game, seat, most=100_000)[-1]["kind"] == "over"


def test_a_request_is_on_the_disk_before_it_is_answered(tmp_path: Path) -> None:
    with hosted(tmp_path) as game:
        seen: list[str] = []
        attack = an_attack(game)
        keep = game.table._keep

        def kept(snapshot: Snapshot) -> None:
            bodies = [entry.body for entry in game.table.store.read(lambda c: dice_of(c, GAME))]
            requests = sum(isinstance(body, Request) for body in bodies)
            answers = sum(isinstance(body, Answer) for body in bodies)
            seen.append(f"{snapshot.waits_for}{requests - answers}")
            keep(snapshot)

        game.table._keep = kept  # type: ignore[method-assign]
        game.submit(attack)
        assert seen == ["dice1", "0"]  # a commit with the question, and another with the answer


def test_a_repeated_submission_gets_the_same_answer_and_no_new_dice(game: Hosted) -> None:
    attack = an_attack(game)
    seat, duty = game.mover()
    first = game.hand_in(seat, duty, attack).result(SOON)
    head = game.snapshot.head
    again = game.hand_in(seat, duty, f"  {attack}\n").result(SOON)
    assert again == first
    assert game.snapshot.head == head


def test_the_same_attack_ordered_twice_throws_twice(game: Hosted) -> None:
    attack = an_attack(game)
    before = len([line for line in lines(game) if line.startswith("outcome")])
    seat, duty = game.mover()
    one, two = (game.hand_in(seat, duty, attack) for _ in range(2))
    assert one.result(SOON) == two.result(SOON)
    thrown = len([line for line in lines(game) if line.startswith("outcome")])
    assert thrown == before + 1
    if game.snapshot.game().phase is Phase.OCCUPY:
        game.play(1)
    attack = next(a for a in map(str, game.snapshot.game().legal) if a.startswith("attack"))
    game.submit(attack)
    thrown = len([line for line in lines(game) if line.startswith("outcome")])
    assert thrown == before + 2


def test_another_text_for_an_answered_duty_is_stale_and_says_what_is_asked(game: Hosted) -> None:
    attack = an_attack(game)
    seat, duty = game.mover()
    game.hand_in(seat, duty, attack).result(SOON)
    head = game.snapshot.head
    with pytest.raises(Stale) as caught:
        game.hand_in(seat, duty, "end attack").result(SOON)
    assert caught.value.duty == game.snapshot.duties[seat]
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
    other = next(c for c in game.snapshot.game().colours if c not in game.snapshot.duties)
    with pytest.raises(Stale):
        game.hand_in(other, 0, "end turn").result(SOON)
    assert (str(game.snapshot.game()), game.snapshot.head) == (before, head)
    assert game.play(5) == 5


def test_sealed_placements_do_not_outdate_one_another(tmp_path: Path) -> None:
    with hosted(tmp_path, "email", 3) as game:
        game.play(until="sealed")
        duties = game.snapshot.duties
        assert len(duties) == 3
        held = {seat: next(str(a) for a in game.snapshot.game().legal_for(seat)) for seat in duties}
        for seat, duty in duties.items():
            game.hand_in(seat, duty, held[seat]).result(SOON)
        first, *others = duties
        told = game.table.facts(game.game, first, duties[first])
        assert not [fact for fact in told for seat in others if f'"{seat}"' in fact["body"]]


def test_what_was_taken_for_no_order_is_said_in_the_receipt(game: Hosted) -> None:
    an_attack(game)
    seat, duty = game.mover()
    legal = [a for a in map(str, game.snapshot.game().legal) if a.startswith("attack")]
    source, target = legal[0].split()[1], legal[0].split()[3]
    text = f"ATTACK {source} -> {target}\nI hope this works\nThanks, Tom"
    receipts = [game.hand_in(seat, duty, text, orders=True).result(SOON) for _ in range(2)]
    for receipt in receipts:
        assert [said.partition(":")[0] for said in receipt.passed_over] == [
            "Line 2, column 1",
            "Line 3, column 1",
        ]


@pytest.mark.parametrize("text", ["HELP", "MAP\nSTATUS"])
def test_a_text_that_orders_nothing_uses_no_duty_up(game: Hosted, text: str) -> None:
    an_attack(game)
    seat, duty = game.mover()
    with pytest.raises(TableError) as refused:
        game.submit(text, orders=True)
    assert refused.value.code == "orders/none"
    assert game.mover() == (seat, duty)


def test_orders_are_carried_out_and_reported(game: Hosted) -> None:
    an_attack(game)
    seat, duty = game.mover()
    legal = [a for a in map(str, game.snapshot.game().legal) if a.startswith("attack")]
    source, target = legal[0].split()[1], legal[0].split()[3]
    text = f"ATTACK {source} -> {target} UNTIL WON OR LEFT 1\nEND"
    receipt = game.submit(text, orders=True)
    assert receipt.status is Status.DONE
    written = lines(game)[receipt.first : receipt.last + 1]
    assert written[0] == f"orders {text}"
    assert any(line.startswith("report") for line in written)
    assert sum(line.startswith("request") for line in written) >= 1
    assert game.hand_in(seat, duty, text, orders=True).result(SOON).last == receipt.last
    assert game.snapshot.duties.get(seat) != duty
    live = game.table.store.read(lambda connection: rebuilt(connection, game.game))
    held = game.table.lives.held(game.game)
    assert held is not None
    assert live.there == held.there == seat


def test_nobody_has_to_wait_for_anothers_orders_to_end(game: Hosted) -> None:
    an_attack(game)
    seat, duty = game.mover()
    other = next(colour for colour in game.snapshot.game().colours if colour != seat)
    legal = [a for a in map(str, game.snapshot.game().legal) if a.startswith("attack")]
    source, target = legal[0].split()[1], legal[0].split()[3]
    orders = game.hand_in(seat, duty, f"ATTACK {source} -> {target}\nEND", orders=True)
    asides = [
        game.table.aside(GAME, other, f"standing {other} {dice}") for dice in ("1", "2", "max")
    ]
    assert orders.result(SOON).status is Status.DONE
    written = lines(game)
    for aside in asides:
        assert written[aside.result(SOON).first].startswith(f"action standing {other}")


def test_a_watcher_that_fails_disturbs_nobody(
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


def test_a_decision_is_taken_back_as_an_entry_but_never_past_dice(game: Hosted) -> None:
    game.play(until="reinforce")
    seat, _ = game.mover()
    before = str(game.snapshot.game())
    place = next(a for a in map(str, game.snapshot.game().legal) if a.startswith("place"))
    game.submit(place)
    assert str(game.snapshot.game()) != before
    head = game.snapshot.head
    game.table.undo(game.game, seat, game.snapshot.duties[seat]).result(SOON)
    assert str(game.snapshot.game()) == before
    assert lines(game)[-1] == f"undo {head}"
    with pytest.raises(RubiconError) as caught:
        game.table.undo(game.game, seat, game.snapshot.duties[seat]).result(SOON)
    assert caught.value.code.startswith("undo/")
    rebuilt_game = game.table.store.read(lambda connection: rebuilt(connection, game.game))
    assert str(rebuilt_game.game) == before


def test_real_dice_are_typed_by_whoever_throws(tmp_path: Path) -> None:
    settings = Settings(dice=DiceSource.TYPED)
    with hosted(tmp_path, settings=settings) as game:
        assert game.snapshot.waits_for == "typed"
        with pytest.raises(RubiconError, match="entry 99"):
            game.table.type_dice(GAME, "red", 99, "dice 6 1").result(SOON)
        with pytest.raises(RubiconError):
            game.table.type_dice(GAME, "red", game.snapshot.head, "dice 6 1").result(SOON)
        game.table.type_dice(GAME, "red", game.snapshot.head, "dice 1 6 1").result(SOON)
        assert game.snapshot.waits_for == ""
        assert list(game.snapshot.duties) == [game.snapshot.game().colours[1]]


@pytest.fixture
def dice() -> OtherDice:
    return OtherDice()


@pytest.fixture
def there(tmp_path: Path, dice: OtherDice) -> Iterator[Hosted]:
    """A game whose dice are somebody else's."""
    with hosted(tmp_path, dice=dice) as game:
        yield game


def test_while_the_dice_are_away_only_this_game_waits_and_says_so(
    there: Hosted, dice: OtherDice
) -> None:
    attack = an_attack(there)
    dice.away, dice.asked = True, []
    seat, duty = there.mover()
    receipt = there.hand_in(seat, duty, attack).result(SOON)
    assert receipt.status is Status.DICE
    assert there.snapshot.waits_for == "dice"
    with pytest.raises(DiceAway):
        there.hand_in(seat, duty, "end attack").result(SOON)
    assert there.table.wake(GAME).result(SOON).status is Status.DICE
    other = Hosted(there.table, "otherdice1")
    there.table.dice = None  # a game that is begun with dice of the house
    other.begin(Ruleset.load("classic", board="skerries"), 3, Settings())
    assert other.play(5) == 5
    there.table.dice, dice.away = dice, False
    assert there.table.wake(GAME).result(SOON).status is Status.DONE
    assert there.snapshot.waits_for == ""
    assert len({question.rid for question in dice.asked}) == 1  # the same, again and again
    later = there.hand_in(seat, duty, attack).result(SOON)
    assert later.status is Status.DONE
    assert there.play(20) == 20


def test_after_a_crash_between_request_and_answer_the_same_dice_come(
    there: Hosted, dice: OtherDice
) -> None:
    attack = an_attack(there)
    dice.away = True
    seat, duty = there.mover()
    there.hand_in(seat, duty, attack).result(SOON)
    question = dice.asked[-1]
    dice.away = False
    restarted = Hosted(Table(there.table.store, dice=dice))
    receipt = restarted.hand_in(seat, duty, attack).result(SOON)
    assert receipt.status is Status.DONE
    live = restarted.table.lives.held(GAME)
    assert live is not None
    answer = live.chain.answer(question.rid)
    assert answer is not None
    assert answer.key == dice.ask(question).result().key


def test_a_page_that_fails_leaves_nothing(game: Hosted) -> None:
    game.play(30)
    before, head = str(game.snapshot.game()), game.snapshot.head

    def fail(page: object) -> None:
        page.line(Kind.VOTE, "draw", "red")  # type: ignore[attr-defined]
        raise KeyError("something unforeseen")

    with pytest.raises(KeyError):
        game.table.change(GAME, fail).result(SOON)
    assert game.table.lives.held(GAME) is None  # forgotten: the store has the truth
    game.table.wake(GAME).result(SOON)
    assert (str(game.snapshot.game()), game.snapshot.head) == (before, head)
    assert game.play(5) == 5


def test_nothing_hidden_is_in_a_seats_notices(tmp_path: Path) -> None:
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
    seat, duty = game.mover()
    kept = []
    for _ in range(40):
        seat, duty = game.mover()
        text = str(game.snapshot.game().legal[0])
        kept.append((seat, duty, text, game.hand_in(seat, duty, text).result(SOON)))
    for seat, duty, text, receipt in kept:
        again = game.hand_in(seat, duty, text).result(SOON)
        assert (again.first, again.last) == (receipt.first, receipt.last)


def test_what_waited_for_the_dice_is_told_after_a_crash_between_request_and_answer(
    tmp_path: Path,
) -> None:
    with hosted(tmp_path) as game:
        attack = an_attack(game)
        seat, duty = game.mover()
        store, told = game.table.store, game.snapshot.head
        dying = Table(store)
        turn, turns = dying._turn, []

        def once(*arguments: Any, **more: Any) -> None:
            turns.append(arguments)
            if len(turns) == 1:
                turn(*arguments, **more)

        dying._turn = once  # type: ignore[method-assign]
        dying.submit(Submission(GAME, seat, duty, attack))
        while len(turns) < 2:
            time.sleep(0.01)
        assert not game.table.facts(GAME, seat, told)
        after = Table(store)
        after.wake(GAME).result(SOON)
        facts = [n for n in after.facts(GAME, seat, told) if n["kind"] == "facts"]
        events = [fact["event"] for notice in facts for fact in json.loads(notice["body"])]
        assert events[:2] == ["decided", "rolled"]
        verify_game(store.read(lambda connection: stored_of(connection, GAME)))


def test_a_refused_decision_leaves_the_game_in_memory(game: Hosted) -> None:
    seat, duty = game.mover()
    held = game.table.lives.held(GAME)
    with pytest.raises(RubiconError):
        game.submit("attack alaska -> alaska dice 9", seat=seat, duty=duty)
    assert game.table.lives.held(GAME) is held
