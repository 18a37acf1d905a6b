"""Games as a seat sees them, and everything that a seat may do."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import Annotated

from litestar import Controller, get, post
from litestar.params import Parameter
from litestar.response import Response

from rubicon.host.accounts import Account
from rubicon.host.host import Host
from rubicon.orders.explaining import explain
from rubicon.orders.preview import preview
from rubicon.orders.preview_text import preview_lines
from rubicon.orders.reading import read_orders
from rubicon.table.absence import Absence
from rubicon.table.agreeing import vote
from rubicon.table.chat import Said, said
from rubicon.table.exporting import RECORD, TRANSCRIPT, exported
from rubicon.table.lobby_wish import check_bot
from rubicon.table.page import SPECTATORS, Page
from rubicon.table.silence import go_away, take_back_seat
from rubicon.table.submission import Receipt, Submission
from rubicon.web.answers import ExplainedTold, GameTold, LegalTold, NoticeTold, PreviewTold
from rubicon.web.errors import WebError
from rubicon.web.forms import (
    LARGEST,
    ChatForm,
    DiceForm,
    DutyForm,
    EntropyForm,
    LinkForm,
    SubmitForm,
    TextForm,
    VoteForm,
)
from rubicon.web.identity import known
from rubicon.web.seeing import game_as_seen, legal_as_seen, seen_facts

MOST_NOTICES = 500
After = Annotated[int, Parameter(ge=-1, le=LARGEST)]
Most = Annotated[int, Parameter(ge=1, le=MOST_NOTICES)]


class Games(Controller):
    """Games that have begun."""

    path = "/api/v1/games/{game:str}"
    tags = ("games",)

    @get("/", summary="How a game stands, as I may see it")
    async def show(
        self, me: Account | None, game: str, host: Host, invite: str | None = None
    ) -> GameTold:
        """The position, who is asked for what and until when, votes, the head of the dice chain."""
        seat = await watching(me, game, host, invite)
        return await asyncio.to_thread(game_as_seen, host, game, seat)

    @get("/legal", summary="What I may decide now")
    async def legal(self, me: Account | None, game: str, host: Host) -> LegalTold:
        """Families of decisions that differ in one number only."""
        seat = await seated(me, game, host)
        return await asyncio.to_thread(legal_as_seen, host, game, seat)

    @get("/facts", summary="What I was told")
    async def facts(
        self,
        me: Account | None,
        game: str,
        host: Host,
        after: After = -1,
        most: Most = MOST_NOTICES,
        invite: str | None = None,
    ) -> list[NoticeTold]:
        """Notices behind an entry, in order; `most` of them at most."""
        seat = await watching(me, game, host, invite)
        return await asyncio.to_thread(told, host, game, seat, after, most)

    @post("/submit", summary="Hand in a decision or orders", status_code=200)
    async def submit(self, me: Account | None, game: str, data: SubmitForm, host: Host) -> Receipt:
        """Answers when it is on the disk and the dice have fallen. The same text for the same duty
        gets the same answer, however often it is sent; 409 where something else is asked by now."""
        seat = await seated(me, game, host)
        submission = Submission(game, seat, data.duty, data.text, data.orders)
        return await receipt(host.table.submit(submission))

    @post("/aside", summary="A standing order, resigning, a mission shown", status_code=200)
    async def aside(self, me: Account | None, game: str, data: TextForm, host: Host) -> Receipt:
        """What answers no duty."""
        seat = await seated(me, game, host)
        return await receipt(host.table.aside(game, seat, data.text))

    @post("/undo", summary="Take my last decision back", status_code=200)
    async def undo(self, me: Account | None, game: str, data: DutyForm, host: Host) -> Receipt:
        """Never past dice, a secret, or a turn that was handed over."""
        seat = await seated(me, game, host)
        return await receipt(host.table.undo(game, seat, data.duty))

    @post("/dice", summary="Say what real dice showed", status_code=200)
    async def dice(self, me: Account | None, game: str, data: DiceForm, host: Host) -> Receipt:
        """Where the table's dice are typed."""
        seat = await seated(me, game, host)
        return await receipt(host.table.type_dice(game, seat, data.entry, data.outcome))

    @post("/entropy", summary="Have a hand in the others' dice", status_code=200)
    async def entropy(
        self, me: Account | None, game: str, data: EntropyForm, host: Host
    ) -> Receipt:
        """Deposits the end of a hash chain that my own program keeps. From here each roll of the
        others waits for my next link, and each is told by an event `link`."""
        seat = await seated(me, game, host)
        return await receipt(host.table.deposit(game, seat, data.link, data.length))

    @post("/link", summary="Give the link that a roll of another seat waits for", status_code=200)
    async def link(self, me: Account | None, game: str, data: LinkForm, host: Host) -> Receipt:
        """Answers when it is on the disk. A wrong one ends nothing; one that comes too late is
        refused with `dice/late-link`: the chain has ended, and another may be deposited."""
        seat = await seated(me, game, host)
        return await receipt(host.table.open_link(game, seat, data.request, data.link))

    @post("/vote", summary="Vote for a motion", status_code=200)
    async def vote(self, me: Account | None, game: str, data: VoteForm, host: Host) -> Receipt:
        """draw, pause, resume, extend, replace COLOUR, fork ENTRY."""
        seat = await seated(me, game, host)
        act = partial(vote, seat=seat, motion=data.motion, withdrawn=data.withdrawn)
        return await change(host, game, seat, act)

    @post("/absence", summary="Say when I am away", status_code=200)
    async def absence(self, me: Account | None, game: str, data: TextForm, host: Host) -> Receipt:
        """`2026-12-24 2026-12-31`, then a bot if one is to play; nothing to be back."""
        seat = await seated(me, game, host)
        if data.text.strip() and (bot := Absence.parse(data.text).bot):
            check_bot(bot, host.lobby.house_bots)
        return await change(host, game, seat, partial(go_away, seat=seat, text=data.text))

    @post("/take-back", summary="Play again where a bot stands in", status_code=200)
    async def take_back(self, me: Account | None, game: str, host: Host) -> Receipt:
        """At any moment, with a fresh time."""
        seat = await seated(me, game, host)
        return await change(host, game, seat, partial(take_back_seat, seat=seat))

    @post("/orders/explain", summary="Orders in plain words", status_code=200)
    async def explain(
        self, me: Account | None, game: str, data: TextForm, host: Host
    ) -> ExplainedTold:
        """Nothing is done; what cannot be read comes back corrected."""
        await seated(me, game, host)

        def read() -> ExplainedTold:
            seen = host.table.snapshot(game).game()
            sheet = read_orders(data.text, seen.ruleset.board, seen.colours)
            return {
                "orders": str(sheet),
                "explained": list(explain(sheet, seen.ruleset)),
                "passed_over": [str(warning) for warning in sheet.warnings],
            }

        return await asyncio.to_thread(read)

    @post("/orders/preview", summary="What orders may come to", status_code=200)
    async def preview(
        self, me: Account | None, game: str, data: TextForm, host: Host
    ) -> PreviewTold:
        """From what the seat may see; nothing is rolled."""
        seat = await seated(me, game, host)

        def look() -> PreviewTold:
            seen = host.table.snapshot(game).game()
            sheet = read_orders(data.text, seen.ruleset.board, seen.colours)
            found = preview(sheet, seen, seat)
            return {
                "orders": str(sheet),
                "lines": list(preview_lines(found, seen.ruleset.board)),
                "passed_over": [str(warning) for warning in sheet.warnings],
            }

        return await asyncio.to_thread(look)

    @get("/transcript", summary="The dice chain", media_type="text/plain")
    async def transcript(
        self, me: Account | None, game: str, host: Host, invite: str | None = None
    ) -> Response[str]:
        """As it is public: sealed until the end, opened then. Check it with `rubicon verify`."""
        seat = await watching(me, game, host, invite)
        files = await asyncio.to_thread(host.store.read, partial(exported, game=game, seat=seat))
        return Response(files.files[TRANSCRIPT], media_type="text/plain; charset=utf-8")

    @get("/record", summary="The whole game, when it is over", media_type="text/plain")
    async def record(
        self, me: Account | None, game: str, host: Host, invite: str | None = None
    ) -> Response[str]:
        """A file for `rubicon replay`; a running game's would tell what is hidden."""
        seat = await watching(me, game, host, invite)
        files = await asyncio.to_thread(host.store.read, partial(exported, game=game, seat=seat))
        if not files.over:
            message = "The game goes on: its record would tell what is hidden."
            raise WebError("record/not-yet", message, "Ask again when it is over.")
        return Response(files.files[RECORD], media_type="text/plain; charset=utf-8")

    @get("/chat", summary="What was said")
    async def heard(
        self, me: Account | None, game: str, host: Host, after: After = 0
    ) -> list[Said]:
        """To me and to all, without those I do not want to hear."""
        seat = await seated(me, game, host)

        read = partial(said, game=game, seat=seat, after=after)
        return await asyncio.to_thread(host.store.read, read)

    @post("/chat", summary="Say something", status_code=201)
    async def say(self, me: Account | None, game: str, data: ChatForm, host: Host) -> Said:
        """As the table allows it."""
        seat = await seated(me, game, host)
        return await asyncio.wrap_future(host.talk.say(game, seat, data.text, data.to))


