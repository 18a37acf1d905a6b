"""The result of an attack: what the attacker got, and who notices."""

from __future__ import annotations

from dataclasses import dataclass

CHOSE = "the operator chose the dice after seeing the order"
UNKNOWN = "–"
NO_ALARM = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One attack, played; `verify` and `alarm` are what honest players see of it."""

    attack: str
    rolls: int  # that were played
    # That the attacker knew before the order, or chose between; None where nothing was rolled
    # that he could have influenced: the attack ends at a check.
    influenced: int | None
    verify: str  # the words of `rubicon verify`
    alarm: str = NO_ALARM  # codes of the alarms of honest clients
    before: str = UNKNOWN  # what version 1 of the dice allowed

    @property
    def noticed(self) -> str:
        """The alarms; where there is none, whether there was anything to be alarmed about."""
        if self.alarm != NO_ALARM:
            return self.alarm
        if self.influenced is None:
            told = "no alarm; its effect was not counted"
        else:
            told = (
                "no alarm, though it worked" if self.influenced else "no alarm: it gained nothing"
            )
        return told + ("; `rubicon verify` finds it" if self.verify.startswith("bad: ") else "")


def codes(*clients: object) -> str:
    """The codes of the alarms of some clients, in order."""
    found = [alarm.code for client in clients for alarm in client.alarms]  # type: ignore[attr-defined]
    return ", ".join(dict.fromkeys(found)) or NO_ALARM
