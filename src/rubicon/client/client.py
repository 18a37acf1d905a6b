"""Asks the API, one call a method; what is refused is raised with the code of the rules."""

from __future__ import annotations

import json
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from types import TracebackType
from typing import Any, cast

import httpx

from rubicon.client.entropy import Entropy

Json = dict[str, Any]
PATIENCE = 60.0  # seconds for one answer; a stream says something every 20
LOBBY_REST = 1.0  # seconds between two looks whether a game has begun
TRIES = 5  # of a call that the server could not take just now
LONGEST_WAIT = 10.0  # seconds before the next try; who is told to wait longer is told so


class Refusal(Exception):
    """What was refused: `code` is stable, `status` the HTTP status, 0 where nobody answered."""

    def __init__(self, status: int, told: Mapping[str, Any]) -> None:
        self.status = status
        self.code = str(told.get("code", ""))
        self.told = dict(told)
        super().__init__(f"{told.get('message', '')} {told.get('suggestion', '')}".strip())


@dataclass(frozen=True)
class Turn:
    """That something is asked: the duty, and the beginnings of what may be decided, as texts."""

    duty: int
    legal: list[str]
    game: Json


class Client:
    """One account at one server; `token` is had from `guest`, or from a browser's settings."""

    def __init__(self, url: str, token: str | None = None) -> None:
        self._entropy: dict[str, Entropy] = {}  # by game
        self._invites: dict[str, str] = {}  # the links by which games are watched
        self._http = httpx.Client(base_url=f"{url.rstrip('/')}/api/v1", timeout=PATIENCE)
        if token is not None:
            self.token = token

    @property
    def token(self) -> str:
        """The token of the account, "" for none."""
        return str(self._http.headers.get("authorization", "")).removeprefix("Bearer ")

    @token.setter
    def token(self, token: str) -> None:
        self._http.headers["authorization"] = f"Bearer {token}"

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
        """Let go of the connection."""
        self._http.close()

    def guest(self, name: str) -> Client:
        """Play at once; the client keeps the token."""
        self.token = cast(Json, self._post("/guest", name=name))["token"]
        self._http.cookies.clear()
        return self

    def me(self) -> Json:
        """The own account."""
        return cast(Json, self._get("/me"))

    def change(self, **wish: Any) -> Json:
        """Another `name`, from the next table on; `letters=False` for no letters."""
        return cast(Json, self._call("PATCH", "/me", json=wish).json())

    def keep(self, email: str) -> None:
        """Let a letter be sent: the button behind its link keeps the account by this address."""
        self._post("/me/email", email=email)

    def ask_link(self, email: str) -> None:
        """Let a link be sent to an address that keeps an account already."""
        self._post("/link", email=email)

    def use_link(self, link: str) -> Client:
        """Use the link of a letter, once; the client keeps the token of the account it opens."""
        used = cast(Json, self._post("/link/use", token=link.rpartition("/")[2].strip()))
        self.token = used["token"]
        return self

    def tables(self, which: str = "open") -> list[Json]:
        """Tables to join (`open`), to `watch`, or of one's own (`mine`)."""
        return cast(list[Json], self._get("/tables/", which=which))

    def open_table(self, **wish: Any) -> Json:
        """Open a table: ruleset, options, board, seats, bots, access, title, settings."""
        if "bots" in wish:
            wish["bots"] = {str(number): bot for number, bot in wish["bots"].items()}
        return cast(Json, self._post("/tables/", **wish))

    def join(self, game: str, **wish: Any) -> str:
        """Sit down; the colour."""
        return str(cast(Json, self._post(f"/tables/{game}/join", **wish))["colour"])

    def start(self, game: str) -> None:
        """Begin, as the host of the table."""
        self._post(f"/tables/{game}/start")

    def rematch(self, game: str) -> Json:
        """Play again with the same people, when the game is over; a table as `open_table` tells."""
        return cast(Json, self._post(f"/tables/{game}/rematch"))

    def table(self, game: str) -> Json:
        """A table and who sits there."""
        return cast(Json, self._get(f"/tables/{game}", **self._invite(game)))

    def leave(self, game: str) -> None:
        """Stand up, before the game begins."""
        self._post(f"/tables/{game}/leave")

    def kick(self, game: str, colour: str) -> None:
        """Send somebody away, as the host, before the game begins."""
        self._post(f"/tables/{game}/kick", colour=colour)

    def swap(self, game: str, one: str, other: str) -> None:
        """Let two change places, as the host."""
        self._post(f"/tables/{game}/swap", one=one, other=other)

    def watch(self, game: str, invite: str) -> Json:
        """Look on by the link of a table; from here on the client shows it by itself."""
        self._invites[game] = invite
        return self.game(game)

    def game(self, game: str) -> Json:
        """How a game stands, as one may see it; `entropy`: whose own links are in the dice."""
        return cast(Json, self._get(f"/games/{game}/", **self._invite(game)))

    def legal(self, game: str) -> Json:
        """What may be decided now."""
        return cast(Json, self._get(f"/games/{game}/legal"))

    def explain(self, game: str, text: str) -> Json:
        """Orders in plain words; nothing is done."""
        return cast(Json, self._post(f"/games/{game}/orders/explain", text=text))

    def preview(self, game: str, text: str) -> Json:
        """What orders may come to, from what the seat sees; nothing is rolled."""
        return cast(Json, self._post(f"/games/{game}/orders/preview", text=text))

    def submit(self, game: str, duty: int, text: str, *, orders: bool = False) -> Json:
        """Hand in a decision or orders; sent again without harm where no answer comes."""
        return cast(Json, self._post(f"/games/{game}/submit", duty=duty, text=text, orders=orders))

    def aside(self, game: str, text: str) -> Json:
        """What answers no duty: `resign red`."""
        return cast(Json, self._post(f"/games/{game}/aside", text=text))

    def absence(self, game: str, text: str) -> Json:
        """Be away: `2026-12-24 2026-12-31`, then a bot if one is to play; "" to be back."""
        return cast(Json, self._post(f"/games/{game}/absence", text=text))

    def take_back(self, game: str) -> Json:
        """Play again where a bot stands in."""
        return cast(Json, self._post(f"/games/{game}/take-back"))

    def undo(self, game: str, duty: int) -> Json:
        """Take the last decision back."""
        return cast(Json, self._post(f"/games/{game}/undo", duty=duty))

    def deposit(self, game: str, entropy: Entropy | None = None) -> Entropy:
        """Have a hand in the dice of the others: `wait` then gives a link for each of their rolls.

        `entropy` keeps the secret; without one it is made here. Where nobody waits in `wait` for
        long, `give_links` does the same in a thread of its own.
        """
        chain = entropy or Entropy()
        self._post(f"/games/{game}/entropy", link=chain.deposit, length=chain.length)
        self._entropy[game] = chain
        return chain

    def give_links(self, game: str) -> None:
        """Give every link that is asked for, until the game is over."""
        for _ in self._watched(game):
            pass

    def vote(self, game: str, motion: str, *, withdrawn: bool = False) -> Json:
        """Vote for a motion."""
        return cast(Json, self._post(f"/games/{game}/vote", motion=motion, withdrawn=withdrawn))

    def chat(self, game: str, after: int = 0) -> list[Json]:
        """What was said behind a line of that id."""
        return cast(list[Json], self._get(f"/games/{game}/chat", after=after))

    def say(self, game: str, text: str, to: str = "") -> Json:
        """Say something, to one colour or to all."""
        return cast(Json, self._post(f"/games/{game}/chat", text=text, to=to))

    def facts(self, game: str, after: int = -1) -> list[Json]:
        """What one was told behind an entry."""
        return cast(
            list[Json], self._get(f"/games/{game}/facts", after=after, **self._invite(game))
        )

    def transcript(self, game: str) -> str:
        """The dice chain, for `rubicon verify`."""
        asked = self._invite(game)
        return self._call("GET", f"/games/{game}/transcript", params=asked).text

    def record(self, game: str) -> str:
        """The whole game when it is over, for `rubicon replay`."""
        return self._call("GET", f"/games/{game}/record", params=self._invite(game)).text

    def events(self, *games: str, after: str = "") -> Generator[Json, None, None]:
        """The live stream, until the server ends it or is gone; `cursor` in each event resumes
        behind it."""
        asked = {"games": ",".join(games), "after": after}
        asked |= next(filter(None, map(self._invite, games)), {})
        for attempt in range(TRIES):
            try:
                with self._http.stream("GET", "/events", params=asked) as answer:
                    if answer.is_success:
                        yield from _read_events(answer.iter_lines())
                        return
                    answer.read()
                    rest = _rest_before_next(answer, attempt)
            except httpx.ConnectError:
                rest = self._rest_unanswered(attempt)
            except httpx.TransportError:
                return
            time.sleep(rest)

    def wait(self, game: str) -> Turn | None:
        """Wait until something is asked of this account; None when the game is over."""
        with closing(self._watched(game)) as watched:
            for seen in watched:
                if seen["duty"] is None:
                    continue
                legal = self.legal(game)
                if legal["duty"] is not None:  # the game may have gone on since it was seen
                    texts = [family["lowest"] for family in legal["families"]]
                    return Turn(legal["duty"], texts, seen)
        return None

    def _watched(self, game: str) -> Generator[Json, None, None]:
        """How a game stands, now and whenever it has gone on, to its end; links are given."""
        stream: Generator[Json, None, None] | None = None
        try:
            while (seen := self._begun(game))["result"] is None:
                self._tend(game, seen)
                yield seen
                if stream is None:
                    stream = self.events(game, after=f"{game}:{seen['head']}")
                if next(stream, None) is None:
                    stream = None
        finally:
            if stream is not None:
                stream.close()

    def _begun(self, game: str) -> Json:
        """How a game stands, as soon as it has begun."""
        while True:
            try:
                return self.game(game)
            except Refusal as refusal:
                if refusal.code != "game/not-begun":
                    raise
            time.sleep(LOBBY_REST)

    def _tend(self, game: str, seen: Json) -> None:
        """Give the link that is wanted, and deposit another chain where the last one has ended."""
        if game not in self._entropy:
            return
        if seen["link"] is not None:
            self._give_link(game, self._entropy[game], seen["link"])
        elif seen["you"] not in seen["entropy"] and not seen["waits_for"]:
            ended = self._entropy.pop(game)
            try:
                self.deposit(game, ended.next())
            except Refusal as refusal:
                if refusal.status == 503:  # not just now
                    self._entropy[game] = ended

    def _give_link(self, game: str, chain: Entropy, wanted: Json) -> None:
        """Too late is no harm; ValueError where the server asks for a wrong one."""
        link = chain.give(wanted["number"], wanted["request"], wanted["witness"])
        try:
            self._post(f"/games/{game}/link", request=wanted["request"], link=link)
        except Refusal as refusal:
            if not refusal.code.startswith(("dice/", "game/")):
                raise

    def _invite(self, game: str) -> dict[str, str]:
        return {"invite": self._invites[game]} if game in self._invites else {}

    def _get(self, path: str, **asked: Any) -> Any:
        return self._call("GET", path, params=asked).json()

    def _post(self, path: str, **told: Any) -> Any:
        return self._call("POST", path, json=told).json()

    def _call(self, method: str, path: str, **more: Any) -> httpx.Response:
        """Ask, and again where the server was away: nothing is ever done twice by that.

        Refusal, too, where nobody knows whether it is done: `store/unsure`, `http/unsure`.
        """
        harmless = method == "GET" or path.endswith("/submit")  # even if it was done already
        attempt = 0
        while True:
            try:
                answer = self._http.request(method, path, **more)
                if answer.is_success:
                    return answer
                rest = _rest_before_next(answer, attempt, harmless=harmless)
            except httpx.TransportError as error:
                if not (harmless or isinstance(error, httpx.ConnectError | httpx.ConnectTimeout)):
                    raise _unsure(method, path) from error
                rest = self._rest_unanswered(attempt)
            time.sleep(rest)
            attempt += 1

    def _rest_unanswered(self, attempt: int) -> float:
        """Seconds until a server that was not there is tried again: it may be starting."""
        if attempt < TRIES - 1:
            return attempt + 1.0
        message = f"Nobody answers at {self._http.base_url}."
        suggestion = "Is `rubicon serve` running, and is that the address it names?"
        told = {"code": "http/unanswered", "message": message, "suggestion": suggestion}
        raise Refusal(0, told)


