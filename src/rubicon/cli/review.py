"""`rubicon review`: who was likely to win when, and what decided a finished game."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

import click

from rubicon.cli.terminal.summary import bar, sampled
from rubicon.cli.warmup import ERASE, warm_kernels
from rubicon.rules.actions import Resign
from rubicon.telling.phrases import Names
from rubicon.telling.storyteller import AGREED, DRAW, Storyteller
from rubicon.wording import numbered

if TYPE_CHECKING:
    from rubicon.players.review.curve import Stopped
    from rubicon.players.review.game_review import DecidingMoment, SeatAccount, WinningReview
    from rubicon.rules.game import Game


# The review of a game as lines of text: a small chart, a table, moments, style.

CHART = 60  # columns


def review_lines(
    game: Game, review: WinningReview, stopped: Stopped | None = None
) -> Iterator[str]:
    """Everything that `rubicon review` prints; `stopped`: how a game ended without the rules."""
    result = game.winner or DRAW
    if stopped is not None:
        result = AGREED if stopped.value == DRAW else stopped.value
    told = Storyteller(Names()).result(result)
    yield f"{game.ruleset.title}: {told} {when(int(game.position.round_number))}."
    yield ""
    yield from chart_lines(game, review)
    yield ""
    yield from account_lines(game, review.seats)
    yield ""
    yield from moment_lines(game, review)
    yield "How they played"
    width = max(map(len, game.colours))
    for colour, account in zip(game.colours, review.seats, strict=True):
        yield f"  {colour:{width}}  {style_line(account)}"


def chart_lines(game: Game, review: WinningReview) -> Iterator[str]:
    """A row of bars for each seat: its chance at the beginning of each turn."""
    rounds = f"rounds 1 to {review.curve.turns[-1].round}" if review.curve.turns else "no turns"
    yield f"Chance to win, {rounds}"
    rows = [turn.before for turn in review.curve.turns] + [review.curve.chances[-1]]
    places = sampled(len(rows), CHART)
    width = max(map(len, game.colours))
    for seat, colour in enumerate(game.colours):
        chances = [float(rows[place][seat]) for place in places]
        bars = "".join(bar(chance) for chance in chances)
        yield f"  {colour:{width}}  {bars}  most {percent(max(float(row[seat]) for row in rows))}"


def account_lines(game: Game, seats: Sequence[SeatAccount]) -> Iterator[str]:
    """The table of what moved each seat's chance, in points of 100."""
    width = max(map(len, game.colours))
    heads = ("start", "set-up", "dice", "own play", "others", "end", "given away")
    yield "What moved it, in points of 100"
    yield f"  {'':{width}}" + "".join(f"{head:>12}" for head in heads)
    for colour, one in zip(game.colours, seats, strict=True):
        moved = (one.setup, one.dice, one.own, one.others)
        away = f"{100 * one.given_away:.0f} in {one.mistakes}"
        cells = [f"{100 * one.fair:.0f}", *map(points, moved), f"{100 * one.end:.0f}", away]
        yield f"  {colour:{width}}" + "".join(f"{cell:>12}" for cell in cells)
    yield "  given away: what better decisions would have kept, and in how many turns"


def moment_lines(game: Game, review: WinningReview) -> Iterator[str]:
    """The moments that decided the game, each in two or three lines and an empty one."""
    teller = teller_of(game)
    for number, one in enumerate(review.moments, 1):
        colour = game.colours[one.seat]
        target = int(game.positions[one.first].attack_target)  # where armies move in
        place = game.ruleset.board.territories[target].name if target >= 0 else ""
        said = teller.decision(colour, str(game.history[one.first]), place)
        yield f"{number}. {f'Round {one.round}' if one.round else 'Set-up'}: {said}"
        resigned = isinstance(game.history[one.first], Resign)
        if one.battle is not None:
            yield f"   {battle_line(one, teller)}"
        if one.battle is not None or resigned:
            yield from (f"   {line}" for line in changes_lines(game, one))
        if not resigned:
            yield f"   {better_line(one, teller)}"
        yield ""


def battle_line(one: DecidingMoment, teller: Storyteller) -> str:
    """How a battle went, and how likely its success was."""
    battle = one.battle
    if battle is None:
        return ""
    target = teller.names.place(battle.target)
    went = f"{target} falls" if battle.taken else f"{target} holds out"
    rolls = numbered(battle.rolls, "roll")
    moved = f"the dice move {numbered(round(100 * one.weight), 'point')}"
    return f"{went} after {rolls}, odds {percent(battle.odds)}; {moved}"


