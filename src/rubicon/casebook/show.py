"""A position as the lines of a case, for the report of a failure."""

from __future__ import annotations

from collections import Counter

from rubicon.casebook.expect_turn import phase_word
from rubicon.casebook.names import CaseContext, word_of
from rubicon.casebook.view import names_word
from rubicon.engine.records.position import (
    DRAWN,
    NONE,
    OBJECTIVES,
    REWARDS,
    Chance,
    ObjectivePlace,
    Phase,
    Position,
    Seat,
    Standing,
)


def show_position(context: CaseContext, position: Position) -> list[str]:
    """The lines of a case that describe a position, as far as cases can say it."""
    lines = [*_turn(context, position), *_board(context, position)]
    for seat, colour in enumerate(context.seats):
        lines += _seat(context, position, seat, colour)
    return lines + _table(context, position)


def _turn(context: CaseContext, position: Position) -> list[str]:
    winner = int(position.winner)
    if winner != NONE:
        won = "nobody wins" if winner == DRAWN else f"{context.seats[winner]} wins"
        return [f"phase over  # {won}"]
    phase = phase_word(Phase(int(position.phase)))
    seat = context.owner_word(int(position.turn))
    pending = word_of(Chance(int(position.chance)))
    wait = f"  # pending: {pending}" if position.chance else ""
    return [f"turn {seat}", f"round {position.round_number}", f"phase {phase}{wait}"]


def _board(context: CaseContext, position: Position) -> list[str]:
    """Territories; the most frequent owner and number of armies are the `others`."""
    held = [
        (context.owner_word(int(position.owner[t])), int(position.armies[t]))
        for t in range(len(context.territories))
    ]
    usual, count = Counter(held).most_common(1)[0]
    lines = [
        f"{name} {owner} {armies}"
        for name, (owner, armies) in zip(context.territories, held, strict=True)
        if (owner, armies) != usual or count == 1
    ]
    if count > 1:
        lines.append(f"others {usual[0]} {usual[1]}")
    return lines + _marks(context, position)


def _marks(context: CaseContext, position: Position) -> list[str]:
    lines = []
    for field, word in (("captured", "captured"), ("city", "cities")):
        marks = getattr(position, field)
        names = [name for t, name in enumerate(context.territories) if marks[t]]
        lines += [f"{word} {names_word(names)}"] if names else []
    return lines


def _seat(context: CaseContext, position: Position, seat: int, colour: str) -> list[str]:
    cards = [name for card, name in enumerate(context.cards) if position.card[card] == seat]
    lines = [f"hand {colour} {names_word(cards)}"] if cards else []
    if position.unplaced[seat]:
        lines.append(f"unplaced {colour} {position.unplaced[seat]}")
    if position.status[seat] == Seat.RESIGNED:
        lines.append(f"resigned {colour}")
    if position.capital[seat] != NONE:
        lines.append(f"capital {colour} {context.territories[position.capital[seat]]}")
    if position.mission[seat] != NONE:
        fallback = " fallback" if position.mission_fallback[seat] else ""
        lines.append(f"mission {colour} {context.mission_ids[position.mission[seat]]}{fallback}")
    lines += _prizes(context, position, seat, colour)
    return lines + _orders(context, position, seat, colour)


def _prizes(context: CaseContext, position: Position, seat: int, colour: str) -> list[str]:
    ids = context.objective_ids
    won = [ids[i] for i in range(OBJECTIVES) if position.objective[i] == seat]
    tokens = [token for token in range(REWARDS) if position.reward[token] == seat]
    lines = [f"objective {colour} {names_word(won)}"] if won else []
    for token in tokens:
        where = int(position.airfield[token])
        if where != NONE:
            lines.append(f"airfield {colour} {context.territories[where]}")
        else:
            lines.append(f"reward {colour} {context.token_word(token)}")
    return lines


def _orders(context: CaseContext, position: Position, seat: int, colour: str) -> list[str]:
    texts = {Standing.ONE: "1", Standing.TWO: "2", Standing.MAXIMUM: "max"}
    lines = []
    if position.standing_all[seat] in texts:
        lines.append(f"standing {colour} all {texts[Standing(int(position.standing_all[seat]))]}")
    for t, name in enumerate(context.territories):
        if position.owner[t] == seat and position.standing[t] in texts:
            lines.append(f"standing {colour} {name} {texts[Standing(int(position.standing[t]))]}")
    return lines


def _table(context: CaseContext, position: Position) -> list[str]:
    lines = [f"pile {position.pile}", f"discards {position.discards}"]
    if position.sets:
        lines.append(f"sets {position.sets}")
    for objective in range(OBJECTIVES):
        if position.objective[objective] == ObjectivePlace.FACE_UP:
            lines.append(f"objectives {context.objective_ids[objective]}")
            token = int(position.objective_reward[objective])
            if token != NONE:
                name = context.objective_ids[objective]
                lines.append(f"on {name} {context.token_word(token)}")
    return lines
