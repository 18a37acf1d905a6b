"""The shape of legal actions, and of what a decision is about, in JSON."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

from rubicon.web.api.game_views.position_bodies import OccupationView, PendingBattleView

ActionKindName = Literal[
    "claim",
    "place_capital",
    "place",
    "seal",
    "offer",
    "withdraw",
    "trade",
    "attack",
    "defend_with",
    "occupy",
    "end_attack",
    "claim_objective",
    "decline",
    "fortify",
    "end_turn",
    "standing_order",
    "resign",
    "reveal_mission",
]


class ActionRangeView(TypedDict):
    """Legal actions that differ in one number only.

    `lowest` and `highest` are texts, `action` is the lowest one as JSON: all can be submitted.
    `number` is the field of `action` that may be any number from `least` to `most`, or null.
    `values` are the possible values of a standing order. `source` and `target` are the
    territories of an attack or a move; `target` alone is where something is placed or claimed.
    """

    kind: ActionKindName
    text: str
    size: int
    lowest: str
    highest: str
    action: dict[str, Any]
    number: str | None
    least: int | None
    most: int | None
    values: list[str]
    source: str | None
    target: str | None
    cards: list[str]


class RollOutcomeView(TypedDict):
    """The armies that one roll costs both sides, and its chance (0 to 1)."""

    attacker_loses: int
    defender_loses: int
    chance: float


class DefenceChoiceView(TypedDict):
    """A number of dice, and what a roll with it may cost; empty where dice are still hidden."""

    dice: int
    outcomes: list[RollOutcomeView]


class DecisionView(TypedDict):
    """What a decision is about, and its title in plain words.

    The kinds: `claim`, `choose_capital`, `place`, `trade`, `attack`, `defend`, `occupy`,
    `claim_objective`, `fortify`. `reason` says why it is forced, or is empty. A defence has
    `battle`, `choices` and `hold`, the chance to hold the territory if the attack goes on to the
    end (null for very large armies).
    """

    kind: str
    title: str
    reason: str
    to_place: int
    battle: PendingBattleView | None
    choices: list[DefenceChoiceView]
    hold: float | None
    occupation: OccupationView | None


class LegalActionsView(TypedDict):
    """The legal actions for the pending decision, and those that are legal out of turn.

    `ranges` are at most `limit` of `total`, from the one with the number `offset` on.
    """

    decision: int | None
    about: DecisionView | None
    total: int
    offset: int
    ranges: list[ActionRangeView]
    out_of_turn: list[ActionRangeView]
