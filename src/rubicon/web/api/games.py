"""Running games: what a seat sees, everything that a seat may do, and why bots decided as
they did.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import Annotated, TypedDict

from litestar import Controller, get, post
from litestar.di import Provide
from litestar.params import FromQuery, JSONBody, QueryParameter
from litestar.response import Response

from rubicon.dice.lines.members import Deposit, Presence
from rubicon.dice.lines.opening import Opened, Sealed
from rubicon.dice.lines.request import GivenLink, SignedOrder
from rubicon.rules.notation.json_format import action_from_json
from rubicon.server.bot_runner import ReasonForm
from rubicon.server.server import Server
from rubicon.table.admin.game_files import RECORD, TRANSCRIPT, transcript_of
from rubicon.table.chat import ChatLine, lines_for
from rubicon.table.commands.dice_participants import LinkReceipt
from rubicon.table.commands.submit import Receipt, Submission
from rubicon.table.commands.votes import vote
from rubicon.table.deadlines import announce_absence, take_back_seat
from rubicon.table.errors import TableError
from rubicon.table.game.log_lines import Absence
from rubicon.table.game.unit_of_work import UnitOfWork
from rubicon.table.lobby.table_request import checked_bot
from rubicon.web.api import bodies
from rubicon.web.api.decisions import MAX_RANGES, LegalActionsView, legal_actions_view
from rubicon.web.api.game_state import event_views, files_of, game_view, visible_snapshot
from rubicon.web.api.next_view import CurrentAnswers, OrderReceipt, provide_answers
from rubicon.web.http import auth
from rubicon.web.http.errors import WebError

# The bodies with which clients take part in the dice, as what the table understands.

_bytes = bytes.fromhex  # the digits were checked when the body was read


def deposit_of(seat: str, body: bodies.DepositChain) -> Deposit:
    """The deposit of a seat's client."""
    return Deposit(
        seat=seat,
        key=_bytes(body.key),
        nonce=_bytes(body.nonce),
        end=_bytes(body.end),
        length=body.length,
        sig=_bytes(body.signature),
    )


def presence_of(body: bodies.ChangePresence) -> Presence:
    """A client that joins or leaves."""
    sig = _bytes(body.signature)
    return Presence(body.presence, body.id, body.seen, _bytes(body.head), sig)


def given_of(body: bodies.GiveLink) -> GivenLink:
    """A client's link."""
    return GivenLink(_bytes(body.link), _bytes(body.signature))


def sealed_of(seat: str, body: bodies.SealPlacement) -> Sealed:
    """What a seat's client has sealed."""
    signed = SignedOrder(body.id, _bytes(body.head), _bytes(body.signature))
    return Sealed(seat, body.decision, _bytes(body.hash), signed)


def opened_of(seat: str, body: bodies.OpenPlacement) -> Opened:
    """What a seat's client opens."""
    return Opened(seat, body.text, _bytes(body.salt))


def signed_order(body: bodies.SignedBy) -> SignedOrder:
    """A client's signature of its decision."""
    return SignedOrder(body.id, _bytes(body.head), _bytes(body.signature))


# The routes of one running game.

MAX_EVENTS = 500
PLAIN = "text/plain"  # the framework adds the charset
After = Annotated[int, QueryParameter(ge=-1, le=bodies.MAX_NUMBER)]
Limit = Annotated[int, QueryParameter(ge=1, le=MAX_EVENTS)]
Offset = Annotated[int, QueryParameter(ge=0, le=bodies.MAX_NUMBER)]
RangeLimit = Annotated[int, QueryParameter(ge=1, le=MAX_RANGES)]


