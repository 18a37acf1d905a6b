"""The objectives of a position as JSON, and how far the asker has come."""

from __future__ import annotations

from rubicon.engine.records.position import NONE, ObjectivePlace
from rubicon.rules.game.progress import GoalProgress, objective_progress
from rubicon.web.api.game_views.position_bodies import ObjectiveView, ProgressView
from rubicon.web.api.game_views.seen import Seen


def objective_views(seen: Seen) -> list[ObjectiveView]:
    """The objectives of this game, minor ones first."""
    if not seen.ruleset.rules.objectives_in_play:
        return []
    places = seen.view.objective.tolist()
    in_game = [
        o for o in range(len(seen.ruleset.board.objectives)) if places[o] != ObjectivePlace.BOX
    ]
    major = seen.ruleset.tables.objective_major
    return [_objective(seen, number) for number in sorted(in_game, key=lambda o: (major[o], o))]


def progress_view(progress: GoalProgress) -> ProgressView:
    """A progress as JSON."""
    return {"of": progress.of, "have": progress.have, "needed": progress.needed}


def reward_word(name: str) -> str:
    """The kind of a reward: tokens of one kind have different names."""
    return name.removeprefix("major_").removesuffix("_2")


def _objective(seen: Seen, number: int) -> ObjectiveView:
    view = seen.view
    declared = seen.ruleset.board.objectives[number]
    token = int(view.objective_reward[number])
    progress = None
    if seen.seat != NONE:
        progress = objective_progress(seen.ruleset, view, seen.seat, number)
    return {
        "id": seen.names.objectives[number],
        "text": declared.text,
        "goal": {
            "kind": declared.kind.name.lower(),
            "count": declared.count,
            "continent": _continent(seen, declared.continent),
        },
        "major": bool(seen.ruleset.tables.objective_major[number]),
        "owner": seen.colour(int(view.objective[number])),
        "reward": None if token == NONE else reward_word(seen.names.rewards[token]),
        "progress": None if progress is None else progress_view(progress),
        "met": progress is not None and progress.have >= progress.needed,
    }


def _continent(seen: Seen, continent: int) -> str | None:
    """The id of a continent; None where an objective names none."""
    return None if continent == NONE else seen.ruleset.board.continents[continent].id
