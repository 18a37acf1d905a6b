"""The kernel of the rules: what Python calls of the engine, compiled and loaded together."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numba.core.config
from numba import from_dtype, types
from numba.core.event import RecordingListener, install_listener

from rubicon.engine import cards, ownership, setup
from rubicon.engine.apply import apply, settle
from rubicon.engine.attack import bonus_dice, capture, most_attack_dice, most_defence_dice
from rubicon.engine.chance import GENERATOR, battle_losses, below, sample
from rubicon.engine.codes import a_of, b_of, c_of, encode, kind_of, n_of
from rubicon.engine.compiler.kernel import Kernel
from rubicon.engine.compiler.workers import RUNNING, Compilation
from rubicon.engine.legal_actions import decisions, out_of_turn, ranges
from rubicon.engine.legality import actor_of, refusal, refusal_to
from rubicon.engine.observe import observe
from rubicon.engine.records import BOARD_TABLES, POSITION, RULES
from rubicon.engine.turn import award, begin_turn, objective_measure, territory_award
from rubicon.engine.victory import clear_turn, garrisons, mission_complete, seat_of_colour

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
        (setup.open_game, (POSITION_TYPE, RULES_TYPE, BOARD, NUMBER)),
        (ownership.change_owner, (POSITION_TYPE, NUMBER, NUMBER)),
        (ownership.clear_pending, (POSITION_TYPE,)),
        (setup.objective_may_come, (POSITION_TYPE, BOARD, NUMBER, NUMBER)),
        (setup.mission_left, (POSITION_TYPE, RULES_TYPE, BOARD, NUMBER)),
        (ownership.acts, (POSITION_TYPE, NUMBER)),
        (actor_of, (POSITION_TYPE, NUMBER)),
        (below, (GENERATOR_TYPE, NUMBER)),
        (sample, (POSITION_TYPE, GENERATOR_TYPE)),
        (battle_losses, (RULES_TYPE, *[NUMBER] * 10)),
        (capture, (POSITION_TYPE, RULES_TYPE, BOARD, NUMBER, NUMBER)),
        (observe, (POSITION_TYPE, RULES_TYPE, BOARD, NUMBER, POSITION_TYPE)),
        (begin_turn, (POSITION_TYPE, RULES_TYPE, BOARD, NUMBER)),
        (setup.next_setup_step, (POSITION_TYPE, RULES_TYPE, BOARD)),
        (refusal, (POSITION_TYPE, RULES_TYPE, BOARD, NUMBER)),
        (refusal_to, (POSITION_TYPE, RULES_TYPE, BOARD, NUMBER, NUMBER)),
        (decisions, (POSITION_TYPE, RULES_TYPE, BOARD, RANGES)),
        (ownership.first_to_act, (POSITION_TYPE,)),
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
        (setup.bare_objective, (POSITION_TYPE, BOARD, NUMBER)),
        (bonus_dice, (POSITION_TYPE, RULES_TYPE, BOARD, NUMBER, NUMBER)),
        (cards.card_earned, (POSITION_TYPE, RULES_TYPE)),
        (clear_turn, (POSITION_TYPE,)),
        (ownership.continent_award, (POSITION_TYPE, BOARD, NUMBER)),
        (setup.dealt_to, (POSITION_TYPE, RULES_TYPE)),
        (ownership.defending_seat, (POSITION_TYPE,)),
        (garrisons, (POSITION_TYPE, BOARD, NUMBER, NUMBER)),
        (mission_complete, (POSITION_TYPE, BOARD, NUMBER)),
        (setup.mission_seat, (POSITION_TYPE,)),
        (setup.missions_left, (POSITION_TYPE, RULES_TYPE, BOARD)),
        (most_attack_dice, (POSITION_TYPE, RULES_TYPE, NUMBER)),
        (most_defence_dice, (POSITION_TYPE, RULES_TYPE, NUMBER)),
        (cards.next_set_value, (POSITION_TYPE, RULES_TYPE, NUMBER)),
        (objective_measure, (POSITION_TYPE, RULES_TYPE, BOARD, NUMBER)),
        (cards.offered_stars, (POSITION_TYPE, BOARD)),
        (seat_of_colour, (POSITION_TYPE, NUMBER)),
        (cards.set_value, (RULES_TYPE, NUMBER)),
        (cards.stars_value, (NUMBER,)),
        (territory_award, (POSITION_TYPE, RULES_TYPE, BOARD, NUMBER)),
        (cards.trade_forced, (POSITION_TYPE, RULES_TYPE, BOARD)),
        (ownership.wake_rewards, (POSITION_TYPE, NUMBER)),
        (settle, (POSITION_TYPE, RULES_TYPE, BOARD, NUMBER)),
        (apply, (POSITION_TYPE, RULES_TYPE, BOARD, NUMBER)),
    ),
    __name__,
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


def compiles() -> bool:
    """Whether procedures are compiled at all; not with NUMBA_DISABLE_JIT=1."""
    return not CONFIG.DISABLE_JIT


def load_all(kernels: Iterable[Kernel]) -> None:
    """Load kernels, and compile those that are not on disk; nothing if compiling is disabled."""
    if not compiles():
        return
    wanted = tuple(kernels)
    for begun in tuple(RUNNING):  # in the background, earlier
        begun.wait(*wanted)
    with Compilation(wanted) as compilation:
        compilation.wait(*wanted)
    for kernel in wanted:
        kernel.load()


def warm() -> None:
    """Load the rules, or compile them."""
    load_all(KERNELS)
