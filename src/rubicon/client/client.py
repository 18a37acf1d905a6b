"""The client: one method for each call of the API. Errors are raised as ApiError."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, cast

import httpx

from rubicon.client.answers import ApiError, DiceAlarm, Json, answer_field
from rubicon.client.dice import DicePart, DiceThread
from rubicon.client.session import ApiSession
from rubicon.dice.errors import DiceError
from rubicon.engine.ownership import change_owner, clear_pending
from rubicon.engine.records import NEUTRAL, Phase
from rubicon.orders.execute.executor import RunningOrders
from rubicon.orders.parse.parser import read_orders
from rubicon.rules.actions import Place, Seal
from rubicon.rules.game import Game
from rubicon.rules.ruleset.ruleset import Ruleset

# Orders that place starting armies, carried out here: the server must not see them yet.


def placement_text(state: Json, orders: str) -> str:
    """The actions of a whole sealed placement, one a line; `state` is what the API says of a game.

    DiceError `dice/incomplete-placement` where armies are left, or orders do something else;
    OrdersError where the text cannot be read. What the rules refuse, the orders leave out.
    """
    seat, game = str(state["you"]), game_of_placing(state)
    running = RunningOrders(read_orders(orders, game.ruleset.board, game.colours), game, seat)
    placed: list[str] = []
    while isinstance(action := running.next(game).action, Place):
        placed.append(str(action))
        running.play(game, action)
    left = int(game.position.unplaced[game.colours.index(seat)])
    if left or not isinstance(action, Seal | None):
        message = f"These orders leave {left} armies to place: {running.next(game).reason}".strip()
        hint = "Seal the whole placement at once: DEPLOY 3 alaska, REST ural"
        raise DiceError("dice/incomplete-placement", message, hint)
    return "\n".join(placed)


def game_of_placing(state: Json) -> Game:
    """A game in which only the own seat's placement is known."""
    shown = state["position"]
    ruleset = Ruleset.load(shown["ruleset"]["name"], shown["options"], board=shown["board"]["name"])
    colours = [seat["colour"] for seat in shown["seats"]]
    game = Game.new(ruleset, colours=colours)
    position = game.position
    clear_pending(position)
    position.phase = Phase.SEALED
    position.first = position.turn = colours.index(shown["first"])
    for number, known in enumerate(ruleset.board.territories):
        territory = shown["territories"][known.id]
        owner = territory["owner"]
        change_owner(position, number, NEUTRAL if owner == "neutral" else colours.index(owner))
        position.armies[number] = territory["armies"] or 1
    for number, seat in enumerate(shown["seats"]):
        position.unplaced[number] = seat["to_place"] or 0
    return game


MATTERS = (
    "decision",
    "over",
    "fork",
    "lobby",
    "pulse",
)  # events after which `wait` looks at the game
FRESH = 1.0  # seconds for which `wait` trusts what came with the answer to an order
LOBBY_INTERVAL = 1.0  # seconds between two checks whether a game has started
DICE_INTERVAL = 1.0  # seconds between two looks at a game that waits for a dice server
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Turn:
    """A pending decision of the client's seat.

    `legal` has the legal actions as texts, of each range the one with the lowest number; `ranges`
    has the ranges themselves. `about` says what the decision is about; `game` is the game's state.
    """

    decision: int
    legal: list[str]
    game: Json
    ranges: list[Json]
    about: Json


def _placement_text(state: Json, text: str) -> str:
    # Only here: the rules take a second to load, which most programs need not wait for.

    return placement_text(state, text)


