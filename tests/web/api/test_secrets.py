"""Every byte that a seat or a spectator gets is searched for what only others may know."""

from __future__ import annotations

import base64
import json
import random
import re
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from sqlalchemy import Connection, select

from rubicon.client import ApiError, Client
from rubicon.dice.crypto import SIZE
from rubicon.engine.codes import CardVisibility
from rubicon.rules.ruleset.ruleset import Ruleset, preset_names
from rubicon.table.game import game_cache
from rubicon.table.storage import schema
from rubicon.table.storage.database import Store
from tests.conftest import FULL
from tests.web.api.listener import Listener
from tests.web.conftest import RunningServer

STEPS = 5000 if FULL else 40  # decisions: whole games, or their beginning
LOOKS = 5 if FULL else 20  # decisions between two looks with everybody's eyes
# Refused until the end.
REVIEW = ("moments", "at/3", "luck", "rolls", "turns", "key-moments", "review", "chances")
WHISPER = "between the two of us"


class Eye:
    """Somebody who looks at a game, and everything that they were ever sent."""

    def __init__(self, server: RunningServer, client: Client, colour: str, game: str) -> None:
        self.client = client
        self.colour = colour  # "" for a spectator
        self.game = game
        self.stream = Listener(server, client.token, game, after=f"{game}:0")
        self.received = ""
        self.told: list[Any] = []

    def take(self, answer: Any) -> None:
        """Keep an answer."""
        self.told.append(answer)
        self.received += json.dumps(answer)

    def look(self) -> None:
        """Ask for everything that there is to see, and for some things that there is not."""
        client, game = self.client, self.game
        self.take(client.game(game))
        self.take(client._session.get(f"/tables/{game}"))
        self.take(client.past_events(game))
        self.take(client.transcript(game))
        for path in REVIEW:
            with pytest.raises(ApiError):
                client._session.get(f"/games/{game}/{path}")
        for ask in (
            lambda: client.legal(game),
            lambda: client._session.get(f"/games/{game}/chat"),
            lambda: client.record(game),
            lambda: client.submit(game, 10**6, "trade alaska brazil china"),
            lambda: client.out_of_turn(game, "show M01"),
            lambda: client._session.post(f"/games/{game}/orders/explain", text="ATTACK ALL"),
            lambda: client._session.post(f"/games/{game}/orders/preview", text="end turn"),
            lambda: client._session.post(f"/games/{game}/orders/preview", text="TRADE BEST"),
            lambda: client.complete(game, "TRADE ", 6),
            lambda: client.complete(game, "ATTACK ", 7),
            lambda: client.undo(game, 10**6),
        ):
            try:
                self.take(ask())
            except ApiError as refusal:
                self.take(refusal.body)


def leaks(value: Any, reader: str, private: bool) -> Iterator[Any]:
    """Everything in an answer that a reader may not know, by the meaning of its parts."""
    if isinstance(value, list):
        for part in value:
            yield from leaks(part, reader, private)
    if not isinstance(value, dict):
        return
    yield from (leak for part in value.values() for leak in leaks(part, reader, private))
    match value:
        case {"event": "drew", "seat": seat, "card": str()} if private and seat != reader:
            yield value
        case {"event": "dealt", "secret": True, "to": seat, "thing": str()} if seat != reader:
            yield value
        case {"event": "decided", "secret": True, "seat": seat} if seat != reader:
            yield value
        case {"event": "spoils_taken", "secret": True} if reader not in value.values():
            yield value
        case {"colour": seat, "standing": standing, "mission": mission, "hand": hand}:
            if seat != reader and (standing or mission or (private and hand)):
                yield value
        case {"phase": "sealed", "territories": dict(shown), "seats": seats}:
            public = (None, "neutral", reader)
            yield from (
                each for each in shown.values() if each["owner"] not in public and each["armies"]
            )
            others = [each for each in seats if each["colour"] != reader]
            yield from (each for each in others if each["armies"] or each["to_place"])
        case {"owner": owner, "standing": standing} if owner != reader and standing is not None:
            yield value
        case {"phase": "headquarters", "seats": seats}:
            yield from (each for each in seats if each["colour"] != reader and each["capital"])
        case {"moment": _, "position": _} | {"percentile": _} | {"chi_squared": _}:
            yield value  # only of a finished game
        case {"kind": "defend", "battle": {"defender": seat}} if seat not in (reader, "neutral"):
            yield value


