"""How long the checkers of docs/ take for a long transcript: prints JSON.

    python benchmarks/dice_checkers.py [--rolls 10000] [--repeats 3]

The transcript has so many rolls, in which two clients take part. `seconds` is the median time of
one check without starting anything: in Python (`check_dice.py`, with `cryptography`), and in
Chromium (`check_dice.js`) on a page from localhost, which checks all signatures, and by plain http
from another host, which has no Web Crypto and checks none. `to_python` is the ratio to Python.
Chromium is found as by the browser tests (`RUBICON_CHROMIUM`).
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from playwright.sync_api import Browser

from benchmarks.dice_orders import long_transcript
from tests.browser.chromium import PLAIN_HOST, chromium_program, started_chromium
from tests.browser.static_site import static_site
from tests.docs.checker_cases import DOCS, checker

PAGE = '<!doctype html><title>Check</title><link rel="icon" href="data:,">'
CHECK = """async (text) => {
  const { check } = await import("/check_dice.js");
  const began = performance.now();
  const { rows } = await check(text);
  return [(performance.now() - began) / 1000, Object.fromEntries(rows).signatures];
}"""


def in_python(text: str) -> tuple[float, str]:
    """Seconds of one check in Python, and what it says of the signatures."""
    lines = text.removesuffix("\n").split("\n")
    began = time.perf_counter()
    table = str(checker.check(lines, [], None))
    seconds = time.perf_counter() - began
    [signatures] = [line for line in table.split("\n") if line.startswith("signatures ")]
    return seconds, signatures.removeprefix("signatures").strip()


def in_browser(browser: Browser, url: str, text: str) -> tuple[float, str]:
    """The same in a new page."""
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(url)
        seconds, signatures = page.evaluate(CHECK, text)
        return seconds, signatures


def median(check: Callable[[], tuple[float, str]], repeats: int) -> dict[str, Any]:
    """The median of several checks."""
    results = [check() for _ in range(repeats)]
    seconds = statistics.median(seconds for seconds, _ in results)
    return {"seconds": round(seconds, 3), "signatures": results[0][1]}


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rolls", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    text = "".join(f"{entry.text()}\n" for entry in long_transcript(arguments.rolls))
    figures: dict[str, Any] = {"rolls": text.count('"battle":[['), "bytes": len(text.encode())}
    figures["python"] = median(lambda: in_python(text), arguments.repeats)
    files = {"/page.html": PAGE, "/check_dice.js": DOCS / "check_dice.js"}
    with static_site(files) as port, started_chromium(chromium_program(os.environ)) as browser:
        for name, host in (("browser", "localhost"), ("browser_plain_http", PLAIN_HOST)):
            url = f"http://{host}:{port}/page.html"
            figures[name] = median(
                lambda url=url: in_browser(browser, url, text), arguments.repeats
            )
            ratio = figures[name]["seconds"] / figures["python"]["seconds"]
            figures[name]["to_python"] = round(ratio, 2)
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
