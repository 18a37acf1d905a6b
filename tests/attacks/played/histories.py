"""More than one history: a restored backup, two tales for two players, two branches."""

from __future__ import annotations

from rubicon.dice.client import DiceClient
from rubicon.dice.lines.members import Lost
from tests.attacks.forger import verify_prints, verify_says
from tests.attacks.measured import CHOSE, Measured, codes
from tests.attacks.table import attacked, folder, given_by, honest, restarted


def restored_backup(rolls: int) -> Measured:
    """Rolls that were seen are to come again, under other orders, from a copy of the database."""
    refused = 0
    clients: list[DiceClient] = []
    said = ""
    for _ in range(rolls):
        red, blue = honest("red", "blue")
        with attacked(red, blue) as table, folder() as place:
            table.play_to_attack()
            backup = table.copy(place / "backup")
            try:
                table.play_rolls(1)  # the operator has seen the dice
                forger = backup.forger()
                forger.request("red", 10_000, words="another order")
                again = restarted(red)
                forger.show(red, blue, again)
                given = [given_by(client) for client in (red, blue, again)]
                refused += given == [None, None, None]
                clients += [red, blue, again]
                forger.answer({"red": None, "blue": None})
                said = verify_says(
                    verify_prints(forger.lines, heads=[table.hosted.transcript.witness])
                )
            finally:
                backup.store.close()
    return Measured(
        attack="a restored backup, with dice that were seen",
        rolls=rolls,
        influenced=rolls - refused,
        before=CHOSE,
        verify=said,
        alarm=codes(*clients),
    )


def two_tales(rolls: int) -> Measured:
    """Red sees a history in which blue is lost, and blue one in which red is lost."""
    red, blue = honest("red", "blue")
    with attacked(red, blue) as table:
        tales = {"red": table.forger(), "blue": table.forger()}
        for seat, client in table.clients.items():
            forger = tales[seat]
            forger.write(Lost("blue" if seat == "red" else "red"))
            for number in range(rolls):
                forger.request("green", 1_000 + number)
                forger.show(client)
                forger.answer({seat: given_by(client)})
                forger.show(client)
        known = sum(len(client.alarms) for client in (red, blue))
        assert not known  # each tale is right by itself
        head = tales["blue"].head
        said = verify_says(verify_prints(tales["red"].lines, heads=[head]))
        number = len(tales["red"].lines)
        for seat, client in table.clients.items():
            other = tales["blue" if seat == "red" else "red"]
            other.request("green", 5_000)
            client.follow(other.lines[number:])
        return Measured(
            attack="two players are shown two histories",
            rolls=2 * rolls,
            influenced=None,
            verify=said,
            alarm=codes(red, blue),
        )


def two_branches() -> Measured:
    """Behind one head stand two requests of the same number; the operator wants both links."""
    red, blue = honest("red", "blue")
    with attacked(red, blue) as table:
        one, other = table.forger(), table.forger()
        one.request("red", 1_000, words="attack here")
        other.request("red", 1_000, words="attack there")
        one.show(red, blue)
        links = {seat: given_by(client) for seat, client in table.clients.items()}
        other.answer(links)  # with signatures for the other branch
        again = [restarted(client) for client in (red, blue)]
        other.show(*again)
        for client in (red, blue):
            client.follow(other.lines[-2:])
        given = [given_by(client) for client in (red, blue, *again)]
        return Measured(
            attack="two branches of history behind one head",
            rolls=1,
            influenced=sum(link is not None for link in given),
            verify=verify_says(verify_prints(other.lines)),
            alarm=codes(red, blue, *again),
        )
