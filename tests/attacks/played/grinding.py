"""Trying until the dice are good: with invented lines, server secrets, or ground deposits."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from unittest.mock import patch

from rubicon.dice.client import DiceClient
from rubicon.dice.crypto import chain_id_of, digest, forward
from rubicon.dice.lines.state import BattleDraw, battle, key_of, roll_key
from rubicon.players.player import Player
from rubicon.table.commands import advance
from rubicon.table.game.log_lines import Warned
from rubicon.table.game.unit_of_work import UnitOfWork
from tests.attacks.forger import verify_says
from tests.attacks.measured import CHOSE, Measured, codes
from tests.attacks.table import Foresight, attacked, folder, honest

INVENTED = 200  # lines between two rolls
FIRST = 16_383  # the number of the server's link for request 0
LATER = 20  # milliseconds


def invented_lines(rolls: int) -> Measured:
    """The same game twice: in one of them the operator invents lines, times and words.

    Both have the same secrets, as a copy of the database has them, and the same orders are given.
    """
    red, blue = honest("red", "blue")
    with attacked(red, blue) as table, folder() as place:
        text = table.play_to_attack()
        other = table.copy(place / "twin")
        try:
            for seat, client in table.clients.items():
                other.clients[seat] = DiceClient.restored(client.saved())
            other.serve()
            first = table.requests
            while table.requests - first < rolls and table.snapshot.ending is None:
                table.decide(text)
                with patch.object(advance, "request", _with_other_words(advance.request)):
                    other.command(_invent)
                    other.decide(text)
                if table.snapshot.ending is not None:
                    break
                seat, number = table.mover()
                text = str(Player("greedy", seat, seed=number).decide(table.snapshot.game()))
            mine, his = table.draws, other.draws
            changed = sum(mine[n] != his.get(n) for n in mine)
            clients = *table.clients.values(), *other.clients.values()
            return Measured(
                attack=f"{INVENTED} invented log lines, other times and other words before a roll",
                rolls=len(mine) - first,
                influenced=changed,
                before=CHOSE,
                verify=verify_says(other.verify()),
                alarm=codes(*clients),
            )
        finally:
            other.store.close()


def _invent(unit: UnitOfWork) -> None:
    """Lines that nobody asked for, at a later time."""
    unit.at += LATER
    seat, decision = next(iter(unit.hosted.decisions.items()))
    for _ in range(INVENTED):
        unit.add_line(Warned(), seat, decision)


def _with_other_words(request: Callable[[UnitOfWork], None]) -> Callable[[UnitOfWork], None]:
    def changed(unit: UnitOfWork) -> None:
        decided = unit.hosted.decided
        unit.hosted.decided = replace(decided, words=f"{decided.words} !", signed=None)
        request(unit)

    return changed


def tried_seeds(games: int, tries: int, *, client: bool) -> Measured:
    """Before the genesis the operator tries server secrets until the first roll looks good.

    Where a client has deposited, he knows the end of its chain but no link, and can only guess.
    """
    numbers = random.Random(5)
    key = digest("operator's key")
    good = 0
    for game in range(games):
        honest_link = numbers.randbytes(32)
        seen = {"red": digest("end", honest_link)} if client else {}
        best = max(
            (numbers.randbytes(32) for _ in range(tries)),
            key=lambda secret: _won(_first_roll(f"game{game}", key, secret, seen)),
        )
        true = {"red": honest_link} if client else {}
        good += _won(_first_roll(f"game{game}", key, best, true)) == 2
    fair = round(games * 2890 / 7776)  # both armies of two, with three dice
    whose = "with an honest deposit" if client else "without any client"
    says, alarm = _a_table(client=client)
    return Measured(
        attack=f"{tries:,} server secrets tried before the genesis, {whose}",
        rolls=games,
        influenced=0 if abs(good - fair) <= 4 * (games * 0.234) ** 0.5 else good,
        before=CHOSE,
        verify=says,
        alarm=alarm,
    )


def _a_table(*, client: bool) -> tuple[str, str]:
    """What honest players see of a table whose server secrets were chosen."""
    clients = honest("red") if client else []
    with attacked(*clients) as table:
        table.play_rolls(1)
        assert Foresight(table, {}).known() == (0 if client else table.requests)
        return verify_says(table.verify(), "requests:"), codes(*clients)


def _first_roll(table: str, key: bytes, secret: bytes, links: dict[str, bytes]) -> BattleDraw:
    """The first roll of a game with a server link, and the genesis that follows from it."""
    chain = chain_id_of(table, key, bytes(16))
    genesis = digest("entry", table, forward(chain, secret, FIRST, 1))
    made = key_of(genesis, 0, {"server": secret, **links})
    return battle(roll_key(made, 0), 3, 2)


def _won(draw: BattleDraw) -> int:
    """How many of two armies the attack takes."""
    pairs = zip(sorted(draw.attack)[::-1], sorted(draw.defence)[::-1], strict=False)
    return sum(one > other for one, other in pairs)


def ground_deposits(games: int, tries: int) -> Measured:
    """A player tries secrets for his own deposit, having seen the others' ends."""
    numbers = random.Random(13)
    good = 0
    for game in range(games):
        server = numbers.randbytes(32)
        end = digest("end", server)  # is all that he knows of it
        mine = [numbers.randbytes(32) for _ in range(tries)]
        best = max(mine, key=lambda one: _won(_of_links(game, {"server": end, "red": one})))
        good += _won(_of_links(game, {"server": server, "red": best})) == 2
    fair = games * 2890 / 7776
    with attacked(*honest("red", "blue")) as table:
        table.play_rolls(1)
        says = verify_says(table.verify())
    return Measured(
        attack=f"{tries:,} secrets tried for a player's own deposit",
        rolls=games,
        influenced=0 if abs(good - fair) <= 4 * (games * 0.234) ** 0.5 else good,
        verify=says,
    )


def _of_links(game: int, links: dict[str, bytes]) -> BattleDraw:
    return battle(roll_key(key_of(digest("entry", game), 0, links), 0), 3, 2)
