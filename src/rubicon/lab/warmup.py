"""The kernel of the lab: one, so that the rules and the bots within it are compiled once."""

from numba import from_dtype, types

from rubicon.engine.compiler.kernel import Kernel
from rubicon.engine.warmup import (
    BOARD,
    GENERATOR_TYPE,
    NUMBER,
    POSITION_TYPE,
    RANGES,
    RULES_KERNEL,
    RULES_TYPE,
    load_all,
)
from rubicon.lab.arena.keyed_play import DICE_KEYS, play_keyed, seed_decision, seed_roll
from rubicon.lab.feature_tables import FEATURE_TABLES
from rubicon.lab.flat_actions import FLAT_TABLES, flat_codes, flat_masks
from rubicon.lab.listing import draw_actions, list_ranges
from rubicon.lab.observing import observe_games
from rubicon.lab.records import PROGRESS
from rubicon.lab.stepping import bot_action, seed_generator, start_games, step_games
from rubicon.odds.warmup import ODDS_KERNEL
from rubicon.players.warmup import MEMORIES, MEMORY_TYPE

GAMES = types.Array(POSITION_TYPE, 1, "C")
PROGRESSES = types.Array(from_dtype(PROGRESS), 1, "C")
GENERATORS = types.Array(GENERATOR_TYPE, 1, "C")
WHOLE = types.Array(types.int64, 1, "C")
ROWS = types.Array(types.int32, 3, "C")
MASKS = types.Array(types.boolean, 2, "C")
OBSERVATIONS = types.Array(types.float32, 2, "C")
FEATURES = from_dtype(FEATURE_TABLES)
FLAT = from_dtype(FLAT_TABLES)
KEYS = from_dtype(DICE_KEYS)
TALLY = types.Array(types.int64, 2, "C")
HERE = (GAMES, PROGRESSES)
RULED = (RULES_TYPE, BOARD)

LAB_KERNEL = Kernel(
    "lab",
    (
        (seed_generator, (GENERATOR_TYPE, types.uint64)),
        (bot_action, (GAMES, NUMBER, NUMBER, *RULED, NUMBER, MEMORY_TYPE, RANGES, GENERATOR_TYPE)),
        (start_games, (*HERE, GENERATORS, GENERATORS, WHOLE, *RULED, MEMORIES, RANGES, NUMBER)),
        (
            step_games,
            (
                *HERE,
                GENERATORS,
                GENERATORS,
                WHOLE,
                *RULED,
                MEMORIES,
                RANGES,
                NUMBER,
                NUMBER,
                NUMBER,
            ),
        ),
        (seed_roll, (KEYS, POSITION_TYPE, GENERATOR_TYPE)),
        (seed_decision, (KEYS, POSITION_TYPE, NUMBER, GENERATOR_TYPE)),
        (
            play_keyed,
            (
                GAMES,
                *RULED,
                WHOLE,
                MEMORIES,
                RANGES,
                GENERATOR_TYPE,
                GENERATOR_TYPE,
                KEYS,
                NUMBER,
                TALLY,
            ),
        ),
        (list_ranges, (*HERE, *RULED, RANGES, NUMBER, ROWS, WHOLE)),
        (draw_actions, (*HERE, GENERATORS, *RULED, RANGES, WHOLE)),
        (flat_masks, (*HERE, *RULED, FLAT, RANGES, MASKS)),
        (flat_codes, (*HERE, *RULED, FLAT, RANGES, WHOLE)),
        (observe_games, (GAMES, WHOLE, *RULED, FEATURES, OBSERVATIONS)),
    ),
)
KERNELS = (LAB_KERNEL,)


def warm() -> None:
    """Load what a batch calls, or compile it."""
    load_all((RULES_KERNEL, ODDS_KERNEL, *KERNELS))
