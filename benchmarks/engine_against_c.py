"""The engine against a hand-written C program, in one run, as JSON.

    python benchmarks/engine_against_c.py PATH/TO/limit.c

Both play random games of `classic` by the same policy. The C program is built with
`gcc -O3 -march=native`. The programs take turns, and each round gives a ratio of two runs that
lie seconds apart; the result is the median of these ratios, so that load on the machine, which
comes and goes, disturbs both sides of a ratio alike.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.engine import measure

GAMES_IN_C = {2: 20_000, 3: 1_000, 6: 150}  # about a second each
ROUNDS = 5
SECONDS = 1.0


def built(source: Path, folder: Path) -> Path:
    """Compile the C program into `folder`."""
    program = folder / "limit"
    subprocess.run(["gcc", "-O3", "-march=native", "-o", program, source], check=True)
    return program


def c_actions_per_second(program: Path, players: int) -> float:
    """The speed of one run of the C program."""
    words = [program, str(players), str(GAMES_IN_C[players]), "1"]
    output = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    return float(re.findall(r"actions/s=(\S+)", output)[-1])


def actions_per_second(players: int, *, checked: bool, seed: int) -> float:
    """The speed of one run of the engine."""
    return measure(
        "classic", players, checked=checked, seed=seed, seconds=SECONDS
    ).actions_per_second


def compared(program: Path, players: int) -> dict[str, float]:
    """Medians over rounds of C, engine, and engine with its refusals computed."""
    c_speeds, speeds, checked_speeds = [], [], []
    for seed in range(ROUNDS):
        c_speeds.append(c_actions_per_second(program, players))
        speeds.append(actions_per_second(players, checked=False, seed=seed))
        checked_speeds.append(actions_per_second(players, checked=True, seed=seed))
    return {
        "players": players,
        "c_actions_per_second": median(c_speeds),
        "actions_per_second": median(speeds),
        "checked_actions_per_second": median(checked_speeds),
        "ratio": paired_ratio(speeds, c_speeds),
        "checked_ratio": paired_ratio(checked_speeds, c_speeds),
    }


def paired_ratio(ours: list[float], theirs: list[float]) -> float:
    """The median of the rounds' ratios."""
    return round(median(our / their for our, their in zip(ours, theirs, strict=True)), 3)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        program = built(Path(sys.argv[1]), Path(folder))
        print(json.dumps([compared(program, players) for players in GAMES_IN_C], indent=2))


if __name__ == "__main__":
    main()