def _unsure(method: str, path: str) -> Refusal:
    message = f"The server went in the middle of {method} {path}, which may be done or not."
    suggestion = "Look how things stand before you ask again."
    return Refusal(0, {"code": "http/unsure", "message": message, "suggestion": suggestion})


def _rest_before_next(answer: httpx.Response, attempt: int, *, harmless: bool = True) -> float:
    """Seconds until what was not taken just now may be tried again; Refusal where it is final.

    Where it may be done already only what is `harmless` is tried again.
    """
    try:
        told = answer.json()
    except ValueError:
        told = {"code": f"http/{answer.status_code}", "message": answer.text[:200]}
    rest = float(answer.headers.get("retry-after", "1"))
    again = answer.status_code in (429, 503) and (harmless or told["code"] != "store/unsure")
    if again and attempt < TRIES - 1 and rest <= LONGEST_WAIT:
        return rest
    raise Refusal(answer.status_code, told)


def _read_events(lines: Iterator[str]) -> Iterator[Json]:
    """Events of a stream, each with the cursor that resumes behind it."""
    waiting: list[Json] = []
    for line in lines:
        if line.startswith("data: "):
            waiting.append(json.loads(line[6:]))
        elif line.startswith("id: "):
            for event in waiting:
                yield event | {"cursor": line[4:]}
            waiting = []
