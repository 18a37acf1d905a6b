"""What an e-mail asks for, in steps that are carried out one by one.

The steps of a text are always the same, so a server that was stopped goes on where it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rubicon.mail.commands.account_lines import AccountLine
from rubicon.mail.identity.authority import MailAct, acts_of
from rubicon.mail.identity.one_time_code import CodePurpose
from rubicon.orders.order_text import OrderText
from rubicon.orders.requests import (
    Ask,
    AskRequest,
    MasterRequest,
    PressRequest,
    Request,
    ResignRequest,
    VoteRequest,
)
from rubicon.orders.syntax import DefendOrder

MOST_STEPS = 40  # of one message
SHOWN = 200  # characters of a request that an answer repeats


@dataclass(frozen=True, slots=True, kw_only=True)
class MailStep:
    """One step: orders for a decision, a standing defence, a request, a setting or a new address.

    With a `purpose` it is not carried out: a one-time code is mailed for it.
    """

    act: MailAct
    decision: int = -1  # that orders are for
    purpose: CodePurpose | None = None
    orders: OrderText | None = None
    defence: DefendOrder | None = None
    request: Request | None = None
    setting: AccountLine | None = None
    new_address: str = ""
    together: str = ""  # the text of several steps that one code confirms

    @property
    def text(self) -> str:
        """What a one-time code confirms: read again, it gives this step alone."""
        if self.together:
            return self.together
        if isinstance(self.request, PressRequest):
            return str(self.request)
        asked = self.request
        if isinstance(asked, MasterRequest | VoteRequest | ResignRequest):
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
        if isinstance(asked, PressRequest):
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


def steps_of(
    text: OrderText | None,
    new_address: str = "",
    decision: int = -1,
    settings: Sequence[AccountLine] = (),
) -> tuple[MailStep, ...]:
    """The steps of a text: orders first, as a request may end or hand over the seat's turn.

    Inquiries are no steps. A text with PREVIEW has no orders: it asks for their odds.
    """
    steps: list[MailStep] = []
    if text is not None and not asks(text, Ask.PREVIEW):
        steps += _orders_of(text, decision)
    # The same request twice in one e-mail, such as a code that was copied twice, is one, and
    # stands where it was last.
    asked = text.requests if text is not None else ()
    for request in reversed(dict.fromkeys(reversed(asked))):
        (act,) = acts_of(OrderText(requests=(request,)))
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
        or isinstance(step.request, MasterRequest)
        or step.request == AskRequest(Ask.UNDO)
        for step in steps
    )


def asks(text: OrderText, *words: Ask) -> bool:
    """Whether a text has one of these requests of one word."""
    return any(isinstance(each, AskRequest) and each.ask in words for each in text.requests)


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
        resigns = isinstance(step.request, ResignRequest)
        return CodePurpose.RESIGN if resigns else CodePurpose.REQUEST
    return CodePurpose.ORDERS if doubtful else None


def _orders_of(text: OrderText, decision: int) -> list[MailStep]:
    if not text.orders and not (text.ended and not text.requests):
        return []
    defences = [order for order in text.orders if isinstance(order, DefendOrder)]
    if len(defences) == len(text.orders) and (not text.ended or decision < 0):
        # A defence alone is a standing order, which waits for no decision. The END below it ends
        # nothing where the e-mail that is answered asked for nothing.
        return [MailStep(act=MailAct.STANDING, defence=order) for order in defences]
    orders = OrderText(text.orders, (), text.ended)
    return [MailStep(act=MailAct.ORDERS, orders=orders, decision=decision)]