class GamesController(Controller):
    """Games that have started."""

    path = "/api/v1/games/{game:str}"
    tags = ("games",)
    dependencies = {"answer": Provide(provide_answers, sync_to_thread=False)}  # noqa: RUF012

    @get("/", summary="Get the state of a game")
    async def show(
        self,
        me: auth.CurrentAccount,
        game: auth.GameId,
        server: auth.CurrentServer,
        asker: auth.Asker,
        invite: auth.Invite = None,
        pieces: FromQuery[bool] = False,
        text: FromQuery[bool] = False,
    ) -> bodies.GameView:
        """The position as I may see it, pending decisions and their deadlines, votes, and the head
        of the dice transcript. `pieces=true` adds the armies of each territory as pieces,
        `text=true` the position as one line."""
        seat = await auth.view_of(me, game, server, invite)
        snapshot = await visible_snapshot(server, game, seat, asker)
        return await asyncio.to_thread(game_view, server, snapshot, seat, pieces=pieces, text=text)

    @get("/legal", summary="List my legal actions")
    async def legal(
        self,
        me: auth.CurrentAccount,
        game: auth.GameId,
        server: auth.CurrentServer,
        offset: Offset = 0,
        limit: RangeLimit = MAX_RANGES,
    ) -> LegalActionsView:
        """What the decision is about, and ranges of actions that differ in one number only: at most
        `limit` of them, from the number `offset` on."""
        seat = await auth.player_of(me, game, server)

        def read() -> LegalActionsView:
            return legal_actions_view(server.table.snapshot(game), seat, offset, limit)

        return await asyncio.to_thread(read)

    @get("/events", summary="List past events")
    async def events(
        self,
        me: auth.CurrentAccount,
        game: auth.GameId,
        server: auth.CurrentServer,
        after: After = -1,
        limit: Limit = MAX_EVENTS,
        invite: auth.Invite = None,
    ) -> list[bodies.EventView]:
        """The events with an index greater than `after`, in order, as the live stream sent them."""
        seat = await auth.view_of(me, game, server, invite)
        return await asyncio.to_thread(event_views, server, game, seat, after, limit)

    @post("/submit", summary="Submit a decision or orders", status_code=200)
    async def submit(
        self,
        me: auth.CurrentAccount,
        game: auth.GameId,
        data: JSONBody[bodies.Submit],
        server: auth.CurrentServer,
        answer: CurrentAnswers,
    ) -> OrderReceipt:
        """Answers when everything is committed, dice included. Repeating the same text for the same
        decision returns the same receipt; 409 if another decision is pending now. An `action` as
        JSON is the same as its text. `next=true` adds what I see next."""
        seat = await auth.player_of(me, game, server)
        signed = None if data.signed is None else signed_order(data.signed)
        submission = Submission(
            game, seat, data.decision, action_text(data), orders=data.orders, signed=signed
        )
        return await answer.to(server.table.submit(submission), game, seat, data.odds)

    @post("/out-of-turn", summary="Submit an out-of-turn action", status_code=200)
    async def out_of_turn(
        self,
        me: auth.CurrentAccount,
        game: auth.GameId,
        data: JSONBody[bodies.ActOutOfTurn],
        server: auth.CurrentServer,
        answer: CurrentAnswers,
    ) -> OrderReceipt:
        """A standing order, a resignation, or showing a mission."""
        seat = await auth.player_of(me, game, server)
        return await answer.to(server.table.out_of_turn(game, seat, action_text(data)), game, seat)

    @post("/undo", summary="Undo my last decision", status_code=200)
    async def undo(
        self,
        me: auth.CurrentAccount,
        game: auth.GameId,
        data: JSONBody[bodies.Undo],
        server: auth.CurrentServer,
        answer: CurrentAnswers,
    ) -> OrderReceipt:
        """Impossible after dice, a revealed secret, or the end of the turn."""
        seat = await auth.player_of(me, game, server)
        return await answer.to(server.table.undo(game, seat, data.decision), game, seat)

    @post("/dice", summary="Report the result of physical dice", status_code=200)
    async def dice(
        self,
        me: auth.CurrentAccount,
        game: auth.GameId,
        data: JSONBody[bodies.ReportDice],
        server: auth.CurrentServer,
        answer: CurrentAnswers,
    ) -> OrderReceipt:
        """For tables with the setting dice = typed."""
        seat = await auth.player_of(me, game, server)
        return await answer.to(
            server.table.type_dice(game, seat, data.index, data.outcome), game, seat
        )

    @post("/dice/deposit", summary="Take part in the dice", status_code=200)
    async def deposit(
        self,
        me: auth.CurrentAccount,
        game: auth.GameId,
        data: JSONBody[bodies.DepositChain],
        server: auth.CurrentServer,
    ) -> bodies.DepositView:
        """Deposits the end of a hash chain that my program keeps. From then on each roll waits for
        my next link, and an event `link` asks for it. In the lobby the deposit is kept for the
        first line of the dice transcript."""
        seat = await auth.seat_of(me, game, server)
        deposit = deposit_of(seat, data)
        kept = await asyncio.wrap_future(
            server.lobby.deposit(game, auth.require_account(me).id, seat, deposit)
        )
        # The game may begin in between: then the same deposit joins the running dice.
        if not kept:
            certificate = bytes.fromhex(data.certificate) if data.certificate else None
            await receipt(server.table.deposit(game, seat, deposit, certificate))
        return {"game": game, "seat": seat, "begun": not kept}

    @post("/dice/presence", summary="Join the dice again, or leave them", status_code=200)
    async def presence(
        self,
        me: auth.CurrentAccount,
        game: auth.GameId,
        data: JSONBody[bodies.ChangePresence],
        server: auth.CurrentServer,
    ) -> Receipt:
        """The signature covers the head of a recent line of the transcript; while a request waits
        the answer is 503, and the message can be repeated after the answer."""
        seat = await auth.player_of(me, game, server)
        return await receipt(server.table.presence(game, seat, presence_of(data)))

    @post("/dice/link", summary="Give my link for a dice request", status_code=200)
    async def link(
        self,
        me: auth.CurrentAccount,
        game: auth.GameId,
        data: JSONBody[bodies.GiveLink],
        server: auth.CurrentServer,
    ) -> LinkReceipt:
        """A wrong link has no effect. The receipt is signed: keep it, a silence that is written
        after it proves a fraud."""
        seat = await auth.player_of(me, game, server)
        return await asyncio.wrap_future(server.table.link(game, seat, data.n, given_of(data)))

    @post("/dice/sealed", summary="Seal my placement", status_code=200)
    async def sealed(
        self,
        me: auth.CurrentAccount,
        game: auth.GameId,
        data: JSONBody[bodies.SealPlacement],
        server: auth.CurrentServer,
        answer: CurrentAnswers,
    ) -> OrderReceipt:
        """The salted hash of the placement that my program keeps to itself until all seats have
        sealed theirs. It cannot be changed."""
        seat = await auth.player_of(me, game, server)
        return await answer.to(server.table.seal(game, sealed_of(seat, data)), game, seat)

    @post("/dice/opened", summary="Open my sealed placement", status_code=200)
    async def opened(
        self,
        me: auth.CurrentAccount,
        game: auth.GameId,
        data: JSONBody[bodies.OpenPlacement],
        server: auth.CurrentServer,
        answer: CurrentAnswers,
    ) -> OrderReceipt:
        """When all seats have sealed: the text and the salt. It is played at once; while it is
        missing my time runs."""
        seat = await auth.player_of(me, game, server)
        return await answer.to(server.table.open_placement(game, opened_of(seat, data)), game, seat)

    @post("/dice/ahead", summary="Show that dice lines are lost", status_code=200)
    async def ahead(
        self,
        me: auth.CurrentAccount,
        game: auth.GameId,
        data: JSONBody[bodies.ShowLostLines],
        server: auth.CurrentServer,
    ) -> Receipt:
        """The lines of the transcript from the first that the server lacks, or has otherwise, up to
        the next that it has signed. The game stops: it only goes on as a fork."""
        seat = await auth.player_of(me, game, server)
        return await receipt(server.table.show_lost_lines(game, seat, data.lines))

    @post("/vote", summary="Vote for a motion", status_code=200)
    async def vote(
        self,
        me: auth.CurrentAccount,
        game: auth.GameId,
        data: JSONBody[bodies.Vote],
        server: auth.CurrentServer,
        answer: CurrentAnswers,
    ) -> OrderReceipt:
        """draw, pause, resume, extend, replace COLOUR, fork INDEX. docs/tables.md says whose votes
        each needs."""
        seat = await auth.player_of(me, game, server)
        signed = None if data.signed is None else signed_order(data.signed)
        cast_vote = partial(
            vote, seat=seat, motion=data.motion, withdrawn=data.withdrawn, signed=signed
        )
        return await answer.complete(await change(server, game, seat, cast_vote), game, seat)

    @post("/absence", summary="Announce an absence", status_code=200)
    async def absence(
        self,
        me: auth.CurrentAccount,
        game: auth.GameId,
        data: JSONBody[bodies.TextBody],
        server: auth.CurrentServer,
        answer: CurrentAnswers,
    ) -> OrderReceipt:
        """`2026-12-24 2026-12-31`, optionally followed by a bot that plays meanwhile; an empty text
        ends the absence."""
        seat, text = await auth.player_of(me, game, server), data.text
        if text.strip() and (absence := Absence.parse(text)).bot:
            bot = checked_bot(absence.bot, server.lobby.server_bots)
            text = str(replace(absence, bot=bot))
        announce = partial(announce_absence, seat=seat, text=text)
        return await answer.complete(await change(server, game, seat, announce), game, seat)

    @post("/take-back", summary="Take my seat back from a stand-in bot", status_code=200)
    async def take_back(
        self,
        me: auth.CurrentAccount,
        game: auth.GameId,
        server: auth.CurrentServer,
        answer: CurrentAnswers,
    ) -> OrderReceipt:
        """At any time, unless the time for this decision is over; it runs on. An absence ends."""
        seat = await auth.player_of(me, game, server)
        take = partial(take_back_seat, seat=seat)
        return await answer.complete(await change(server, game, seat, take), game, seat)

    @get("/transcript", summary="Get the dice transcript", media_type="text/plain")
    async def transcript(
        self,
        me: auth.CurrentAccount,
        game: auth.GameId,
        server: auth.CurrentServer,
        asker: auth.Asker,
        invite: auth.Invite = None,
        after: After = -1,
    ) -> Response[str]:
        """Public: the secrets are sealed until the game is over. `after` asks for the
        lines after this number, at most 500 of them. Check it with `rubicon verify`."""
        seat = await auth.view_of(me, game, server, invite)
        if after < 0:
            files = await files_of(server, game, seat, asker)
            return Response(files.files[TRANSCRIPT], media_type=PLAIN)
        read = partial(transcript_of, game=game, seat=seat, after=after)
        return Response(await asyncio.to_thread(server.store.read, read), media_type=PLAIN)

    @get("/record", summary="Get the record of a finished game", media_type="text/plain")
    async def record(
        self,
        me: auth.CurrentAccount,
        game: auth.GameId,
        server: auth.CurrentServer,
        asker: auth.Asker,
        invite: auth.Invite = None,
    ) -> Response[str]:
        """For `rubicon replay`; not available before the end, as it contains all secrets."""
        seat = await auth.view_of(me, game, server, invite)
        files = await files_of(server, game, seat, asker)
        if not files.over:
            message = "The game is not over, and its record would reveal hidden information."
            raise WebError("record/not-yet", message, "Ask again when the game is over.")
        return Response(files.files[RECORD], media_type=PLAIN)

    @get("/chat", summary="List chat lines")
    async def chat(
        self,
        me: auth.CurrentAccount,
        game: auth.GameId,
        server: auth.CurrentServer,
        after: After = 0,
        invite: auth.Invite = None,
    ) -> list[ChatLine]:
        """Lines to me and to all, without those of people that I muted or blocked; spectators get
        the lines to all, as late as they get the moves."""
        seat = await auth.view_of(me, game, server, invite)
        read = partial(lines_for, game=game, seat=seat, after=after)
        return await asyncio.to_thread(server.store.read, read)

    @post("/chat", summary="Send a chat line", status_code=201)
    async def say(
        self,
        me: auth.CurrentAccount,
        game: auth.GameId,
        data: JSONBody[bodies.SendChat],
        server: auth.CurrentServer,
    ) -> ChatLine:
        """As far as the table's setting `chat` allows."""
        seat = await auth.seat_of(me, game, server)
        return await asyncio.wrap_future(server.chat.say(game, seat, data.text, data.to))


