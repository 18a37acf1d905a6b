"""What a position waits for, in words that players use."""

from __future__ import annotations

from collections.abc import Mapping

from rubicon.engine.records.position import NONE, Phase, Position
from rubicon.rules.ruleset.ruleset import Ruleset

PHASES: Mapping[Phase, str] = {
    Phase.FIRST_PLAYER: "deciding who begins",
    Phase.DEAL: "the deal",
    Phase.CLAIM: "claim a territory",
    Phase.PLACE: "place starting armies",
    Phase.SEALED: "place starting armies (the others see them later)",
    Phase.HEADQUARTERS: "choose a headquarters",
    Phase.REINFORCE: "reinforce",
    Phase.ATTACK: "attack",
    Phase.DEFEND: "defend",
    Phase.OCCUPY: "advance",
    Phase.TRADE: "trade the cards you won",
    Phase.OBJECTIVE: "claim an objective",
    Phase.FORTIFY: "fortify",
    Phase.CONTINENTS: "place continental armies",
    Phase.OVER: "the game is over",
}


def phase_words(ruleset: Ruleset, view: Position) -> str:
    """The phase of a position in words."""
    return "found a capital" if capital_due(ruleset, view) else PHASES[phase_shown(view)]


def phase_shown(view: Position) -> Phase:
    """The phase as players see it: with all armies placed, a turn is in its attacks."""
    phase = Phase(int(view.phase))
    placed = view.first != NONE and int(view.unplaced[int(view.turn)]) == 0
    return Phase.ATTACK if phase == Phase.REINFORCE and placed else phase


def capital_due(ruleset: Ruleset, view: Position) -> bool:
    """Whether the first territory of the seat to move is its capital (S001-24)."""
    founds = view.phase == Phase.CLAIM and bool(ruleset.rules.setup_capitals)
    return bool(founds and view.first != NONE and int(view.capital[int(view.turn)]) == NONE)
