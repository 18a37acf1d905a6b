"""`rubicon review`: the command."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

import click

from rubicon.cli.review.review_text import review_lines
from rubicon.cli.warmup import ERASE, warm_kernels

if TYPE_CHECKING:
    from rubicon.players.review.curve import Stopped
    from rubicon.players.review.game_review import WinningReview
    from rubicon.rules.game.game import Game


@click.command("review")
@click.argument("record", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Write JSON, with every moment.")
@click.option("--salvage", is_flag=True, help="Review the readable part of a damaged file.")
def command(record: Path, as_json: bool, salvage: bool) -> None:
    """Review the finished game in RECORD.

    Prints each player's chance to win over the game, what dice and decisions did to it, the five
    moments that decided the game, and how everybody played (docs/review.md).
    """
    from rubicon.cli.terminal.saves import load_record
    from rubicon.players.review.curve import stopped_as
    from rubicon.rules.record.headers import ENDING

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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
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
