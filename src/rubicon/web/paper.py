"""What the pages for people have in common: one sheet, light and dark, nothing from outside."""

from __future__ import annotations

from html import escape

STYLE = """
:root { color-scheme: light dark; --ink: #20242e; --soft: #5c6473; --paper: #f6f3ec;
  --card: #fffdf8; --line: #dcd6c8; --accent: #9c2329; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9e6df; --soft: #a3a9b5; --paper: #14171d;
  --card: #1c2129; --line: #333a46; --accent: #f0968c; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.6 Charter, Georgia, "Times New Roman", serif; }
main { max-width: 46rem; margin: 0 auto; padding: clamp(1.5rem, 6vw, 4rem) 1.25rem 3rem; }
header { border-bottom: 3px solid var(--accent); padding-bottom: 1.2rem; }
h1 { font-size: clamp(2.3rem, 8vw, 3.2rem); line-height: 1.1; letter-spacing: -.02em; margin: 0; }
header p { font-size: 1.2rem; color: var(--soft); margin: .5rem 0 0; }
h2 { font-size: 1.25rem; margin: 2.2rem 0 .6rem; }
p { margin: .6rem 0; }
a { color: var(--accent); text-underline-offset: .15em; }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; }
.none { color: var(--soft); font-style: italic; }
ul { list-style: none; padding: 0; margin: 0; display: grid; gap: .5rem; }
li, pre, details { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
li { padding: .7rem 1rem; display: flex; flex-wrap: wrap; align-items: baseline; gap: .1rem 1rem;
  overflow-wrap: anywhere; }
li b { flex: 1 1 12rem; }
li span, li code { color: var(--soft); font-size: .92rem; }
li .people { flex: 1 1 70%; }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: .86rem; }
pre { padding: .9rem 1rem; margin: .8rem 0; overflow-x: auto; line-height: 1.5; }
details { margin: .4rem 0; padding: 0 1rem; }
summary { padding: .5rem 0; cursor: pointer; display: flex; flex-wrap: wrap; gap: 0 .8rem;
  align-items: baseline; overflow-wrap: anywhere; }
summary b { flex: 0 0 3.6rem; font-size: .8rem; letter-spacing: .04em; color: var(--accent); }
summary span { color: var(--soft); flex: 1 1 14rem; font-size: .95rem; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; margin: .2rem 0 .9rem; }
th, td { text-align: left; vertical-align: top; padding: .25rem .8rem .25rem 0;
  border-top: 1px solid var(--line); overflow-wrap: anywhere; }
th { font-weight: normal; width: 9rem; }
@media (max-width: 34rem) { li b { flex-basis: 100%; } th { width: 6.5rem; } }
button { font: inherit; padding: .6rem 1.4rem; border: 0; border-radius: .5rem; cursor: pointer;
  background: var(--accent); color: var(--card); }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line);
  color: var(--soft); font-size: .9rem; }
"""
SECURE = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none';"
    " form-action 'none'; frame-ancestors 'none'"
}


def paper(title: str, body: str) -> str:
    """A page of HTML around a body that is HTML already."""
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>{STYLE}</style></head><body><main>
{body}
<footer>RISK is a trademark of Hasbro; Rubicon is not connected with Hasbro.</footer>
</main></body></html>"""
