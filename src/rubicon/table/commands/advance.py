"""What follows without a decision: the dice, sealed placements, running orders, the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import select

from rubicon.dice.lines.members import Lost
from rubicon.dice.lines.opening import End, Opened, Sealed, Secrets, placement_hash
from rubicon.dice.lines.request import MOST_ROLLS, Answer, GivenLink, LinksLine
from rubicon.dice.lines.state import DICE_SERVER, SERVER, given_hash, key_of
from rubicon.dice.server import Drawing
from rubicon.engine.records import Chance, Phase, Seat
from rubicon.orders.execute.executor import RunningOrders, Standstill
from rubicon.rules.actions import Resign
from rubicon.rules.game import Game
from rubicon.table.errors import TableError
from rubicon.table.game import log_lines
from rubicon.table.game.dice import ask_of, outcome_of, pending_of
from rubicon.table.game.hosted_game import STARTED, HostedGame
from rubicon.table.game.log_lines import Lines, NewLine
from rubicon.table.game.snapshot import people_in_game
from rubicon.table.game.unit_of_work import Command, UnitOfWork, due_times, void_time
from rubicon.table.lobby.lifecycle import BY_OPERATOR
from rubicon.table.settings import DiceSource, TimeoutPolicy
from rubicon.table.storage import schema

# Dice requests and their answers: a request is durable before anyone gives a link for it.

LOST_AFTER = 60_000  # milliseconds without a sign of life of a client


def request(unit: UnitOfWork) -> None:
    """Request the pending chance; until its answer the game takes no actions.

    Also where real dice were requested, which no one has entered: then the table rolls them.
    """
    hosted = unit.hosted
    pending = pending_of(hosted.game)
    typed = hosted.settings.dice is DiceSource.TYPED
    if hosted.requested is None and types_dice(hosted):
        unit.add_line(log_lines.Requested(None))
        return
    _note_lost(unit)
    state, decided = hosted.transcript.state, hosted.decided
    # One request covers all that follows from a decision. What is decided out of turn, and what
    # typed dice may interrupt, has no number that would distinguish two requests.
    rolls = 1 if typed or (decided.seat and not decided.decision) else MOST_ROLLS
    signed = decided.signed
    if signed is not None and signed.id not in state.in_request():
        signed = None  # its client has left since
    asked = hosted.secrets.request(
        state,
        (decided.seat, decided.decision, decided.words),
        ask_of(hosted.game, pending),
        rolls,
        signed,
    )
    unit.add_dice(asked)
    unit.add_line(log_lines.Requested(asked.n), decided.seat)
    unit.requests_dice = True


def types_dice(hosted: HostedGame) -> bool:
    """Whether a person rolls the pending dice; a bot has none."""
    if hosted.settings.dice is not DiceSource.TYPED:
        return False
    if pending_of(hosted.game).chance not in (Chance.BATTLE, Chance.DICE):
        return False
    return hosted.roller in hosted.typists if hosted.roller else bool(hosted.typists)


def links_complete(unit: UnitOfWork) -> bool:
    """Whether all clients have given their links; those that are late are logged as silent.

    Then an independent dice server is shown what was given, and asked for its own link.
    """
    hosted = unit.hosted
    wanted = hosted.links_wanted
    if any(unit.at < link.until for link in wanted.values()):
        return False
    for seat, link in wanted.items():
        unit.add_line(log_lines.Silent(link.id), seat)
    pending = hosted.transcript.state.pending
    assert pending is not None
    if DICE_SERVER in pending.participants and pending.given is None:
        given = {
            name: None if one is None else given_hash(one.link)
            for name, one in _links(hosted).items()
        }
        unit.add_dice(LinksLine(pending.n, given))
    return True


def begin_drawing(unit: UnitOfWork, dice_server: GivenLink | None = None) -> None:
    """Make the draws of the request that waits possible: all its links are known now."""
    hosted = unit.hosted
    state = hosted.transcript.state
    pending = state.pending
    assert pending is not None
    links = _links(hosted)
    if dice_server is not None:
        links[DICE_SERVER] = dice_server
    bare = {name: None if one is None else one.link for name, one in links.items()}
    key = key_of(state.genesis, pending.n, bare)
    most = 1 if None in bare.values() else pending.rolls
    hidden = Secrets(hosted.secrets.seed, state.genesis)
    unit.drawing = Drawing(hidden, pending, key, most)
    unit.drawing_links = links


def may_draw(unit: UnitOfWork) -> bool:
    """Whether the answer that is being written covers the pending chance too."""
    drawing, decided = unit.drawing, unit.hosted.decided
    if drawing is None or not drawing.left:
        return False
    pending = drawing.pending
    return (pending.seat, pending.decision) == (decided.seat, decided.decision)


def draw(unit: UnitOfWork) -> None:
    """Draw the pending chance, and settle it."""
    game, drawing = unit.hosted.game, unit.drawing
    assert drawing is not None
    pending = pending_of(game)
    drawn, card = drawing.draw(ask_of(game, pending), pending.things)
    outcome = outcome_of(drawn, card)
    unit.add_line(log_lines.Settled(outcome))


def end_drawing(unit: UnitOfWork) -> None:
    """Write the answer with all its draws; nothing where none is being written."""
    drawing = unit.drawing
    if drawing is None:
        return
    unit.drawing = None
    unit.add_dice(Answer(drawing.pending.n, unit.drawing_links, tuple(drawing.draws)))


def open_secrets(unit: UnitOfWork) -> None:
    """Open the seed, all orders and all cards; the transcript ends."""
    hosted = unit.hosted
    state = hosted.transcript.state
    if not hosted.has_genesis or state.closed:
        return
    broken = state.pending is not None
    unit.add_dice(End(broken, hosted.secrets.seed, tuple(hosted.words), tuple(hosted.cards)))


def _links(hosted: HostedGame) -> dict[str, GivenLink | None]:
    """The links of the clients and of this server."""
    state = hosted.transcript.state
    assert state.pending is not None
    links: dict[str, GivenLink | None] = {SERVER: hosted.secrets.own_link(state)}
    for name in state.pending.participants:
        if name not in (SERVER, DICE_SERVER):
            links[name] = hosted.links[name]
    return links


def _note_lost(unit: UnitOfWork) -> None:
    """Take clients out of the dice whose connection is gone; the set-up waits for all of them."""
    hosted = unit.hosted
    clients = hosted.dice_clients
    if not clients or not hosted.in_turns:
        return
    seen = _seen(unit)
    for seat, name in clients.items():
        # While the server itself was down it saw no one.
        if unit.at - max(seen.get(seat, 0), STARTED) > LOST_AFTER:
            unit.add_dice(Lost(name))
            unit.add_line(log_lines.DicePresence(log_lines.LOST, name), seat)


def _seen(unit: UnitOfWork) -> Mapping[str, int]:
    columns = schema.dice_client.c
    wanted = select(columns.seat, columns.seen).where(columns.game == unit.hosted.id)
    # Not `dict(…)`: a result has keys, and would be taken for a mapping.
    return {row.seat: row.seen for row in unit.connection.execute(wanted)}


# Sealed placements: what the server seals and opens itself, for seats without a client.


def seal_placements(unit: UnitOfWork) -> None:
    """Seal for the seats that have placed at the server; open what is the server's to open.

    A seat that is out, or that a bot plays since its client did not open in time, never opens.
    """
    hosted = unit.hosted
    if not hosted.placing:
        return
    placements = hosted.placements
    for seat in hosted.game.colours:
        if seat not in placements.sealers and _has_placed(hosted, seat):
            add_seal(unit, server_seal(hosted, seat))
    for seat in list(placements.owed) if placements.all_in else ():
        if not placements.sealers[seat]:
            add_opening(unit, Opened(seat, placements.text(seat), _salt(hosted, seat)))
        elif seat in hosted.bots or not _plays(hosted, seat):
            add_opening(unit, Opened(seat))


def check_may_place(hosted: HostedGame, seat: str) -> None:
    """TableError for the owner of a seat whose client has sealed a placement and not opened it.

    He knows what the others have placed: the bot that stands in places for him.
    """
    if seat in hosted.placements.failed and hosted.game.phase == Phase.SEALED:
        message = f"{seat} did not open its sealed placement in time: a bot places for it."
        raise TableError("dice/not-opened", message, "Play on when all have placed.")


def server_seal(hosted: HostedGame, seat: str) -> Sealed:
    """What the server seals of what a seat has placed; nothing of one that is out."""
    if not _plays(hosted, seat):
        return Sealed(seat, 0, None)
    text = hosted.placements.text(seat)
    return Sealed(seat, 0, placement_hash(seat, _salt(hosted, seat), text))


def add_seal(unit: UnitOfWork, body: Sealed, *, check: bool = False) -> None:
    """Write a seal into the transcript and the log; `check`: it comes from a client."""
    end_drawing(unit)  # the pick before it may have begun the placing
    unit.add_dice(body, check=check)
    unit.add_line(log_lines.SealedPlacement(body), body.seat)


def add_opening(unit: UnitOfWork, body: Opened) -> None:
    """Write an opening into the transcript and the log."""
    unit.add_dice(body)
    unit.add_line(log_lines.OpenedPlacement(body), body.seat)


def _salt(hosted: HostedGame, seat: str) -> bytes:
    genesis = hosted.transcript.state.genesis
    return Secrets(hosted.secrets.seed, genesis).placement_salt(seat)


def _plays(hosted: HostedGame, seat: str) -> bool:
    return bool(hosted.game.position.status[hosted.game.colours.index(seat)] == Seat.PLAYING)


def _has_placed(hosted: HostedGame, seat: str) -> bool:
    """Whether a seat places no more: it has finished, or is out."""
    number = hosted.game.colours.index(seat)
    finished = hosted.game.phase != Phase.SEALED or hosted.game.position.sealed[number]
    return bool(finished) or not _plays(hosted, seat)


# How a game goes on by itself: running orders, stand-ins, the end.

VOID = "void"
DRAW = "draw"
# A longer log would take too long to rebuild. Lines that advance nothing do not count: else one
# seat could end the game (`game.limits` bounds those).
MAX_LOG_LINES = 30_000
TOO_LONG = "the game became too long"
NO_ACTION = "no action for too long"


def proceed(unit: UnitOfWork) -> None:
    """Advance the game until a seat must decide, dice must be typed, or a request be committed.

    It also stops for an independent dice server, and for links of players' clients. A request of
    this unit of work is never answered: it must be durable first.
    """
    # Without a first line of the dice nothing can be rolled: an independent dice server sends its
    # deposit after the start, and nothing in this loop adds it.
    hosted, begun = unit.hosted, unit.hosted.has_genesis
    while begun and not hosted.at_rest:
        if hosted.requested is None:
            seal_placements(unit)
        if hosted.requested is not None:
            if hosted.awaits_typed and hosted.thrower not in hosted.typists:
                request(unit)  # a bot plays the seat by now
                continue
            # A request of this transaction is answered in the next one, when it is durable.
            if unit.requests_dice or hosted.awaits_typed or not links_complete(unit):
                break
            if hosted.asks_dice_server and unit.dice_server_link is None:
                break
            begin_drawing(unit, unit.dice_server_link)
            draw(unit)
        elif hosted.game.over:
            finish(unit, EndGame())
        elif hosted.game.awaits_chance:
            if may_draw(unit):
                draw(unit)
            else:
                if unit.drawing is not None:
                    end_drawing(unit)
                request(unit)
        elif hosted.counts.progress >= MAX_LOG_LINES:
            finish(unit, Close(TOO_LONG))
        elif not _goes_on_by_itself(unit):
            break
    if unit.drawing is not None:
        end_drawing(unit)


def finish(unit: UnitOfWork, command: Command) -> None:
    """End the game by a command, and open its secrets: the seed, and every hidden card and mission.

    Nothing happens where the command is not due yet.
    """
    lines = command.decide(unit.hosted, unit.at)
    if not lines:
        return
    end_drawing(unit)
    for line in lines:
        unit.add_line(line.says)
    open_secrets(unit)


@dataclass(frozen=True, slots=True)
class EndGame:
    """The rules end the game: by a win, or without a winner."""

    def decide(self, state: HostedGame, at: int) -> Lines:
        """The end, where the game is over."""
        if not state.game.over:
            return ()
        winner = state.game.winner
        ending = (
            log_lines.GameEnding(winner, "the game is won")
            if winner
            else log_lines.GameEnding(DRAW, "")
        )
        return (NewLine(ending),)


@dataclass(frozen=True, slots=True)
class Close:
    """The game is closed without a winner, for a reason that a fixed text names."""

    reason: str

    def decide(self, state: HostedGame, at: int) -> Lines:
        """The end, where the reason holds."""
        return (NewLine(log_lines.GameEnding(VOID, self.reason)),) if self._holds(state, at) else ()

    def _holds(self, state: HostedGame, at: int) -> bool:
        if state.forked:
            return self.reason == f"continued as {state.forked}"
        if self.reason == NO_ACTION:
            return at >= void_time(state, due_times(state))
        if self.reason == TOO_LONG:
            return state.counts.progress >= MAX_LOG_LINES
        # At any time, for a reason that only the operator knows.
        return self.reason.startswith(BY_OPERATOR)


def _goes_on_by_itself(unit: UnitOfWork) -> bool:
    """Add the next line that follows without a decision; False where there is none."""
    hosted = unit.hosted
    # The lists are nearly always empty, and this is asked after every order.
    for seat in list(hosted.running):
        if unit.perform(FollowOrders(seat)):
            return True
    for seat in hosted.away:
        if unit.perform(SubstituteAbsent(seat)):
            return True
    return any(unit.perform(ReplaceErased(seat)) for seat in sorted(hosted.erased))


@dataclass(frozen=True, slots=True)
class FollowOrders:
    """Running orders take their next action, or stop with a report."""

    seat: str
    replaced: str = ""  # why they stop although they could go on

    def decide(self, state: HostedGame, at: int) -> Lines:
        """One line; () while the orders wait for other seats."""
        running = state.running[self.seat]
        step = running.next(state.game)
        answers = state.ordered[self.seat].decision
        if step.action is not None and not self.replaced:
            return (NewLine(log_lines.Acted(step.action), self.seat, answers),)
        if step.standstill is Standstill.WAITING and not self.replaced:
            return ()
        report = log_lines.OrdersReport(
            status=status_of(running, state.game),
            reason=self.replaced or step.reason,
            notes=tuple(map(str, running.notes)),
            warnings=state.warnings[self.seat],
        )
        return (NewLine(report, self.seat, answers),)


@dataclass(frozen=True, slots=True)
class SubstituteAbsent:
    """The bot that an absent seat has named plays for it."""

    seat: str

    def decide(self, state: HostedGame, at: int) -> Lines:
        """The bot's line, where the seat is away and has to decide."""
        absence = state.away.get(self.seat)
        if absence is None or not absence.bot or not absence.covers(at):
            return ()
        if self.seat not in state.decisions or self.seat in state.bots:
            return ()
        return (NewLine(log_lines.StandIn(absence.bot), self.seat),)


@dataclass(frozen=True, slots=True)
class ReplaceErased:
    """The timeout policy for a seat whose owner has erased their account.

    Under `wait` the others may vote for a replacement at once; the bot takes over where no person
    is left who could vote.
    """

    seat: str

    def decide(self, state: HostedGame, at: int) -> Lines:
        """The line of the policy, where the seat has to decide."""
        asked = self.seat in state.decisions or self.seat in state.placements.wanted
        if not asked or self.seat not in state.erased or self.seat in state.bots:
            return ()
        policy = state.settings.timeout_policy
        if policy is TimeoutPolicy.NEUTRAL:
            return (NewLine(log_lines.Acted(Resign(self.seat)), self.seat),)
        if policy is TimeoutPolicy.BOT or not people_in_game(state):
            return (NewLine(log_lines.StandIn(state.settings.substitute), self.seat),)
        return ()


def status_of(running: RunningOrders, game: Game) -> str:
    """The status of orders that have stopped; see `Standstill`."""
    return (running.next(game).standstill or Standstill.PAUSED).value
