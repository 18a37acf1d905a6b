"""The result of an attack: what the attacker got, and who notices."""

from __future__ import annotations

from dataclasses import dataclass

CHOSE = "the operator chose the dice after seeing the order"
UNKNOWN = "–"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One attack, played; `verify` and `alarm` are what honest players see of it."""

    attack: str
    rolls: int  # that were played
    # That the attacker knew before the order, or chose between; None where nothing was rolled
    # that he could have influenced: the attack ends at a check.
    influenced: int | None
    verify: str  # the words of `rubicon verify`
    alarm: str = "none"  # codes of the alarms of honest clients
    before: str = UNKNOWN  # what version 1 of the dice allowed


def codes(*clients: object) -> str:
    """The codes of the alarms of some clients, in order."""
    found = [alarm.code for client in clients for alarm in client.alarms]  # type: ignore[attr-defined]
    return ", ".join(dict.fromkeys(found)) or "none"
