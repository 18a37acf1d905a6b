"""Requests and answers with players' clients: links, silences, one request for one order line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from rubicon.errors import RubiconError
from rubicon.table.admin.audit import verify_store
from rubicon.table.commands import advance
from rubicon.table.commands.submit import Status
from rubicon.table.commands.votes import vote
from rubicon.table.deadlines import announce_absence, tick
from rubicon.table.game.game_cache import rebuilt
from rubicon.table.game.log_lines import LineKind
from rubicon.table.settings import Clock, DiceSource, Settings, TimeoutPolicy
from rubicon.table.table_service import TableService
from tests.table.dice_players import (
    CLOCKS,
    WAIT,
    DicePlayer,
    an_attack,
    entries,
    kinds,
    last,
    log,
    others,
    refused,
    rolling,
    seated,
    sweep,
    until,
    verdict,
)
from tests.table.hosted import GAME, SOON, Hosted, hosted
from tests.table.timed import START, Time, set_time


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    return set_time(monkeypatch, *CLOCKS)


@pytest.fixture
def game(tmp_path: Path, time: Time) -> Iterator[Hosted]:
    """A game before its first attack."""
    with hosted(tmp_path) as game:
        game.play(until="attack")
        yield game
        assert verify_store(game.table.store).damaged == {}


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_roll_waits_for_all_links(game: Hosted, count: int) -> None:
    attack = an_attack(game)
    seats = [game.mover()[0], *others(game)][:count]
    players = seated(game, *seats)
    submitted = rolling(game, attack)
    for player in players:
        assert not submitted.done()
        assert player.seat in game.snapshot.links_wanted
        player.give()
    assert submitted.result(SOON).status is Status.DONE
    assert game.snapshot.waits_for == ""
    answer = last(game, "answer")
    assert set(answer["links"]) == {"server", *(f"{seat}.1" for seat in seats)}
    assert None not in answer["links"].values()
    for player in players:
        assert player.follow().client.answered == answer["n"]
    assert [verdict(game).seats[seat].took_part_uncertified for seat in seats] == [1] * count


def test_without_clients_a_roll_waits_for_nobody(game: Hosted) -> None:
    game.submit(an_attack(game))
    assert set(last(game, "answer")["links"]) == {"server"}
    assert game.snapshot.links_wanted == {}
    found = verdict(game)
    assert found.without_clients == found.requests


def test_who_gives_no_link_is_silent_and_comes_back_on_the_same_chain(
    game: Hosted, time: Time
) -> None:
    attack = an_attack(game)
    one, two = seated(game, *others(game))
    submitted = rolling(game, attack)
    one.give()
    time.pass_by(WAIT - 1)
    sweep(game)
    assert game.snapshot.waits_for == "links"
    time.pass_by(2)
    sweep(game)
    assert submitted.result(SOON).status is Status.DONE
    answer = last(game, "answer")
    assert answer["links"][f"{two.seat}.1"] is None
    assert len(answer["draws"]) == 1
    assert verdict(game).silences[0].roll == "withheld"
    two.presence("joined").result(SOON)
    again = rolling(game, an_attack(game))
    two.give()
    one.give()
    assert again.result(SOON).status is Status.DONE
    (silence,) = verdict(game).silences
    assert (silence.id, silence.n) == (f"{two.seat}.1", answer["n"])
    assert " v " in silence.roll


def test_who_is_silent_is_not_waited_for_again(game: Hosted, time: Time) -> None:
    attack = an_attack(game)
    one = seated(game, *others(game))[0]
    submitted = rolling(game, attack)
    one.give()
    time.pass_by(WAIT + 1)
    sweep(game)
    submitted.result(SOON)
    again = rolling(game, an_attack(game))
    assert set(game.snapshot.links_wanted) == {one.seat}
    one.give()
    assert again.result(SOON).status is Status.DONE


def test_a_second_silence_puts_the_seat_out(game: Hosted, time: Time) -> None:
    attack = an_attack(game)
    (one,) = seated(game, others(game)[0])
    for number in range(2):
        if number:
            one.presence("joined").result(SOON)
        submitted = rolling(game, attack)
        time.pass_by(WAIT + 1)
        sweep(game)
        submitted.result(SOON)
        attack = an_attack(game)
    assert refused(one.presence("joined")) == "dice/out"
    new = DicePlayer(game, one.seat)
    deposited = game.table.deposit(GAME, one.seat, new.client.deposit)
    assert refused(deposited) == "dice/out"
    assert verdict(game).seats[one.seat].silent == 2
    game.submit(attack)
    assert set(last(game, "answer")["links"]) == {"server"}


def an_order_line(game: Hosted) -> str:
    """An attack to the end, from where the mover has the most armies."""
    an_attack(game)
    played = game.snapshot.game()
    attacks = [str(action) for action in played.legal if str(action).startswith("attack")]
    armies, names = played.position.armies, list(played.ruleset.board.territory_ids)
    start = {a: a.removeprefix("attack ").partition(" -> ")[0] for a in attacks}
    best = max(attacks, key=lambda a: int(armies[names.index(start[a])]))
    return best.partition(" dice")[0].replace("attack", "ATTACK") + " UNTIL LEFT 1"


def test_a_whole_order_line_is_one_request(game: Hosted) -> None:
    (one,) = seated(game, others(game)[0])
    draws: list[int] = []
    while max(draws, default=0) < 2:  # a first roll may win
        line = an_order_line(game)
        before = verdict(game).requests
        submitted = rolling(game, line, orders=True)
        assert last(game, "request")["rolls"] == 64
        one.give()
        found = kinds(game, submitted.result(SOON).first)
        draws.append(len(last(game, "answer")["draws"]))
        assert verdict(game).requests == before + 1
        assert found.count(LineKind.OUTCOME) == draws[-1]


def asked_again(game: Hosted, n: int, seats: set[str]) -> bool:
    """Whether a request behind number `n` waits for links of these seats."""
    return last(game, "request")["n"] > n and set(game.snapshot.links_wanted) == seats


def test_a_silence_serves_one_roll_and_the_rest_of_the_line_is_another_request(
    game: Hosted, time: Time
) -> None:
    one, two = seated(game, *others(game))
    submitted = rolling(game, an_order_line(game), orders=True)
    first = last(game, "request")
    one.give()
    time.pass_by(WAIT + 1)
    tick(game.table, START)  # its own command waits behind the next request
    # The log is ahead of the snapshot for a moment.
    until(lambda: submitted.done() or asked_again(game, first["n"], {one.seat}))
    assert len(last(game, "answer")["draws"]) == 1
    assert verdict(game).seats[two.seat].silent == 1
    if not submitted.done():  # the first roll did not win
        second = last(game, "request")
        assert (second["n"], second["decision"]) == (first["n"] + 1, first["decision"])
        one.give()
    assert submitted.result(SOON).status is Status.DONE


def test_nothing_stands_between_a_request_and_its_answer(game: Hosted, time: Time) -> None:
    """Whoever sees the links first must not be able to drop, delay or exchange the roll."""
    attack = an_attack(game)
    mover, _ = game.mover()
    (one,) = seated(game, others(game)[0])
    submitted = rolling(game, attack)
    head = game.snapshot.head
    tried = [
        game.table.change(GAME, lambda unit: vote(unit, mover, "draw")),
        game.table.change(GAME, lambda unit: vote(unit, mover, "pause")),
        game.table.change(GAME, lambda unit: announce_absence(unit, mover, "2027-03-01 3 days")),
        game.table.out_of_turn(GAME, one.seat, f"resign {one.seat}"),
        game.table.undo(GAME, mover, game.snapshot.decisions.get(mover, 0)),
        game.table.deposit(GAME, mover, DicePlayer(game, mover).client.deposit),
    ]
    game.table.wake(GAME).result(SOON)
    assert game.snapshot.head == head
    one.give()
    assert submitted.result(SOON).status is Status.DONE
    for future in tried:
        error = future.exception(SOON)
        assert error is None or isinstance(error, RubiconError)
    found = kinds(game, head)
    answered = found.index(LineKind.OUTCOME)
    assert found[:answered] == [LineKind.REQUEST, LineKind.LINK]
    assert LineKind.VOTE in found[answered:]
    sealed = [entry.kind for entry in entries(game)]
    assert [sealed[n + 1] for n, kind in enumerate(sealed) if kind == "request"] == [
        "answer" for kind in sealed if kind == "request"
    ]


def test_no_clock_runs_out_while_links_are_waited_for(tmp_path: Path, time: Time) -> None:
    settings = Settings(
        clock=Clock.LIVE,
        decision_time=5,
        bank=0,
        timeout_policy=TimeoutPolicy.NEUTRAL,
        entropy_wait=20,
    )
    with hosted(tmp_path, settings=settings) as game:
        attack = an_attack(game)
        (one,) = seated(game, others(game)[0])
        submitted = rolling(game, attack)
        head = game.snapshot.head
        time.pass_by(10)
        sweep(game)
        assert game.snapshot.head == head
        one.give()
        submitted.result(SOON)
        assert kinds(game, head)[:3] == [LineKind.REQUEST, LineKind.LINK, LineKind.OUTCOME]
        assert verify_store(game.table.store).damaged == {}


def test_a_restart_in_the_middle_of_a_request_changes_nothing(game: Hosted) -> None:
    attack = an_attack(game)
    one, two = seated(game, *others(game))
    rolling(game, attack)
    one.give()
    wanted = dict(game.snapshot.links_wanted)
    restarted = Hosted(TableService(game.table.store))
    restarted.table.wake(GAME).result(SOON)
    assert restarted.snapshot.links_wanted == wanted
    assert set(wanted) == {two.seat}
    again = DicePlayer(restarted, two.seat, two.client)
    again.give()
    assert restarted.snapshot.waits_for == ""
    links = last(restarted, "answer")["links"]
    assert {name: link["link"] for name, link in links.items() if name != "server"} == {
        f"{player.seat}.1": player.sent[0]["link"] for player in (one, again)
    }


def test_a_game_that_is_forgotten_in_between_rolls_the_same(game: Hosted) -> None:
    attack = an_attack(game)
    (one,) = seated(game, others(game)[0])
    rolling(game, attack)
    game.table.store.write(lambda _: game.table.cache.forget(GAME)).result(SOON)
    one.give()
    assert game.snapshot.waits_for == ""
    assert verdict(game).seats[one.seat].took_part_uncertified == 1


def test_no_secret_is_told_before_its_time(game: Hosted) -> None:
    attack = an_attack(game)
    one, two = seated(game, *others(game))
    submitted = rolling(game, attack)
    one.give()
    held = game.table.cache.held(GAME)
    assert held is not None
    server = held.secrets.own_link(held.transcript.state).link.hex()
    given = one.sent[0]["link"]
    readers = ["", *game.snapshot.game().colours]
    told = [str(game.table.facts(GAME, reader, most=100_000)) for reader in readers]
    told += [entry.text() for entry in entries(game)]
    hidden = [held.secrets.seed.hex(), server, given, one.sent[0]["signature"]]
    assert not [secret for secret in hidden for text in told if secret in text]
    two.give()
    submitted.result(SOON)
    shown = entries(game)[-1].text()
    assert server in shown
    assert given in shown
    assert held.secrets.seed.hex() not in shown


def test_each_seat_is_told_of_its_own_link_only(game: Hosted) -> None:
    attack = an_attack(game)
    one, two = seated(game, *others(game))
    rolling(game, attack)
    for player in (one, two):
        (told,) = [n for n in game.table.facts(GAME, player.seat) if n["kind"] == "link"]
        assert f'"id": "{player.seat}.1"' in told["body"]
    assert not [n for n in game.table.facts(GAME, "") if n["kind"] == "link"]
    one.give()
    two.give()


def test_typed_dice_need_no_links_but_cards_do(tmp_path: Path, time: Time) -> None:
    settings = Settings(dice=DiceSource.TYPED)
    with hosted(tmp_path, settings=settings) as game:
        game.table.type_dice(GAME, "red", game.snapshot.head, "dice 1 6 1").result(SOON)
        game.play(until="reinforce")
        (one,) = seated(game, others(game)[0])
        while game.snapshot.waits_for != "typed":
            game.play(1)
        mover = game.snapshot.game().turn
        assert mover is not None
        assert game.snapshot.links_wanted == {}
        pending = game.snapshot.game().pending
        assert pending is not None
        faces = f"{' '.join('6' * pending.attack_dice)} v {' '.join('1' * pending.defence_dice)}"
        game.table.type_dice(GAME, mover, game.snapshot.head, faces).result(SOON)
        assert verdict(game).dice == 0
        assert one.follow().client.alarms == []
        assert verify_store(game.table.store).damaged == {}


TYPED_TABLE = Settings(dice=DiceSource.TYPED, clock=Clock.LIVE, decision_time=60, bank=0)


def to_typed_dice(game: Hosted) -> str:
    """Play until a person must enter the dice of an attack: who."""
    game.table.type_dice(GAME, "red", game.snapshot.head, "dice 1 6 1").result(SOON)
    while game.snapshot.waits_for != "typed":
        game.play(1)
    assert game.snapshot.thrower == game.snapshot.game().turn
    return game.snapshot.thrower


def untyped(game: Hosted) -> list[str]:
    """The seats for whom the table said that it rolls their dice."""
    told = [json.loads(each["body"]) for each in game.table.facts(GAME, "", most=5_000)]
    facts = [one for body in told if isinstance(body, list) for one in body]
    return [one["seat"] for one in facts if one.get("event") == "untyped"]


def test_the_clock_of_who_must_enter_dice_runs_and_then_the_table_rolls(
    tmp_path: Path, time: Time
) -> None:
    with hosted(tmp_path, settings=TYPED_TABLE) as game:
        mover = to_typed_dice(game)
        assert game.snapshot.due == {mover: time.at + 60_000}
        time.pass_by(59)
        sweep(game)
        assert (game.snapshot.waits_for, untyped(game)) == ("typed", [])
        time.pass_by(2)
        sweep(game)
        assert (game.snapshot.waits_for, game.snapshot.thrower) == ("", "")
        assert untyped(game) == [mover]
        assert verdict(game).dice > 0
        assert verify_store(game.table.store).damaged == {}
        again = game.table.store.read(lambda connection: rebuilt(connection, GAME))
        assert str(again.game) == str(game.snapshot.game())


def test_dice_that_are_entered_in_time_are_taken_and_pay_for_a_late_decision(
    tmp_path: Path, time: Time
) -> None:
    with hosted(tmp_path, settings=replace(TYPED_TABLE, bank=100)) as game:
        mover = to_typed_dice(game)
        time.pass_by(80)
        pending = game.snapshot.game().pending
        assert pending is not None
        faces = f"{' '.join('1' * pending.attack_dice)} v {' '.join('6' * pending.defence_dice)}"
        game.table.type_dice(GAME, mover, game.snapshot.head, faces).result(SOON)
        assert game.snapshot.due == {mover: time.at + (60 + 80) * 1000}
        assert (untyped(game), verdict(game).dice) == ([], 0)
        assert verify_store(game.table.store).damaged == {}


def test_the_first_dice_of_all_do_not_stall_a_game_either(tmp_path: Path, time: Time) -> None:
    with hosted(tmp_path, settings=TYPED_TABLE) as game:
        first = game.snapshot.game().colours[0]
        assert (game.snapshot.waits_for, game.snapshot.thrower) == ("typed", first)
        while game.snapshot.waits_for == "typed":  # once more where two rolled the same
            time.pass_by(61)
            sweep(game)
        assert set(untyped(game)) == {first}
        assert game.snapshot.decisions
        assert verify_store(game.table.store).damaged == {}


def test_the_table_rolls_for_a_bot_that_takes_over(tmp_path: Path, time: Time) -> None:
    with hosted(tmp_path, settings=replace(TYPED_TABLE, clock=Clock.NONE)) as game:
        mover = to_typed_dice(game)
        time.pass_by(10_000)
        sweep(game)
        assert game.snapshot.waits_for == "typed"  # no clock, no deadline
        for seat in sorted(game.snapshot.game().colours, key=lambda seat: seat != mover):
            vote_for = partial(vote, seat=seat, motion=f"replace {mover}")
            if mover not in game.snapshot.bots:
                game.table.change(GAME, vote_for).result(SOON)
        assert mover in game.snapshot.bots
        assert game.snapshot.waits_for == ""
        for _ in range(10):
            if game.snapshot.game().turn == mover:
                assert game.snapshot.waits_for == ""  # its later dice are never a person's
                game.play(1)
        assert untyped(game) == [mover]
        assert verify_store(game.table.store).damaged == {}


def test_a_table_that_rolls_before_the_time_is_over_is_caught(tmp_path: Path, time: Time) -> None:
    with hosted(tmp_path, settings=TYPED_TABLE) as game:
        to_typed_dice(game)
        time.pass_by(30)
        game.table.change(GAME, advance.request).result(SOON)
        (damaged,) = verify_store(game.table.store).damaged.values()
        assert damaged.code == "log/unfounded"
        assert "whose time was not over" in damaged.message


def test_a_paused_game_waits_for_its_dice(tmp_path: Path, time: Time) -> None:
    with hosted(tmp_path, settings=TYPED_TABLE) as game:
        mover = to_typed_dice(game)
        time.pass_by(30)
        for seat in game.snapshot.game().colours:
            game.table.change(GAME, partial(vote, seat=seat, motion="pause")).result(SOON)
        assert game.snapshot.paused
        time.pass_by(1000)
        sweep(game)
        assert game.snapshot.waits_for == "typed"
        game.table.change(GAME, partial(vote, seat=mover, motion="resume")).result(SOON)
        assert game.snapshot.due == {mover: time.at + 30_000}


def test_a_table_may_have_no_clients(tmp_path: Path, time: Time) -> None:
    with hosted(tmp_path, settings=Settings(entropy_wait=0)) as game:
        player = DicePlayer(game, "red")
        deposited = game.table.deposit(GAME, "red", player.client.deposit)
        assert refused(deposited) == "dice/no-clients"
        game.submit(an_attack(game))
        assert verdict(game).seats["red"].chains == 0


def test_a_game_between_bots_ends_with_open_secrets(tmp_path: Path, time: Time) -> None:
    with hosted(tmp_path) as game:
        game.play(150)
        for colour in game.snapshot.game().colours:
            if game.snapshot.ending is None:
                game.table.change(GAME, partial(vote, seat=colour, motion="draw")).result(SOON)
        found = verdict(game)
        assert found.opened
        assert not found.broken
        assert found.without_clients == found.requests > 1
        assert log(game)[-1].kind is LineKind.END
        assert verify_store(game.table.store).damaged == {}


def test_a_client_without_a_sign_of_life_is_called_lost(game: Hosted, time: Time) -> None:
    attack = an_attack(game)
    one, two = seated(game, *others(game))
    two.client.connected = False
    time.pass_by(50)
    one.game.table.store.write(partial(_seen, seat=one.seat)).result(SOON)
    time.pass_by(50)
    submitted = rolling(game, attack)
    assert set(game.snapshot.links_wanted) == {one.seat}
    one.give()
    submitted.result(SOON)
    kinds_of = [entry.kind for entry in entries(game)]
    assert kinds_of[-3:] == ["lost", "request", "answer"]
    assert verdict(game).seats[two.seat].lost == 1
    two.presence("joined").result(SOON)
    again = rolling(game, an_attack(game))
    one.give()
    two.give()
    assert again.result(SOON).status is Status.DONE


def _seen(connection: object, seat: str) -> None:
    from rubicon.table.commands.dice_participants import seen  # noqa: PLC0415

    seen(connection, GAME, seat)  # type: ignore[arg-type]
