"""Carries out the steps of a message, each with a note of it in the same transaction."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy import Connection

from rubicon.engine.records.position import Phase
from rubicon.errors import RubiconError
from rubicon.mail.commands.account_lines import AccountLine
from rubicon.mail.service.inbox import StoredMessage, TakenOver, TooManyEmails, record_result
from rubicon.mail.service.issued_tokens import MailSeat
from rubicon.mail.service.steps.account_settings import preferences_of, told_preferences
from rubicon.mail.service.steps.mail_step import MailStep, MailStepResult
from rubicon.mail.service.steps.press import pieces_of
from rubicon.mail.writing.news_emails import HOW_TO_FOLLOW, OUT_OF_GAME
from rubicon.orders.execute.turn import DICE
from rubicon.orders.requests import (
    AbsenceRequest,
    Ask,
    AskRequest,
    MasterAct,
    MasterRequest,
    Motion,
    PressRequest,
    Request,
    ResignRequest,
    VoteRequest,
)
from rubicon.orders.syntax import DefenceDice, DefendOrder
from rubicon.rules.actions import StandingOrder
from rubicon.server.accounts.accounts import change_preferences
from rubicon.server.server import Server
from rubicon.table.commands.submit import accept, take_back, take_out_of_turn
from rubicon.table.commands.votes import vote
from rubicon.table.errors import (
    DiceUnavailable,
    NoSuchGame,
    StoreOutcomeUnknown,
    StoreUnavailable,
    TableError,
)
from rubicon.table.game.submission import Answered, Submission
from rubicon.table.game.unit_of_work import UnitOfWork
from rubicon.table.lobby.masters import GAME_MASTER, table_master
from rubicon.table.lobby.table_request import checked_bot
from rubicon.table.service.chat import say
from rubicon.table.service.deadlines import announce_absence, take_back_seat
from rubicon.table.storage.clock import now
from rubicon.table.storage.event_log import NO_DECISION
from rubicon.table.storage.notifications import Change, ChangeKind, announce

DEFENDS = {
    DefenceDice.MAX: "with as many dice as possible",
    DefenceDice.ONE: "with one die",
    DefenceDice.TWO: "with two dice where that is possible",
    DefenceDice.ASK: "as you choose each time: every attack waits for you",
}
STEP_SECONDS = 120.0  # for one step with all its dice
# The step can be done later: nothing has been refused.
NOT_NOW = (
    DiceUnavailable,
    StoreUnavailable,
    StoreOutcomeUnknown,
    TakenOver,
    TooManyEmails,
    NoSuchGame,
)
Result = TypeVar("Result")
Deed = Callable[[UnitOfWork], tuple[Answered | None, MailStepResult]]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepPlace:
    """The message that asks for a step, its seat, and what has been carried out before."""

    message: StoredMessage
    seat: MailSeat
    results: tuple[MailStepResult, ...]


class StepRunner:
    """Carries out steps through the table, as the API does."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def run(self, step: MailStep, place: StepPlace) -> MailStepResult:
        """What came of a step; a refusal is a result too.

        One of NOT_NOW where it must be tried again later.
        """
        try:
            return self._carry_out(step, place)
        except NOT_NOW:
            raise
        except RubiconError as error:
            return self.note(place, refused(step.words, error))

    def note(self, place: StepPlace, result: MailStepResult) -> MailStepResult:
        """Remember a result that changes nothing else."""

        def job(connection: Connection) -> MailStepResult:
            record_result(connection, place.message, (*place.results, result))
            return result

        return self._wait(self._server.store.write(job))

    def _carry_out(self, step: MailStep, place: StepPlace) -> MailStepResult:
        if step.orders is not None:
            return self._on_table(place, lambda unit: _orders(unit, step, place))
        if step.defence is not None:
            defence = step.defence
            return self._on_table(place, lambda unit: _defence(unit, defence, step, place))
        if step.setting is not None:
            return self._setting(step.setting, step, place)
        if isinstance(step.request, PressRequest):
            return self._press(step.request, step, place)
        assert step.request is not None
        deed = self._deed(step.request, step, place)
        return self._on_table(place, deed)

    def _deed(self, request: Request, step: MailStep, place: StepPlace) -> Deed:
        seat, account = place.seat.seat, place.seat.account
        match request:
            case ResignRequest():
                return lambda unit: _resign(unit, seat, step.words)
            case AbsenceRequest(first, last, named):
                bot = checked_bot(named, self._server.lobby.server_bots) if named else ""
                return lambda unit: _absence(unit, seat, (first, last, bot), step.words)
            case VoteRequest(motion):
                return lambda unit: _vote(unit, seat, motion, step.words)
            case AskRequest(Ask.UNDO):
                return lambda unit: self._undo(unit, place, step.words)
            case MasterRequest():
                return lambda unit: self._as_master(unit, seat, account, request, step.words)
            case _:
                raise TableError(
                    "mail/no-use",
                    f"{step.words} has no use in an e-mail: orders are carried out when they come.",
                    "Send the orders alone when they may be carried out.",
                )

    def _undo(
        self, unit: UnitOfWork, place: StepPlace, words: str
    ) -> tuple[Answered | None, MailStepResult]:
        seat, decisions = place.seat.seat, unit.hosted.decisions
        try:
            answered: Answered | None = take_back(unit, seat, decisions.get(seat, NO_DECISION))
        except RubiconError:
            if table_master(unit.connection, place.seat.game).account != place.seat.account:
                raise
            answered = None
            self._server.masters.perform(unit, place.seat.account, AskRequest(Ask.UNDO))
        return answered, MailStepResult(words=words, said="The last decision is taken back.")

    def _as_master(
        self, unit: UnitOfWork, seat: str, account: str, request: MasterRequest, words: str
    ) -> tuple[Answered | None, MailStepResult]:
        master = table_master(unit.connection, unit.hosted.id)
        by_vote = request.act in (MasterAct.REPLACE, MasterAct.FORK)
        if by_vote and master.account != account:
            # What the game master does alone, the players do by votes.
            name = request.seat if request.act is MasterAct.REPLACE else request.number
            return _voted(unit, seat, f"{request.act.lower()} {name}", words)
        receipt = self._server.masters.perform(unit, account, request)
        said = "Done; it stands in the audit log."
        if receipt.invite:
            link = f"{self._server.identity.url}/games/{receipt.game}?invite={receipt.invite}"
            said += f" This link is for one person, who takes the seat: {link}"
        return None, MailStepResult(words=words, said=said)

    def _press(self, request: PressRequest, step: MailStep, place: StepPlace) -> MailStepResult:
        to = {"ALL": "", "GM": GAME_MASTER}.get(request.to.upper(), request.to)
        game, seat, pieces = place.seat.game, place.seat.seat, pieces_of(request.text)
        whom = {"": "everybody", GAME_MASTER: "the game master"}.get(to, to)
        result = MailStepResult(words=step.words, said=f"Your message went to {whom}.")

        def job(connection: Connection) -> list[int]:
            lines = [say(connection, game, seat, piece, to).id for piece in pieces]
            for line in lines:
                announce(connection, Change(ChangeKind.CHAT, game, line))
            record_result(connection, place.message, (*place.results, result))
            return lines

        for line in self._wait(self._server.store.write(job, game=game)):
            self._server.chat.publish(line)
        return result

    def _setting(self, line: AccountLine, step: MailStep, place: StepPlace) -> MailStepResult:
        def job(connection: Connection) -> MailStepResult:
            changed = change_preferences(connection, place.seat.account, preferences_of(line))
            said = told_preferences(line.word, changed, now(connection))
            result = MailStepResult(words=step.words, said=said)
            record_result(connection, place.message, (*place.results, result))
            return result

        return self._wait(self._server.store.write(job))

    def _on_table(self, place: StepPlace, deed: Deed) -> MailStepResult:
        done: list[MailStepResult] = []

        def command(unit: UnitOfWork) -> Answered | None:
            answered, result = deed(unit)
            record_result(unit.connection, place.message, (*place.results, result))
            done.append(result)
            return answered

        self._wait(self._server.table.change(place.seat.game, command))
        return done[-1]

    def _wait(self, future: Future[Result]) -> Result:
        return future.result(STEP_SECONDS)