class Client:
    """One account on one server. A token comes from `guest`, or from a person's account page."""

    def __init__(
        self, url: str, token: str | None = None, *, transport: httpx.BaseTransport | None = None
    ) -> None:
        self._dice: dict[str, DiceThread] = {}  # of games in whose dice it takes part
        self._invites: dict[str, str] = {}  # of games that are watched by a link
        self._next: tuple[str, int, float, Json] | None = None  # what came with the last order
        self._session = ApiSession(url, transport)
        if token is not None:
            self.token = token

    @property
    def token(self) -> str:
        """The token of the account, "" for none."""
        return self._session.token

    @token.setter
    def token(self, token: str) -> None:
        self._session.token = token

    @property
    def attempts(self) -> int:
        """How often a request is sent while the server does not answer, or is busy."""
        return self._session.attempts

    @attempts.setter
    def attempts(self, attempts: int) -> None:
        self._session.attempts = attempts

    @property
    def timeout(self) -> float:
        """Seconds without a byte after which a server counts as one that does not answer."""
        return self._session.timeout

    @timeout.setter
    def timeout(self, seconds: float) -> None:
        self._session.timeout = seconds

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Leave the dice of all games, and close the connection."""
        for game in list(self._dice):
            self.leave_dice(game)
        self._session.close()

    def hang_up(self) -> None:
        """End the event stream that another thread reads."""
        self._session.hang_up()

    def guest(self, name: str) -> Client:
        """Create a guest account, and use its token from now on."""
        self.token = answer_field(self._session.post("/guest", name=name), "token", str)
        self._session.http.cookies.clear()
        return self

    def me(self) -> Json:
        """The account."""
        return cast(Json, self._session.get("/me"))

    def session(self) -> Json:
        """The account, None without one, the server's time, and what the server offers."""
        return cast(Json, self._session.get("/session"))

    def change(self, **changes: Any) -> Json:
        """Change the `name`, used from the next table on, `emails=False` for no e-mails, or
        `listed=False` for no public page."""
        return cast(Json, self._session.patch("/me", **changes))

    def save_account(self, email: str) -> None:
        """Send an e-mail with a link that saves the account under this address."""
        self._session.post("/me/email", email=email)

    def request_sign_in(self, email: str) -> None:
        """Send a sign-in link to the address of an existing account."""
        self._session.post("/magic-link", email=email)

    def sign_in(self, link: str) -> Client:
        """Sign in with the link of an e-mail, which works once; use its token from now on."""
        token = link.rpartition("/")[2].strip()
        self.token = answer_field(self._session.post("/sign-in", token=token), "token", str)
        return self

    def player(self, player: str) -> Json:
        """The public page of a player, by id or by a name that only one player has."""
        return cast(Json, self._session.get(f"/players/{player}"))

    def tables(self, which: str = "open") -> list[Json]:
        """Tables to join (`open`), public games to `watch`, or `mine`."""
        return cast(list[Json], self._session.get("/tables/", which=which))

    def search_tables(self, which: str = "open", **wanted: Any) -> Json:
        """A page of `tables` with their `count`; `after` takes the `next` of the page before.

        `state`, `ruleset`, `clock`, `players` and `free` filter, `others=True` leaves out one's own
        tables; `owners=True` adds the owners of territories.
        """
        return cast(Json, self._session.get("/tables/search", which=which, **wanted))

    def open_table(self, **request: Any) -> Json:
        """Open a table: ruleset, options, board, seats, bots, access, title, settings."""
        if "bots" in request:
            request["bots"] = {str(number): bot for number, bot in request["bots"].items()}
        return cast(Json, self._session.post("/tables/", **request))

    def change_table(self, game: str, **changes: Any) -> Json:
        """Change a table before the start: title, access, ruleset, options, board, seats, settings,
        rebels.

        Only the host; returns the table.
        """
        return cast(Json, self._session.patch(f"/tables/{game}", **changes))

    def change_colour(self, game: str, colour: str) -> None:
        """Give the own seat another colour before the start."""
        self._session.post(f"/tables/{game}/colour", colour=colour)

    def name_master(self, game: str, player: str) -> Json:
        """Name the game master before the start: by colour, or by the name of a saved account."""
        return cast(Json, self._session.post(f"/tables/{game}/master", player=player))

    def join(self, game: str, **request: Any) -> str:
        """Take a seat (`colour`, `invite`); returns its colour."""
        return answer_field(self._session.post(f"/tables/{game}/join", **request), "colour", str)

    def seat_bot(self, game: str, colour: str, bot: str) -> None:
        """Put a bot on a free seat before the start; only the host."""
        self._session.post(f"/tables/{game}/bot", colour=colour, bot=bot)

    def start(self, game: str) -> None:
        """Start the game; only the host."""
        self._session.post(f"/tables/{game}/start")

    def rematch(self, game: str) -> Json:
        """Open a table with the same seats after a game; returns the same as `open_table`."""
        return cast(Json, self._session.post(f"/tables/{game}/rematch"))

    def table(self, game: str) -> Json:
        """A table and its seats."""
        return cast(Json, self._session.get(f"/tables/{game}", **self._invite(game)))

    def invite_links(self, game: str) -> Json:
        """The invite link of a table (`url`), or those of a private table's free `seats`."""
        return cast(Json, self._session.get(f"/tables/{game}/invite"))

    def leave(self, game: str) -> None:
        """Leave the seat, before the game starts."""
        self._session.post(f"/tables/{game}/leave")

    def kick(self, game: str, colour: str) -> None:
        """Remove a person before the game starts; only the host."""
        self._session.post(f"/tables/{game}/kick", colour=colour)

    def swap(self, game: str, one: str, other: str) -> None:
        """Swap two seats; only the host."""
        self._session.post(f"/tables/{game}/swap", one=one, other=other)

    def watch(self, game: str, invite: str) -> Json:
        """Watch a game with the invite of its table, which later calls send by themselves."""
        self._invites[game] = invite
        return self.game(game)

    def game(self, game: str, *, text: bool = False) -> Json:
        """The state of a game, as the account may see it; `text` adds the position as a line."""
        more = {"text": "true"} if text else {}
        return cast(Json, self._session.get(f"/games/{game}/", **more, **self._invite(game)))

    def legal(self, game: str) -> Json:
        """The pending decision and its legal actions."""
        return cast(Json, self._session.get(f"/games/{game}/legal"))

    def explain(self, game: str, text: str) -> Json:
        """Orders in plain words; changes nothing."""
        return cast(Json, self._session.post(f"/games/{game}/orders/explain", text=text))

    def preview(self, game: str, text: str) -> Json:
        """The possible results of orders; rolls no dice."""
        return cast(Json, self._session.post(f"/games/{game}/orders/preview", text=text))

    def complete(self, game: str, text: str, cursor: int) -> list[Json]:
        """What may be written at a place of an order text, the likeliest first."""
        path = f"/games/{game}/orders/complete"
        return cast(list[Json], self._session.post(path, text=text, cursor=cursor)["candidates"])

    def submit(self, game: str, decision: int, text: str, *, orders: bool = False) -> Json:
        """Submit a decision or orders; repeated if the connection breaks, but never done twice.

        Signed where this client takes part in the dice. Orders with a sealed placement are carried
        out here; only a salted hash is sent until all seats have placed (docs/fair-dice.md).
        DiceError `dice/incomplete-placement` where armies are left.
        """
        self._raise_alarm(game)
        body: Json = {"decision": decision, "text": text, "orders": orders}
        part = self._dice[game].part if game in self._dice else None
        if part is not None and orders and part.client.places:
            state = self.game(game)
            if state["phase"] == "sealed" and state["decision"] == decision:
                return part.seal(decision, _placement_text(state, text))
        if part is not None and (signed := part.signed(decision, text)):
            body["signed"] = signed
        receipt = cast(Json, self._session.post_order(f"/games/{game}/submit", **body))
        following = receipt.pop("next", None)  # an older server sends none
        if isinstance(following, dict):
            self._next = game, self._session.calls, time.monotonic(), following
        if part is not None and "signed" in body:
            part.accepted(decision, text)
        return receipt

    def out_of_turn(self, game: str, text: str) -> Json:
        """Submit an out-of-turn action such as `resign red`."""
        self._raise_alarm(game)
        return cast(Json, self._session.post(f"/games/{game}/out-of-turn", text=text))

    def absence(self, game: str, text: str) -> Json:
        """Announce an absence: `2026-12-24 2026-12-31 greedy`, the bot is optional; "" ends it."""
        return cast(Json, self._session.post(f"/games/{game}/absence", text=text))

    def take_back(self, game: str) -> Json:
        """Take the seat back from a stand-in bot."""
        return cast(Json, self._session.post(f"/games/{game}/take-back"))

    def undo(self, game: str, decision: int) -> Json:
        """Undo the last decision."""
        return cast(Json, self._session.post(f"/games/{game}/undo", decision=decision))

    def take_part(
        self,
        game: str,
        journal: Path | None = None,
        *,
        background: bool = True,
        recovery_code: str = "",
        uncertified: bool = False,
    ) -> DicePart:
        """Take part in the dice of a game, in its lobby or while it runs (docs/fair-dice.md).

        A thread of its own gives a link for each roll, and what is submitted is signed, until the
        game is over or this client is closed; without `background` call `give_links`. Secrets,
        receipts and alarms are kept in the `journal`, by default a file of the user's state folder
        named after the game and the seat; with it a restarted program goes on. On another device
        the `recovery_code` of the first one certifies this one's key; where the code is lost too,
        `uncertified` lets it take part with a key that no one vouches for.

        DiceError where the journal is in use or cannot be written, or the code is wrong; DiceAlarm
        where the journal tells of one, or the server has lost lines that stand in it.
        """
        if game in self._dice:
            return self._dice[game].part
        seat = self.table(game).get("your_seat")
        if seat is None:
            message = "You have no seat in this game."
            raise ApiError(403, {"code": "seat/required", "message": message})
        part = DicePart(self._session, game, seat, journal)
        try:
            part.raise_alarm()
            part.begin(recovery_code, uncertified=uncertified)
            part.raise_alarm()
        except BaseException:
            part.close()
            raise
        self._dice[game] = DiceThread(self._session.again(), part)
        if background:
            self._dice[game].start()
        return part

    def recovery_code(self, game: str) -> str:
        """A code that certifies a further device of this seat; write it down, and tell no one.

        DiceError where this device's own key is not certified.
        """
        return self._part(game).client.recovery_code

    def give_links(self, game: str) -> None:
        """Give a link for each roll, until the game is over; DiceAlarm where one is raised."""
        self._dice[game].wait()

    def check_dice(self, game: str) -> None:
        """Read and check the new lines of the transcript now; DiceAlarm where one is bad."""
        part = self._part(game)
        part.read()
        part.raise_alarm()

    def on_dice_trouble(self, game: str, tell: Callable[[], None]) -> None:
        """Call `tell`, from the thread that follows the dice, when `dice_trouble` has any."""
        if game in self._dice:
            self._dice[game].part.on_alarm = self._dice[game].on_failure = tell

    def dice_trouble(self, game: str) -> Exception | None:
        """What is wrong with the part in the dice: an alarm, or what has ended it; told once."""
        if game not in self._dice:
            return None
        try:
            self._raise_alarm(game)
        except DiceAlarm as alarm:
            return alarm
        failure, self._dice[game].failure = self._dice[game].failure, None
        return failure

    def leave_dice(self, game: str) -> None:
        """Take part no longer, and say so: no roll waits for this program any more."""
        taking_part = self._dice.pop(game, None)
        if taking_part is not None:
            taking_part.part.leave()
            taking_part.stop()

    def vote(self, game: str, motion: str, *, withdrawn: bool = False) -> Json:
        """Vote for a motion, or withdraw the vote."""
        body = {"motion": motion, "withdrawn": withdrawn}
        return cast(Json, self._session.post(f"/games/{game}/vote", **body))

    def master(self, game: str) -> Json:
        """The game master, what can be done now, and the audit log."""
        return cast(Json, self._session.get(f"/games/{game}/master", **self._invite(game)))

    def ask_as_master(self, game: str, request: str, **more: Any) -> Json:
        """Do something as game master: `EXTEND` with `hours`, `ANNOUNCE` with `words` …"""
        return cast(Json, self._session.post(f"/games/{game}/master", request=request, **more))

    def chat(self, game: str, after: int = 0) -> list[Json]:
        """Chat lines with a greater id than `after`."""
        return cast(list[Json], self._session.get(f"/games/{game}/chat", after=after))

    def say(self, game: str, text: str, to: str = "") -> Json:
        """Send a chat line to one colour, to the game master (`gm`), or to all."""
        return cast(Json, self._session.post(f"/games/{game}/chat", text=text, to=to))

    def past_events(self, game: str, after: int = -1) -> list[Json]:
        """The events with an index greater than `after`."""
        parameters = {"after": after} | self._invite(game)
        return cast(list[Json], self._session.get(f"/games/{game}/events", **parameters))

    def transcript(self, game: str) -> str:
        """The dice transcript, for `rubicon verify`."""
        parameters = self._invite(game)
        return self._session.call("GET", f"/games/{game}/transcript", params=parameters).text

    def record(self, game: str) -> str:
        """The record of a finished game, for `rubicon replay`."""
        return self._session.call("GET", f"/games/{game}/record", params=self._invite(game)).text

    def moments(self, game: str, after: int = -1) -> list[Json]:
        """The moments of a finished game with a log index greater than `after`; 1,000 at most."""
        parameters = {"after": after} | self._invite(game)
        return cast(list[Json], self._session.get(f"/games/{game}/moments", **parameters))

    def at(self, game: str, index: int) -> Json:
        """The position of a finished game after a log index, with all hands open."""
        return cast(Json, self._session.get(f"/games/{game}/at/{index}", **self._invite(game)))

    def key_moments(self, game: str) -> list[Json]:
        """The eliminations, continents, battles and rolls of a finished game that stand out."""
        return cast(
            list[Json],
            self._session.get(f"/games/{game}/key-moments", **self._invite(game)),
        )

    def review(self, game: str) -> Json:
        """The review of a finished game by the value model; ask again until it is `ready`."""
        return cast(Json, self._session.get(f"/games/{game}/review", **self._invite(game)))

    def luck(self, game: str) -> Json:
        """What the dice of a finished game gave and took."""
        return cast(Json, self._session.get(f"/games/{game}/luck", **self._invite(game)))

    def events(
        self,
        *games: str,
        after: str = "",
        mine: bool = False,
        tables: str = "",
        opened: bool = False,
    ) -> Generator[Json, None, None]:
        """The live event stream; resume it after an event with `after=event["cursor"]`.

        `mine`: of all tables of the account, also of those that it joins later; `tables="open"`:
        also the news of the open tables. `opened`: the first event has this kind, and no cursor.
        """
        mines = "true" if mine else ""
        return self._events(games, after, opened=opened, mine=mines, tables=tables)

    def _events(
        self,
        games: Sequence[str],
        after: str,
        *,
        opened: bool = False,
        pulses: bool = False,
        **more: str,
    ) -> Generator[Json, None, None]:
        parameters = {"games": ",".join(games), "after": after} | more
        parameters |= next(filter(None, map(self._invite, games)), {})
        return self._session.stream("/events", parameters, opened=opened, pulses=pulses)

    def wait(self, game: str) -> Turn | None:
        """Wait until the account must decide; None when the game is over.

        ApiError `dice/refused` where an independent dice server stops the game: call it again
        later, in case its operator corrects that. While a dice server only does not answer, it
        goes on waiting, and logs one warning.
        """
        with closing(self._states(game)) as states:
            for state, known in states:
                self._raise_alarm(game)
                if state["waiting_for"] == "dice-refused":
                    refusal = {"code": "dice/refused", "message": state["waiting_reason"]}
                    raise ApiError(503, refusal)
                if state["decision"] is None:
                    continue
                legal = known or self.legal(game)
                if legal["decision"] is not None:  # otherwise the game has changed in between
                    texts = [action_range["lowest"] for action_range in legal["ranges"]]
                    return Turn(legal["decision"], texts, state, legal["ranges"], legal["about"])
        return None

    def _states(self, game: str) -> Generator[tuple[Json, Json | None], None, None]:
        """The state of the game now and after each event that may matter, to its end.

        With the legal actions where they are known already.
        """
        stream: Generator[Json, None, None] | None = None
        told = ""
        try:
            state, legal = self._fresh(game) or (self._started(game), None)
            while state["result"] is None:
                yield state, legal
                reason = state["waiting_reason"]
                if reason:  # of a dice server that does not answer
                    if reason != told:
                        log.warning("game %s waits: %s", game, reason)
                    told = reason
                    time.sleep(DICE_INTERVAL)
                    state, legal = self._started(game), None
                    continue
                told = ""
                if stream is None:
                    # No event says that a dice server does not answer: look now and then.
                    independent = state["settings"].get("dice") == "independent"
                    stream = self._events([game], f"{game}:{state['index']}", pulses=independent)
                if next((each for each in stream if each["kind"] in MATTERS), None) is None:
                    stream = None
                state, legal = self._started(game), None
        finally:
            if stream is not None:
                stream.close()

    def _fresh(self, game: str) -> tuple[Json, Json | None] | None:
        """What came with an order that was the last request, a moment ago; None for anything else.

        Later the game may have gone on, and another request may have changed it.
        """
        kept, self._next = self._next, None
        if kept is None:
            return None
        of, calls, at, following = kept
        if of != game or calls != self._session.calls or time.monotonic() - at > FRESH:
            return None
        return answer_field(following, "view", dict), following.get("legal")

    def _started(self, game: str) -> Json:
        """The state of the game, as soon as it has started."""
        while True:
            try:
                return self.game(game)
            except ApiError as error:
                if error.code != "game/not-begun":
                    raise
            time.sleep(LOBBY_INTERVAL)

    def _part(self, game: str) -> DicePart:
        if game not in self._dice:
            message = "This client takes no part in the dice of the game."
            raise DiceError("dice/no-part", message, "Call take_part(game) first.")
        return self._dice[game].part

    def _raise_alarm(self, game: str) -> None:
        if game in self._dice:
            self._dice[game].part.raise_alarm()

    def _invite(self, game: str) -> dict[str, str]:
        return {"invite": self._invites[game]} if game in self._invites else {}
