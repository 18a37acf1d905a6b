"""The decisions of a scripted bot: one skeleton for all characters."""

from rubicon.engine.phases.attack import most_attack_dice, most_defence_dice, target_refusal
from rubicon.engine.records.action_codes import ActionKind, encode
from rubicon.engine.records.layout import compiled
from rubicon.engine.records.position import NONE, Phase, Position
from rubicon.engine.records.tables import BoardTables, Rules
from rubicon.engine.sampling import Generator
from rubicon.players.greedy_cards import NO_ACTION, objective_choice
from rubicon.players.greedy_setup import headquarters
from rubicon.players.memory import Memory, remember
from rubicon.players.scripted.battle_odds import chance_of, defence_rolls
from rubicon.players.scripted.cards import sets_rise, trade_choice
from rubicon.players.scripted.characters import FIRST_SCRIPTED, TRAITS_OF
from rubicon.players.scripted.fortify import fortify_choice
from rubicon.players.scripted.occupy import occupy_choice
from rubicon.players.scripted.placing import placement
from rubicon.players.scripted.plans import best_plan, needed_chance, next_battle
from rubicon.players.scripted.set_up import claim_choice, starting_armies
from rubicon.players.scripted.survey import survey


@compiled
def scripted_choice(
    policy: int,
    view: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    memory: Memory,
    rng: Generator,
) -> int:
    """The action of a scripted bot; a function of view and memory, but for ties in its claims."""
    if memory.policy != policy:
        memory.policy = policy
        memory.traits = TRAITS_OF[policy - FIRST_SCRIPTED, int(sets_rise(rules))]
    return traits_choice(view, rules, board, seat, memory, rng)


@compiled
def traits_choice(
    view: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    memory: Memory,
    rng: Generator,
) -> int:
    """The action of whoever has the traits in `memory`."""
    phase = view.phase
    if phase == Phase.ATTACK and goes_on(view, rules, seat, memory):
        return attack_from(view, rules, memory.source, memory.target)
    if phase == Phase.DEFEND:
        return defence(view, rules, seat, memory)
    if memory.round_number != view.round_number:
        memory.victim = 0
    remember(memory, view, board, seat)
    if phase == Phase.CLAIM:
        return claim_choice(view, rules, board, seat, memory, rng)
    if phase == Phase.HEADQUARTERS:
        return headquarters(view, board, seat)
    if phase == Phase.OBJECTIVE:
        return objective_choice(view, rules, board, seat)
    if phase in (Phase.PLACE, Phase.SEALED):
        return starting_armies(view, rules, board, seat, memory)
    if phase in (Phase.REINFORCE, Phase.TRADE, Phase.CONTINENTS):
        return first_step(view, rules, board, seat, memory)
    if phase == Phase.ATTACK:
        survey(view, rules, board, seat, memory)
        return attack_choice(view, rules, board, seat, memory)
    if phase == Phase.OCCUPY:
        return occupy_choice(view, rules, board, seat, memory)
    return fortify_choice(view, rules, board, seat, memory)


@compiled
def defence(view: Position, rules: Rules, seat: int, memory: Memory) -> int:
    """Most dice; the attacker is remembered as one."""
    if view.owner[view.attack_target] == seat:
        memory.taken[view.turn] += 1
    most = most_defence_dice(view, rules, view.attack_target)
    return encode(ActionKind.DEFEND, 0, 0, 0, most)


@compiled
def goes_on(view: Position, rules: Rules, seat: int, memory: Memory) -> bool:
    """Whether the attack under way still promises enough."""
    source, target = memory.source, memory.target
    if memory.planned == 0 or source == target:
        return False
    if view.owner[source] != seat or view.owner[target] == seat:
        return False
    if target_refusal(view, rules, target) != 0:
        return False
    free = view.armies[source] - 1 - memory.kept
    rolls = defence_rolls(rules, view.owner[target])
    if chance_of(rolls, free, view.armies[target]) >= memory.needed:
        return True
    memory.planned = 0
    return False


@compiled
def first_step(view: Position, rules: Rules, board: BoardTables, seat: int, memory: Memory) -> int:
    """Trade, place, attack, in this order."""
    memory.planned = 0
    if view.phase != Phase.CONTINENTS:
        trade = trade_choice(view, rules, board, seat, memory)
        if trade != NO_ACTION:
            return trade
    survey(view, rules, board, seat, memory)
    if view.unplaced[seat] > 0:
        return placement(view, rules, board, seat, memory)
    if view.phase == Phase.TRADE:
        return encode(ActionKind.DECLINE, 0, 0, 0, 0)
    return attack_choice(view, rules, board, seat, memory)


@compiled
def attack_from(view: Position, rules: Rules, source: int, target: int) -> int:
    """One roll with most dice."""
    dice = most_attack_dice(view, rules, source)
    return encode(ActionKind.ATTACK, source, target, 0, dice)


@compiled
def attack_choice(
    view: Position, rules: Rules, board: BoardTables, seat: int, memory: Memory
) -> int:
    """The first battle of the best plan, or the end of the attacks. The survey must be fresh."""
    memory.planned = 0
    battle = NONE
    if best_plan(view, rules, board, seat, memory, 0) > 0.0:
        memory.victim = memory.work.best_victim + 1
        battle = next_battle(view, rules, board, seat, memory)
    if battle == NONE:
        return encode(ActionKind.END_ATTACK, 0, 0, 0, 0)
    memory.planned = 1
    memory.source = battle // 256
    memory.target = battle % 256
    memory.needed = needed_chance(memory)
    memory.kept = memory.work.garrison[memory.source]
    return attack_from(view, rules, memory.source, memory.target)
