"""The regression positions of the bots: read from `positions/*.toml`, and played.

A position is played for one decision, for one phase or for a whole turn. What a bot did there is an
account: its decisions and what came of them.
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rubicon.engine.chance import Generator, generator
from rubicon.engine.records import Phase, Standing
from rubicon.players.characters import BOTS, CHARACTERS, LEVEL_NAMES
from rubicon.players.player import Player
from rubicon.rules.actions import Action, Attack
from rubicon.rules.game import Game
from rubicon.rules.notation.positions import parse_position

FOLDER = Path(__file__).parent / "positions"
MOST_DECISIONS = 300
Decide = Callable[[Game], Action]
SCRIPTED = tuple(one.name for one in CHARACTERS)
GROUPS = {
    "all": ("expert", *SCRIPTED),
    "fighting": ("expert", *(name for name in SCRIPTED if name != "peaceful")),
    "ambitious": ("expert", "hunter", "kingslayer", "economist", "expander"),
    "killers": ("expert", "hunter"),
}


@dataclass(frozen=True, eq=False)
class Told:
    """A position with its lesson: `sensible` must hold, `senseless` must not."""

    id: str
    lesson: str
    position: str
    plays: str  # one decision, a phase, a turn
    dice: str  # for the bot, against it, fair
    sensible: tuple[str, ...]
    senseless: tuple[str, ...]
    knows: tuple[str, ...]
    levels: tuple[str, ...]  # the lowest one that must know it, and all above
    not_yet: Mapping[str, str]
    theme: str
    source: str = ""


@dataclass
class Account:
    """What one bot did: each decision with the owner of what it attacked."""

    seat: str
    start: Game
    end: Game
    made: list[Action] = field(default_factory=list)
    attacked: list[tuple[str, str, str]] = field(default_factory=list)  # source, target, owner


def bots_of(words: list[str]) -> tuple[str, ...]:
    """Names of bots, where a group stands for its bots and `-name` leaves one out."""
    names: list[str] = []
    for word in words:
        if word.startswith("-"):
            names.remove(word[1:])
        else:
            names += [name for name in GROUPS.get(word, (word,)) if name not in names]
    assert set(names) <= {bot.name for bot in BOTS}, words
    return tuple(names)


def levels_from(lowest: str | None) -> tuple[str, ...]:
    """This level and all above; none where no level is asked."""
    return () if lowest is None else LEVEL_NAMES[LEVEL_NAMES.index(lowest) :]


def told(theme: str, entry: dict[str, Any]) -> Told:
    """A position of a file."""
    return Told(
        id=entry.pop("id"),
        lesson=entry.pop("lesson"),
        position=" ".join(entry.pop("position").split()),
        plays=entry.pop("plays", "one decision"),
        dice=entry.pop("dice", "for the bot"),
        sensible=tuple(entry.pop("sensible", ())),
        senseless=tuple(entry.pop("senseless", ())),
        knows=bots_of(entry.pop("knows")),
        levels=levels_from(entry.pop("level", None)),
        not_yet=entry.pop("not_yet", {}),
        theme=theme,
        **entry,
    )


def all_positions() -> list[Told]:
    """Every position of every file, file by file."""
    return [
        told(path.stem, entry)
        for path in sorted(FOLDER.glob("*.toml"))
        for entry in tomllib.loads(path.read_text(encoding="utf-8"))["position"]
    ]


def play(one: Told, bot: str | Decide, seed: int) -> Account:
    """Let a bot play the position; all others defend with as many dice as possible."""
    ruleset, position = parse_position(one.position)
    start = Game.from_position(ruleset, position)
    seat = start.actors[0]
    position.standing_all[:] = Standing.MAXIMUM
    account = Account(seat, start, Game.from_position(ruleset, position))
    game, rng = account.end, generator(seed)
    decide = Player(bot, seat, seed=seed).decide if isinstance(bot, str) else bot
    turn, phase = int(position.turn), position.phase
    while not game.over and len(account.made) < MOST_DECISIONS:
        if game.pending is not None:
            roll(game, one.dice, rng)
            continue
        left = one.plays == "one decision" or (one.plays == "a phase" and game.phase != phase)
        if account.made and (left or int(game.position.turn) != turn):
            break
        if game.actors != (seat,):
            if account.made and one.plays == "a phase":
                break
            other = game.actors[0]
            game.play(Player("greedy", other).decide(game))
            continue
        action = decide(game)
        account.made.append(action)
        if isinstance(action, Attack):
            owner = game.owner_name(int(game.position.owner[number(game, action.target)]))
            account.attacked.append((action.source, action.target, owner))
        game.play(action)
    return account


def roll(game: Game, dice: str, rng: Generator) -> None:
    """The pending dice as the position has them; all other chance is fair."""
    position = game.position
    high, low = "6 " * int(position.attack_dice), "1 " * int(position.defence_dice)
    if position.phase != Phase.ATTACK or position.attack_dice == 0 or dice == "fair":
        game.settle(game.sample(rng))
    elif dice == "for the bot":
        game.settle(f"{high}v {low}".strip())
    else:
        assert dice == "against the bot", dice
        game.settle(f"{high.replace('6', '1')}v {low.replace('1', '6')}".strip())


def number(game: Game, territory: str) -> int:
    return game.territories.index(territory)