def changes_lines(game: Game, one: DecidingMoment) -> Iterator[str]:
    """The chances before and after that changed by a point or more; no line where none did."""
    parts = [
        f"{colour} {percent(was)} -> {percent(now)}"
        for colour, was, now in zip(game.colours, one.before, one.after, strict=True)
        if abs(was - now) >= 0.01
    ]
    if parts:
        yield ", ".join(parts)


def better_line(one: DecidingMoment, teller: Storyteller) -> str:
    """The better plan and its odds."""
    from rubicon.players.review.reason import reason_sentence

    judged = one.judgement
    if judged is None or judged.better is None:
        return "nothing was clearly better"
    reason = judged.reason
    told = reason is None or reason.kind == "stops"  # the action says it already
    why = "" if reason is None or told else f" ({reason_sentence(reason, teller)})"
    odds = f"{percent(judged.chance)} -> {percent(judged.better_chance)}"
    return f"better: {teller.advice(str(judged.better))}{why}: chance to win {odds}"


def when(round_number: int) -> str:
    """When a game ended."""
    return f"in round {round_number}" if round_number else "in the set-up"


def style_line(account: SeatAccount) -> str:
    """A line on how a seat played."""
    style = account.style
    return "; ".join(
        (
            f"{style.captures_a_turn:.1f} captures and {style.rolls_a_turn:.1f} rolls a turn",
            f"{style.cards:.1f} cards held",
            f"{numbered(style.continents_broken, 'continent')} broken",
            f"{numbered(style.eliminations, 'player')} eliminated",
            f"dice {points(account.dice)}",
        )
    )


def teller_of(game: Game) -> Storyteller:
    """Describes a game by colours, and territories and continents by their names."""
    from rubicon.players.review.reason import place_names

    return Storyteller(Names(places=place_names(game.ruleset.board)))


def percent(chance: float) -> str:
    """A chance in per cent; what is nearly certain is not called certain."""
    if 0.995 <= chance < 1.0:
        return "over 99 %"
    if 0.0 < chance < 0.005:
        return "under 1 %"
    return f"{100 * chance:.0f} %"


def points(share: float) -> str:
    """A change of a chance in points of 100, with its sign."""
    return f"{round(100 * share):+d}"


# `rubicon review`: the command.


@click.command("review")
@click.argument("record", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Write JSON, with every moment.")
@click.option("--salvage", is_flag=True, help="Review the readable part of a damaged file.")
def command(record: Path, as_json: bool, salvage: bool) -> None:
    """Review the finished game in RECORD.

    Prints each player's chance to win over the game, what dice and decisions did to it, the five
    moments that decided the game, and how everyone played (docs/review.md).
    """
    from rubicon.cli.terminal.saves import load_record
    from rubicon.players.review.curve import stopped_as
    from rubicon.rules.record import ENDING

    kept = load_record(record, salvage)
    game = kept.replay()
    stopped = None if game.over else stopped_as(kept.headers.get(ENDING))
    review = _reviewed(game, stopped)
    if as_json:
        click.echo(json.dumps(_form(game, review), indent=2))
        return
    for line in review_lines(game, review, stopped):
        click.echo(line)


def _form(game: Game, review: WinningReview) -> dict[str, object]:
    from rubicon.players.review.form import chances_form, review_form

    return {
        **review_form(game, review, _same),
        "chances": chances_form(game, review, _same),
    }


def _same(entry: int) -> int:
    return entry


def _reviewed(game: Game, stopped: Stopped | None) -> WinningReview:
    from rubicon.players.review.game_review import check_over, review_of
    from rubicon.players.warmup import warm_to_play

    if stopped is None:
        check_over(game)
    warm_kernels(warm_to_play)
    with ShareLine() as line:
        return review_of(game, line.show, stopped)


class ShareLine:
    """A line on a terminal that says how much of the work is done; nothing on other streams."""

    def __init__(self) -> None:
        self.terminal = sys.stderr.isatty()
        self.shown = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.shown >= 0:
            sys.stderr.write(ERASE)
            sys.stderr.flush()

    def show(self, share: float) -> None:
        """Write the share that is done, 0 to 1, if the line changes."""
        percent = int(100 * share)
        if self.terminal and percent != self.shown:
            self.shown = percent
            sys.stderr.write(f"{ERASE}Reviewing the game: {percent} %")
            sys.stderr.flush()
