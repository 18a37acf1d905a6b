"""The section of the report with the attacks on the wire."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.attacks.measured import UNKNOWN, Measured
from tests.attacks.over_http import cheats, lies
from tests.attacks.over_http.table import PATIENT, OverHttp, over_http
from tests.attacks.played import histories, identities, requests
from tests.attacks.played import silences as quiet

HEAD = "attack", "rolls", "influenced", "alarm of each player's client", "`verify --journal --key`"
SILENT = 2  # seconds that a roll waits where silence is the attack


def attacks() -> Iterator[tuple[Callable[[], Measured], int]]:
    """Each attack, and the seconds that its rolls wait for a link."""
    patient: tuple[Callable[[], Measured], ...] = (
        lambda: histories.two_tales(20),
        histories.two_branches,
        lies.two_geneses,
        requests.ahead_of_its_turn,
        lambda: requests.probe_dropped(5),
        requests.probe_answered,
        requests.between,
        lambda: identities.forged_in_the_genesis(20),
        lambda: identities.forged_later(certified=False, client_in=True),
        lambda: identities.forged_later(certified=True, client_in=True),
        lambda: identities.deposit_dropped(20, replaced=True),
        lambda: identities.deposit_dropped(20, replaced=False),
        lambda: identities.called_lost(20),
        lambda: identities.moved_order(repeated=False),
        lambda: identities.moved_order(repeated=True),
        lies.another_order,
        lies.other_dice,
        lies.opened_early,
        lambda: quiet.false_silences(40),
        lambda: cheats.bad_links("no chain", 1_000),
        lambda: cheats.bad_links("another head", 1_000),
        lambda: cheats.bad_links("another seat", 1_000),
        lambda: cheats.many_chains(1_000),
    )
    for attack in patient:
        yield attack, PATIENT
    silent: tuple[Callable[[], Measured], ...] = (
        lambda: quiet.false_silences(3, receipts=False),
        lies.refused_receipt,
        lies.hidden_in_the_stream,
        lies.hidden_in_the_transcript,
        lies.restored_backup,
        cheats.withheld,
    )
    for attack in silent:
        yield attack, SILENT


def over_http_lines() -> Iterator[str]:
    """The table of all attacks on the wire, line by line."""
    yield _row(HEAD)
    yield _row(["---"] * len(HEAD))
    for attack, wait in attacks():
        yield _row(cells(over_http(attack, wait_for_links=wait)))


def cells(found: OverHttp) -> tuple[str, ...]:
    """One attack as a row."""
    measured = found.measured
    return (
        measured.attack,
        f"{measured.rolls:,}",
        UNKNOWN if measured.influenced is None else f"{measured.influenced:,}",
        "; ".join(f"{one.seat}: {one.alarm}" for one in found.noticed),
        "; ".join(f"{one.seat}: {one.status}, {_said(one.verify)}" for one in found.noticed),
    )


def _said(printed: str) -> str:
    """The codes of what `rubicon verify` found, or that it found nothing."""
    marked = [
        line for line in printed.splitlines() if line.startswith(("bad: ", "PROOF OF FRAUD: "))
    ]
    found = [line.partition("[")[2].partition("]")[0] for line in marked]
    if "your key: NOT THERE" in printed:
        found.append("your key: NOT THERE")
    return " + ".join(dict.fromkeys(found)) or "nothing bad"


def _row(cells: Iterator[str] | tuple[str, ...] | list[str]) -> str:
    return f"| {' | '.join(cells)} |"
