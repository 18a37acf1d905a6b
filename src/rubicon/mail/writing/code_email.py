"""The e-mail with a one-time code: what was asked for, and that nothing has happened yet."""

from __future__ import annotations

from dataclasses import dataclass

from rubicon.mail.identity.one_time_code import CodePurpose
from rubicon.mail.writing.layout.document import (
    Block,
    Code,
    EmailContent,
    Heading,
    Panel,
    Paragraph,
    Strong,
)
from rubicon.mail.writing.scene import Scene
from rubicon.table.settings import Master


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeWords:
    """What the content says: its subject without the game, and the sentences around the code."""

    subject: str
    heading: str
    asked: str
    stay: str  # what to do to leave all as it is
    act: str
    then: str  # what the code does


def code_email(scene: Scene, purpose: CodePurpose, code: str, asked: str) -> EmailContent:
    """The content, to the registered address alone; `asked` is the request in its own words."""
    words = _words(scene, purpose, asked)
    tell = "If it was not you, somebody else has an e-mail of your game."
    if scene.settings.master is not Master.NONE and not scene.is_master:
        tell += " Tell the game master: reply PRESS TO GM."
    why = "This went to the address that you registered, and to no other. The code works once."
    if purpose is CodePurpose.MAILBOX:
        tell = "If it was not you, you get no other e-mail."
        why = "Somebody has named this address as theirs. The code works once."
    blocks: tuple[Block, ...] = (
        Heading(words.heading),
        Paragraph(f"{words.asked} Nothing has happened yet."),
        Paragraph(Strong(words.stay)),
        Paragraph(words.act),
        Code((f"CONFIRM {code}",)),
        Paragraph(words.then),
        Paragraph(tell, quiet=True),
    )
    return EmailContent(
        subject=f"{words.subject} ({scene.table_in_subject})",
        news="Nothing has happened yet",
        greeting=f"Hello {scene.name},",
        panels=(Panel(blocks),),
        why=why,
        game=scene.table_name,
        url=scene.url,
    )


def _words(scene: Scene, purpose: CodePurpose, asked: str) -> CodeWords:
    table = f'"{scene.table_name}"'
    match purpose:
        case CodePurpose.RESIGN:
            return CodeWords(
                subject="Do you really resign?",
                heading="Do you really resign?",
                asked=f"An e-mail says that you resign from {table}.",
                stay="To stay in the game, do nothing.",
                act="To resign, reply with this line within a day:",
                then=f"If you resign, your {len(scene.own())} territories are yours no more, and "
                "your cards are discarded. This cannot be undone.",
            )
        case CodePurpose.ADDRESS:
            return CodeWords(
                subject="A new address?",
                heading="A new address?",
                asked=f"An e-mail asks to change the address that you play with in {table}: "
                f"{asked}.",
                stay="To keep your address, do nothing.",
                act="To change it, reply with this line within a day:",
                then="Then the new address gets a code too. When that has come back, all e-mails "
                "of your account go there.",
            )
        case CodePurpose.MAILBOX:
            return CodeWords(
                subject="Is this your address?",
                heading="Is this your address?",
                asked=f"A player of {table} asks to get their e-mails at this address.",
                stay="If that is not you, do nothing.",
                act="If it is you, reply with this line within a day:",
                then="From then on, all e-mails of your account come here.",
            )
        case CodePurpose.REQUEST:
            return CodeWords(
                subject="Do you really ask for this?",
                heading="Do you really ask for this?",
                asked=f"An e-mail of yours asks in {table}: {asked}.",
                stay="If you do not want that, do nothing.",
                act="If you want it, reply with this line within a day:",
                then="It cannot be taken back, so it needs this code.",
            )
        case CodePurpose.ORDERS:
            return CodeWords(
                subject="Are these orders yours?",
                heading="Are these orders yours?",
                asked=f"Orders for {table} came from an address that is not yours, or that could "
                "not be checked.",
                stay="They are not yours? Then do nothing.",
                act="To have them carried out, reply with this line within a day:",
                then="They are carried out as they came, if it is still your turn.",
            )
