"""No seat can end a game by making its log long: changes of mind are limited and do not count."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rubicon.errors import RubiconError
from rubicon.table.admin.audit import verify_store
from rubicon.table.commands import advance
from rubicon.table.commands.votes import vote
from rubicon.table.deadlines import announce_absence
from rubicon.table.game import limits
from rubicon.table.game.game_cache import rebuilt
from rubicon.table.game.log_lines import LineKind
from rubicon.table.settings import Settings
from tests.table.agreeing import do, kinds, refused
from tests.table.hosted import GAME, SOON, Hosted, hosted
from tests.table.timed import Time

MOST = 6
Change = Callable[[Hosted, str, int], None]


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_CHANGES", MOST)


@pytest.fixture
def game(tmp_path: Path, time: Time) -> Iterator[Hosted]:
    """A game in which a seat places armies, with limits that a test can reach."""
    with hosted(tmp_path) as game:
        game.play(until="reinforce")
        yield game
        assert verify_store(game.table.store).damaged == {}


def change_vote(game: Hosted, seat: str, number: int) -> None:
    """Vote for a draw, or withdraw the vote."""
    do(game, vote, seat, "draw", withdrawn=number % 2 == 1)


def change_standing_order(game: Hosted, seat: str, number: int) -> None:
    """Set another standing order."""
    dice = ("1", "2", "max")[number % 3]
    game.table.out_of_turn(GAME, seat, f"standing {seat} all {dice}").result(SOON)


def place_and_undo(game: Hosted, seat: str, _: int) -> None:
    """Place an army and take it back."""
    place = next(str(a) for a in game.snapshot.game().legal if str(a).startswith("place"))
    game.submit(place, seat=seat)
    game.table.undo(GAME, seat, game.snapshot.decisions[seat]).result(SOON)


def change_absence(game: Hosted, seat: str, number: int) -> None:
    """Announce another absence."""
    do(game, announce_absence, seat, f"2027-03-{number % 20 + 1:02} 2027-03-{number % 20 + 1:02}")


def order_nothing(game: Hosted, seat: str, _: int) -> None:
    """Send orders that cannot be carried out."""
    target = game.snapshot.game().territories[0]
    game.submit(f"ATTACK {target} -> {target}", seat=seat, orders=True)


CHANGES: list[Change] = [
    change_vote,
    change_standing_order,
    place_and_undo,
    change_absence,
    order_nothing,
]


def repeat(game: Hosted, change: Change, seat: str) -> int:
    """Repeat a change until it is refused; how often it was not."""
    code, number = "", 0
    while not code and number < 5 * MOST:
        try:
            change(game, seat, number)
            number += 1
        except RubiconError as error:
            code = error.code if error.suggestion else "an error that teaches nothing"
    assert code == "game/too-many-changes"
    return number


def move_again(game: Hosted, seat: str, _: int) -> None:
    """Move an army at the end of the turn."""
    moves = [str(a) for a in game.snapshot.game().legal if str(a).startswith("fortify")]
    game.submit(next(move for move in moves if move.endswith(" 1")), seat=seat)


@pytest.mark.parametrize("change", CHANGES)
def test_changes_of_mind_are_limited_until_the_game_goes_on(game: Hosted, change: Change) -> None:
    seat, _ = game.mover()
    done = repeat(game, change, seat)
    assert MOST <= done <= 2 * MOST
    while game.mover()[0] == seat:  # it may still decide
        assert game.play(1) == 1
    if change in (change_vote, change_absence, change_standing_order):
        change(game, seat, done)


@pytest.mark.parametrize("change", CHANGES)
def test_no_seat_can_end_a_game_by_its_length(
    game: Hosted, change: Change, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_CHANGES", 1_000)
    held = game.table.cache.held(GAME)
    assert held is not None
    most = held.counts.progress + 4
    monkeypatch.setattr(advance, "MAX_LOG_LINES", most)
    seat, _ = game.mover()
    before = game.snapshot.head
    for number in range(20):
        change(game, seat, number)
    assert game.snapshot.head >= before + 20
    assert game.snapshot.ending is None
    game.play(5)
    assert game.snapshot.ending is not None  # the length of the game itself still counts


def test_a_seat_has_only_so_many_changes_in_a_game(
    game: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_CHANGES_PER_GAME", 3)
    seat, _ = game.mover()
    for number in range(3):
        change_standing_order(game, seat, number)
    game.play(until="attack")
    with refused("game/too-many-changes"):
        change_standing_order(game, seat, 3)
    other = next(colour for colour in game.snapshot.game().colours if colour != seat)
    change_standing_order(game, other, 0)
    game.table.out_of_turn(GAME, seat, f"resign {seat}").result(SOON)  # always possible
    assert seat not in game.snapshot.decisions


def test_a_vote_can_always_be_withdrawn(game: Hosted) -> None:
    seat, _ = game.mover()
    do(game, vote, seat, "draw")
    for number in range(MOST - 1):
        change_standing_order(game, seat, number)
    with refused("game/too-many-changes"):
        do(game, vote, seat, "pause")
    do(game, vote, seat, "draw", withdrawn=True)
    assert not game.snapshot.votes


def test_what_changes_nothing_is_not_logged(game: Hosted) -> None:
    seat, decision = game.mover()
    game.table.out_of_turn(GAME, seat, f"standing {seat} all 1").result(SOON)
    do(game, announce_absence, seat, "2027-03-01 2027-03-02")
    head = game.snapshot.head
    for _ in range(3 * MOST):
        game.table.out_of_turn(GAME, seat, f"standing {seat} all 1").result(SOON)
        do(game, announce_absence, seat, "2027-03-01 2027-03-02")
    assert game.snapshot.head == head
    assert game.snapshot.decisions[seat] == decision
    held = game.table.cache.held(GAME)
    assert held is not None
    assert held.days_away == {seat: 2}


def test_the_counts_follow_from_the_log(game: Hosted) -> None:
    seat, _ = game.mover()
    for change in CHANGES:
        change(game, seat, 1)
    again = game.table.store.read(lambda connection: rebuilt(connection, GAME))
    held = game.table.cache.held(GAME)
    assert held is not None
    assert again.counts == held.counts
    assert held.counts.changes[seat] >= len(CHANGES) - 1


def test_cards_and_armies_cannot_be_moved_to_and_fro_for_ever(tmp_path: Path, time: Time) -> None:
    options = {"fortify.reach": "connected_many"}
    with hosted(tmp_path, options=options, settings=Settings()) as game:
        game.play(until="fortify")
        seat, _ = game.mover()
        assert repeat(game, move_again, seat) == MOST
        game.submit("end turn", seat=seat)
        assert kinds(game).count(LineKind.ACTION) > MOST
        assert verify_store(game.table.store).damaged == {}
