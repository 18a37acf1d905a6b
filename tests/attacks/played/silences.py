"""Silences: invented ones, those of a mover, and those of the operator's friends."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import combinations
from unittest.mock import patch

from rubicon.dice.client import Alarm, DiceClient
from rubicon.dice.crypto import digest
from rubicon.dice.lines.members import OwnChain
from rubicon.dice.lines.request import GivenLink
from rubicon.dice.lines.state import SERVER, BattleAsk, BattleDraw, battle, key_of, roll_key
from rubicon.errors import RubiconError
from rubicon.table import table_service
from rubicon.table.commands import advance
from rubicon.table.commands.dice_participants import LinkReceipt, take_link
from rubicon.table.game.log_lines import LinkGiven, Silent
from rubicon.table.game.unit_of_work import UnitOfWork
from tests.attacks.forger import verify_says
from tests.attacks.measured import Measured, codes
from tests.attacks.played.identities import operators_chain
from tests.attacks.table import LENGTH, AttackedTable, attacked, honest, presence_by
from tests.table.hosted import GAME, SOON

ARMIES = 10
CHAIN = 64  # links of an attacker's chain in the simulation


class Chooser:
    """An operator who sees all links, and writes a null where the other roll is better for him."""

    def __init__(self, victims: set[str]) -> None:
        self.victims = victims
        self.on = True
        self.chosen = 0

    def links_complete(self, unit: UnitOfWork) -> bool:
        """In the place of the server's own: all are in, or somebody is called silent."""
        if not honest_links_complete(unit):
            return False
        hosted = unit.hosted
        state, pending = hosted.transcript.state, hosted.transcript.state.pending
        assert pending is not None
        if not self.on or not isinstance(pending.ask, BattleAsk):
            return True
        links: dict[str, bytes | None] = {SERVER: hosted.secrets.own_link(state).link}
        links |= {name: one.link if one else None for name, one in hosted.links.items()}
        for name in self.victims & hosted.links.keys():
            without: dict[str, bytes | None] = {**links, name: None}
            key, other = (key_of(state.genesis, pending.n, one) for one in (links, without))
            if _loss(key, pending.ask) > _loss(other, pending.ask):
                hosted.links[name] = None
                self.chosen += 1
        return True


honest_links_complete = advance.links_complete


def _loss(key: bytes, ask: BattleAsk) -> int:
    return sum(_lost(battle(roll_key(key, 0), ask.attack, ask.defence))[:1])


@contextmanager
def _choosing(victims: set[str], *, receipts: bool = True) -> Iterator[Chooser]:
    chooser = Chooser(victims)
    with patch.object(advance, "links_complete", chooser.links_complete):
        if receipts:
            yield chooser
            return
        with patch.object(table_service, "take_link", _without_receipt):
            yield chooser


def _without_receipt(unit: UnitOfWork, seat: str, n: int, given: GivenLink) -> LinkReceipt:
    """Store red's link, and let the connection break before the receipt."""
    if seat != "red":
        return take_link(unit, seat, n, given)
    wanted = unit.hosted.links_wanted.get(seat)
    if wanted is not None:
        unit.add_line(LinkGiven(wanted.id, given), seat)
    return LinkReceipt(n, seat, "")


class Careless(DiceClient):
    """A client whose player looks away: it joins again and goes on after every alarm."""

    def follow(self, lines: Iterable[str]) -> Sequence[Alarm]:
        """Follow, and forget the alarms."""
        found = super().follow(lines)
        self.heard = [*getattr(self, "heard", []), *self.alarms]
        self.alarms.clear()
        return found


def false_silences(rolls: int, *, careless: bool = False, receipts: bool = True) -> Measured:
    """The operator calls red's client silent after he has seen its link."""
    (blue,) = honest("blue")
    red = Careless(GAME, "red", length=LENGTH) if careless else honest("red")[0]
    red.in_lobby = True
    with attacked(red, blue) as table, _choosing({"red"}, receipts=receipts) as chooser:
        played = 0
        while played < rolls and table.snapshot.ending is None:
            played += table.play_rolls(1)
            _join_again(table, red)
        heard = getattr(red, "heard", red.alarms)
        what = "" if receipts else ", no receipt given"
        return Measured(
            attack=f"false silences{what}, the player {'looks away' if careless else 'looks'}",
            rolls=played,
            influenced=chooser.chosen,
            verify=verify_says(table.verify(), "red:", "silent: "),
            alarm=", ".join(dict.fromkeys(one.code for one in heard)) or _noted(red),
        )


def _noted(client: DiceClient) -> str:
    silent = any("silent in request" in note for note in client.journal)
    return "none (a note in its journal)" if silent else "none"


def _join_again(table: AttackedTable, client: DiceClient) -> None:
    """As an honest client does that finds itself out, without an alarm."""
    table.serve()
    state = table.hosted.transcript.state
    me = client.me
    if me is None or me.present or client.alarms or state.pending or state.seats[me.seat].out:
        return
    with suppress(RubiconError):
        table.table.presence(GAME, me.seat, presence_by(client, "joined")).result(SOON)
    table.serve()


