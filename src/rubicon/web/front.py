"""The front page: what this is, which tables are open, how one plays for now."""

from __future__ import annotations

import asyncio
import re
from html import escape
from typing import Any

from litestar import Request, get
from litestar.response import Response

from rubicon.host.host import Host
from rubicon.table.lobby_showing import TableShown, open_tables, watchable_games
from rubicon.web.paper import SECURE, paper

MOST_SHOWN = 20
EXAMPLE = """from rubicon.client import Client

with Client("{url}") as me:
    me.guest("Ann")
    game = me.open_table(seats=3, bots={{1: "greedy", 2: "greedy"}})["game"]
    me.start(game)
    while (turn := me.wait(game)) is not None:
        me.submit(game, turn.duty, turn.legal[0])"""
PROPER_HOST = re.compile(r"[A-Za-z0-9.\-]{1,253}(:\d{1,5})?")


@get("/", include_in_schema=False)
async def front(host: Host, request: Request[Any, Any, Any]) -> Response[str]:
    """The page."""
    joinable = await asyncio.to_thread(host.store.read, open_tables)
    running = await asyncio.to_thread(host.store.read, watchable_games)
    url = host.settings.public_url or _reached_at(request, host)
    page = front_page(joinable[:MOST_SHOWN], running[:MOST_SHOWN], url)
    return Response(page, media_type="text/html", headers=SECURE)


def _reached_at(request: Request[Any, Any, Any], host: Host) -> str:
    """The address by which whoever asks has reached this house, if it looks like one."""
    named = request.headers.get("host", "")
    return f"{request.url.scheme}://{named}" if PROPER_HOST.fullmatch(named) else host.url


def front_page(joinable: list[TableShown], running: list[TableShown], url: str) -> str:
    """The page as HTML; whatever people have written is escaped."""
    example = escape(EXAMPLE.format(url=url.rstrip("/")), quote=False)
    return paper(
        "Rubicon",
        f"""<header><h1>Rubicon</h1>
<p>RISK, exactly: hosted games that lose nothing, with dice that anybody can check.</p></header>
<section><h2>Tables to join</h2>{_list(joinable, "No table is open at the moment.")}</section>
<section><h2>Games to watch</h2>{_list(running, "Nobody plays in the open just now.")}</section>
<section><h2>How to play</h2>
<p>Everything that a person can do at a table a program can do by
<a href="/api/v1">the API</a>: sit down, decide, talk, watch. This one plays a whole game:</p>
<pre><code>{example}</code></pre>
<p>In a terminal, <code>rubicon play</code> opens a game against bots, or with friends at one
keyboard.</p></section>
<section><h2>Dice</h2>
<p>Every roll is committed to before it is thrown. Each game's transcript is public while it
lasts, and opened at its end: <code>rubicon verify</code> checks every die.</p></section>""",
    )


def _list(tables: list[TableShown], nothing: str) -> str:
    if not tables:
        return f'<p class="none">{nothing}</p>'
    return "<ul>" + "".join(map(_row, tables)) + "</ul>"


def _row(table: TableShown) -> str:
    free = sum(seat.free for seat in table.seats)
    places = f"{free} of {len(table.seats)} seats free" if free else f"{len(table.seats)} players"
    people = ", ".join(seat.name for seat in table.seats if seat.name)
    kept = f"{table.ruleset.partition(' ')[0]}, {table.board.partition(' ')[0]}"
    title, ruleset, seated = map(escape, (table.title or "A table", kept, people))
    return (
        f"<li><b>{title}</b> <span>{ruleset}</span> <span>{places}</span>"
        f'<span class="people">{seated}</span><code>{escape(table.id)}</code></li>'
    )
