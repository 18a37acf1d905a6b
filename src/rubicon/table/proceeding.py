"""What happens by itself: requests to the dice, their answers, orders that go on, the end."""

from __future__ import annotations

import json

from rubicon.dice.question import Reply
from rubicon.dice.writing import Order, reveal
from rubicon.orders.carrying import Standstill
from rubicon.orders.underway import Underway
from rubicon.rules.game import Game
from rubicon.rules.position import Chance
from rubicon.table import chance
from rubicon.table.lines import Kind
from rubicon.table.live import TYPED
from rubicon.table.page import Page
from rubicon.table.settings import DiceSource

VOID = "void"
DRAW = "draw"
MOST_ENTRIES = 30_000  # of a game's log: nobody makes it too long to be rebuilt


def proceed(page: Page) -> None:
    """Go on until a seat, people's dice or a request that is not committed yet are waited for.

    Dice that are somebody else's are waited for, too, and links of seats that keep their own
    chains. A request of this very page is never answered: it must be on the disk first.
    """
    live = page.live
    while not live.at_rest and live.promised:
        if live.requested is not None:
            if page.asked or live.requested == TYPED or not gathered(page):
                return
            if live.seeds.dice is None:
                return
            settle(page)
        elif live.game.over:
            finish(page, live.game.winner or DRAW, "the game is won" if live.game.winner else "")
        elif live.game.awaits_chance:
            request(page)
        elif live.head >= MOST_ENTRIES:
            finish(page, VOID, "it became too long")
        elif not _carry_on(page) and not _stand_in(page):
            return


def request(page: Page) -> None:
    """Ask for what chance owes; from here on the game takes nothing but the answer."""
    live, game = page.live, page.live.game
    thrown = game.position.chance in (Chance.BATTLE, Chance.DICE)
    if thrown and live.settings.dice is DiceSource.TYPED:
        page.line(Kind.REQUEST, TYPED)
        return
    for deposit in chance.used_up(live.chain, live.seeds.dice):
        live.chain.append(deposit)
        page.dice(deposit)
    seat, duty, words = live.request_order()
    order = Order(seat, duty, live.head + 1, words)
    entry, opened = chance.request(game, live.chain, live.seeds.table, order)
    live.chain.append(entry)
    live.opened.append(opened)
    page.dice(entry)
    page.line(Kind.REQUEST, opened.rid.hex(), seat)
    page.asked = True


def gathered(page: Page) -> bool:
    """Whether all links are there that the request needs; who is too late is silent from here."""
    wanted = page.live.links_wanted
    if any(page.at < link.until for link in wanted.values()):
        return False
    for seat in wanted:
        page.line(Kind.SILENT, "", seat)
    return True


def settle(page: Page, reply: Reply | None = None) -> None:
    """Answer the request that waits, in the chain and in the game."""
    live = page.live
    entry, outcome = chance.outcome(live.game, live.chain, live.seeds, live.links, reply)
    page.dice(entry)
    page.line(Kind.OUTCOME, str(outcome))


def finish(page: Page, result: str, reason: str) -> None:
    """The end: the seeds are opened, and with them everything that was hidden.

    A seed that is somebody else's is asked for behind the commit.
    """
    live = page.live
    page.line(Kind.END, f"{result} {reason}".strip())
    if live.seeds.dice is not None and live.chain.owed is None and not live.chain.closed:
        entry = reveal(live.chain, live.seeds.both, live.opened)
        live.chain.append(entry)
        page.dice(entry)


def _carry_on(page: Page) -> bool:
    """Let orders go on; False where they all stand still."""
    live = page.live
    for seat, underway in list(live.underway.items()):
        decision = underway.next(live.game)
        if decision.action is not None:
            page.line(Kind.ACTION, str(decision.action), seat, live.ordered[seat].duty)
            return True
        if decision.standstill is not Standstill.WAITING:
            report(page, seat, underway)
            return True
    return False


def _stand_in(page: Page) -> bool:
    """Let a bot play for whoever is away and wished for it; False where there is nobody."""
    live = page.live
    for seat, absence in live.away.items():
        if absence.bot and absence.holds(page.at) and seat in live.duties and seat not in live.bots:
            page.line(Kind.BOT, absence.bot, seat)
            return True
    return False


def report(page: Page, seat: str, underway: Underway, replaced: str = "") -> None:
    """Say what became of orders, and close them."""
    reason = replaced or underway.next(page.live.game).reason
    notes = [str(note) for note in underway.notes]
    said = {
        "status": status_of(underway, page.live.game),
        "reason": reason,
        "notes": notes,
        "passed_over": page.live.passed_over[seat],
    }
    page.line(Kind.REPORT, json.dumps(said), seat, page.live.ordered[seat].duty)


def status_of(underway: Underway, game: Game) -> str:
    """How far orders came that go no further."""
    return (underway.next(game).standstill or Standstill.PAUSED).value
