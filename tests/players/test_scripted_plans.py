"""Plans that are dropped before they are made would not have been chosen."""

from tests.engine.test_uncompiled import uncompiled


def test_no_plan_is_dropped_that_would_be_the_best() -> None:
    mode, counts = uncompiled("-m", "tests.players.exhaustive_plans")
    assert mode == "uncompiled"
    same, different = map(int, counts.split())
    assert different == 0
    assert same > 200
