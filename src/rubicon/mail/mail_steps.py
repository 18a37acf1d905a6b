"""What an e-mail asks for, in steps, and the answer that their results make."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import msgspec

from rubicon.mail.authority import MailAct, acts_of
from rubicon.mail.mail_commands import MailCommands, MailQuestion
from rubicon.mail.one_time_codes import CodePurpose
from rubicon.mail.order_lines import AccountLine
from rubicon.orders import syntax
from rubicon.orders.errors import OrdersError
from rubicon.table.commands.submit import Receipt, Status
from rubicon.table.game.snapshot import Snapshot

# What a message is answered. It is stored too, for repeats.

MOST_OF_LINE = 200  # characters of a line that is kept with its mistake
QUESTION = "question"  # the kind of answers to what has no order


@dataclass(frozen=True, slots=True, kw_only=True)
class LineMistake:
    """A line that was not understood; lines count from 1. `text` is the line, cut."""

    line: int
    message: str
    suggestion: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MailAnswer:
    """Its kind, one sentence on what was done, and sections of lines under a title.

    `orders` is what was understood, or the corrected text. `first` and `last` are the lines of the
    log that the orders wrote, -1 for none.
    """

    kind: str
    headline: str
    sections: tuple[tuple[str, tuple[str, ...]], ...] = ()
    orders: str = ""
    mistakes: tuple[LineMistake, ...] = ()
    first: int = -1
    last: int = -1

    def written(self) -> str:
        """As it is stored."""
        return json.dumps(asdict(self))

    @staticmethod
    def read(text: str) -> MailAnswer:
        """From what `written` gave."""
        return msgspec.json.decode(text, type=MailAnswer)


def corrected_answer(error: OrdersError, text: str) -> MailAnswer:
    """What is unclear in a text, and the text as far as it was understood."""
    written = text.split("\n")
    count = len(error.problems) + error.more
    lines = "One line is" if count == 1 else f"{count} places are"
    return MailAnswer(
        kind="corrected",
        headline=f"{lines} unclear, so nothing was done: no order, and no die.",
        orders=error.corrected,
        mistakes=tuple(
            LineMistake(
                line=found.line,
                message=found.message,
                suggestion=found.suggestion,
                text="".join(written[found.line - 1 : found.line]).strip()[:MOST_OF_LINE],
            )
            for found in error.problems
        ),
    )


# What an e-mail asks for, in steps that are carried out one by one.
#
# The steps of a text are always the same, so a server that was stopped goes on where it was.

MOST_STEPS = 40  # of one message
WRONG_CODE = "mail/code"  # the error of a one-time code that does not fit
SHOWN = 200  # characters of a request that an answer repeats


@dataclass(frozen=True, slots=True, kw_only=True)
class MailStep:
    """One step: orders for a decision, a standing defence, a request, a setting or a new address.

    With a `purpose` it is not carried out: a one-time code is mailed for it.
    """

    act: MailAct
    decision: int = -1  # that orders are for
    purpose: CodePurpose | None = None
    orders: syntax.OrderText | None = None
    defence: syntax.DefendOrder | None = None
    request: syntax.Request | None = None
    setting: AccountLine | None = None
    new_address: str = ""
    together: str = ""  # the text of several steps that one code confirms

    @property
    def text(self) -> str:
        """What a one-time code confirms: read again, it gives this step alone."""
        if self.together:
            return self.together
        if isinstance(self.request, syntax.PressRequest):
            return str(self.request)
        asked = self.request
        if isinstance(asked, syntax.MasterRequest | syntax.VoteRequest | syntax.ResignRequest):
            return str(replace(asked, confirmed=True))
        return self.new_address or self.words

    @property
    def words(self) -> str:
        """What was asked for, in its exact words; of a message to players only the first line."""
        if self.together:
            return self.together
        if self.new_address:
            return f"ADDRESS {self.new_address}"
        if self.orders is not None:
            return str(self.orders)
        if self.setting is not None:
            return str(self.setting)
        asked = self.defence if self.request is None else self.request
        if isinstance(asked, syntax.PressRequest):
            return f"PRESS TO {asked.to}"
        return str(asked).splitlines()[0][:SHOWN]


@dataclass(frozen=True, slots=True, kw_only=True)
class MailStepResult:
    """What came of a step: it is stored as JSON.

    Of orders, `first` is the log index at which their lines begin, and `decision` the one that
    they answer. `payload` is the text that a one-time code has confirmed.
    """

    words: str
    said: str = ""  # in a sentence; "" where the report of the orders says it
    refused: bool = False
    first: int = -1
    decision: int = -1
    purpose: str = ""  # of a one-time code that was opened or used
    payload: str = ""
    code: str = ""  # of the error that refused it


def steps_of(
    text: syntax.OrderText | None,
    new_address: str = "",
    decision: int = -1,
    settings: Sequence[AccountLine] = (),
) -> tuple[MailStep, ...]:
    """The steps of a text: orders first, as a request may end or hand over the seat's turn.

    Inquiries are no steps. A text with PREVIEW has no orders: it asks for their odds.
    """
    steps: list[MailStep] = []
    if text is not None and not asks(text, syntax.Ask.PREVIEW):
        steps += _orders_of(text, decision)
    # The same request twice in one e-mail, such as a code that was copied twice, is one, and
    # is where it was last.
    asked = text.requests if text is not None else ()
    for request in reversed(dict.fromkeys(reversed(asked))):
        (act,) = acts_of(syntax.OrderText(requests=(request,)))
        if act is not MailAct.INQUIRY:
            steps.append(MailStep(act=act, request=request))
    steps += [MailStep(act=MailAct.STANDING, setting=line) for line in settings]
    if new_address:
        steps.append(MailStep(act=MailAct.FINAL, new_address=new_address))
    return tuple(steps)


def is_masters(acts: frozenset[MailAct], steps: tuple[MailStep, ...]) -> bool:
    """Whether a game master without a seat may ask for all of that."""
    return MailAct.ORDERS not in acts and all(
        step.act is MailAct.CONFIRM
        or step.new_address
        or step.setting
        or isinstance(step.request, syntax.MasterRequest)
        or step.request == syntax.AskRequest(syntax.Ask.UNDO)
        for step in steps
    )


def asks(text: syntax.OrderText, *words: syntax.Ask) -> bool:
    """Whether a text has one of these requests of one word."""
    return any(isinstance(each, syntax.AskRequest) and each.ask in words for each in text.requests)


def with_codes(steps: tuple[MailStep, ...], *, doubtful: bool) -> tuple[MailStep, ...]:
    """The same steps, but one code for all that need a code of the same purpose.

    Of a doubtful sender everything needs one; of the player, what cannot be taken back.
    """
    kept: list[MailStep] = []
    coded: dict[CodePurpose, list[MailStep]] = {}
    for step in steps:
        purpose = _purpose(step, doubtful=doubtful)
        if purpose is None:
            kept.append(step)
        else:
            coded.setdefault(purpose, []).append(step)
    return (*kept, *(_together(purpose, each) for purpose, each in coded.items()))


def _together(purpose: CodePurpose, steps: list[MailStep]) -> MailStep:
    """One step for several that the same code confirms; orders last, as END ends a text."""
    if len(steps) == 1:
        return replace(steps[0], purpose=purpose)
    ordered = sorted(steps, key=lambda step: step.orders is not None)
    text = "\n".join(step.text for step in ordered)
    decision = max(step.decision for step in steps)
    return MailStep(act=steps[0].act, decision=decision, purpose=purpose, together=text)


def _purpose(step: MailStep, *, doubtful: bool) -> CodePurpose | None:
    if step.act is MailAct.CONFIRM:
        return None
    if step.new_address:
        return CodePurpose.ADDRESS
    if step.act is MailAct.FINAL:
        resigns = isinstance(step.request, syntax.ResignRequest)
        return CodePurpose.RESIGN if resigns else CodePurpose.REQUEST
    return CodePurpose.ORDERS if doubtful else None


def _orders_of(text: syntax.OrderText, decision: int) -> list[MailStep]:
    if not text.orders and not (text.ended and not text.requests):
        return []
    defences = [order for order in text.orders if isinstance(order, syntax.DefendOrder)]
    if len(defences) == len(text.orders) and (not text.ended or decision < 0):
        # A defence alone is a standing order, which waits for no decision. The END below it ends
        # nothing where the e-mail that is answered asked for nothing.
        return [MailStep(act=MailAct.STANDING, defence=order) for order in defences]
    orders = syntax.OrderText(text.orders, (), text.ended)
    return [MailStep(act=MailAct.ORDERS, orders=orders, decision=decision)]


# What is said of a message: the results of its steps as an answer, and answers to no orders.

MOST_SHOWN = 100  # characters of a line that was left out
QUESTIONS = {
    MailQuestion.UNCHANGED_FORM: (
        "The form came back as it was sent. To have exactly these orders carried out, copy them to "
        "the top of your reply."
    ),
    MailQuestion.NO_ORDERS: "Your e-mail has text, but no orders we could understand.",
    MailQuestion.SEVERAL_PLACES: (
        "There are orders at several places of your e-mail. Write them all at the top of your "
        "reply."
    ),
    MailQuestion.EMPTY: "Your e-mail has no text.",
    MailQuestion.WORDS_OF_OTHERS: (
        "Below your own words are orders that another player wrote in a message. If you want "
        "them, write them at the top of your reply."
    ),
}
MOST_LOST = 10
ONE_LINE = "ANNOUNCE sends only the rest of its own line: write everything on one line."
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
        "PROCESS, BOT, REPLACE, UNDO, FORK and ANNOUNCE; to write to the players, use ANNOUNCE."
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
        sections.append(("Not done, as it is below END", (*below, "", ABOVE_END)))
    if (lost := _not_announced(commands)) != ():
        sections.append(("Not announced", (*lost, "", ONE_LINE)))
    return tuple(sections)


def _not_announced(commands: MailCommands) -> tuple[str, ...]:
    """Lines below ANNOUNCE that are no order: their writer may mean them for all, too."""
    text = commands.orders
    if text is None or not any(
        isinstance(each, syntax.MasterRequest) and each.act is syntax.MasterAct.ANNOUNCE
        for each in text.requests
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
        wrong = any(result.code == WRONG_CODE for result in results)
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