@pytest.mark.parametrize("preset", preset_names())
def test_no_secret_of_another_seat_is_ever_sent(server: RunningServer, preset: str) -> None:
    ruleset = Ruleset.load(preset, board="skerries")
    private = ruleset.rules.cards_visibility != CardVisibility.PUBLIC
    with ExitStack() as stack:
        eyes = seated(server, stack, preset, min(3, int(ruleset.rules.players_max)))
        players, game = {eye.colour: eye for eye in eyes if eye.colour}, eyes[0].game
        first, second = list(players)[:2]
        players[first].client._session.post(f"/games/{game}/chat", text=WHISPER, to=second)
        play(eyes, players, game)
        for eye in eyes:
            facts = [fact for fact in eye.client.past_events(game) if fact["kind"] == "events"]
            eye.told += eye.stream.up_to(facts[-1]["index"])
            eye.received += eye.stream.received
        over = eyes[0].client.game(game)["result"] is not None
        assert over or not FULL
        kept = secrets_of(server, game, eyes)
        assert preset != "secret-mission" or all(any(missions(eye)) for eye in players.values())
        for eye in eyes:
            assert list(leaks(eye.told, eye.colour, private)) == []
            for owner in re.findall(r"(\w+) draws (?!a card)", eye.received) if private else ():
                assert owner == eye.colour
            assert (WHISPER in eye.received) is (eye.colour in (first, second))
            for owner, secret in kept:
                assert (owner is eye or (owner is None and over)) or secret not in eye.received


def seated(server: RunningServer, stack: ExitStack, preset: str, players: int) -> list[Eye]:
    """So many people at a game that has begun, and one who looks on."""
    people = [stack.enter_context(server.client(name)) for name in ("Ann", "Bob", "Cid")[:players]]
    host = people[0]
    opened = host.open_table(ruleset=preset, board="skerries", seats=players)
    game = opened["game"]
    for person in people[1:]:
        person.join(game)
    host.start(game)
    nobody = stack.enter_context(server.connect())
    eyes = [Eye(server, person, person.game(game)["you"], game) for person in people]
    eyes.append(Eye(server, nobody, "", game))
    for eye in eyes:
        stack.callback(eye.stream.close)
    return eyes


def play(eyes: list[Eye], players: dict[str, Eye], game: str) -> None:
    """Attack where one can, as strongly as one can, and look again and again."""
    chosen = random.Random(game)
    for step in range(STEPS):
        asked = eyes[-1].client.game(game)["deadlines"]
        if not asked:
            break
        client = players[next(iter(asked))].client
        legal = client.legal(game)
        texts = [action_range["highest"] for action_range in legal["ranges"]]
        attacks = [text for text in texts if text.startswith("attack")]
        client.submit(game, legal["decision"], chosen.choice(attacks or texts))
        if step % LOOKS == 0 and client.game(game)["result"] is None:
            for eye in eyes:
                eye.look()
            keep_their_missions(eyes)


def keep_their_missions(eyes: list[Eye]) -> None:
    """Who has been told of a mission is alone in that."""
    for owner in eyes:
        for mission in set(missions(owner)):
            told = [eye.received + eye.stream.received for eye in eyes]
            named = {eye.colour for eye, text in zip(eyes, told, strict=True) if mission in text}
            assert named == {owner.colour}


def missions(eye: Eye) -> Iterator[str]:
    """The missions that somebody was told to have."""
    for answer in eye.told:
        if isinstance(answer, dict) and "position" in answer:
            for seat in answer["position"]["seats"]:
                if seat["colour"] == eye.colour and seat["mission"] is not None:
                    yield f'"{seat["mission"]["id"]}"'


def secrets_of(server: RunningServer, game: str, eyes: list[Eye]) -> list[tuple[Eye | None, str]]:
    """What must be in nobody's bytes but its owner's, from the store itself."""
    accounts = {eye.colour: eye for eye in eyes}
    store = Store.open_read_only(str(server.folder / "rubicon.db"))

    def read(connection: Connection) -> list[tuple[Eye | None, str]]:
        dice = game_cache.secrets_of(connection, game)
        house = connection.execute(select(schema.secret.c.value)).scalars()
        found: list[tuple[Eye | None, str]] = [
            (None, text)
            for secret in (dice.seed, dice.links[:SIZE], dice.private_key, *house)
            for text in (secret.hex(), base64.b64encode(secret).decode().rstrip("="))
        ]
        seats = connection.execute(select(schema.seat).where(schema.seat.c.game == game))
        found += [(accounts[row.colour], row.account) for row in seats]
        found += [(eye, eye.client.token) for eye in eyes if eye.client.token]
        return found

    try:
        return store.read(read)
    finally:
        store.close()
