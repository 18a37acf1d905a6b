"""Chosen cards: another place than the one that the links and the seed give."""

from __future__ import annotations

from unittest.mock import patch

from rubicon.dice import server
from rubicon.dice.example import CARDS, SEATS, ExampleTable
from rubicon.dice.lines.opening import Secrets
from rubicon.dice.lines.state import PickAsk, SealedAsk, pick
from tests.attacks.forger import verify_prints, verify_says
from tests.attacks.measured import CHOSE, Measured


def chosen_card(*, sealed: bool) -> Measured:
    """The operator gives his friend the card that he wants."""
    table = ExampleTable()
    table.roll(("", 0, "begin"), PickAsk(len(SEATS)))
    ask = SealedAsk(len(CARDS), "red") if sealed else PickAsk(len(CARDS))
    secret = Secrets.pick
    with (
        patch.object(server, "pick", lambda key, of: (pick(key, of) + 1) % of),
        patch.object(Secrets, "pick", lambda *a: (secret(*a) + 1) % a[-1]),
    ):
        table.roll(("red", 9, "END"), ask)
    table.end()
    return Measured(
        attack=f"a chosen {'secret' if sealed else 'public'} card",
        rolls=1,
        influenced=None,
        before=CHOSE,
        verify=verify_says(verify_prints([entry.text() for entry in table.entries])),
        alarm="at the end only" if sealed else "bad-line",
    )
