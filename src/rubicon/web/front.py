"""The front page: what this is, which tables are open, where the API is."""

from __future__ import annotations

import asyncio
from html import escape

from litestar import get
from litestar.response import Response

from rubicon.host.host import Host
from rubicon.table.lobby_showing import TableShown, open_tables, watchable_games

STYLE = """
:root { color-scheme: light dark; --ink: #1d2330; --soft: #5b6474; --paper: #f7f5f0; --card: #fff;
  --line: #ddd8cc; --accent: #a3262a; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e6e1; --soft: #a2a8b4; --paper: #15181f;
  --card: #1e222b; --line: #343a46; --accent: #ef8a80; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); line-height: 1.55;
  font: 17px/1.55 Georgia, "Times New Roman", serif; }
main { max-width: 46rem; margin: 0 auto; padding: 3rem 1.25rem 4rem; }
h1 { font-size: 2.6rem; letter-spacing: -.02em; margin: 0; }
h1 + p { font-size: 1.2rem; color: var(--soft); margin-top: .4rem; }
h2 { font-size: 1.15rem; margin: 2.4rem 0 .6rem; }
a { color: var(--accent); }
ul { list-style: none; padding: 0; margin: 0; }
li { background: var(--card); border: 1px solid var(--line); border-radius: .6rem;
  padding: .7rem 1rem; margin: .5rem 0; display: flex; flex-wrap: wrap; gap: .2rem 1rem; }
li b { flex: 1 1 12rem; } li span { color: var(--soft); }
pre { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem;
  overflow-x: auto; font-size: .85rem; }
button { font: inherit; padding: .6rem 1.4rem; border: 0; border-radius: .6rem;
  background: var(--accent); color: var(--card); cursor: pointer; }
footer { margin-top: 3rem; color: var(--soft); font-size: .85rem; }
"""
EXAMPLE = """from rubicon.client import Client

me = Client("{url}").guest("Ann")
game = me.open_table(seats=3, bots={{1: "greedy", 2: "greedy"}})
me.start(game)"""
SECURE = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self';"
    " base-uri 'none'"
}


@get("/", include_in_schema=False)
async def front(host: Host) -> Response[str]:
    """The page."""
    joinable = await asyncio.to_thread(host.store.read, open_tables)
    running = await asyncio.to_thread(host.store.read, watchable_games)
    page = front_page(joinable[:20], running[:20], host.settings.public_url)
    return Response(page, media_type="text/html; charset=utf-8", headers=SECURE)


def front_page(joinable: list[TableShown], running: list[TableShown], url: str) -> str:
    """The page as HTML; whatever people have written is escaped."""
    example = escape(EXAMPLE.format(url=url or "http://127.0.0.1:8042"))
    return page_of(f"""
<p>RISK, exactly: hosted games that lose nothing, with dice that anybody can check.</p>
<h2>Tables to join</h2>{_list(joinable, "No table is open at the moment.")}
<h2>Games to watch</h2>{_list(running, "Nobody plays in the open at the moment.")}
<h2>Play by program</h2><pre>{example}</pre>
<p>The <a href="/api/v1/schema/openapi.json">API</a> can do everything that a person can.
Every roll is committed to before it is thrown: each game's transcript is public, and opened at its
end.</p>
<footer>RISK is a trademark of Hasbro; Rubicon is not connected with Hasbro.</footer>""")


def page_of(body: str) -> str:
    """A page around a body that is HTML already."""
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Rubicon</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>{STYLE}</style></head><body><main>
<h1>Rubicon</h1>{body}
</main></body></html>"""


def _list(tables: list[TableShown], nothing: str) -> str:
    if not tables:
        return f"<p>{nothing}</p>"
    return "<ul>" + "".join(map(_row, tables)) + "</ul>"


def _row(table: TableShown) -> str:
    seated = ", ".join(seat.name for seat in table.seats if seat.name)
    free = sum(seat.free for seat in table.seats)
    places = f"{free} free" if free else f"{len(table.seats)} seats"
    title, ruleset, people = map(escape, (table.title, table.ruleset, seated))
    return (
        f"<li><b>{title}</b><span>{ruleset}</span><span>{places}</span><span>{people}</span></li>"
    )