def refused(words: str, error: RubiconError) -> MailStepResult:
    """A step that the table refuses."""
    return MailStepResult(words=words, said=told_error(error), refused=True)


def told_error(error: RubiconError) -> str:
    """An error in sentences, with its code."""
    return f"{error.message} {error.suggestion}".strip() + f" [{error.code}]"


def _orders(
    unit: UnitOfWork, step: MailStep, place: StepPlace
) -> tuple[Answered | None, MailStepResult]:
    seat = place.seat.seat
    said = ""
    if seat in unit.hosted.bots:
        take_back_seat(unit, seat)
        said = "The bot that stood in for you plays no longer: you have your seat back. "
    submission = Submission(place.seat.game, seat, step.decision, step.words, orders=True)
    answered = accept(unit, submission)
    result = MailStepResult(
        words=step.words, said=said, first=answered.first, decision=answered.decision
    )
    return answered, result


def _defence(
    unit: UnitOfWork, order: DefendOrder, step: MailStep, place: StepPlace
) -> tuple[Answered | None, MailStepResult]:
    """The answer to an attack that waits for it; else a standing order (A-70)."""
    seat, decision = place.seat.seat, unit.hosted.decisions.get(place.seat.seat)
    if decision is not None and unit.hosted.game.phase == Phase.DEFEND:
        submission = Submission(place.seat.game, seat, decision, str(order), orders=True)
        answered = accept(unit, submission)
        return answered, MailStepResult(
            words=step.words, first=answered.first, decision=answered.decision
        )
    standing = StandingOrder(seat, order.territory, DICE[order.dice])
    answered = take_out_of_turn(unit, seat, str(standing))
    board = unit.hosted.game.ruleset.board
    names = {territory.id: territory.name for territory in board.territories}
    where = names[order.territory] if order.territory else "all your territories"
    said = f"From now on you defend {where} {DEFENDS[order.dice]}."
    return answered, MailStepResult(words=step.words, said=said)


