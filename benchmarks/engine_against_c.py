"""The engine against a hand-written C program, in one run, as JSON.

    python benchmarks/engine_against_c.py PATH/TO/limit.c

Both play random games of `classic` by the same policy. The C program is built with
`gcc -O3 -march=native`; for each number of players the two take turns several times, and the
ratio is that of the best of each, so that what else the machine does disturbs both alike.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rubicon.cli.bench import measure

GAMES_IN_C = {2: 20_000, 3: 1_000, 6: 150}
TURNS = 5
SECONDS = 1.0


def built(source: Path, folder: Path) -> Path:
    """The C program, compiled."""
    program = folder / "limit"
    subprocess.run(["gcc", "-O3", "-march=native", "-o", program, source], check=True)
    return program


def c_actions_per_second(program: Path, players: int) -> float:
    """One run of the C program."""
    words = [program, str(players), str(GAMES_IN_C[players]), "1"]
    output = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    return float(re.findall(r"actions/s=(\S+)", output)[-1])


def compared(program: Path, players: int) -> dict[str, float]:
    """Both in turn; the best of each and their ratio."""
    ours, theirs, checked = [], [], []
    for turn in range(TURNS):
        theirs.append(c_actions_per_second(program, players))
        for kept, asked in ((ours, False), (checked, True)):
            run = measure("classic", players, checked=asked, seed=turn, seconds=SECONDS)
            kept.append(run.actions_per_second)
    return {
        "players": players,
        "c_actions_per_second": max(theirs),
        "actions_per_second": max(ours),
        "checked_actions_per_second": max(checked),
        "ratio": round(max(ours) / max(theirs), 3),
        "checked_ratio": round(max(checked) / max(theirs), 3),
    }


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        program = built(Path(sys.argv[1]), Path(folder))
        print(json.dumps([compared(program, players) for players in GAMES_IN_C], indent=2))


if __name__ == "__main__":
    main()
