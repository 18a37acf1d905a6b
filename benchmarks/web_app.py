"""How the web app feels, by the browser's own measurements: prints JSON.

    python benchmarks/web_app.py [--rounds 6] [--repeats 3] [--turns 500]

Chromium is found as by the browser tests (`RUBICON_CHROMIUM`); server, bots and browser share the
machine. All times are milliseconds, medians unless they are named otherwise.

`first_paint`: the page of a running game on the world in an empty cache, on a phone whose processor
is slowed down 4 times, with 1.6 Mbit/s and 150 ms a request (Lighthouse's mobile profile): `text`,
the browser's first contentful paint, with the outline of the screen, `land`, when the land in its
owners' colours is on the screen, and `map`, when the map is and can be tapped. `click`: from a
click on a territory to the frame that shows its effect (Event Timing; frames are 16 ms apart), and
the slowest of all. `frames`: the time between two frames while the map is dragged and while it is
zoomed, and the `late` ones, of which the frame before took longer than 34 ms; `empty` is a page on
which nothing but one box follows the pointer, in the same browser. `bots`: log lines of bots that
the page shows in a second. `memory`: MiB of the script's heap after a collection, and the number of
nodes, before the first and after the last round. `watched`: one page watches bots that play as fast
as the server lets them, game after game, for that many turns: the log lines a second, how long the
page takes to answer a question in between (a page that falls behind answers ever later), and its
memory on the way.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from playwright.sync_api import Browser, CDPSession, Page

from rubicon.client import Client
from tests.browser.app.built import built_app
from tests.browser.app.clicking import decide, play
from tests.browser.app.conftest import DEALT, opened
from tests.browser.app.person import Person
from tests.browser.chromium import chromium_program, started_chromium
from tests.browser.screen import DESKTOP, PHONE, Screen
from tests.web.conftest import ServerProcess, start, stop

SLOW_PROCESSOR = 4
SLOW_NETWORK = {"latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 90_000}
LATE = 34  # milliseconds: two frames
MIB = 2**20
BOTS = 5  # of a game that is only watched
# Another address, as by a link of the app.
GO = """(address) => {
  history.pushState(null, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
}"""
# Notes when land and map are there and drawn: two frames after they came into the document.
NOTE_MAP = """const drawn = (selector, name) => new MutationObserver((_, observer) => {
  if (document.querySelector(selector) === null) return;
  observer.disconnect();
  requestAnimationFrame(() => requestAnimationFrame(() => { window[name] = performance.now(); }));
}).observe(document, { childList: true, subtree: true });
const map = "[role=group][aria-label=Map] [role=button]";
drawn(`.outline path, ${map}`, "landAt");
drawn(map, "mapAt");"""
FIRST_TEXT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
HAS_TEXT = "() => performance.getEntriesByName('first-contentful-paint').length > 0"
NOTE_CLICKS = """window.clicks = [];
new PerformanceObserver((list) => window.clicks.push(...list.getEntries()
  .filter((entry) => entry.name === "pointerup").map((entry) => entry.duration)))
  .observe({ type: "event", durationThreshold: 16 });"""
NOTE_FRAMES = """window.frames_at = [];
const note = (now) => { window.frames_at.push(now); window.noting = requestAnimationFrame(note); };
requestAnimationFrame(note);"""
EMPTY = """document.body.replaceChildren(document.createElement("hr"));
const box = document.querySelector("hr");
box.style.willChange = "transform";
addEventListener("pointermove", (event) => { box.style.transform = `translate(${event.x}px)`; });"""


def person_at(browser: Browser, server: ServerProcess, ann: Client, screen: Screen) -> Person:
    """A person in a fresh browser context."""
    context = browser.new_context(**screen.options())
    context.set_default_timeout(120_000)
    context.add_cookies([{"name": "rubicon", "value": ann.token, "url": server.url}])
    return Person(context.new_page(), server.url, touch=screen.phone)


def first_paint(
    browser: Browser, server: ServerProcess, ann: Client, game: str
) -> tuple[float, float, float]:
    """Until the first text, until the land, and until the map."""
    person = person_at(browser, server, ann, PHONE)
    wire = person.page.context.new_cdp_session(person.page)
    wire.send("Network.enable")
    wire.send("Network.emulateNetworkConditions", {"offline": False, **SLOW_NETWORK})
    wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOW_PROCESSOR})
    person.page.add_init_script(NOTE_MAP)
    person.visit(f"/games/{game}")
    person.page.wait_for_function("() => window.mapAt !== undefined")
    person.page.wait_for_function(HAS_TEXT)
    text = person.page.evaluate(FIRST_TEXT)
    land, whole = person.page.evaluate("[window.landAt, window.mapAt]")
    person.page.context.close()
    return text, land, whole


def clicks(person: Person) -> dict[str, float]:
    """Select one territory after the other."""
    page = person.page
    page.evaluate(NOTE_CLICKS)
    for territory in list(person.state()["position"]["territories"])[:30]:
        person.tap(territory)
        page.wait_for_timeout(60)
    found = page.evaluate("window.clicks") or [16]
    return {"median": statistics.median(found), "slowest": max(found), "clicks": len(found)}


def frames(page: Page, zoomed: bool) -> dict[str, float]:
    """Drag the sea to and fro, or turn the wheel."""
    page.evaluate(NOTE_FRAMES)
    page.mouse.move(500, 480)
    if not zoomed:
        page.mouse.down()
    for step in range(120):
        if zoomed:
            page.mouse.wheel(0, -60 if step % 40 < 20 else 60)
        else:
            page.mouse.move(500 + (step % 40) * 5, 480 + step % 20)
    if not zoomed:
        page.mouse.up()
    at = page.evaluate("cancelAnimationFrame(window.noting), window.frames_at")
    gaps = [later - earlier for earlier, later in pairwise(at)]
    late = sum(gap > LATE for gap in gaps) / len(gaps)
    median = round(statistics.median(gaps), 1)
    return {"median": median, "late": round(late, 3), "frames": len(gaps)}


def empty_frames(person: Person) -> dict[str, float]:
    """The same drag on a page that draws next to nothing: what this machine can do at best."""
    page = person.page.context.new_page()
    page.goto(f"{person.url}/offline.html")
    page.evaluate(EMPTY)
    found = frames(page, False)
    page.close()
    return found


def memory(wire: CDPSession) -> dict[str, float]:
    """What the page holds after a collection."""
    wire.send("HeapProfiler.collectGarbage")
    found = {each["name"]: each["value"] for each in wire.send("Performance.getMetrics")["metrics"]}
    return {"heap_mib": round(found["JSHeapUsedSize"] / MIB, 1), "nodes": int(found["Nodes"])}


def bots_turns(person: Person, rounds: int) -> dict[str, float]:
    """Play; between two own decisions the bots' lines are counted until the page shows them all."""
    lines, seconds = 0, 0.0
    while (legal := person.wait()) is not None:
        state = person.state()
        if state["round"] > rounds:
            break
        began, before = time.perf_counter(), state["index"]
        decide(person, legal)
        person.settle()
        if person.wait() is not None and (now := person.state())["round"] > state["round"]:
            lines += now["index"] - before
            seconds += time.perf_counter() - began
    return {"lines_a_second": round(lines / seconds, 1) if seconds else 0.0, "lines": lines}


def watched(browser: Browser, server: ServerProcess, ann: Client, turns: int) -> dict[str, Any]:
    """Watch games of bots, at least so many turns in all, without loading the page anew."""
    person = person_at(browser, server, ann, DESKTOP)
    person.page.goto(server.url)
    wire = person.page.context.new_cdp_session(person.page)
    wire.send("Performance.enable")
    seen, lines, seconds = 0, 0, 0.0
    answers: list[float] = []
    stages: list[dict[str, float]] = []
    while seen < turns:
        game = bots_alone(ann)
        person.page.evaluate(GO, f"/games/{game}")
        began, state = time.perf_counter(), ann.game(game)
        while state["result"] is None:
            asked = time.perf_counter()
            person.page.evaluate("1")
            answers.append((time.perf_counter() - asked) * 1000)
            time.sleep(1)
            state = ann.game(game)
        seconds += time.perf_counter() - began
        seen, lines = seen + state["round"] * BOTS, lines + state["index"]
        stages.append({"turns": seen, **memory(wire)})
    person.page.context.close()
    waited = {"median": round(statistics.median(answers)), "slowest": round(max(answers))}
    return {"lines_a_second": round(lines / seconds), "answer": waited, "memory": stages}


def bots_alone(ann: Client) -> str:
    """A game of bots on the world, as Ann resigns at once."""
    bots = dict.fromkeys(range(1, BOTS + 1), "random")
    game = str(ann.open_table(board="world", options=DEALT, seats=BOTS + 1, bots=bots)["game"])
    ann.start(game)
    seats = ann.game(game)["seats"]
    ann.out_of_turn(game, f"resign {next(s['colour'] for s in seats if s['bot'] is None)}")
    return game


def measure(
    server: ServerProcess, ann: Client, rounds: int, repeats: int, turns: int
) -> dict[str, Any]:
    """All figures."""
    game = opened(ann, bots=3, board="world", options=DEALT).id
    with started_chromium(chromium_program(os.environ)) as browser:
        seen = watched(browser, server, ann, turns)
        person = person_at(browser, server, ann, DESKTOP)
        person.open_game(game)
        play(person, until=lambda state: state["phase"] == "attack")
        paints = [first_paint(browser, server, ann, game) for _ in range(repeats)]
        times = [round(statistics.median(each)) for each in zip(*paints, strict=True)]
        names = ("text", "land", "map")
        figures: dict[str, Any] = {"first_paint": dict(zip(names, times, strict=True))}
        figures["click"] = clicks(person)
        figures["frames"] = {
            "empty": empty_frames(person),
            "drag": frames(person.page, False),
            "zoom": frames(person.page, True),
        }
        figures["frames"]["drag_close"] = frames(person.page, False)
        person.page.reload()
        wire = person.page.context.new_cdp_session(person.page)
        wire.send("Performance.enable")
        person.wait()
        before = memory(wire)
        figures["bots"] = bots_turns(person, rounds)
        figures["memory"] = {"before": before, "after": memory(wire)}
        figures["watched"] = seen
        return figures


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--turns", type=int, default=500)
    arguments = parser.parse_args()
    built_app()
    with tempfile.TemporaryDirectory() as folder:
        server = start(Path(folder))
        try:
            with server.client("Ann") as ann:
                figures = measure(server, ann, **vars(arguments))
            print(json.dumps(figures, indent=2))
        finally:
            stop(server)


if __name__ == "__main__":
    main()