def action_text(data: bodies.Submit | bodies.ActOutOfTurn) -> str:
    """The text of what is submitted; JsonError for an action that cannot be read."""
    if data.action is None:
        return data.text
    if data.text or (isinstance(data, bodies.Submit) and data.orders):
        message = "Both a text and an action were submitted."
        raise WebError("submit/text-and-action", message, "Send one of them.")
    return str(action_from_json(data.action))


async def receipt(future: Future[Receipt]) -> Receipt:
    """The receipt of an action, after its commit."""
    return await asyncio.wrap_future(future)


async def change(
    server: Server, game: str, seat: str, act: Callable[[UnitOfWork], object]
) -> Receipt:
    """Do something that is not a decision; the receipt has the log indexes that came of it."""
    first = last = -1

    # The head is read inside of the transaction: other commands may come before and after it.
    def do(unit: UnitOfWork) -> None:
        nonlocal first, last
        first = unit.hosted.head + 1
        act(unit)
        last = unit.hosted.head

    done = await receipt(server.table.change(game, do))
    snapshot = await asyncio.to_thread(server.table.snapshot, game)
    decision = snapshot.decisions.get(seat)
    return replace(done, seat=seat, first=first, last=last, decision=decision)


# Why the bots of a game decided as they did, for those who watch bots alone.


class BotReasonView(TypedDict):
    """The seat of a bot, the decision that it made, and why: as data, and in a few words."""

    seat: str
    decision: int
    reason: ReasonForm
    why: str


class ReasonsController(Controller):
    """Reasons of bots."""

    path = "/api/v1/games/{game:str}/reasons"
    tags = ("games",)

    @get("/", summary="List why bots decided as they did")
    async def reasons(
        self,
        me: auth.CurrentAccount,
        game: auth.GameId,
        server: auth.CurrentServer,
        asker: auth.Asker,
        invite: auth.Invite = None,
    ) -> list[BotReasonView]:
        """The last decisions of the bots, the oldest first. Only where no person plays, or the game
        is over: a reason shows plans, and perhaps hidden cards (`reasons/people-play`)."""
        seat = await auth.view_of(me, game, server, invite)
        snapshot = await visible_snapshot(server, game, seat, asker)
        if snapshot.voters and snapshot.ending is None:
            message = "People play in this game: the plans of the bots are theirs until the end."
            raise TableError("reasons/people-play", message, "Ask when the game is over.")
        return [
            {
                "seat": each.seat,
                "decision": each.decision,
                "reason": each.reason,
                "why": each.why,
            }
            for each in server.bots.reasons(game)
        ]