async def seated(me: Account | None, game: str, host: Host) -> str:
    """The seat of whoever asks; WebError where they have none."""
    account = known(me)
    seat = await watching(me, game, host)
    if seat == SPECTATORS:
        message = f"{account.name} has no seat in this game."
        raise WebError("seat/needed", message, "Those who watch decide nothing.")
    return seat


async def watching(me: Account | None, game: str, host: Host, invite: str | None = None) -> str:
    """The seat whose view somebody gets; "" for a spectator's."""
    account = None if me is None else me.id
    seat = None if account is None else host.seats.remembered(game, account)
    if seat is None:
        seat = await asyncio.to_thread(host.seats.look, game, account, invite)
    return seat


async def receipt(future: Future[Receipt]) -> Receipt:
    """The answer to an act, when it is on the disk."""
    return await asyncio.wrap_future(future)


async def change(host: Host, game: str, seat: str, act: Callable[[Page], object]) -> Receipt:
    """Do something that people at the table may do, and say which entries came of it."""
    first = last = -1

    def do(page: Page) -> None:
        nonlocal first, last
        first = page.live.head + 1
        act(page)
        last = page.live.head

    done = await receipt(host.table.change(game, do))
    stand = await asyncio.to_thread(host.table.snapshot, game)
    return replace(done, seat=seat, first=first, last=last, duty=stand.duties.get(seat))


def told(host: Host, game: str, seat: str, after: int, most: int) -> list[NoticeTold]:
    """Notices with their bodies opened."""
    rows = seen_facts(host, game, seat, after, most)
    return [
        NoticeTold(entry=row["entry"], kind=row["kind"], at=row["at"], body=json.loads(row["body"]))
        for row in rows
    ]
