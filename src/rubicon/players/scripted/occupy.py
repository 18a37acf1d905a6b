"""How many armies a scripted bot moves into what it has captured."""

from rubicon.engine.records.action_codes import ActionKind, encode
from rubicon.engine.records.layout import compiled
from rubicon.engine.records.position import Position
from rubicon.engine.records.tables import BoardTables, Rules
from rubicon.players.memory import Memory
from rubicon.players.scripted.placing import worth_at
from rubicon.players.scripted.plans import best_plan
from rubicon.players.scripted.survey import survey

RESERVE = 1.2  # of what the smaller part of a divided plan takes


@compiled
def occupy_choice(
    view: Position, rules: Rules, board: BoardTables, seat: int, memory: Memory
) -> int:
    """As many as the rest of the plan needs on this side; without a plan, where they do more."""
    work = memory.work
    source, target = view.attack_source, view.attack_target
    least, most = view.occupy_minimum, view.armies[source] - 1
    if least >= most:
        return encode(ActionKind.OCCUPY, 0, 0, 0, most)
    survey(view, rules, board, seat, memory)
    ahead, behind = remaining_needs(view, board, seat, memory, source, target)
    if ahead + behind == 0.0:
        return encode(
            ActionKind.OCCUPY, 0, 0, 0, at_rest(view, rules, board, seat, memory, least, most)
        )
    stay = min(work.garrison[source], most)
    if behind > 0.0:
        stay = max(stay, staying(most, ahead, behind))
    return encode(ActionKind.OCCUPY, 0, 0, 0, max(least, most - stay))


@compiled
def staying(most: int, ahead: float, behind: float) -> int:
    """How many of `most` stay for what is behind: the smaller task gets its need and a reserve."""
    smaller = RESERVE * min(ahead, behind) + 1.5
    share = most * min(ahead, behind) / (ahead + behind)
    smaller = min(smaller, max(share, 0.5 * most))
    if smaller + max(ahead, behind) > most:
        smaller = share
    return int(smaller if behind <= ahead else most - smaller)


@compiled
def remaining_needs(
    view: Position, board: BoardTables, seat: int, memory: Memory, source: int, target: int
) -> tuple[float, float]:
    """Armies that the rest of the plan takes from the target on, and from the source only."""
    work = memory.work
    if memory.planned == 0:
        return 0.0, 0.0
    work.plan += 1
    ahead = needs_from(view, board, seat, memory, target)
    return ahead, needs_from(view, board, seat, memory, source)


@compiled
def needs_from(view: Position, board: BoardTables, seat: int, memory: Memory, start: int) -> float:
    """Armies for the wanted territories that hang together with `start`, those marked apart."""
    work = memory.work
    need = 0.0
    work.waiting[0] = start
    count = 1
    while count > 0:
        count -= 1
        t = work.waiting[count]
        for i in range(board.degree[t]):
            other = board.neighbour[t, i]
            if memory.wanted[other] == 0 or view.owner[other] == seat:
                continue
            if work.marked[other] != work.plan:
                work.marked[other] = work.plan
                need += work.cost[other]
                work.waiting[count] = other
                count += 1
    return need


@compiled
def at_rest(
    view: Position,
    rules: Rules,
    board: BoardTables,
    seat: int,
    memory: Memory,
    least: int,
    most: int,
) -> int:
    """The plan is carried out: armies go where the next one begins, or where they guard more."""
    work = memory.work
    source, target = view.attack_source, view.attack_target
    work.force[target] = most
    stay = min(work.garrison[source], most)
    if best_plan(view, rules, board, seat, memory, 0) > 0.0:
        moving = least if work.best_root == source else most - stay
        return max(least, moving)
    work.force[target] = work.force[source]
    if worth_at(view, board, seat, memory, source) > worth_at(view, board, seat, memory, target):
        return least
    return max(least, most - stay)
