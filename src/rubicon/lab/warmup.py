"""The kernel of the lab: one, so that the rules and the bots within it are compiled once."""

from numba import from_dtype, types

from rubicon.engine import warmup
from rubicon.engine.compiler.kernel import Kernel
from rubicon.lab.arena.match import DICE_KEYS, note_time, play_keyed, seed_decision, seed_roll
from rubicon.lab.features import FEATURE_TABLES, observe_games
from rubicon.lab.legal_actions import FLAT_TABLES, draw_actions, flat_codes, flat_masks, list_ranges
from rubicon.lab.stepping import PROGRESS, bot_action, seed_generator, start_games, step_games
from rubicon.odds.warmup import ODDS_KERNEL
from rubicon.players.warmup import MEMORIES, MEMORY_TYPE

GAMES = types.Array(warmup.POSITION_TYPE, 1, "C")
PROGRESSES = types.Array(from_dtype(PROGRESS), 1, "C")
GENERATORS = types.Array(warmup.GENERATOR_TYPE, 1, "C")
WHOLE = types.Array(types.int64, 1, "C")
ROWS = types.Array(types.int32, 3, "C")
MASKS = types.Array(types.boolean, 2, "C")
OBSERVATIONS = types.Array(types.float32, 2, "C")
FEATURES = from_dtype(FEATURE_TABLES)
FLAT = from_dtype(FLAT_TABLES)
KEYS = from_dtype(DICE_KEYS)
TALLY = types.Array(types.int64, 2, "C")
HERE = (GAMES, PROGRESSES)
RULED = (warmup.RULES_TYPE, warmup.BOARD)

LAB_KERNEL = Kernel(
    "lab",
    (
        (note_time, (TALLY, warmup.NUMBER, warmup.NUMBER)),
        (seed_generator, (warmup.GENERATOR_TYPE, types.uint64)),
        (
            bot_action,
            (
                GAMES,
                warmup.NUMBER,
                warmup.NUMBER,
                *RULED,
                warmup.NUMBER,
                MEMORY_TYPE,
                warmup.RANGES,
                warmup.GENERATOR_TYPE,
            ),
        ),
        (
            start_games,
            (*HERE, GENERATORS, GENERATORS, WHOLE, *RULED, MEMORIES, warmup.RANGES, warmup.NUMBER),
        ),
        (
            step_games,
            (
                *HERE,
                GENERATORS,
                GENERATORS,
                WHOLE,
                *RULED,
                MEMORIES,
                warmup.RANGES,
                warmup.NUMBER,
                warmup.NUMBER,
                warmup.NUMBER,
            ),
        ),
        (seed_roll, (KEYS, warmup.POSITION_TYPE, warmup.GENERATOR_TYPE)),
        (seed_decision, (KEYS, warmup.POSITION_TYPE, warmup.NUMBER, warmup.GENERATOR_TYPE)),
        (
            play_keyed,
            (
                GAMES,
                *RULED,
                WHOLE,
                MEMORIES,
                warmup.RANGES,
                warmup.GENERATOR_TYPE,
                warmup.GENERATOR_TYPE,
                KEYS,
                warmup.NUMBER,
                TALLY,
            ),
        ),
        (list_ranges, (*HERE, *RULED, warmup.RANGES, warmup.NUMBER, ROWS, WHOLE)),
        (draw_actions, (*HERE, GENERATORS, *RULED, warmup.RANGES, WHOLE)),
        (flat_masks, (*HERE, *RULED, FLAT, warmup.RANGES, MASKS)),
        (flat_codes, (*HERE, *RULED, FLAT, warmup.RANGES, WHOLE)),
        (observe_games, (GAMES, WHOLE, *RULED, FEATURES, OBSERVATIONS)),
    ),
    __name__,
)
KERNELS = (LAB_KERNEL,)


def warm() -> None:
    """Load what a batch calls, or compile it."""
    warmup.load_all((warmup.RULES_KERNEL, ODDS_KERNEL, *KERNELS))
