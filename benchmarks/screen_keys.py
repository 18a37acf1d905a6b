"""How fast the full screen answers a key, and how long its map takes.

    python -m benchmarks.screen_keys

Prints the median and the slowest of 200 keys, in milliseconds from the key to what is sent, at
three sizes. Without a terminal: what the terminal itself takes is not in it.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from pathlib import Path

from rubicon.cli.screen.app import FullScreen
from rubicon.cli.screen.canvas import DARK
from rubicon.cli.screen.cells import Press
from rubicon.cli.terminal.opening import open_session
from rubicon.cli.terminal.options import PlayOptions
from tests.cli.screen.at_screen import shown

SIZES = ((120, 40), (80, 24), (60, 20))
KEYS = ("tab", "left", "[", "]", "right", "up", "a", "t", "t", "escape")
ROUNDS = 20


async def measure(size: tuple[int, int], folder: Path) -> None:
    """Press keys at one size."""
    file = folder / f"{size[0]}.risk"
    app = FullScreen(open_session(PlayOptions(seed=3, setup="quick", record=file)), DARK)
    async with shown(app, size):
        while not app.asked:
            await asyncio.sleep(0.01)
        app.press(Press("enter"))
        while not app.asked:
            await asyncio.sleep(0.01)
        times = []
        for key in KEYS * ROUNDS:
            began = time.perf_counter()
            app.press(Press(key, key if len(key) == 1 else ""))
            times.append(1000 * (time.perf_counter() - began))
        app.prompts.leave()
    middle = statistics.median(times)
    print(f"{size[0]}x{size[1]}: median {middle:.1f} ms, most {max(times):.1f} ms")


def main() -> None:
    """Measure every size."""
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            asyncio.run(measure(size, Path(folder)))


if __name__ == "__main__":
    main()
