"""Write `counts.json` anew: `python -m tests.perft.freeze`; the diff shows what changed."""

import json

from rubicon.rules.perft import perft
from rubicon.rules.ruleset.ruleset import presets
from tests.rules.test_perft import COUNTS, middle

ENTRIES = (30, 75, 120)
MOST = 3_000  # so that the second depth stays small too


def counts(preset: str, entries: int) -> list[int]:
    game = middle(preset, entries)
    found = [perft(game, 1)]
    if found[0] ** 2 < MOST:
        found.append(perft(game, 2))
    return found


if __name__ == "__main__":
    table = {name: {str(e): counts(name, e) for e in ENTRIES} for name in presets()}
    COUNTS.write_text(json.dumps(table, indent=1) + "\n")
