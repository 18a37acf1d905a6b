"""What bots are after, for who watches bots alone: `rubicon play --watch --why`."""

import re
from itertools import pairwise

import pytest

from rubicon.cli.main import main
from rubicon.cli.terminal.session import BotAims
from rubicon.engine.chance import generator
from rubicon.players import seated
from rubicon.players.player import Player
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset

AIM = re.compile(r"^(red|blue|green): (takes|takes all of|breaks|eliminates) .*, \d+ %$")
MATCH = ["--board", "skerries", "--seed", "4", "--line", "--plain"]


def test_aims_are_told_on_request_alone(capsys: pytest.CaptureFixture[str]) -> None:
    seats = ["--watch", "--seats", "hunter,turtle,economist"]
    assert main(["play", *seats, *MATCH]) == 0
    plain = capsys.readouterr().out.splitlines()
    assert not list(filter(AIM.match, plain))
    assert main(["play", *seats, *MATCH, "--why"]) == 0
    told = capsys.readouterr().out.splitlines()
    aims = [line for line in told if AIM.match(line)]
    assert aims
    assert all(one != other for one, other in pairwise(aims))


def test_plans_are_not_told_where_a_person_plays(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--seats", "me,hunter,hunter", "--why", *MATCH]) == 2
    assert "use it with --watch" in capsys.readouterr().err


def test_an_aim_is_told_once_and_only_where_there_is_a_plan() -> None:
    game, dice = Game.new(Ruleset.load("classic", board="skerries"), 3), generator(3)
    bots = {colour: Player("hunter", colour, seed=1) for colour in game.colours}
    aims, aim = BotAims(game.ruleset.board), ""
    while not aim:
        if game.awaits_chance:
            game.settle(game.sample(dice))
            continue
        bot = bots[game.actors[0]]
        action = bot.decide(game)
        aim = aims.new(game, bot, action)
        again = aims.new(game, bot, action)
        planless = aims.new(game, seated("random", bot.seat, seed=1), action)
        game.play(action)
    assert AIM.match(aim)
    assert again == planless == ""
