"""Decisions in plain English: `red places 3 armies on Brazil`."""

from __future__ import annotations

from rubicon.wording import numbered


def decision_sentence(seat: str, action: str) -> str:
    """A decision as a sentence; `action` is its text (docs/notation.md), with no spaces in names.

    Decisions that an event describes, such as the roll of an attack, are no business of this
    function: their text is returned behind the seat.
    """
    match action.split(" "):
        case "claim", territory:
            return f"{seat} claims {territory}"
        case "capital", territory:
            return f"{seat} makes {territory} its capital"
        case "place", territory, armies:
            return f"{seat} places {_armies(armies)} on {territory}"
        case "fortify", source, "->", target, armies:
            return f"{seat} moves {_armies(armies)} from {source} to {target}"
        case "objective", objective, *airfield:
            where = f" and puts the airfield on {airfield[1]}" if airfield else ""
            return f"{seat} claims the objective {objective}{where}"
        case "resign", _:
            return f"{seat} resigns"
        case "reveal", _:
            return f"{seat} shows its mission"
    return f"{seat}: {action}"


def _armies(number: str) -> str:
    return numbered(int(number), "army", "armies")
