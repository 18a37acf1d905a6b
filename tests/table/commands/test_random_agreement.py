"""Seats do anything at any time: the game can be rebuilt, and the audit finds no fault."""

from __future__ import annotations

import random
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from rubicon.errors import RubiconError
from rubicon.players.player import Player
from rubicon.table.admin.audit import verify_store
from rubicon.table.commands.votes import RULES, vote
from rubicon.table.deadlines import announce_absence, take_back_seat
from rubicon.table.game.game_cache import rebuilt
from rubicon.table.game.log_lines import LineKind
from rubicon.table.settings import DAY, HOUR, Clock, Settings, TimeoutPolicy
from tests.table.agreeing import do, kinds, sweep
from tests.table.hosted import GAME, SOON, Hosted, hosted
from tests.table.timed import START, Time

STEPS = 250
WORDS = tuple(rule.word for rule in RULES)


class Crowd:
    """Seats that take turns at random, with a clock of their own."""

    def __init__(self, game: Hosted, time: Time, seed: int) -> None:
        self.game, self.time = game, time
        self.rng = random.Random(seed)
        self.colours = game.snapshot.game().colours
        self.bots = {c: Player("random", c, seed=seed + n) for n, c in enumerate(self.colours)}
        self.refusals: Counter[str] = Counter()

    def step(self) -> None:
        """One act of one seat, or time that passes."""
        seat = self.rng.choice(self.colours)
        acts = (
            *((self.decide,) * 6),
            self.vote,
            self.vote,
            self.undo,
            self.standing,
            self.absence,
            self.take_back,
            self.idle_orders,
            self.let_time_pass,
        )
        try:
            self.rng.choice(acts)(seat)
        except RubiconError as error:
            self.refusals[error.code] += 1

    def decide(self, _: str) -> None:
        """The seat that is asked decides."""
        seat, decision = self.game.mover()
        action = self.bots[seat].decide(self.game.snapshot.game())
        self.game.submit_async(seat, decision, str(action)).result(SOON)

    def vote(self, seat: str) -> None:
        """A vote for any motion but those that end the game, or its withdrawal."""
        word = self.rng.choice([word for word in WORDS if word != "draw"])
        arguments = {"replace": f" {self.rng.choice(self.colours)}", "fork": " 999999"}
        motion = word + arguments.get(word, "")
        do(self.game, vote, seat, motion, withdrawn=self.rng.random() < 0.2)

    def undo(self, _: str) -> None:
        """The seat that is asked decides, and takes it back if it may."""
        self.decide("")
        if self.game.snapshot.ending is not None:
            return
        seat, decision = self.game.mover()
        self.game.table.undo(GAME, seat, decision).result(SOON)

    def standing(self, seat: str) -> None:
        """A standing order."""
        dice = self.rng.choice(("1", "2", "max"))
        self.game.table.out_of_turn(GAME, seat, f"standing {seat} all {dice}").result(SOON)

    def absence(self, seat: str) -> None:
        """A short absence around now, with or without a bot, or its end."""
        day = (self.time.at - START) // (DAY * 1000) + 15 + self.rng.randrange(3)
        bot = self.rng.choice(("", " greedy"))
        text = f"2027-01-{day:02} 2027-01-{day:02}{bot}" if self.rng.random() < 0.6 else ""
        do(self.game, announce_absence, seat, text)

    def take_back(self, seat: str) -> None:
        """The owner plays again."""
        do(self.game, take_back_seat, seat)

    def idle_orders(self, _: str) -> None:
        """Orders that cannot be carried out."""
        seat, decision = self.game.mover()
        place = self.game.snapshot.game().territories[0]
        text = f"ATTACK {place} -> {place}"
        self.game.submit_async(seat, decision, text, orders=True).result(SOON)

    def let_time_pass(self, _: str) -> None:
        """Some hours, and the deadlines in them."""
        self.time.pass_by(self.rng.randrange(12) * HOUR // 4)
        sweep(self.game)


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("policy", [TimeoutPolicy.WAIT, TimeoutPolicy.BOT])
def test_whatever_seats_do_the_log_can_be_rebuilt_and_verified(
    tmp_path: Path, time: Time, policy: TimeoutPolicy, seed: int
) -> None:
    settings = Settings(clock=Clock.DAYS, decision_time=2 * HOUR, bank=HOUR, timeout_policy=policy)
    with hosted(tmp_path, settings=settings) as game:
        game.play(until="reinforce")
        crowd = Crowd(game, time, seed)
        for _ in range(STEPS):
            if game.snapshot.ending is None:
                crowd.step()
        held = game.table.cache.held(GAME)
        assert held is not None
        again = game.table.store.read(partial(rebuilt, game=GAME))
        for name in ("clocks", "counts", "votes", "late", "bots", "away", "decisions", "erased"):
            assert getattr(again, name) == getattr(held, name), name
        assert verify_store(game.table.store).damaged == {}
        assert set(crowd.refusals) >= {"fork/index"}
        assert {LineKind.VOTE, LineKind.AWAY} <= set(kinds(game))
