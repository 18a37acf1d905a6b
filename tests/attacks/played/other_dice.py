"""Attacks on an independent dice server by the operator of the table."""

from __future__ import annotations

from dataclasses import replace

from rubicon.dice.client import receipt_message
from rubicon.dice.crypto import sign
from rubicon.dice.dice_server import LinkQuestion
from rubicon.dice.errors import DiceError
from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.request import LinksLine
from rubicon.dice.lines.state import SERVER, given_hash, link_message
from tests.attacks.forger import verify_says
from tests.attacks.measured import Measured, codes
from tests.attacks.table import Foresight, attacked, honest
from tests.table.hosted import GAME, OtherDice


def nobody_there(rolls: int) -> Measured:
    """No player's client takes part, but a dice server whose operator is honest."""
    with attacked(dice=OtherDice()) as table:
        played = table.play_rolls(rolls)
        return Measured(
            attack="an independent dice server, no player's client",
            rolls=played,
            influenced=Foresight(table, {}).known(),
            verify=verify_says(table.verify(), "an independent", "without any"),
        )


def asked_again() -> tuple[Measured, list[str]]:
    """Another list for an answered number, the same twice, out of order, a link that is hidden."""
    dice = OtherDice()
    red, blue = honest("red", "blue")
    with attacked(red, blue, dice=dice) as table:
        table.play_rolls(2)
        game, secrets = dice.games[GAME], table.secrets
        last = dice.asked[-1]
        first = dice.games[GAME].answer(last)
        refused: list[str] = []
        repeated = game.answer(last)

        def ask(question: LinkQuestion) -> bool:
            """Whether the dice server gives a link."""
            try:
                game.answer(question)
            except DiceError as error:
                refused.append(error.code)
                return False
            return True

        def listed(n: int, **changed: bytes | None) -> LinkQuestion:
            """A question with a list of the operator's own, signed by him."""
            state = table.hosted.transcript.state
            given: dict[str, bytes | None] = dict.fromkeys(("red", "blue"), bytes(32))
            given |= {SERVER: bytes(32), **changed}
            line = Entry(state.seq, state.head, "links", LinksLine(n, given).form())
            text = line.signed(sign(secrets.private_key, line.head)).text()
            return replace(last, n=n, line=text)

        n = game.next_request
        assert red.me is not None
        link = red.own.link(red.me, n)
        genesis = table.hosted.transcript.state.genesis
        sig = sign(red.own.private_key, link_message(genesis, n, bytes(32), link))
        receipt = sign(secrets.private_key, receipt_message(genesis, n, "red", link))
        game.hand_in("red", n, bytes(32), type(first)(link, sig), receipt)
        gained = [
            ask(listed(last.n, red=None)),
            ask(listed(n + 1)),
            ask(listed(n, red=None)),
            ask(replace(listed(n), genesis=bytes(32))),
        ]
        assert repeated == first
        assert ask(listed(n, red=given_hash(link)))
        return (
            Measured(
                attack="the dice server asked with another list, twice, out of order",
                rolls=len(gained),
                influenced=sum(gained),
                verify=verify_says(table.verify(), "an independent")
                + f"; public refusals: {len(game.refusals)}",
                alarm=codes(red, blue),
            ),
            refused,
        )
