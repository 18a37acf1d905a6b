"""Write `counts.json` anew: `python tests/perft/freeze.py`; the diff shows what changed."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.rules.test_perft import COUNTS, middle

from rubicon.rules.perft import perft
from rubicon.rules.ruleset import presets

ENTRIES = (30, 75, 120)
MOST = 20_000


def counts(preset: str, entries: int) -> list[int]:
    found: list[int] = []
    while len(found) < 3 and (not found or found[-1] ** 2 < MOST * max(1, found[0])):
        found.append(perft(middle(preset, entries), len(found) + 1))
        if found[-1] > MOST:
            break
    return found


if __name__ == "__main__":
    table = {name: {str(e): counts(name, e) for e in ENTRIES} for name in presets()}
    COUNTS.write_text(json.dumps(table, indent=1) + "\n")
