"""Reports that a message of ours was not delivered: RFC 3464, and what servers send instead.

A report may be forged. It counts only with a token or an envelope address of ours in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from email.message import EmailMessage, Message
from enum import StrEnum
from typing import Any

from rubicon.mail.reading import bounded_message

# Why not flufl.bounce: it finds addresses in many old formats, but not what decides here. It has no
# status codes, so that a full mailbox looks like a dead address; no id of the message that came
# back, which is how a token is found; no reports of RFC 6533; prose in English alone. And some of
# its detectors raise for headers that a stranger can write.

SHOWN = 300  # characters of a diagnosis
DAEMONS = ("mailer-daemon", "postmaster", "mail-daemon", "mailerdaemon", "mdaemon", "mmdf")
TEXT_SEARCHED = 20_000
MOST_GROUPS = 50  # recipients of one report
# The mailbox is full, or the server is busy: the address itself is good.
FULL = ("5.2.2", "5.2.3", "5.3.1", "5.3.4")
POLICY_STATUS = "5.7."  # refused for what the message is, not for whom it is

_BLANK_LINE = re.compile(r"\r?\n[ \t]*\r?\n")
_STATUS = re.compile(r"(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.])")
_REPLY_CODE = re.compile(r"(?<!\d)([45]\d\d)(?=[ -])")
_FAILED = re.compile(
    r"(?:address(?:es)? failed|could not be delivered|delivery (?:to .{1,80} )?(?:has )?failed"
    r"|undeliverable|was(?: not|n't) delivered|unable to deliver|did not reach|not able to deliver"
    r"|user unknown|no such user|mailbox (?:unavailable|not found)"
    r"|does not exist|(?:konnte )?nicht zugestellt|n'a pas pu être|permanent(?: fatal)? error)",
    re.IGNORECASE,
)
_FULL_TEXT = re.compile(
    r"quota|mailbox (?:is )?full|over ?quota|insufficient storage", re.IGNORECASE
)
_DELAYED = re.compile(r"delayed|will be retried|still trying|not yet been delivered", re.IGNORECASE)
_SUBJECT = re.compile(
    r"undeliver|delivery (?:status notification|failure|has failed)|returned mail|failure notice"
    r"|mail delivery (?:failed|system)|unzustellbar|nicht zugestellt|non remis|no se ha entregado"
    r"|impossibile recapitare"
    r"|delayed mail|warning: could not send",
    re.IGNORECASE,
)


class BounceSeverity(StrEnum):
    """HARD: the address takes no mail. SOFT: this message was refused. DELAYED: not yet."""

    HARD = "hard"
    SOFT = "soft"
    DELAYED = "delayed"


@dataclass(frozen=True, slots=True, kw_only=True)
class BounceReport:
    """Which address did not get which message.

    `recipient` and `message_id` (of the message that was sent, without brackets) are "" where the
    report does not say; `status` is an enhanced status code (RFC 3463) or "".
    """

    severity: BounceSeverity
    recipient: str = ""
    status: str = ""
    diagnosis: str = ""
    message_id: str = ""


def read_bounce(
    message: EmailMessage,
    sender: str,
    subject: str,
    *,
    null_path: bool,
    limits: bounded_message.ReadingLimits,
) -> BounceReport | None:
    """The report in a message; None where it is none, or says that a message was delivered."""
    parts = list(_parts(message, limits))
    fields = [each for part in parts if _is_status(part) for each in _recipients(part, limits)]
    original = _original_id(parts)
    for each in fields:
        report = _from_fields(each, original)
        if report is not None:
            return report
    if fields or not _is_from_server(message, sender, subject, null_path):
        return None
    text = " ".join(_text(part) for part in parts)[:TEXT_SEARCHED]
    failed = bounded_message.address_in(str(message.get("X-Failed-Recipients", "")))
    if not failed and not (_FAILED.search(text) or _DELAYED.search(text)):
        return None
    status = _STATUS.search(text)
    severity = _severity("", status[1] if status else "", text)
    if (
        not status
        and not _REPLY_CODE.search(text)
        and not failed
        and severity is BounceSeverity.HARD
    ):
        severity = BounceSeverity.SOFT  # prose alone marks no address as dead
    return BounceReport(
        severity=severity,
        recipient=failed or _address_after_failure(text),
        status=status[1] if status else "",
        diagnosis=bounded_message.printable(text)[:SHOWN],
        message_id=original or _id_in_text(text),
    )


def _parts(message: EmailMessage, limits: bounded_message.ReadingLimits) -> Iterator[Message]:
    waiting: list[Message] = [message]
    for _ in range(limits.parts):
        if not waiting:
            return
        part = waiting.pop(0)
        yield part
        payload = part.get_payload()
        # Not into enclosed messages: a person may forward a report.
        if isinstance(payload, list) and part.get_content_maintype() == "multipart":
            waiting += [child for child in payload if isinstance(child, Message)]


def _is_status(part: Message) -> bool:
    return part.get_content_type() in ("message/delivery-status", "message/global-delivery-status")


def _recipients(part: Message, limits: bounded_message.ReadingLimits) -> list[Message]:
    """The groups of fields of a delivery status, one for each recipient."""
    payload = part.get_payload()
    groups = payload if isinstance(payload, list) else []
    if part.get_content_subtype().startswith("global"):
        groups = _global_groups(groups, limits)
    return [group for group in groups if isinstance(group, Message) and group.get("Action")]


def _global_groups(groups: list[Any], limits: bounded_message.ReadingLimits) -> list[Message]:
    """The groups of RFC 6533, of which the parser of `email` takes all but the first for a body."""
    body = groups[0].get_payload() if groups and isinstance(groups[0], Message) else ""
    texts = _BLANK_LINE.split(body, MOST_GROUPS)[:MOST_GROUPS] if isinstance(body, str) else []
    found: list[Message] = []
    for text in texts:
        with suppress(bounded_message.UnreadableMessageError):
            found.append(
                bounded_message.parse_header(text.encode("utf-8", "surrogateescape"), limits)
            )
    return found


def _from_fields(group: Message, original: str) -> BounceReport | None:
    action = str(group.get("Action", "")).strip().lower()
    if action not in ("failed", "delayed"):
        return None
    diagnosis = bounded_message.printable(str(group.get("Diagnostic-Code", "")))
    status = _STATUS.search(str(group.get("Status", "")))
    code = status[1] if status else ""
    recipient = bounded_message.address_in(str(group.get("Original-Recipient", "")))
    return BounceReport(
        severity=_severity(action, code, diagnosis),
        recipient=recipient or bounded_message.address_in(str(group.get("Final-Recipient", ""))),
        status=code,
        diagnosis=diagnosis[:SHOWN],
        message_id=original,
    )


def _severity(action: str, status: str, text: str) -> BounceSeverity:
    if action == "delayed" or (not action and _DELAYED.search(text) and not status.startswith("5")):
        return BounceSeverity.DELAYED
    soft = status.startswith("4") or status in FULL or status.startswith(POLICY_STATUS)
    if soft or _FULL_TEXT.search(text):
        return BounceSeverity.SOFT
    code = _REPLY_CODE.search(text)
    if not status and code and code[1].startswith("4"):
        return BounceSeverity.SOFT
    return BounceSeverity.HARD


def _original_id(parts: list[Message]) -> str:
    """The Message-ID of the message that came back, whole or its header alone."""
    for part in parts[1:]:
        kind = part.get_content_type()
        if kind == "text/rfc822-headers":
            found = re.search(r"^message-id:\s*<([^<>\s]{3,300})>", _text(part), re.I | re.M)
            if found:
                return found[1]
        payload = part.get_payload()
        if kind in ("message/rfc822", "message/global") and isinstance(payload, list) and payload:
            inner = payload[0]
            value = str(inner.get("Message-ID", "")) if isinstance(inner, Message) else ""
            ids = bounded_message.MESSAGE_ID.findall(value)
            if ids:
                return str(ids[0])
    return ""


def _is_from_server(message: EmailMessage, sender: str, subject: str, null_path: bool) -> bool:
    """Whether a mail server seems to have written the message."""
    local = sender.partition("@")[0]
    daemon = local in DAEMONS or local.startswith("mailer-daemon")
    marked = bool(message.get("X-Failed-Recipients"))
    return marked or ((null_path or daemon) and bool(_SUBJECT.search(subject) or daemon))


def _text(part: Message) -> str:
    if part.get_content_maintype() != "text" or part.is_multipart():
        return ""
    try:
        data = part.get_payload(decode=True)
    # Decoding a broken transfer encoding raises in several ways.
    except Exception:
        return ""
    return (
        bounded_message.decode_bytes(data[:TEXT_SEARCHED], "utf-8")
        if isinstance(data, bytes)
        else ""
    )


def _address_after_failure(text: str) -> str:
    found = _FAILED.search(text)
    return bounded_message.address_in(text[found.end() :]) if found else ""


def _id_in_text(text: str) -> str:
    found = re.search(r"message-id:\s*<([^<>\s]{3,300})>", text, re.IGNORECASE)
    return found[1] if found else ""
