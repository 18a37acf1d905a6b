"""Reads a message: raw bytes to an `IncomingMail`. Never raises, whatever the bytes are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from email.message import EmailMessage

from rubicon.mail.reading import bounded_message, incoming_mail
from rubicon.mail.reading.bounces import read_bounce
from rubicon.mail.reading.quotation import with_roles
from rubicon.mail.reading.text_part import find_text
from rubicon.mail.tokens import FoundToken, find_tokens

# Where servers and programs leave the address that a message was sent to.
RECIPIENT_HEADERS = (
    "Delivered-To",
    "X-Original-To",
    "Envelope-To",
    "X-Envelope-To",
    "X-Delivered-To",
    "To",
    "Cc",
    "Resent-To",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingSettings:
    """What reading must know of the server.

    `addresses` are those that players write to, and that the server writes from, without tokens
    (`play@risk.example.org`).
    `authentication_servers` are the authserv-ids of the mail servers in front, which must remove
    such headers of others; `own_received` counts the Received headers that they add.
    """

    addresses: frozenset[str] = frozenset()
    authentication_servers: tuple[str, ...] = ()
    own_received: int = 1
    limits: bounded_message.ReadingLimits = field(default_factory=bounded_message.ReadingLimits)


def read_mail(
    raw: bytes, settings: ReadingSettings, envelope: incoming_mail.MailEnvelope | None = None
) -> incoming_mail.IncomingMail:
    """The message in `raw` (RFC 5322), as far as it can be read."""
    envelope = _proper(envelope or incoming_mail.MailEnvelope())
    limits = settings.limits
    notes: list[incoming_mail.PassedOver] = []
    try:
        large = envelope.cut or len(raw) > limits.bytes
        if large:
            message = bounded_message.parse_header(raw, limits)
        else:
            message, cuts = bounded_message.parse_message(raw, limits)
            notes = [incoming_mail.PassedOver(code) for code in cuts]
    except bounded_message.UnreadableMessageError as error:
        return _unreadable(raw, envelope, error.code, limits)
    mail = _headers_of(message, envelope, settings, tuple(notes))
    if large:
        mail = replace(mail, tokens=_tokens(mail, settings))
        mail = _with_kind(mail, message, settings, mail.envelope.sender == "")
        person = mail.kind in (incoming_mail.MailKind.ORDERS, incoming_mail.MailKind.EMPTY)
        return replace(mail, kind=incoming_mail.MailKind.TOO_LARGE) if person else mail
    return _with_text(mail, message, settings)


def _proper(envelope: incoming_mail.MailEnvelope) -> incoming_mail.MailEnvelope:
    sender = envelope.sender
    proper = None if sender is None else sender.strip().strip("<>").lower()
    recipients = tuple(address.lower() for address in envelope.recipients)
    return incoming_mail.MailEnvelope(proper, recipients, envelope.cut)


def _unreadable(
    raw: bytes,
    envelope: incoming_mail.MailEnvelope,
    code: str,
    limits: bounded_message.ReadingLimits,
) -> incoming_mail.IncomingMail:
    """What is left of a message without a structure: whom it came from, if that is readable."""
    notes = (incoming_mail.PassedOver(code),)
    try:
        message = bounded_message.parse_header(raw, limits)
    except bounded_message.UnreadableMessageError:
        return incoming_mail.IncomingMail(
            kind=incoming_mail.MailKind.UNREADABLE, envelope=envelope, passed_over=notes
        )
    mail = _headers_of(message, envelope, ReadingSettings(limits=limits), notes)
    return replace(mail, kind=incoming_mail.MailKind.UNREADABLE)


def _headers_of(
    message: EmailMessage,
    envelope: incoming_mail.MailEnvelope,
    settings: ReadingSettings,
    notes: tuple[incoming_mail.PassedOver, ...],
) -> incoming_mail.IncomingMail:
    limits = settings.limits
    found = bounded_message.senders(message, limits)
    several = len(found) > 1 or len(bounded_message.raw_values(message, "From")) > 1
    if several:
        notes = (*notes, incoming_mail.PassedOver("several-senders"))
    name, sender = ("", "") if several or not found else found[0]
    if envelope.sender is None:
        envelope = replace(envelope, sender=_return_path(message))
    return incoming_mail.IncomingMail(
        kind=incoming_mail.MailKind.ORDERS if sender else incoming_mail.MailKind.UNREADABLE,
        sender=sender,
        sender_name=name[:80],
        envelope=envelope,
        recipients=_recipients(message, envelope, limits),
        subject=bounded_message.header_text(message, "Subject")[:300],
        message_id=next(iter(bounded_message.message_ids(message, "Message-ID", limits)), ""),
        in_reply_to=bounded_message.message_ids(message, "In-Reply-To", limits),
        references=bounded_message.message_ids(message, "References", limits),
        date=bounded_message.date_of(message),
        authentication=incoming_mail.read_authentication(
            message.raw_items(), settings.authentication_servers, settings.own_received
        ),
        passed_over=notes,
    )


def _return_path(message: EmailMessage) -> str | None:
    """The envelope sender as the last server noted it; None where it noted none."""
    if "Return-Path" not in message:
        return None
    address = bounded_message.raw_value(message, "Return-Path").strip("<> ").lower()
    return address if not address or bounded_message.is_address(address) else None


def _recipients(
    message: EmailMessage,
    envelope: incoming_mail.MailEnvelope,
    limits: bounded_message.ReadingLimits,
) -> tuple[str, ...]:
    found = dict.fromkeys(envelope.recipients)
    for name in RECIPIENT_HEADERS:
        found.update(
            dict.fromkeys(
                address for _, address in bounded_message.addresses(message, name, limits)
            )
        )
    return tuple(found)[: limits.addresses]


def _with_text(
    mail: incoming_mail.IncomingMail, message: EmailMessage, settings: ReadingSettings
) -> incoming_mail.IncomingMail:
    limits = settings.limits
    null_path = mail.envelope.sender == ""
    bounce = read_bounce(message, mail.sender, mail.subject, null_path=null_path, limits=limits)
    text = find_text(message, limits)
    lines = with_roles(text.lines)
    notes = (*mail.passed_over, *text.passed_over)
    mail = replace(mail, lines=lines, bounce=bounce, passed_over=notes)
    mail = replace(mail, tokens=_tokens(mail, settings))
    return _with_kind(mail, message, settings, null_path)


def _with_kind(
    mail: incoming_mail.IncomingMail,
    message: EmailMessage,
    settings: ReadingSettings,
    null_path: bool,
) -> incoming_mail.IncomingMail:
    if mail.bounce is not None:
        return replace(mail, kind=incoming_mail.MailKind.BOUNCE)
    if mail.sender and _is_own(mail.sender, settings.addresses):
        return replace(mail, kind=incoming_mail.MailKind.OWN)
    automatic = incoming_mail.automatic_kind(
        message, mail.sender, mail.subject, null_path=null_path
    )
    if automatic is not None:
        kind, sign = automatic
        return replace(
            mail, kind=kind, passed_over=(*mail.passed_over, incoming_mail.PassedOver("sign", sign))
        )
    if mail.kind is incoming_mail.MailKind.ORDERS and not _has_words(mail.lines):
        return replace(mail, kind=incoming_mail.MailKind.EMPTY)
    return mail


def _is_own(sender: str, own: Iterable[str]) -> bool:
    """Whether an address is one that players write to, with or without a token."""
    local, _, domain = sender.partition("@")
    return f"{local.partition('+')[0]}@{domain}" in own


def _has_words(lines: Iterable[incoming_mail.MailLine]) -> bool:
    wordless = (incoming_mail.LineRole.SIGNATURE, incoming_mail.LineRole.INTRODUCTION)
    return any(line.text.strip() for line in lines if line.role not in wordless)


def _tokens(mail: incoming_mail.IncomingMail, settings: ReadingSettings) -> tuple[FoundToken, ...]:
    """The tokens; of a bounce also that of the message which came back."""
    returned = (mail.bounce.message_id,) if mail.bounce else ()
    return find_tokens(
        mail.recipients,
        (*returned, *mail.in_reply_to, *reversed(mail.references)),
        f"{mail.own_text}\n{mail.quoted_text}",
        limit=settings.limits.tokens,
    )
