"""What is told of a message: the results of its steps as an answer, and answers to no orders."""

from __future__ import annotations

from collections.abc import Sequence

from rubicon.mail.commands.mail_commands import MailCommands, MailQuestion
from rubicon.mail.service.mail_answer import QUESTION, MailAnswer
from rubicon.mail.service.steps.mail_step import MailStepResult
from rubicon.orders.requests import MasterAct, MasterRequest
from rubicon.table.game.snapshot import Snapshot
from rubicon.table.game.submission import Receipt, Status

MOST_SHOWN = 100  # characters of a line that was left out
QUESTIONS = {
    MailQuestion.UNCHANGED_FORM: (
        "The form came back as it was sent. To have exactly these orders carried out, copy them to "
        "the top of your reply."
    ),
    MailQuestion.NO_ORDERS: "Your e-mail has words, but no order that was understood.",
    MailQuestion.SEVERAL_PLACES: (
        "There are orders at several places of your e-mail. Write them all at the top of your "
        "reply."
    ),
    MailQuestion.EMPTY: "Your e-mail has no text.",
    MailQuestion.WORDS_OF_OTHERS: (
        "Below your own words stand orders that another player wrote in a message. If you want "
        "them, write them at the top of your reply."
    ),
}
MOST_LOST = 10
ONE_LINE = "ANNOUNCE sends the rest of its own line: to say more, write all of it into one line."
ABOVE_END = "Nothing below END is read. Send these lines again, alone or above END."
STATUS_TOLD = {
    Status.DONE: "Your orders are carried out.",
    Status.PAUSED: "Your orders are carried out as far as they say; the rest is yours to decide.",
    Status.WAITING: "Your orders have begun; another player decides before they go on.",
    Status.DICE: "Your orders are accepted, and wait for their dice: nothing is lost. You get an "
    "e-mail when it is your turn to decide.",
}


def question_answer(commands: MailCommands) -> MailAnswer:
    """Nothing may be done: what the player is asked."""
    assert commands.question is not None
    told = f"{QUESTIONS[commands.question]} Nothing was done."
    return MailAnswer(kind=QUESTION, headline=told, sections=left_out(commands))


def too_large_answer() -> MailAnswer:
    """A message whose text was not read."""
    told = "Your e-mail is too large to be read: nothing was done. Send it without attachments."
    return MailAnswer(kind=QUESTION, headline=told)


def stale_answer(snapshot: Snapshot, seat: str, *, expired: bool) -> MailAnswer:
    """Orders that came with the token of an earlier decision."""
    told = "Your orders are for a decision that has been made, so nothing was done."
    if expired:
        told = "You answered an e-mail that is too old, so nothing was done."
    if snapshot.ending is not None:
        told = "The game is over: nothing was done."
    elif seat in snapshot.decisions:
        told += " This is what is due now."
    return MailAnswer(kind="stale", headline=told)


def too_many_steps_answer(most: int) -> MailAnswer:
    """A message that asks for too much at once."""
    told = f"Your e-mail has too many requests, so nothing was done: at most {most} go together."
    return MailAnswer(kind="refused", headline=told)


def not_of_master_answer() -> MailAnswer:
    """A game master without a seat who asks for what a player does."""
    told = (
        "You are the game master and have no seat, so nothing was done. You can send EXTEND, "
        "PROCESS, BOT, REPLACE, UNDO, FORK and ANNOUNCE; to write to the players, take ANNOUNCE."
    )
    return MailAnswer(kind="refused", headline=told)


def too_late_answer() -> MailAnswer:
    """A message that could not be carried out within a day."""
    told = (
        "Your e-mail could not be carried out for a day, because the game waited for its dice or "
        "the database. It was put aside: nothing of it was done. Please send it again."
    )
    return MailAnswer(kind="refused", headline=told)


def answer_of_results(
    results: Sequence[MailStepResult],
    receipt: Receipt | None,
    sections: Sequence[tuple[str, tuple[str, ...]]],
    commands: MailCommands,
) -> MailAnswer:
    """What came of the steps; `receipt` is that of the orders, if there were any."""
    ordered = next((result for result in results if result.first >= 0), None)
    kind, headline = _headline(results, receipt)
    told = [(f"{result.words.splitlines()[0]}: {result.said}") for result in results if result.said]
    said: list[tuple[str, tuple[str, ...]]] = []
    if receipt is not None and (receipt.reason or receipt.notes):
        stopped = [receipt.reason] if receipt.reason else []
        said.append(("Where your orders stopped", (*stopped, *receipt.notes)))
    if len(told) > 1 or (told and ordered is not None):
        said.append(("Your requests", tuple(told)))
    shown = ordered.words if ordered is not None else ""
    return MailAnswer(
        kind=kind,
        headline=headline,
        sections=(*said, *sections, *left_out(commands)),
        orders=shown,
        first=-1 if receipt is None else receipt.first,
        last=-1 if receipt is None else receipt.last,
    )


def repeated(answer: MailAnswer) -> MailAnswer:
    """The answer to orders that came before: nothing is done again."""
    told = (
        "The same came before, and was carried out then. Nothing was done again, and no die was "
        "rolled again.",
    )
    return MailAnswer(
        kind=answer.kind,
        headline=answer.headline,
        sections=(("It came twice", told), *answer.sections),
        orders=answer.orders,
        first=answer.first,
        last=answer.last,
    )


def left_out(commands: MailCommands) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Lines that the player wrote, and that were taken for no orders."""
    lines = tuple(line[:MOST_SHOWN] for line in commands.passed_over)
    sections = [("Not read as orders", lines)] if lines else []
    if commands.below_end:
        below = tuple(line[:MOST_SHOWN] for line in commands.below_end)
        sections.append(("Not done, as it stands below END", (*below, "", ABOVE_END)))
    if (lost := _not_announced(commands)) != ():
        sections.append(("Not announced", (*lost, "", ONE_LINE)))
    return tuple(sections)


def _not_announced(commands: MailCommands) -> tuple[str, ...]:
    """Lines below ANNOUNCE that are no order: their writer may mean them for all, too."""
    text = commands.orders
    if text is None or not any(
        isinstance(each, MasterRequest) and each.act is MasterAct.ANNOUNCE for each in text.requests
    ):
        return ()
    return tuple(warning.message for warning in text.warnings)[:MOST_LOST]


def _headline(results: Sequence[MailStepResult], receipt: Receipt | None) -> tuple[str, str]:
    """The kind of the answer, and its first sentence."""
    if receipt is not None:
        told = STATUS_TOLD[receipt.status]
        if receipt.status is Status.PAUSED and receipt.last <= receipt.first:
            told = "Your orders were read, and nothing was done."
        return "done", told
    if not results:
        return "inquiry", "You asked; nothing was changed."
    done = [result for result in results if not result.refused]
    confirmed = any(result.payload for result in results)
    if not done:
        wrong = any("[mail/code]" in result.said for result in results)
        return ("code-wrong" if wrong else "refused"), f"Nothing was done. {results[-1].said}"
    if all(result.purpose and not result.payload for result in done):
        return "code-sent", f"Nothing has happened yet. {done[-1].said}"
    kind = "confirmed" if confirmed else "noted"
    if len(done) < len(results):
        refused = [result.said for result in results if result.refused]
        alone = len(refused) == 1 and len(results) == 1 + confirmed
        return kind, f"Nothing was done. {refused[0]}" if alone else "Not all of it could be done."
    said = [result.said for result in done if result.said]
    return kind, said[-1] if len(said) == 1 else "All of it is done."