def _resign(unit: UnitOfWork, seat: str, words: str) -> tuple[Answered | None, MailStepResult]:
    answered = take_out_of_turn(unit, seat, f"resign {seat}")
    said = f"You have left the game. {OUT_OF_GAME} {HOW_TO_FOLLOW}"
    return answered, MailStepResult(words=words, said=said)


def _absence(
    unit: UnitOfWork, seat: str, absence: tuple[str, str, str], words: str
) -> tuple[Answered | None, MailStepResult]:
    first, last, bot = absence
    announce_absence(unit, seat, " ".join(part for part in absence if part))
    stands_in = f"the bot {bot} plays for you" if bot else "your clock stands still"
    said = (
        f"Your absence is noted, and all players can see it: from {first} to {last} (UTC, both "
        f"days included) {stands_in}."
    )
    return None, MailStepResult(words=words, said=said)


def _vote(
    unit: UnitOfWork, seat: str, motion: Motion, words: str
) -> tuple[Answered | None, MailStepResult]:
    wanted = motion.value.lower()
    if motion is Motion.PAUSE and unit.hosted.paused:
        wanted = "resume"
    return _voted(unit, seat, wanted, words)


def _voted(
    unit: UnitOfWork, seat: str, motion: str, words: str
) -> tuple[Answered | None, MailStepResult]:
    vote(unit, seat, motion)
    waits = motion in unit.hosted.votes
    came = "It waits for the votes of others." if waits else "It has its votes, and is done."
    return None, MailStepResult(words=words, said=f"Your vote for '{motion}' is counted. {came}")
