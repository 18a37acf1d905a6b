"""Carries out one message, from whose it is to the one answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from sqlalchemy import Connection, or_, select

from rubicon.errors import RubiconError
from rubicon.mail import authority, mail_steps
from rubicon.mail.answer_outbox import ReadyAnswer, queue_answer
from rubicon.mail.inbox import (
    Finished,
    StoredMessage,
    TooManyEmails,
    answered_since,
    earlier_answer,
    finish,
    questions_since,
)
from rubicon.mail.mail_commands import (
    CommandPlace,
    MailCommands,
    MailQuestion,
    plain_line,
    read_commands,
)
from rubicon.mail.one_time_codes import CodePurpose
from rubicon.mail.order_lines import OrderReader, split_account_lines
from rubicon.mail.reading.incoming_mail import HOUR, IncomingMail, MailKind, answer_address
from rubicon.mail.reading.reader import ReadingSettings, read_mail
from rubicon.mail.step_runner import CODE_SENT, CodeSteps, StepPlace, StepRunner, error_text
from rubicon.mail.strangers import FINISH_SECONDS, JoinByMail, ReturnedMail, incoming_ids
from rubicon.mail.writing.answers import AnswerEmails, AnswerRecipient
from rubicon.mail.writing.document import harmless
from rubicon.mail.writing.forms import form_of
from rubicon.mail.writing.history import facts_of, last_turn_of
from rubicon.mail.writing.layout import panel_lines
from rubicon.mail.writing.panels import cards_panel, everybody_panel, secrets_panel, table_panel
from rubicon.mail.writing.scene import Scene, pending_of, scene_of, seats_of
from rubicon.mail.writing.turn_email import map_panel
from rubicon.orders import syntax
from rubicon.orders.parse.places import MEANINGS
from rubicon.rulebook.rulebook import rulebook
from rubicon.server.delivery import mark_reachable
from rubicon.server.emails import DAY, MINUTE
from rubicon.server.server import Server
from rubicon.server.work import OrdersPreview, SeatGame, WorkProcess, preview_orders
from rubicon.table.commands.submit import Answered, Receipt, Status
from rubicon.table.errors import DiceUnavailable, NoSuchGame
from rubicon.table.game.snapshot import Snapshot
from rubicon.table.lobby.people import GAME_MASTER
from rubicon.table.notices import SPECTATORS, Fact, TableEvent
from rubicon.table.storage import schema
from rubicon.table.storage.connection import now
from rubicon.table.storage.database import Store
from rubicon.telling.storyteller import Storyteller

# Orders that another player wrote: our e-mails have their messages, and so has what quotes them.
#
# Without this, a message that looks like a form would be taken for one in a reply that keeps
# little more of the e-mail than the message.

MOST_READ = 500  # messages, the newest


def has_words_of_others(
    connection: Connection, seat: authority.MailSeat, commands: MailCommands
) -> bool:
    """Whether an order below the player's own words is in a message that others wrote to the seat.

    What the player writes above the quotation counts, wherever it comes from.
    """
    if commands.place in (CommandPlace.ABOVE, CommandPlace.NOWHERE):
        return False
    known = {plain_line(line) for line in (seat.form.lines if seat.form else ())}
    lines = {plain_line(line) for line in commands.text.splitlines()} - known - {""}
    if not lines:
        return False
    columns = schema.chat.c
    heard = (columns.game == seat.game) & (columns.seat != seat.seat)
    wanted = select(columns.text).where(heard, or_(columns.to == "", columns.to == seat.seat))
    texts = connection.execute(wanted.order_by(columns.id.desc()).limit(MOST_READ)).scalars()
    said = "\n".join(plain_line(harmless(text)) for text in texts)
    return any(line in said for line in lines)


# What HELP answers: every word of an e-mail with an example that can be sent as it is.

HELP: dict[str, str] = {
    "CLAIM": "CLAIM alaska, brazil: take the first of these that is free, in the set-up.",
    "DEPLOY": "DEPLOY 3 alaska, REST kamchatka: put armies on your territories.",
    "TRADE": "TRADE BEST: trade the set of cards that brings most. Or name three cards.",
    "ATTACK": (
        "ATTACK alaska -> kamchatka UNTIL LEFT 3: attack until you have won or have 3 armies left. "
        "Also UNTIL WON, ODDS < 60 %, ROUNDS 2, LOST 4; DICE 2 rolls fewer dice; ADVANCE ALL moves "
        "all in. ATTACK alaska -> kamchatka -> japan goes on along a way."
    ),
    "IF": "IF WON kamchatka: FORTIFY alaska -> kamchatka ALL BUT 1",
    "FORTIFY": "FORTIFY alaska -> kamchatka 3: move armies at the end of your turn.",
    "DEFEND": "DEFEND 1 alaska: defend with one die from now on. DEFEND MAX; DEFEND ASK asks you.",
    "OBJECTIVE": "OBJECTIVE OB07: claim an objective, where the rules have them.",
    "CAPITAL": "CAPITAL alaska: found your capital, or choose your headquarters.",
    "DECLINE": "DECLINE: claim no objective, or trade no further set.",
    "SEAL": "SEAL: finish your hidden placement.",
    "REVEAL": "REVEAL: show your completed mission.",
    "END": "END: end your turn. Text below it is ignored, except PREVIEW.",
    "PREVIEW": "PREVIEW with orders: their odds. Nothing is carried out.",
    "STATUS": "STATUS: who the game is waiting for, and every player's armies.",
    "MAP": "MAP, or MAP alaska: the map, or the neighbours of a territory.",
    "LEGAL": "LEGAL: what is possible now.",
    "HAND": "HAND: your cards, and what else only you may see.",
    "HISTORY": "HISTORY 20: the last 20 events; HISTORY alone: since your last turn.",
    "RULES": "RULES: the rulebook of this game.",
    "UNDO": "UNDO: take back your last decision; never past a die, a card or the turn's end.",
    "VOTE": "VOTE EXTEND, VOTE PAUSE or VOTE DRAW CONFIRM: for more time, a pause, a draw.",
    "REPLACE": "REPLACE blue CONFIRM: vote for a stand-in for a player whose time is over.",
    "FORK": "FORK 120 CONFIRM: vote for a new game from line 120 of the log.",
    "ABSENCE": "ABSENCE 2026-12-24 2026-12-31 BOT medium: a bot plays for you on these days.",
    "PRESS": "PRESS TO blue, then your words on lines below, then ENDPRESS. Also TO ALL, TO GM.",
    "ADDRESS": "ADDRESS ann@example.org: play from another address. Both get a code.",
    "TIMEZONE": "TIMEZONE Europe/Berlin: your time, for all your games.",
    "NEWS": (
        "NEWS DIGEST: awards and dice of others in one e-mail a day. NEWS AT-ONCE: one by one. "
        "NEWS NEVER: none. For all your games."
    ),
    "QUIET": "QUIET 22:00 07:00: no e-mail at these hours of your time. QUIET OFF ends it.",
    "RESIGN": "RESIGN CONFIRM: leave the game for good. You get a code.",
    "CONFIRM": "CONFIRM K7RT-29QM: what the e-mail with this code asks.",
}
MASTER_HELP = (
    "For game masters: EXTEND 12 HOURS, PROCESS, BOT blue medium, REPLACE blue CONFIRM, UNDO, "
    "ANNOUNCE words, FORK 120 CONFIRM."
)


def help_lines(word: str | None) -> tuple[str, ...]:
    """The line of one word, or of all."""
    if word is None:
        return (*HELP.values(), MASTER_HELP, "One order a line. // begins a comment.")
    asked = word.strip().casefold()
    verb = "ADDRESS" if asked == "address" else MEANINGS.get(asked, asked.upper())
    return (HELP.get(verb, f"There is no help about {word[:20]!r}. HELP alone lists all."),)


# Answers to questions: STATUS, MAP, LEGAL, HAND, RULES, HISTORY, HELP and PREVIEW.
#
# Everything comes from what the seat may see; nothing is changed.

MOST_LINES = 200  # of one section
MOST_RULES = 1_000
PREVIEW_SECONDS = 10.0
WITHOUT_PREVIEW = "Send these lines without PREVIEW, and they are carried out."
OF_A_SEAT = (syntax.Ask.HAND, syntax.Ask.LEGAL, syntax.Ask.PREVIEW)
Section = tuple[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Inquiries:
    """Answers questions of one server; previews are computed in their own process."""

    store: Store
    work: WorkProcess

    def sections(self, text: syntax.OrderText, scene: Scene) -> tuple[Section, ...]:
        """A section for each different question of a text, in their order."""
        asked = dict.fromkeys(text.requests)
        return tuple(
            section for request in asked for section in self._section(request, text, scene)
        )

    def _section(
        self, request: syntax.Request, text: syntax.OrderText, scene: Scene
    ) -> Iterator[Section]:
        if scene.is_master and isinstance(request, syntax.AskRequest) and request.ask in OF_A_SEAT:
            yield "Your question", (f"The game master has no seat: {request.ask} has no answer.",)
            return
        match request:
            case syntax.AskRequest(syntax.Ask.PREVIEW):
                yield "Odds of your orders", self._preview(text, scene)
                if text.orders:
                    orders = syntax.OrderText(text.orders, (), text.ended)
                    yield "Your orders", (*str(orders).splitlines(), "", WITHOUT_PREVIEW)
            case syntax.AskRequest(ask, territory) if ask in SHOWN:
                title, show = SHOWN[ask]
                yield title, show(scene, territory)
            case syntax.HistoryRequest(entries):
                yield (
                    "What has happened",
                    self.store.read(lambda connection: _history(connection, scene, entries)),
                )
            case syntax.HelpRequest(word):
                yield "Orders", help_lines(word)

    def _preview(self, text: syntax.OrderText, scene: Scene) -> tuple[str, ...]:
        orders = syntax.OrderText(text.orders, (), text.ended)
        if not orders.orders:
            return ("There are no orders with PREVIEW: write them below it.",)
        seen = SeatGame.of(scene.snapshot.game(), scene.you)
        try:
            found: OrdersPreview = self.work.call(PREVIEW_SECONDS, preview_orders, seen, orders)
        except RubiconError as error:
            return (error_text(error),)
        return tuple(found.lines[:MOST_LINES])


def _status(scene: Scene, _: str | None) -> tuple[str, ...]:
    snapshot = scene.snapshot
    if snapshot.ending is not None:
        first = f"The game is over: {snapshot.ending.result}."
    else:
        waiting = ", ".join(scene.seats.listed(c) for c in snapshot.decisions) or "nobody"
        when = f"Round {scene.round}." if scene.round else "Before the first turn."
        first = f"{when} The game waits for {waiting}."
    lines = [first]
    if scene.you in snapshot.decisions:
        due = scene.deadline
        lines.append(f"You are asked{f', until {due}: {scene.left} from now' if due else ''}.")
    if snapshot.paused:
        lines.append("The game is paused.")
    if (table := table_panel(scene)).blocks:
        lines += ["", *panel_lines(table)]
    return (*lines, "", *panel_lines(everybody_panel(scene)))


def _map(scene: Scene, territory: str | None) -> tuple[str, ...]:
    if territory is None:
        return panel_lines(map_panel(scene))
    at = scene.game.territories.index(territory)
    names = [each.name for each in scene.board.territories]
    near = [f"{names[n]} ({scene.tile(n).text})" for n in scene.neighbours(at)]
    return (f"{names[at]} ({scene.tile(at).text}) borders on:", *near)


def _legal(scene: Scene, _: str | None) -> tuple[str, ...]:
    if scene.you not in scene.snapshot.decisions:
        return ("Nothing is due from you now.",)
    form = form_of(scene)
    return (*form.due, "", *form.lines)[:MOST_LINES]


def _hand(scene: Scene, _: str | None) -> tuple[str, ...]:
    panels = (cards_panel(scene), *secrets_panel(scene))
    lines = [line for panel in panels for line in ("", *panel_lines(panel))]
    return tuple(lines[1:]) or ("You have no cards.",)


def _rules(scene: Scene, _: str | None) -> tuple[str, ...]:
    link = f"{scene.url}/rules"
    return (link, "", *rulebook(scene.snapshot.ruleset).splitlines()[:MOST_RULES])


SHOWN: dict[syntax.Ask, tuple[str, Callable[[Scene, str | None], tuple[str, ...]]]] = {
    syntax.Ask.STATUS: ("Status", _status),
    syntax.Ask.MAP: ("Map", _map),
    syntax.Ask.LEGAL: ("What is possible", _legal),
    syntax.Ask.HAND: ("Your cards", _hand),
    syntax.Ask.RULES: ("Rules of this game", _rules),
}


def history_line(fact: Fact, teller: Storyteller) -> str:
    """One line of what has happened; "" for what programs say to each other about the dice."""
    if isinstance(fact, TableEvent):
        # Players chose some of these words.
        return teller.at_table(fact.event, fact.seat, harmless(fact.text))
    return teller.sentence(fact)


def _history(connection: Connection, scene: Scene, entries: int | None) -> tuple[str, ...]:
    game, head = scene.snapshot.id, scene.snapshot.head
    seat = SPECTATORS if scene.is_master else scene.you
    first = 0 if entries is not None else last_turn_of(connection, game, seat, head + 1)
    # Each event has a log line at least, so the last ones are among so many lines.
    if entries is not None:
        first = max(0, head - 10 * min(entries, MOST_LINES))
    facts = facts_of(connection, game, seat, first, head)
    texts = [history_line(each.fact, scene.teller) for each in facts]
    wanted = min(entries or MOST_LINES, MOST_LINES)
    return tuple(filter(None, texts))[-wanted:] or ("Nothing yet.",)


# The work on one message.

DOUBTFUL = (authority.SenderAlignment.OTHER, authority.SenderAlignment.FORGED)
MOST_OF_SEAT = 60  # messages an hour: the rest waits
MOST_QUESTIONS = 10  # of these without an order: they may be the answers of a program to ours
MOST_DOUBTFUL = 3  # that are not known to be the player's: fewer than the codes of an hour
DICE_PATIENCE = MINUTE  # in which the answer waits for dice that are late


@dataclass(frozen=True, slots=True, kw_only=True)
class MailRequest:
    """A message of a seat, and what it asks for."""

    message: StoredMessage
    mail: IncomingMail
    seat: authority.MailSeat
    commands: MailCommands
    acts: frozenset[authority.MailAct]
    doubtful: bool


class MessageWork:
    """Carries out messages of one server; `settings` say which addresses are the server's own."""

    def __init__(
        self,
        server: Server,
        keys: authority.MailKeys,
        emails: AnswerEmails,
        settings: ReadingSettings,
        joining: JoinByMail,
    ) -> None:
        self._server = server
        self._keys = keys
        self._emails = emails
        self._settings = settings
        self._joining = joining
        self._previews = WorkProcess()
        self._inquiries = Inquiries(server.store, self._previews)
        self._runner = StepRunner(server)
        self._codes = CodeSteps(server, keys, emails)
        self._returned = ReturnedMail(server, keys, emails)

    def close(self) -> None:
        """Stop what computes previews."""
        self._previews.close()

    def now(self) -> int:
        """The database's time, in milliseconds since 1970."""
        return self._server.store.read(now)

    def give_up(self, message: StoredMessage) -> None:
        """End a message that cannot be carried out because of a fault of this program."""
        self._returned.put_aside(message, "failed")

    def carry_out(self, message: StoredMessage) -> str:
        """Carry a message out to its end, or go on with it; how it ended.

        Everything that is done is noted in the transaction that does it. One of
        `step_runner.NOT_NOW` where the message must be tried again later.
        """
        mail = read_mail(message.raw, self._settings, message.envelope)
        seat = self._server.store.read(partial(self._seat, mail=mail))
        if mail.kind is MailKind.BOUNCE:
            return self._returned.bounced(message, mail, seat)
        if answer_address(mail) is None:
            return self._returned.put_aside(message, mail.kind.value)
        snapshot = self._snapshot(seat)
        if seat is None or snapshot is None or not seat.address:
            joined = self._joining.take(message, mail)
            return self._returned.to_stranger(message, mail) if joined is None else joined
        doubtful = authority.sender_alignment(mail, seat.address) in DOUBTFUL
        if not self._may_write(message, seat, doubtful=doubtful):
            return self._returned.put_aside(message, "too-many")
        request = self._request(message, mail, seat, snapshot, doubtful=doubtful)
        answer = None if message.results else self._without_steps(request, snapshot)
        if answer is None:
            answer = self._with_steps(request, snapshot)
        return self._end(request, answer)

    def _may_write(
        self, message: StoredMessage, seat: authority.MailSeat, *, doubtful: bool
    ) -> bool:
        """Whether a message is taken; TooManyEmails where it must wait.

        What is not known to be the player's is put aside, so that no one who has got hold of one
        e-mail makes the player wait, or floods them with answers.
        """
        if message.results:
            return True
        since, sender = self.now() - HOUR, self._sender(message, doubtful=doubtful)
        counted = partial(answered_since, game=seat.game, seat=seat.seat, sender=sender, at=since)
        lately = self._server.store.read(counted)
        if doubtful:
            return lately < MOST_DOUBTFUL
        if lately >= MOST_OF_SEAT:
            raise TooManyEmails
        return True

    def _check_questions(self, request: MailRequest) -> None:
        """TooManyEmails where a seat has written often without an order."""
        seat, since = request.seat, self.now() - HOUR
        counted = partial(questions_since, game=seat.game, seat=seat.seat, at=since)
        if self._server.store.read(counted) >= MOST_QUESTIONS:
            raise TooManyEmails

    def _sender(self, message: StoredMessage, *, doubtful: bool) -> str:
        """Who counts as the sender of a message: all who may be anyone are one."""
        return self._keys.sender("") if doubtful else message.sender

    def _seat(self, connection: Connection, mail: IncomingMail) -> authority.MailSeat | None:
        return authority.find_seat(connection, self._keys.tokens, mail.tokens)

    def _snapshot(self, seat: authority.MailSeat | None) -> Snapshot | None:
        if seat is None:
            return None
        try:
            return self._server.table.snapshot(seat.game)
        except NoSuchGame:
            return None

    def _request(
        self,
        message: StoredMessage,
        mail: IncomingMail,
        seat: authority.MailSeat,
        snapshot: Snapshot,
        *,
        doubtful: bool,
    ) -> MailRequest:
        commands = read_commands(mail, self._reader(snapshot, seat.seat), seat.form)
        if self._server.store.read(partial(has_words_of_others, seat=seat, commands=commands)):
            commands = MailCommands(question=MailQuestion.WORDS_OF_OTHERS)
        acts = authority.acts_of(commands.orders) if commands.orders is not None else frozenset()
        if commands.new_address:
            acts |= {authority.MailAct.FINAL}
        if commands.settings:
            acts |= {authority.MailAct.STANDING}
        return MailRequest(
            message=message,
            mail=mail,
            seat=seat,
            commands=commands,
            acts=acts,
            doubtful=doubtful,
        )

    def _reader(self, snapshot: Snapshot, you: str) -> OrderReader:
        seats = self._server.store.read(lambda c: seats_of(c, snapshot, you))
        names = {name: colour for colour, name in seats.names.items() if name != colour}
        return OrderReader(snapshot.ruleset.board, snapshot.game().colours, names)

    def _without_steps(
        self, request: MailRequest, snapshot: Snapshot
    ) -> mail_steps.MailAnswer | None:
        """The answer to a message of which nothing is carried out; None for others."""
        message, seat, commands = request.message, request.seat, request.commands
        if request.mail.kind is MailKind.TOO_LARGE:
            return mail_steps.too_large_answer()
        if commands.mistakes is not None:
            return mail_steps.corrected_answer(commands.mistakes, commands.text)
        if commands.question is not None:
            self._check_questions(request)
            return mail_steps.question_answer(commands)
        if len(self._steps(request)) > mail_steps.MOST_STEPS:
            return mail_steps.too_many_steps_answer(mail_steps.MOST_STEPS)
        if seat.seat == GAME_MASTER and not mail_steps.is_masters(
            request.acts, self._steps(request)
        ):
            return mail_steps.not_of_master_answer()
        before = self._before(request)
        if before is not None:
            return mail_steps.repeated(before)
        at = self.now()
        pending = snapshot.decisions.get(seat.seat)
        alignment = authority.sender_alignment(request.mail, seat.address)
        verdicts = {
            authority.judge(act, seat.token, alignment, pending=pending, now=at)
            for act in request.acts
        }
        if authority.MailVerdict.STALE in verdicts:
            return mail_steps.stale_answer(snapshot, seat.seat, expired=at >= seat.token.expires_at)
        return mail_steps.too_late_answer() if at - message.at > DAY else None

    def _before(self, request: MailRequest) -> mail_steps.MailAnswer | None:
        """What was answered when the player asked for the same with the same decision's e-mail.

        A question is answered anew. What is no order may be asked for again after an hour.
        """
        if request.doubtful or request.acts <= {
            authority.MailAct.INQUIRY,
            authority.MailAct.CONFIRM,
        }:
            return None
        scope, digest = request.seat.token.scope, request.commands.fingerprint
        found = self._server.store.read(
            lambda c: earlier_answer(c, scope.game, scope.seat, scope.decision, digest)
        )
        if found is None:
            return None
        answer, at = found
        ordered = authority.MailAct.ORDERS in request.acts
        return answer if ordered or request.message.at - at <= HOUR else None

    def _with_steps(self, request: MailRequest, snapshot: Snapshot) -> mail_steps.MailAnswer:
        results = self._results(request, snapshot)
        receipt = self._receipt(request, results)
        after = self._server.table.snapshot(request.seat.game)
        text = request.commands.orders
        sections: tuple[tuple[str, tuple[str, ...]], ...] = ()
        if text is not None and text.requests:
            sections = self._sections(request, after, text)
        return mail_steps.answer_of_results(results, receipt, sections, request.commands)

    def _sections(
        self, request: MailRequest, snapshot: Snapshot, text: syntax.OrderText
    ) -> tuple[tuple[str, tuple[str, ...]], ...]:
        site, at = self._server.identity.url, self.now()

        def read(connection: Connection) -> tuple[tuple[str, tuple[str, ...]], ...]:
            game, seat = request.seat.game, request.seat.seat
            pending = pending_of(connection, game, seat, request.message.id, at)
            scene = scene_of(pending, snapshot, at, site, connection)
            return self._inquiries.sections(text, scene)

        return self._server.store.read(read)

    def _steps(self, request: MailRequest) -> tuple[mail_steps.MailStep, ...]:
        commands, decision = request.commands, request.seat.token.scope.decision
        return mail_steps.steps_of(
            commands.orders, commands.new_address, decision, commands.settings
        )

    def _results(
        self, request: MailRequest, snapshot: Snapshot
    ) -> tuple[mail_steps.MailStepResult, ...]:
        """Carry out the steps that are not carried out yet; the results of all."""
        message, seat = request.message, request.seat
        steps = list(mail_steps.with_codes(self._steps(request), doubtful=request.doubtful))
        results: list[mail_steps.MailStepResult] = []
        while len(results) < len(steps):
            step = steps[len(results)]
            place = StepPlace(message=message, seat=seat, results=tuple(results))
            known = message.results[len(results) : len(results) + 1]
            results += known or (self._carry_out(step, place, snapshot),)
            if results[-1].payload:
                steps += self._confirmed(results[-1], snapshot, seat)
        return tuple(results)

    def _carry_out(
        self, step: mail_steps.MailStep, place: StepPlace, snapshot: Snapshot
    ) -> mail_steps.MailStepResult:
        if step.purpose is CodePurpose.MAILBOX:
            return self._codes.mail_to_new_address(step.new_address, place, snapshot)
        if step.purpose is not None:
            return self._codes.mail_code(step, place, snapshot)
        if step.new_address:
            return self._codes.change_address(step.new_address, place)
        if isinstance(step.request, syntax.ConfirmRequest):
            return self._codes.use(step.request.code, step.words, place)
        return self._runner.run(step, place)

    def _confirmed(
        self, result: mail_steps.MailStepResult, snapshot: Snapshot, seat: authority.MailSeat
    ) -> tuple[mail_steps.MailStep, ...]:
        """The steps that a one-time code has confirmed."""
        match CodePurpose(result.purpose):
            case CodePurpose.ADDRESS:
                wanted = mail_steps.MailStep(
                    act=authority.MailAct.FINAL,
                    new_address=result.payload,
                    purpose=CodePurpose.MAILBOX,
                )
                return (wanted,)
            case CodePurpose.MAILBOX:
                return (
                    mail_steps.MailStep(act=authority.MailAct.FINAL, new_address=result.payload),
                )
            case _:
                settings, others = split_account_lines(result.payload)
                text = self._reader(snapshot, seat.seat).read(others)
                return mail_steps.steps_of(text, "", result.decision, settings)

    def _receipt(
        self, request: MailRequest, results: tuple[mail_steps.MailStepResult, ...]
    ) -> Receipt | None:
        """How far the orders are now; DiceUnavailable while their dice are late by a little."""
        ordered = next((result for result in results if result.first >= 0), None)
        if ordered is None:
            return None
        seat = request.seat
        answered = Answered(seat.seat, ordered.decision, ordered.first, orders=True)
        try:
            receipt = self._server.table.change(seat.game, lambda unit: answered).result(
                FINISH_SECONDS
            )
        except DiceUnavailable:
            if self.now() - request.message.at <= DICE_PATIENCE:
                raise
            return _waiting(seat, ordered)
        if receipt.status is Status.DICE and self.now() - request.message.at <= DICE_PATIENCE:
            raise DiceUnavailable("the orders wait for them")
        return receipt

    def _end(self, request: MailRequest, answer: mail_steps.MailAnswer) -> str:
        """Queue the answer and end the message, in one transaction."""
        message, mail, seat = request.message, request.mail, request.seat
        snapshot = self._server.table.snapshot(seat.game)
        ordered = (
            authority.MailAct.ORDERS in request.acts or authority.MailAct.STANDING in request.acts
        )
        finished = Finished(
            result=answer.kind,
            game=seat.game,
            seat=seat.seat,
            decision=seat.token.scope.decision,
            orders=request.commands.fingerprint if ordered else "",
            sender=self._sender(message, doubtful=request.doubtful),
            answer=answer if answer.kind in ("done", "noted") else None,
        )
        recipient = AnswerRecipient(
            game=seat.game, seat=seat.seat, message=message.id, subject=mail.subject
        )
        ids = incoming_ids(mail)
        written = None
        if answer.kind != CODE_SENT:  # the code is the answer
            lines = (answer.first, answer.last)
            at = self.now()
            email = self._emails.write_answer(answer, recipient, ids, snapshot, at, lines=lines)
            written = ReadyAnswer(message.id, seat.account, seat.address, email)

        def job(connection: Connection) -> None:
            finish(connection, message.id, finished)
            if not request.doubtful:  # it answers an e-mail of ours, so those arrive
                mark_reachable(connection, seat.account, seat.address)
            if written is not None:
                queue_answer(connection, written)

        self._server.store.write(job).result(FINISH_SECONDS)
        return answer.kind


def _waiting(seat: authority.MailSeat, ordered: mail_steps.MailStepResult) -> Receipt:
    """The receipt of orders whose dice no one can give now."""
    return Receipt(
        game=seat.game,
        seat=seat.seat,
        answered=ordered.decision,
        first=ordered.first,
        last=ordered.first,
        status=Status.DICE,
        decision=None,
    )