def friends_silences(rolls: int, friends: tuple[str, ...]) -> Measured:
    """The operator's friends withhold links in the best moments; blue's client is honest."""
    (blue,) = honest("blue")
    chains = [operators_chain(seat) for seat in friends]
    with attacked(blue, chains=chains) as table, _choosing(set(friends)) as chooser:
        played = 0
        while played < rolls and table.snapshot.ending is None:
            played += table.play_rolls(1)
            for program in table.programs:
                _join_again(table, program)
        return Measured(
            attack=f"silences of {len(friends)} friends of the operator, in the service",
            rolls=played,
            influenced=chooser.chosen,
            verify=verify_says(table.verify(), "silent"),
            alarm=codes(blue),
        )


def withheld(rolls: int) -> Measured:
    """A mover withholds his link, as often as he can; no operator helps him."""
    (blue,) = honest("blue")
    own = operators_chain("red")
    late = patch.object(advance, "links_complete", _in_no_time)
    with attacked(blue, chains=[own]) as table:
        table.play_to_attack()
        program = table.programs[0]
        silences = 0
        for _ in range(rolls):
            table.programs.clear()
            with late:
                table.play_rolls(1)
            table.programs.append(program)
            program.follow(table.shown(program))
            silences = table.hosted.transcript.state.seats["red"].silences
            _join_again(table, program)
        assert silences == 2
        assert table.hosted.transcript.state.seats["red"].out
        return Measured(
            attack="a mover withholds his link, without the operator",
            rolls=rolls,
            influenced=None,  # he knew his own link only
            verify=verify_says(table.verify(), "red:"),
            alarm=codes(blue),
        )


def _in_no_time(unit: UnitOfWork) -> bool:
    """The wait is over at once for red; the other clients have answered."""
    if set(unit.hosted.links_wanted) == {"red"}:
        for seat, link in unit.hosted.links_wanted.items():
            unit.add_line(Silent(link.id), seat)
    return honest_links_complete(unit)


def battles(count: int, friends: int, silences: int = 2) -> float:
    """How often ten armies take ten, with the silences of so many friends in this one battle.

    `silences` are those of each friend. One order line is one request, so that the operator sees
    the whole battle beforehand. He is greedy: a battle that captures is left alone; else of all the
    sets of friends that still may be silent he takes the roll that is best for the difference of
    the armies, with the fewest silences among equals.
    """
    numbers = random.Random(friends)
    won = 0
    for game in range(count):
        genesis = digest("entry", game)
        chains = [_chain(numbers, number) for number in range(2 + friends)]
        won += _captures(genesis, chains, [silences] * friends)
    return won / count


def _chain(numbers: random.Random, number: int) -> OwnChain:
    key, secret = numbers.randbytes(32), numbers.randbytes(32)
    return OwnChain(GAME, str(number), key, secret, bytes(16), CHAIN)


def _captures(genesis: bytes, chains: list[OwnChain], left: list[int]) -> bool:
    attack, defence, n = ARMIES, ARMIES, 0
    while attack > 1 and defence:
        links = {str(i): own.chain.link(CHAIN - 1 - n) for i, own in enumerate(chains)}
        able = [i for i, one in enumerate(left) if one]
        attack, defence, silent = _best(genesis, n, links, (attack, defence), able)
        for friend in silent:
            left[friend] -= 1
        n += 1
    return not defence


def _best(
    genesis: bytes, n: int, links: Mapping[str, bytes], armies: tuple[int, int], able: list[int]
) -> tuple[int, int, tuple[int, ...]]:
    """The armies behind the answer that the operator likes best, and the friends silent in it."""
    key = key_of(genesis, n, links)
    attack, defence = armies
    number = 0
    while attack > 1 and defence:  # the whole order line, of which every draw is known
        attack, defence = _rolled(key, number, attack, defence)
        number += 1
    if not defence or not able:
        return attack, defence, ()
    found = []
    for size in range(1, len(able) + 1):
        for silent in combinations(able, size):
            bare: dict[str, bytes | None] = dict(links)
            bare |= {str(2 + friend): None for friend in silent}
            after = _rolled(key_of(genesis, n, bare), 0, *armies)
            found.append((after[0] - after[1], -size, *after, silent))
    _, _, attack, defence, silent = max(found)
    return attack, defence, silent


def _rolled(key: bytes, number: int, attack: int, defence: int) -> tuple[int, int]:
    draw = battle(roll_key(key, number), min(3, attack - 1), min(2, defence))
    lost = _lost(draw)
    return attack - lost[0], defence - lost[1]


def _lost(draw: BattleDraw) -> tuple[int, int]:
    """The armies that attack and defence lose."""
    sides = sorted(draw.attack)[::-1], sorted(draw.defence)[::-1]
    pairs = list(zip(*sides, strict=False))
    lost = sum(one <= other for one, other in pairs)
    return lost, len(pairs) - lost
