"""Pictures of every e-mail, on one page: `make emails`.

Each is shown as a mail program shows it, at 720 and at 380 pixels, light and dark, with its text
part beside it. The page is build/emails/index.html.
"""

from __future__ import annotations

import html
import os
import tempfile
from email.message import EmailMessage
from pathlib import Path

from playwright.sync_api import Browser

from tests.browser.app.built import ROOT
from tests.browser.chromium import chromium_program, started_chromium
from tests.mail.pictures.emails import emails
from tests.mail.pictures.shown import html_of
from tests.mail.service.mail_table import text_of

FOLDER = ROOT / "build" / "emails"
WIDTHS = (720, 380)
PAGE = """<!doctype html>
<meta charset="utf-8"><title>E-mails</title>
<style>
body {{ font: 15px sans-serif; margin: 24px; background: #888; color: #fff; }}
section {{ display: flex; gap: 12px; align-items: flex-start; overflow-x: auto; }}
img {{ height: 640px; border: 1px solid #444; }}
pre {{ max-height: 640px; overflow-y: auto; background: #fff; color: #111; margin: 0; }}
</style>
{sections}
"""


def main() -> None:
    """Write all e-mails, their pictures, and the page."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        written = emails(Path(folder))
    with started_chromium(chromium_program(os.environ)) as browser:
        sections = [section(browser, name, message) for name, message in written.items()]
    page = FOLDER / "index.html"
    page.write_text(PAGE.format(sections="\n".join(sections)), "utf-8")
    print(page)


def section(browser: Browser, name: str, message: EmailMessage) -> str:
    """An e-mail: its file, its pictures and its text."""
    (FOLDER / f"{name}.eml").write_bytes(message.as_bytes())
    shown = [picture(browser, name, message, width, dark) for width in WIDTHS for dark in (0, 1)]
    images = "".join(f'<a href="{file}"><img src="{file}"></a>' for file in shown)
    title = f'{name}: <a href="{name}.eml">{html.escape(str(message["Subject"]))}</a>'
    text = f"<pre>{html.escape(text_of(message))}</pre>"
    return f"<h2>{title}</h2><section>{images}{text}</section>"


def picture(browser: Browser, name: str, message: EmailMessage, width: int, dark: int) -> str:
    """The HTML part at a width, from top to bottom; the name of the file."""
    scheme = "dark" if dark else "light"
    file = f"{name}-{width}-{scheme}.png"
    size = {"width": width, "height": 600}
    with browser.new_context(viewport=size, color_scheme=scheme) as context:  # type: ignore[arg-type]
        page = context.new_page()
        page.set_content(html_of(message))
        page.screenshot(path=FOLDER / file, full_page=True)
    return file


if __name__ == "__main__":
    main()
