"""What docs/fair-dice.md says that an operator, and a player, can do and cannot do."""

from __future__ import annotations

import pytest

from tests.attacks.played import cards, grinding, histories, identities, other_dice, requests
from tests.attacks.played import silences as quiet


def test_invented_lines_times_and_words_change_no_die() -> None:
    found = grinding.invented_lines(3)
    assert (found.rolls >= 3, found.influenced) == (True, 0)


def test_tried_seeds_gain_nothing_against_one_honest_deposit() -> None:
    assert grinding.tried_seeds(40, 100, client=True).influenced == 0


def test_tried_seeds_choose_the_first_roll_where_no_client_takes_part() -> None:
    found = grinding.tried_seeds(40, 100, client=False)
    assert found.influenced == found.rolls
    assert "2 without any player's client" in found.verify


def test_ground_deposits_gain_nothing() -> None:
    assert grinding.ground_deposits(40, 100).influenced == 0


def test_a_probed_roll_cannot_be_dropped() -> None:
    found = requests.probe_dropped(2)
    assert (found.influenced, found.alarm) == (0, "bad-line")


def test_a_request_that_the_rules_did_not_ask_for_is_named() -> None:
    found = requests.probe_answered()
    assert "record/other-request" in found.verify
    assert "log/nothing-pending" in found.verify


def test_a_forged_participant_in_the_genesis_is_seen_at_once() -> None:
    found = identities.forged_in_the_genesis(3)
    assert (found.influenced, found.alarm) == (0, "other-key")


@pytest.mark.parametrize(
    ("certified", "client_in", "verify", "alarm"),
    [
        (False, True, "dice/uncertified", "bad-line"),
        (False, False, "keys not certified: 1", "other-key"),
        (True, True, "dice/wrong-signature", "bad-line"),
        (True, False, "dice/wrong-signature", "bad-line"),
    ],
)
def test_a_forged_participant_later_is_refused_or_flagged(
    certified: bool, client_in: bool, verify: str, alarm: str
) -> None:
    found = identities.forged_later(certified=certified, client_in=client_in)
    assert (verify in found.verify, found.alarm) == (True, alarm)


@pytest.mark.parametrize(("replaced", "alarm"), [(True, "other-key"), (False, "left-out")])
def test_a_deposit_put_aside_is_seen_at_once(replaced: bool, alarm: str) -> None:
    found = identities.deposit_dropped(2, replaced=replaced)
    assert found.alarm == alarm
    assert found.influenced is not None
    assert found.influenced >= found.rolls  # nobody else's client is there: the roll is known


def test_being_called_lost_is_seen_at_once() -> None:
    found = identities.called_lost(3)
    assert (found.influenced, found.alarm) == (found.rolls, "left-out")
    assert "lost, on the server's word: 1" in found.verify


def test_an_old_deposit_serves_no_second_game() -> None:
    found = identities.replayed_deposit(2)
    assert found.influenced == 0
    assert "two-geneses" in found.alarm


def test_a_signed_order_fits_its_own_decision_only() -> None:
    assert "dice/wrong-signature" in identities.moved_order(repeated=False).verify


def test_a_signed_order_counts_once() -> None:
    found = identities.moved_order(repeated=True)
    assert "dice/asked-again" in found.verify
    assert found.alarm == "bad-line"


def test_a_false_silence_raises_an_alarm() -> None:
    found = quiet.false_silences(40)
    assert (found.influenced, found.alarm) == (1, "false-silence")


def test_false_silences_choose_at_most_two_rolls_of_a_seat() -> None:
    found = quiet.false_silences(40, careless=True)
    assert found.influenced in (1, 2)
    assert found.alarm == "false-silence"


def test_a_false_silence_without_a_receipt_is_noted() -> None:
    found = quiet.false_silences(40, receipts=False)
    assert found.influenced in (0, 1, 2)
    assert found.alarm == "none (a note in its journal)"


def test_a_seat_that_withholds_its_link_twice_is_out() -> None:
    found = quiet.withheld(3)
    assert "silent: 2" in found.verify


def test_friends_choose_at_most_two_rolls_each() -> None:
    found = quiet.friends_silences(40, ("red", "green"))
    assert found.influenced in (1, 2, 3, 4)
    assert "the roll with its link" in found.verify


@pytest.mark.parametrize(
    ("friends", "silences", "rate"), [(0, 0, 0.48), (1, 1, 0.72), (1, 2, 0.84), (2, 2, 0.98)]
)
def test_what_silences_are_worth(friends: int, silences: int, rate: float) -> None:
    assert quiet.battles(500, friends, silences) == pytest.approx(rate, abs=0.05)


def test_a_restored_backup_rolls_no_seen_dice_again() -> None:
    found = histories.restored_backup(1)
    assert found.influenced == 0
    assert "two-histories" in found.alarm
    assert "dice/other-history" in found.verify


def test_two_histories_are_told_apart_by_their_heads() -> None:
    found = histories.two_tales(2)
    assert "dice/other-history" in found.verify
    assert found.alarm == "bad-line"


def test_two_branches_get_one_set_of_links() -> None:
    found = histories.two_branches()
    assert (found.influenced, found.alarm) == (0, "bad-line, two-histories")


def test_no_link_is_given_ahead_of_its_turn() -> None:
    found = requests.ahead_of_its_turn()
    assert found.influenced == 0
    assert "dice/answer-owed" in found.verify


def test_lines_between_request_and_answer_are_found() -> None:
    found = requests.between()
    assert "log/between" in found.verify


def test_a_resignation_waits_for_the_answer() -> None:
    assert requests.resigned_in_between().influenced == 0


def test_nothing_is_opened_early() -> None:
    found = requests.early_opening(3)
    assert (found.rolls >= 3, found.influenced) == (True, 0)


def test_a_dice_server_alone_keeps_the_dice_unknown() -> None:
    found = other_dice.nobody_there(3)
    assert found.influenced == 0
    assert "an independent dice server took part in" in found.verify


def test_a_dice_server_answers_each_number_once() -> None:
    found, refused = other_dice.asked_again()
    assert found.influenced == 0
    wanted = ["dice/answered", "dice/out-of-order", "dice/hidden-link", "dice/other-genesis"]
    assert refused == wanted


def test_an_open_decision_does_not_ask_again_behind_one_out_of_turn() -> None:
    found = requests.out_of_turn_between()
    assert (found.influenced, "dice/asked-again" in found.verify) == (0, True)


def test_an_answer_cannot_be_ended_before_a_bad_draw() -> None:
    found = requests.split_answers(20, mover_helps=True)
    assert "record/other-order" in found.verify


@pytest.mark.parametrize(("sealed", "code"), [(True, "dice/wrong-sealed"), (False, "wrong-dice")])
def test_no_card_is_chosen(sealed: bool, code: str) -> None:
    assert code in cards.chosen_card(sealed=sealed).verify
