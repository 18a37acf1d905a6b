"""The kernel of the rules: what Python calls of the engine, compiled and loaded together."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numba.core.config
from numba import from_dtype, types
from numba.core.event import RecordingListener, install_listener

from rubicon.engine.apply import apply, settle
from rubicon.engine.compiler.kernel import Kernel
from rubicon.engine.dice import battle_losses
from rubicon.engine.legal_actions import decisions, out_of_turn, ranges
from rubicon.engine.legality import actor_of, refusal, refusal_to
from rubicon.engine.missions import garrisons, mission_complete, seat_of_colour
from rubicon.engine.observe import observe
from rubicon.engine.ownership import (
    acts,
    change_owner,
    clear_pending,
    continent_award,
    defending_seat,
    first_to_act,
)
from rubicon.engine.phases.attack import (
    bonus_dice,
    capture,
    most_attack_dice,
    most_defence_dice,
)
from rubicon.engine.phases.cards import (
    card_earned,
    next_set_value,
    offered_stars,
    set_value,
    stars_value,
    trade_forced,
)
from rubicon.engine.phases.cleanup import clear_turn
from rubicon.engine.phases.objectives import objective_measure
from rubicon.engine.phases.reinforce import award, begin_turn, territory_award
from rubicon.engine.phases.setup import (
    bare_objective,
    dealt_to,
    mission_left,
    mission_seat,
    missions_left,
    next_setup_step,
    objective_may_come,
    open_game,
)
from rubicon.engine.records.action_codes import a_of, b_of, c_of, encode, kind_of, n_of
from rubicon.engine.records.position import POSITION
from rubicon.engine.records.tables import BOARD_TABLES, RULES
from rubicon.engine.rewards import wake_rewards
from rubicon.engine.sampling import GENERATOR, below, sample

CONFIG: Any = numba.core.config  # its switches are made at run time

POSITION_TYPE = from_dtype(POSITION)
RULES_TYPE = from_dtype(RULES)
BOARD = from_dtype(BOARD_TABLES)
NUMBER = types.int64
RANGES = types.Array(types.int64, 2, "C")
GENERATOR_TYPE = from_dtype(GENERATOR)

RULES_KERNEL = Kernel(
    "rules",
    (
        (open_game, (POSITION_TYPE, RULES_TYPE, BOARD, NUMBER)),
        (change_owner, (POSITION_TYPE, NUMBER, NUMBER)),
        (clear_pending, (POSITION_TYPE,)),
        (objective_may_come, (POSITION_TYPE, BOARD, NUMBER, NUMBER)),
        (mission_left, (POSITION_TYPE, RULES_TYPE, BOARD, NUMBER)),
        (acts, (POSITION_TYPE, NUMBER)),
        (actor_of, (POSITION_TYPE, NUMBER)),
        (below, (GENERATOR_TYPE, NUMBER)),
        (sample, (POSITION_TYPE, GENERATOR_TYPE)),
        (battle_losses, (RULES_TYPE, *[NUMBER] * 10)),
        (capture, (POSITION_TYPE, RULES_TYPE, BOARD, NUMBER, NUMBER)),
        (observe, (POSITION_TYPE, RULES_TYPE, BOARD, NUMBER, POSITION_TYPE)),
        (begin_turn, (POSITION_TYPE, RULES_TYPE, BOARD, NUMBER)),
        (next_setup_step, (POSITION_TYPE, RULES_TYPE, BOARD)),
        (refusal, (POSITION_TYPE, RULES_TYPE, BOARD, NUMBER)),
        (refusal_to, (POSITION_TYPE, RULES_TYPE, BOARD, NUMBER, NUMBER)),
        (decisions, (POSITION_TYPE, RULES_TYPE, BOARD, RANGES)),
        (first_to_act, (POSITION_TYPE,)),
        (ranges, (POSITION_TYPE, RULES_TYPE, BOARD, NUMBER, RANGES)),
        (out_of_turn, (POSITION_TYPE, RULES_TYPE, BOARD, NUMBER, RANGES)),
        # The integer that encodes an action.
        (encode, (NUMBER, NUMBER, NUMBER, NUMBER, NUMBER)),
        (kind_of, (NUMBER,)),
        (a_of, (NUMBER,)),
        (b_of, (NUMBER,)),
        (c_of, (NUMBER,)),
        (n_of, (NUMBER,)),
        # What pages, previews and checks of a position ask the engine.
        (award, (POSITION_TYPE, RULES_TYPE, BOARD, NUMBER)),
        (bare_objective, (POSITION_TYPE, BOARD, NUMBER)),
        (bonus_dice, (POSITION_TYPE, RULES_TYPE, BOARD, NUMBER, NUMBER)),
        (card_earned, (POSITION_TYPE, RULES_TYPE)),
        (clear_turn, (POSITION_TYPE,)),
        (continent_award, (POSITION_TYPE, BOARD, NUMBER)),
        (dealt_to, (POSITION_TYPE, RULES_TYPE)),
        (defending_seat, (POSITION_TYPE,)),
        (garrisons, (POSITION_TYPE, BOARD, NUMBER, NUMBER)),
        (mission_complete, (POSITION_TYPE, BOARD, NUMBER)),
        (mission_seat, (POSITION_TYPE,)),
        (missions_left, (POSITION_TYPE, RULES_TYPE, BOARD)),
        (most_attack_dice, (POSITION_TYPE, RULES_TYPE, NUMBER)),
        (most_defence_dice, (POSITION_TYPE, RULES_TYPE, NUMBER)),
        (next_set_value, (POSITION_TYPE, RULES_TYPE, NUMBER)),
        (objective_measure, (POSITION_TYPE, RULES_TYPE, BOARD, NUMBER)),
        (offered_stars, (POSITION_TYPE, BOARD)),
        (seat_of_colour, (POSITION_TYPE, NUMBER)),
        (set_value, (RULES_TYPE, NUMBER)),
        (stars_value, (NUMBER,)),
        (territory_award, (POSITION_TYPE, RULES_TYPE, BOARD, NUMBER)),
        (trade_forced, (POSITION_TYPE, RULES_TYPE, BOARD)),
        (wake_rewards, (POSITION_TYPE, NUMBER)),
        (settle, (POSITION_TYPE, RULES_TYPE, BOARD, NUMBER)),
        (apply, (POSITION_TYPE, RULES_TYPE, BOARD, NUMBER)),
    ),
)
KERNELS = (RULES_KERNEL,)


@contextmanager
def compilations_heard() -> Iterator[Sequence[object]]:
    """The compilations that begin or end meanwhile: two entries for each procedure.

    It stays empty as long as machine code is only loaded.
    """
    heard = RecordingListener()
    with install_listener("numba:compile", heard):
        yield heard.buffer


def load_all(kernels: Iterable[Kernel]) -> None:
    """Load kernels, and compile those that are not on disk; nothing if compiling is disabled."""
    if CONFIG.DISABLE_JIT:
        return
    for kernel in kernels:
        kernel.load()


def warm() -> None:
    """Load the rules, or compile them."""
    load_all(KERNELS)
