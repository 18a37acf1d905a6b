"""A position written down as a case would: only what is not as everywhere else."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rubicon.rules.case_expect_turn import phase_word
from rubicon.rules.case_names import Setting, word_of
from rubicon.rules.case_scene import names_word
from rubicon.rules.position import (
    DRAWN,
    NONE,
    OBJECTIVES,
    REWARDS,
    Chance,
    ObjectivePlace,
    Phase,
    Seat,
    Standing,
)


def show_position(setting: Setting, position: Any) -> list[str]:
    """The lines of a case that describe a position, as far as cases can say it."""
    lines = [*_turn(setting, position), *_board(setting, position)]
    for seat, colour in enumerate(setting.seats):
        lines += _seat(setting, position, seat, colour)
    return lines + _table(setting, position)


def _turn(setting: Setting, position: Any) -> list[str]:
    winner = int(position.winner)
    if winner != NONE:
        won = "nobody wins" if winner == DRAWN else f"{setting.seats[winner]} wins"
        return [f"phase over  # {won}"]
    phase = phase_word(Phase(int(position.phase)))
    seat = setting.owner_word(int(position.turn))
    owed = word_of(Chance(int(position.chance)))
    wait = f"  # chance owes: {owed}" if position.chance else ""
    return [f"turn {seat}", f"round {position.round_number}", f"phase {phase}{wait}"]


def _board(setting: Setting, position: Any) -> list[str]:
    """Territories; the most frequent owner and number of armies are the `others`."""
    held = [
        (setting.owner_word(int(position.owner[t])), int(position.armies[t]))
        for t in range(len(setting.territories))
    ]
    usual, count = Counter(held).most_common(1)[0]
    lines = [
        f"{name} {owner} {armies}"
        for name, (owner, armies) in zip(setting.territories, held, strict=True)
        if (owner, armies) != usual or count == 1
    ]
    if count > 1:
        lines.append(f"others {usual[0]} {usual[1]}")
    return lines + _marks(setting, position)


def _marks(setting: Setting, position: Any) -> list[str]:
    lines = []
    for field, word in (("captured", "captured"), ("city", "cities")):
        marks = getattr(position, field)
        names = [name for t, name in enumerate(setting.territories) if marks[t]]
        lines += [f"{word} {names_word(names)}"] if names else []
    return lines


def _seat(setting: Setting, position: Any, seat: int, colour: str) -> list[str]:
    cards = [name for card, name in enumerate(setting.cards) if position.card[card] == seat]
    lines = [f"hand {colour} {names_word(cards)}"] if cards else []
    if position.unplaced[seat]:
        lines.append(f"unplaced {colour} {position.unplaced[seat]}")
    if position.status[seat] == Seat.RESIGNED:
        lines.append(f"resigned {colour}")
    if position.capital[seat] != NONE:
        lines.append(f"capital {colour} {setting.territories[position.capital[seat]]}")
    if position.mission[seat] != NONE:
        fallback = " fallback" if position.mission_fallback[seat] else ""
        lines.append(f"mission {colour} {setting.mission_ids[position.mission[seat]]}{fallback}")
    lines += _prizes(setting, position, seat, colour)
    return lines + _orders(setting, position, seat, colour)


def _prizes(setting: Setting, position: Any, seat: int, colour: str) -> list[str]:
    ids = setting.objective_ids
    won = [ids[i] for i in range(OBJECTIVES) if position.objective[i] == seat]
    tokens = [token for token in range(REWARDS) if position.reward[token] == seat]
    lines = [f"objective {colour} {names_word(won)}"] if won else []
    for token in tokens:
        where = int(position.airfield[token])
        if where != NONE:
            lines.append(f"airfield {colour} {setting.territories[where]}")
        else:
            lines.append(f"reward {colour} {setting.token_word(token)}")
    return lines


def _orders(setting: Setting, position: Any, seat: int, colour: str) -> list[str]:
    texts = {Standing.ONE: "1", Standing.TWO: "2", Standing.MAXIMUM: "max"}
    lines = []
    if position.standing_all[seat] in texts:
        lines.append(f"standing {colour} all {texts[Standing(int(position.standing_all[seat]))]}")
    for t, name in enumerate(setting.territories):
        if position.owner[t] == seat and position.standing[t] in texts:
            lines.append(f"standing {colour} {name} {texts[Standing(int(position.standing[t]))]}")
    return lines


def _table(setting: Setting, position: Any) -> list[str]:
    lines = [f"pile {position.pile}", f"discards {position.discards}"]
    if position.sets:
        lines.append(f"sets {position.sets}")
    for objective in range(OBJECTIVES):
        if position.objective[objective] == ObjectivePlace.FACE_UP:
            lines.append(f"objectives {setting.objective_ids[objective]}")
            token = int(position.objective_reward[objective])
            if token != NONE:
                name = setting.objective_ids[objective]
                lines.append(f"on {name} {setting.token_word(token)}")
    return lines
