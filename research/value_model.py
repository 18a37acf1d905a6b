"""Train the value model of the planner: play games, fit the model, write weights and a card.

    python -m research.value_model training-games --parts 40 --experts 0.5
    python -m research.value_model training-games --parts 0 --weights weights.npz

Games are written part by part into the folder; a second call plays only what is missing. A tenth of
all games is held out: the card, a JSON file beside the weights, has the losses on both, how
often the most likely seat won, and the calibration on what was held out.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from research import fitting
from research.folders import parser_of
from research.playing import PART, play_part, play_parts, read_parts
from rubicon.players.planner.value import LEARNED, load_weights


def arguments_of(given: Sequence[str] | None) -> argparse.Namespace:
    """The arguments of the command."""
    parser = parser_of("research.value_model", __doc__, "where games are kept")
    parser.add_argument("--parts", type=int, default=40, help="parts of games there shall be")
    parser.add_argument("--games", type=int, default=PART, help="games of a part")
    parser.add_argument(
        "--experts", type=float, default=0.0, help="share of games with experts, 0 to 1"
    )
    parser.add_argument("--playing-weights", type=Path, help="what those experts judge by")
    parser.add_argument("--weights", type=Path, help="fit, and write them here")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(given)


def by_players(chances: npt.NDArray[Any], examples: fitting.Examples) -> dict[str, Any]:
    """Losses and calibration by the number of seats that still play."""
    playing = examples.playing.sum(1)
    found: dict[str, Any] = {}
    for count in range(2, 7):
        these = playing == count
        if these.any():
            some = examples.those(these)
            guessed = chances[these].argmax(1) == some.winner
            found[str(count)] = {
                "turns": len(some),
                "loss": round(fitting.losses(chances[these], some.winner), 4),
                "most likely seat won": round(float(guessed.mean()), 4),
                "calibration": [
                    f"{said:.3f} said, {won:.3f} won, {number} seats"
                    for said, won, number in fitting.calibration(chances[these], some)
                ],
            }
    return found


def card_of(
    model: dict[str, Any], examples: fitting.Examples, options: dict[str, Any]
) -> dict[str, Any]:
    """What there is to know of a model: how it was made, and how well it predicts."""
    test = fitting.held_out(examples)
    seen, unseen = examples.those(~test), examples.those(test)
    return {
        "made by": "python -m research.value_model",
        "options": options,
        "games": len(np.unique(examples.game)),
        "turns": len(examples),
        "loss": round(fitting.losses(fitting.chances_of(model, seen), seen.winner), 4),
        "loss on games held out": round(
            fitting.losses(fitting.chances_of(model, unseen), unseen.winner), 4
        ),
        "by seats that play": by_players(fitting.chances_of(model, unseen), unseen),
    }


def train(asked: argparse.Namespace, weights: Path) -> None:
    """Fit the games of the folder; write weights and card."""
    examples = read_parts(asked.folder)
    test = fitting.held_out(examples)
    unseen = examples.those(test)

    def told(epoch: int, model: dict[str, Any]) -> None:
        print(
            f"epoch {epoch + 1}: "
            f"{fitting.losses(fitting.chances_of(model, unseen), unseen.winner):.4f}"
        )

    model = fitting.fit(examples.those(~test), asked.epochs, asked.seed, told=told)
    arrays: Any = model
    np.savez(weights, **arrays)
    options = {name: getattr(asked, name) for name in ("parts", "games", "experts")}
    options |= {"epochs": asked.epochs, "seed": asked.seed}
    card = card_of(model, examples, options)
    weights.with_suffix(".json").write_text(json.dumps(card, indent=1) + "\n")


def main(given: Sequence[str] | None = None) -> int:
    """Do what the arguments ask for."""
    asked = arguments_of(given)
    judges = LEARNED if asked.playing_weights is None else load_weights(asked.playing_weights)
    play_parts(
        asked.folder,
        range(asked.parts),
        lambda number: play_part(number, asked.games, asked.experts, judges, asked.seed),
        print,
    )
    if asked.weights is not None:
        train(asked, asked.weights)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
