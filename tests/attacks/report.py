"""Plays all attacks at full size, and prints one table: `python -m tests.attacks.report`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator

from tests.attacks.measured import UNKNOWN, Measured
from tests.attacks.over_http.report import over_http_lines
from tests.attacks.played import cards, grinding, histories, identities, other_dice, requests
from tests.attacks.played import silences as quiet

Attack = Callable[[], Measured]
HEAD = (
    "attack",
    "rolls played",
    "known or chosen with older dice",
    "known or chosen now",
    "what `rubicon verify` shows",
    "what honest clients notice during the game",
)
NOT_COUNTED = "not counted"
LONGEST = 160  # characters of what verify prints
BATTLES = 4_000


def attacks() -> Iterator[Attack]:
    """Every attack at its full size."""
    yield lambda: grinding.invented_lines(60)
    yield lambda: requests.probe_dropped(20)
    yield requests.probe_answered
    yield lambda: identities.forged_in_the_genesis(200)
    for certified in (False, True):
        for client_in in (True, False):
            yield lambda c=certified, i=client_in: identities.forged_later(  # type: ignore[misc]
                certified=c, client_in=i
            )
    yield lambda: identities.deposit_dropped(200, replaced=True)
    yield lambda: identities.deposit_dropped(200, replaced=False)
    yield lambda: identities.called_lost(200)
    yield lambda: grinding.tried_seeds(200, 1_000, client=True)
    yield lambda: grinding.tried_seeds(200, 1_000, client=False)
    yield lambda: quiet.false_silences(100)
    yield lambda: quiet.false_silences(100, careless=True)
    yield lambda: quiet.false_silences(100, receipts=False)
    yield lambda: histories.restored_backup(10)
    yield lambda: histories.two_tales(100)
    yield lambda: quiet.withheld(20)
    yield lambda: quiet.friends_silences(200, ("red", "green"))
    yield histories.two_branches
    yield requests.ahead_of_its_turn
    yield lambda: grinding.ground_deposits(200, 1_000)
    yield requests.between
    yield requests.resigned_in_between
    yield lambda: requests.early_opening(100)
    yield lambda: other_dice.nobody_there(200)
    yield lambda: other_dice.asked_again()[0]
    yield lambda: requests.split_answers(100, mover_helps=True)
    yield requests.out_of_turn_between
    yield lambda: cards.chosen_card(sealed=False)
    yield lambda: cards.chosen_card(sealed=True)
    yield lambda: identities.replayed_deposit(20)
    yield lambda: identities.moved_order(repeated=False)
    yield lambda: identities.moved_order(repeated=True)


def main() -> None:
    """Print the table; the progress goes to standard error."""
    chosen = list(attacks())
    print(_row(HEAD))
    print(_row(["---"] * len(HEAD)))
    for number, attack in enumerate(chosen, 1):
        found = attack()
        print(f"\r{number} of {len(chosen)}", end="", file=sys.stderr, flush=True)
        print(_row(_cells(found)), flush=True)
    print(file=sys.stderr)
    print(f"\nCapture of 10 armies by 10, in {BATTLES:,} battles each:\n")
    print(_row(("friends", "silences each", "captured")))
    print(_row(["---"] * 3))
    for friends, silences in ((0, 0), (1, 1), (1, 2), (2, 2), (3, 2)):
        rate = quiet.battles(BATTLES, friends, silences)
        print(_row((str(friends), str(silences), f"{rate:.3f}")), flush=True)
    print("\nOver HTTP, with the Python client:\n")
    for line in over_http_lines():
        print(line, flush=True)


def _cells(found: Measured) -> tuple[str, ...]:
    before = NOT_COUNTED if found.before == UNKNOWN else "all"
    shown = found.verify if len(found.verify) <= LONGEST else found.verify[:LONGEST] + " …"
    return (
        found.attack,
        f"{found.rolls:,}",
        before,
        NOT_COUNTED if found.influenced is None else f"{found.influenced:,}",
        shown.replace("|", "/"),
        found.noticed,
    )


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
