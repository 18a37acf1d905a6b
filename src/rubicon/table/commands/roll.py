"""Dice requests and their answers: a request is durable before anybody gives a link for it."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import select

from rubicon.dice.lines.opening import End, Secrets
from rubicon.dice.lines.presence import Lost
from rubicon.dice.lines.request import MOST_ROLLS, Answer, GivenLink, LinksLine
from rubicon.dice.lines.state import DICE_SERVER, SERVER, given_hash, key_of
from rubicon.dice.participants.server import Drawing
from rubicon.engine.records.position import Chance
from rubicon.table.game.chance import ask_of, outcome_of, pending_of
from rubicon.table.game.hosted_game import STARTED, TYPED, HostedGame
from rubicon.table.game.unit_of_work import UnitOfWork
from rubicon.table.settings import DiceSource
from rubicon.table.storage import schema
from rubicon.table.storage.event_log import LineKind

LOST_AFTER = 60_000  # milliseconds without a sign of life of a client


def request(unit: UnitOfWork) -> None:
    """Request the pending chance; until its answer the game takes no actions.

    Also where real dice were requested, which nobody has entered: then the table rolls them.
    """
    hosted = unit.hosted
    pending = pending_of(hosted.game)
    typed = hosted.settings.dice is DiceSource.TYPED
    if hosted.requested is None and types_dice(hosted):
        unit.add_line(LineKind.REQUEST, TYPED)
        return
    _note_lost(unit)
    state, decided = hosted.transcript.state, hosted.decided
    # One request covers all that follows from a decision. What is decided out of turn, and what
    # typed dice may interrupt, has no number that would tell two requests apart.
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
    unit.add_line(LineKind.REQUEST, str(asked.n), decided.seat)
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
        unit.add_line(LineKind.SILENT, link.id, seat)
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
    unit.add_line(LineKind.OUTCOME, str(outcome), payload=outcome)


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
        # While the server itself was down it saw nobody.
        if unit.at - max(seen.get(seat, 0), STARTED) > LOST_AFTER:
            unit.add_dice(Lost(name))
            unit.add_line(LineKind.PRESENCE, f"lost {name}", seat)


def _seen(unit: UnitOfWork) -> Mapping[str, int]:
    columns = schema.dice_client.c
    wanted = select(columns.seat, columns.seen).where(columns.game == unit.hosted.id)
    # Not `dict(…)`: a result has keys, and would be taken for a mapping.
    return {row.seat: row.seen for row in unit.connection.execute(wanted)}
