"""The attacks on the wire: a real server, and Python clients that take part by themselves."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.attacks.measured import Measured
from tests.attacks.over_http import cheats, lies
from tests.attacks.over_http.table import over_http
from tests.attacks.played import histories, identities, requests
from tests.attacks.played import silences as quiet

Attack = Callable[[], Measured]
SILENT = 2  # seconds that a roll waits where silence is the attack


@pytest.mark.parametrize(
    ("attack", "influenced", "alarms", "statuses"),
    [
        (lambda: histories.two_tales(2), None, ["bad-line", "bad-line"], [1, 1]),
        (
            histories.two_branches,
            0,
            ["lines-lost", "lines-lost", "lines-lost", "lines-lost"],
            [1, 1, 1, 1],
        ),
        (requests.ahead_of_its_turn, 0, ["bad-line", "bad-line"], [1, 1]),
        (lambda: requests.probe_dropped(1), 0, ["bad-line", "bad-line"], [1, 1]),
        (lambda: identities.forged_in_the_genesis(3), 0, ["none", "other-key"], [0, 1]),
        (
            lambda: identities.forged_later(certified=False, client_in=True),
            None,
            ["bad-line", "bad-line"],
            [1, 1],
        ),
        (lambda: identities.moved_order(repeated=False), None, ["other-order", "none"], [1, 1]),
        (lambda: identities.moved_order(repeated=True), None, ["bad-line", "bad-line"], [1, 1]),
        (lies.other_dice, 0, ["bad-line", "bad-line"], [1, 1]),
        (requests.between, None, ["none", "none"], [0, 0]),
    ],
)
def test_the_real_client_notices(
    attack: Attack, influenced: int | None, alarms: list[str], statuses: list[int]
) -> None:
    found = over_http(attack)
    assert found.measured.influenced == influenced
    assert [one.alarm for one in found.noticed] == alarms
    assert found.statuses == statuses


@pytest.mark.parametrize(("replaced", "alarm"), [(True, "other-key"), (False, "left-out")])
def test_a_deposit_put_aside_is_seen_at_once(replaced: bool, alarm: str) -> None:
    found = over_http(lambda: identities.deposit_dropped(2, replaced=replaced))
    assert (found.alarm("red"), found.statuses) == (alarm, [1])
    assert "your key: NOT THERE" in found.verify


def test_being_called_lost_is_seen_at_once() -> None:
    found = over_http(lambda: identities.called_lost(2))
    assert [one.alarm for one in found.noticed] == ["left-out", "left-out"]
    assert found.measured.influenced == found.measured.rolls


def test_a_false_silence_is_proved_by_the_receipt() -> None:
    found = over_http(lambda: quiet.false_silences(40))
    assert (found.measured.influenced, found.alarm("red")) == (1, "false-silence")
    assert "PROOF OF FRAUD: [dice/false-silence]" in found.noticed[0].verify
    assert found.statuses == [1, 0]


def test_a_receipt_without_a_signature_is_an_alarm() -> None:
    found = over_http(lambda: quiet.false_silences(3, receipts=False), wait_for_links=SILENT)
    assert (found.alarm("red"), found.statuses[0]) == ("no-receipt", 1)


def test_a_link_that_was_refused_and_is_called_silent_stands_in_the_journal() -> None:
    found = over_http(lies.refused_receipt, wait_for_links=SILENT)
    assert (found.alarm("red"), found.statuses[0]) == ("none", 1)
    assert "bad: [dice/no-receipt]" in found.noticed[0].verify


def test_a_request_that_the_stream_hides_is_noted() -> None:
    found = over_http(lies.hidden_in_the_stream, wait_for_links=SILENT)
    assert found.measured.alarm == "none (a note in its journal)"
    assert "silent: red in request" in found.noticed[0].verify


def test_a_request_that_only_the_stream_shows_is_an_alarm() -> None:
    found = over_http(lies.hidden_in_the_transcript, wait_for_links=SILENT)
    assert (found.alarm("red"), found.statuses[0]) == ("hidden-lines", 1)


def test_a_backup_in_the_place_of_the_database_rolls_no_seen_dice_again() -> None:
    found = over_http(lies.restored_backup, wait_for_links=SILENT)
    assert found.measured.influenced == 0
    assert "none" not in [one.alarm for one in found.noticed]
    assert found.statuses == [1, 1, 1, 1]


def test_a_second_first_line_is_an_alarm() -> None:
    found = over_http(lies.two_geneses)
    assert found.measured.influenced == 0
    assert [one.alarm for one in found.noticed[2:]] == ["lines-lost", "lines-lost"]
    assert found.statuses == [1, 1, 1, 1]


def test_no_route_opens_a_secret_early() -> None:
    found = over_http(lies.opened_early)
    assert (found.measured.influenced, found.statuses) == (0, [0, 0])


def test_another_order_than_the_signed_one_is_an_alarm() -> None:
    found = over_http(lies.another_order)
    assert found.measured.rolls == 1
    assert "unsigned: 0" not in found.measured.verify
    robbed, other = sorted(found.noticed, key=lambda one: one.alarm != "other-order")
    assert (robbed.alarm, robbed.status, other.alarm, other.status) == ("other-order", 1, "none", 0)
    assert "bad: [dice/other-order]" in robbed.verify


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("no chain", "dice/wrong-link"),
        ("another seat", "dice/wrong-link"),
        ("another head", "dice/wrong-signature"),
    ],
)
def test_bad_links_are_refused_without_a_trace(kind: str, code: str) -> None:
    found = over_http(lambda: cheats.bad_links(kind, 100))
    assert found.measured.influenced == 0
    assert f"{code}: 100" in found.measured.verify
    assert found.statuses[0] == 0


def test_a_seat_deposits_a_limited_number_of_chains() -> None:
    found = over_http(lambda: cheats.many_chains(50))
    assert "taken: 32; dice/too-many-chains: 18" in found.measured.verify
    assert "32 lines more" in found.measured.verify


def test_a_program_that_withholds_its_links_is_out_after_two() -> None:
    found = over_http(cheats.withheld, wait_for_links=SILENT)
    assert (found.measured.verify, found.alarm("red")) == ("out", "none")
    assert found.noticed[0].verify.count("silent: blue in request") == 2
