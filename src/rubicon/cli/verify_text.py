"""What `rubicon verify` prints: never more than a transcript shows (docs/fair-dice.md)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rubicon.dice.errors import DiceFault
    from rubicon.dice.journal import JournalVerdict
    from rubicon.dice.verify import SeatSummary, Verdict
    from rubicon.server.dice_log import ComparedLog
    from rubicon.table.admin.dice_audit import Compared


def verdict_lines(verdict: Verdict) -> Iterator[str]:
    """What a transcript shows that was found right."""
    yield _history_line(verdict)
    yield _known_line(verdict)
    yield f"table {verdict.table}: {verdict.lines:,} lines, none of them wrong"
    yield (
        f"requests: {verdict.requests:,}, with {verdict.dice:,} dice and {verdict.picks:,} picks;"
        f" {verdict.without_clients:,} without any player's client"
    )
    if verdict.dice_server:
        yield f"an independent dice server took part in {verdict.dice_server:,}"
    for seat in verdict.seats.values():
        yield _seat_line(seat, verdict.requests)
    yield from _placement_lines(verdict)
    for silence in verdict.silences:
        yield f"silent: {silence.id} in request {silence.n}; the roll with its link: {silence.roll}"
    for table, head in verdict.earlier:
        yield (
            f"continues table {table}, which began with {head.hex()[:16]}: dice that were seen"
            " there behind the common position are rolled anew here"
        )
    yield _secrets_line(verdict)
    if verdict.trailing:
        yield f"the last {verdict.trailing:,} lines are not signed by the server"
    if verdict.key_found is not None:
        own = f"there, in {verdict.with_key:,} of {verdict.answered:,}"
        yield "your key: " + (own if verdict.key_found else "NOT THERE")
    yield f"head: {verdict.witness}"


def _history_line(verdict: Verdict) -> str:
    """Whether anything shows that this is the history that everybody saw."""
    if verdict.known_up_to is None:
        return (
            "The dice follow from these lines. Only a head that somebody has kept shows that no"
            " other lines stood there before (--head, --journal)."
        )
    if verdict.known_up_to == verdict.lines - 1:
        return "The dice are unchanged since the heads that you gave were kept."
    return (
        f"The dice are unchanged up to line {verdict.known_up_to + 1:,}, since the heads that you"
        " gave were kept; the lines behind it follow from those before."
    )


def _known_line(verdict: Verdict) -> str:
    """Who could know the dice beforehand."""
    every = verdict.answered
    if not every:
        return "No request has been answered: there are no dice yet."
    if verdict.dice_server == every:
        return (
            f"An independent dice server took part in all {every:,} requests: if its operator is"
            " honest, nobody could know the first roll of any of them beforehand."
        )
    told = f"{verdict.with_clients:,} of {every:,} requests had a client of a player in them;"
    if verdict.known_to_operator:
        return f"{told} the operator could know the dice of the other" + (
            f" {verdict.known_to_operator:,} beforehand."
        )
    return f"{told} the operator could know their dice beforehand only together with those players."


def _seat_line(seat: SeatSummary, requests: int) -> str:
    if not seat.chains:
        return f"{seat.seat}: no client"
    parts = [f"took part in {seat.took_part:,} of {requests:,}"]
    for number, word in (
        (seat.took_part_uncertified, "with a key that nobody vouches for"),
        (seat.left, "left"),
        (seat.lost, "lost, on the server's word"),
        (seat.silent, "silent"),
        (seat.uncertified, "keys not certified"),
    ):
        if number:
            parts.append(f"{word}: {number:,}")
    parts.append(f"orders signed: {seat.signed:,}, unsigned: {seat.unsigned:,}")
    return f"{seat.seat}: {'; '.join(parts)}"


def _placement_lines(verdict: Verdict) -> Iterator[str]:
    found = verdict.placements
    sealed = len(found.by_clients) + len(found.by_server)
    if not sealed:
        return
    clients = ", ".join(found.by_clients) or "none"
    server = ", ".join(found.by_server) or "none"
    not_opened = f"; not opened in time: {', '.join(found.not_opened)}" if found.not_opened else ""
    out = f"; out of the game: {', '.join(found.out)}" if found.out else ""
    yield (
        f"placements: {len(found.opened):,} of {sealed:,} opened, sealed by clients: {clients},"
        f" by the server: {server}{not_opened}{out}"
    )


def _secrets_line(verdict: Verdict) -> str:
    if verdict.broken:
        return "secrets: open; the game was broken off while a request waited"
    if verdict.opened:
        return "secrets: open; every order and every card was recomputed"
    waiting = "; the last request waits for its answer" if verdict.waiting else ""
    return f"secrets: sealed until the end of the game{waiting}"


def record_lines(compared: Compared) -> Iterator[str]:
    """What the record says beside the transcript."""
    different = compared.difference
    if different is not None:
        where = f"line {different.line:,} of the record" if different.line else "the record"
        yield f"bad: {where} [{different.code}]: {different.message}"
        if different.expected:
            yield f"  expected: {different.expected}"
            yield f"  found:    {different.found}"
        return
    more = f", {compared.sealed:,} sealed picks not compared" if compared.sealed else ""
    more += f", {compared.typed:,} outcomes of real dice not checked" if compared.typed else ""
    yield f"record: {compared.outcomes:,} outcomes are the transcript's and the rules'{more}"


def dice_log_lines(logged: ComparedLog) -> Iterator[str]:
    """What the dice server's public log says beside the transcript."""
    for difference in logged.differences:
        yield f"bad: {difference}"
    for refusal in logged.refusals:
        yield f"the dice server has refused: {refusal!a}"
    if not logged.differences:
        yield f"dice server's log: {logged.answered:,} requests, the transcript's, in order"


def journal_lines(own: JournalVerdict) -> Iterator[str]:
    """What a client's journal says beside the transcript."""
    yield (
        f"journal of {own.seat}: {own.given:,} links given, {own.used:,} in answers,"
        f" {own.receipts:,} receipts; {own.signed:,} decisions signed, {own.accepted:,} accepted"
    )
    for finding in own.findings:
        word = "PROOF OF FRAUD" if finding.proof else "bad"
        yield f"{word}: [dice/{finding.code}]: {finding.message}"
    for alarm in own.alarms:
        yield f"alarm that your client raised: {alarm}"


def fault_lines(fault: DiceFault) -> Iterator[str]:
    """The first bad line."""
    yield f"bad: line {fault.line:,} (number {fault.seq:,}) [dice/{fault.code}]: {fault.message}"
    if fault.expected:
        yield f"  expected: {fault.expected}"
        yield f"  found:    {fault.found}"
