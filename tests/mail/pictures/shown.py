"""The HTML part of an e-mail as a mail program shows it, with its picture in place."""

from __future__ import annotations

import base64
from email.message import EmailMessage


def html_of(message: EmailMessage) -> str:
    """The page, with each attached picture as a data URL."""
    part = message.get_body(("html",))
    assert part is not None, message["Subject"]
    page = str(part.get_content())
    for attached in message.walk():
        identifier = str(attached["Content-ID"] or "").strip("<>")
        if identifier:
            data = base64.b64encode(attached.get_payload(decode=True)).decode()  # type: ignore[arg-type]
            page = page.replace(
                f"cid:{identifier}", f"data:{attached.get_content_type()};base64,{data}"
            )
    return page
