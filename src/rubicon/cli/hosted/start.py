"""`rubicon play --server URL`: sign in, choose a game, play it on the usual screens."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from contextlib import closing, suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from rubicon.cli.hosted.lobby import (
    Connect,
    TablesPrompt,
    Visit,
    WaitingRoom,
    checked_id,
    read_invite,
    table_of,
    take_part,
    take_seat,
)
from rubicon.cli.hosted.session import GameNews, HostedSession, MirroredGame, refused
from rubicon.cli.screen.start import choose_on_screen, wants_screen
from rubicon.cli.terminal.commands import Quit
from rubicon.cli.terminal.console import ASCII, make_output, open_keyboard
from rubicon.cli.terminal.options import PlayOptions
from rubicon.cli.terminal.session import Session
from rubicon.client import ApiError, Client
from rubicon.client.answers import GameAnswer, answer_field, bad_answer, of_type
from rubicon.engine.chance import generator
from rubicon.errors import RubiconError
from rubicon.files import file_fault, read_bounded
from rubicon.wording import quoted, quoted_path

# The accounts of this computer's user: a token for each server, readable by that user alone.

MODE = 0o600
OTHERS = 0o077  # what others than the owner may do
LARGEST = 1024 * 1024  # bytes


def accounts_file() -> Path:
    """Below `$XDG_CONFIG_HOME`, or `~/.config`."""
    folder = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(folder) / "rubicon" / "accounts.json"


def known_tokens() -> dict[str, str]:
    """The token of each server's address; empty where there is no file.

    RubiconError `play/accounts-unreadable` for a file that cannot be read: what is in it would be
    lost with the next token.
    """
    file = accounts_file()
    try:
        kept = json.loads(read_bounded(file, LARGEST))
        if file.stat().st_mode & OTHERS:
            file.chmod(MODE)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise unreadable(file, file_fault(error)) from error
    if not isinstance(kept, dict):
        raise unreadable(file, "it is no JSON object")
    # A token becomes a header of requests: nothing that could end a header is taken.
    tokens = ((url, str(token)) for url, token in kept.items())
    return {url: token for url, token in tokens if token.isascii() and token.isprintable()}


def unreadable(file: Path, why: str) -> RubiconError:
    """The error for a file of accounts that holds something else."""
    message = f"Your accounts in {quoted_path(file)} cannot be read: {why}."
    hint = "Mend the file, or move it away to begin without accounts."
    return RubiconError("play/accounts-unreadable", message, hint)


def token_of(url: str) -> str:
    """The token for a server, "" for none."""
    return known_tokens().get(url.rstrip("/"), "")


def keep_token(url: str, token: str) -> Path:
    """Keep the token of a server; no one else may read the file. Returns the file.

    RubiconError `play/account-not-kept` where it cannot be written.
    """
    file = accounts_file()
    text = json.dumps(known_tokens() | {url.rstrip("/"): token}, indent=2) + "\n"
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Written beside and renamed: a full disk leaves the accounts as they were.
        descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=file.name)  # mode 600
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
                stream.write(text)
            Path(name).replace(file)
        except BaseException:
            with suppress(OSError):
                Path(name).unlink()
            raise
    except OSError as error:
        message = f"Your account cannot be kept in {quoted_path(file)}: {file_fault(error)}."
        hint = "You can play, but you lose your account when you leave."
        raise RubiconError("play/account-not-kept", message, hint) from error
    return file


# The lobby of a server line by line, and on the full screen.


class AnyLobby(Protocol):
    """Where a person chooses a game, and waits until it starts."""

    comes_back: bool  # whether the person comes back here from a game that was chosen here

    def choose(self, visit: Visit, client: Client, options: PlayOptions) -> tuple[str, bool]:
        """The game that is chosen, and whether only to watch it; Quit if the person leaves."""
        ...

    def entered(self, visit: Visit, client: Client, options: PlayOptions, game: str) -> str:
        """The same game, where the person waits until it starts."""
        ...


class LineLobby:
    """Line by line; who opens a game waits there."""

    comes_back = False

    def choose(self, visit: Visit, client: Client, options: PlayOptions) -> tuple[str, bool]:
        """Ask at the prompt."""
        return TablesPrompt(client, visit.keyboard, visit.output).choose()

    def entered(self, visit: Visit, client: Client, options: PlayOptions, game: str) -> str:
        """The game: whoever opens it waits."""
        return game


class ScreenLobby:
    """On the full screen."""

    def __init__(self) -> None:
        self.comes_back, self.name = False, ""

    def choose(self, visit: Visit, client: Client, options: PlayOptions) -> tuple[str, bool]:
        """Show the tables."""
        self.comes_back = True
        return self._shown(visit, client, options, "")

    def entered(self, visit: Visit, client: Client, options: PlayOptions, game: str) -> str:
        """Show the table until its game starts."""
        if table_of(client, game)["state"] == "lobby":
            game, _ = self._shown(visit, client, options, game)
        return game

    def _shown(
        self, visit: Visit, client: Client, options: PlayOptions, game: str
    ) -> tuple[str, bool]:
        from rubicon.cli.screen.lobby_prompts import LobbyPrompts

        with suppress(ApiError):  # the screen says that the server is away
            self.name = self.name or answer_field(client.me(), "name", str)
        prompts = LobbyPrompts(visit, client, game)
        chosen = choose_on_screen(prompts, options.theme, self.name)
        if chosen is None:
            raise Quit
        return chosen


PlayOnce = Callable[[Session, PlayOptions], tuple[int, bool]]

NOT_ENCRYPTED = (
    "This address begins with http: anyone between you and the server can read your account's "
    "token and play as you. Use https if the server has it."
)


def play_on_server(
    options: PlayOptions, play_once: PlayOnce, connect: Connect | None = None
) -> int:
    """Play games on the server of the options; returns the exit code."""
    assert options.server is not None
    visit = Visit(
        checked_address(options.server),
        connect or Client,
        open_keyboard(tuple),
        make_output(options.plain),
    )
    if not is_private(visit.url):
        visit.output.prose(NOT_ENCRYPTED)
    lobby: AnyLobby = ScreenLobby() if wants_screen(options) else LineLobby()
    try:
        client = signed_in(visit, options.name)
        game, watched = first_game(visit, client, options, lobby)
        while True:
            session = open_hosted(visit, client, game, watched=watched)
            with closing(session):
                code, again = play_once(session, options)
                rematch = session.client.rematch(game) if again else None
            if rematch is None and not lobby.comes_back:
                return code
            client = visit.client(token_of(visit.url) or client.token)
            if rematch is None:
                game, watched = lobby.choose(visit, client, options)
            else:
                game = checked_id(answer_field(rematch, "game", str))
                game, watched = lobby.entered(visit, client, options, game), False
    except ApiError as error:
        raise refused(error) from error
    except (Quit, EOFError):
        return 0


def checked_address(url: str) -> str:
    """The same address; RubiconError `play/bad-address` where no server can be there."""
    try:
        parts = urlsplit(url)
        right = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # half a bracket, or a port that is no number
        right = False
    if right and url.isascii() and url.isprintable() and " " not in url:
        return url
    message = f"{quoted(url)} is no address of a server."
    raise RubiconError("play/bad-address", message, "It looks like https://rubicon.example")


def is_private(url: str) -> bool:
    """Whether no one on the way can read what is sent: it is encrypted, or stays here."""
    parts = urlsplit(url)
    if parts.scheme == "https" or parts.hostname == "localhost":
        return True
    try:
        return ip_address(parts.hostname or "").is_loopback
    except ValueError:
        return False


def signed_in(visit: Visit, name: str | None) -> Client:
    """A client with an account: the one that is kept for this server, or a new guest."""
    token = token_of(visit.url)
    client = visit.client(token or None)
    if token:
        try:
            visit.output.line(f"Signed in as {answer_field(client.me(), 'name', str)}.")
        except ApiError as error:
            if error.status != 401:
                raise
            client = visit.client(None)
        else:
            return client
    chosen = name or visit.keyboard.read("Your name on this server: ") or "guest"
    client.guest(chosen)
    try:
        file = keep_token(visit.url, client.token)
    except RubiconError as error:
        visit.output.error(error)
    else:
        visit.output.prose(f"Your account is kept in {file}; only you can read that file.")
    return client


def first_game(
    visit: Visit, client: Client, options: PlayOptions, lobby: AnyLobby
) -> tuple[str, bool]:
    """The game that the options name, or that is chosen in the lobby; whether only to watch."""
    if options.invite:
        game, invite = read_invite(options.invite)
        if options.watch:
            client.watch(game, invite)
        else:
            take_seat(client, game, invite)
            game = lobby.entered(visit, client, options, game)
        return game, options.watch
    if options.game:
        game = checked_id(options.game)
        if not options.watch:
            take_seat_if_free(client, game)
            game = lobby.entered(visit, client, options, game)
        return game, options.watch
    return lobby.choose(visit, client, options)


def take_seat_if_free(client: Client, game: str) -> None:
    """Join a table that has not started; in a running game the account has a seat, or watches."""
    if table_of(client, game)["state"] == "lobby":
        take_seat(client, game)


def open_hosted(visit: Visit, client: Client, game: str, *, watched: bool) -> HostedSession:
    """The session of a game, once it has started; the own seat takes part in its dice."""
    if not watched:
        take_part(visit, client, game)
        for _ in WaitingRoom(client, game, visit.keyboard, visit.output).until_started():
            pass
    state = of_type(client.game(game, text=True), GameAnswer)
    names = {seat["colour"]: seat["name"] for seat in state["seats"]}
    mirrored = MirroredGame.of(state["text"], names)
    if state["you"] not in (None, *mirrored.colours):
        raise bad_answer("it is for a seat that the game does not have")
    news = GameNews(visit.client(client.token), game)
    session = HostedSession(
        game=mirrored,
        bots=dict.fromkeys(mirrored.colours),
        output=visit.output,
        rng=generator(0),
        file=None,
        spoken=visit.output.symbols is ASCII,
        client=client,
        url=visit.url,
        id=game,
        news=news,
        state=state,
    )
    client.on_dice_trouble(game, news.tell)
    news.start()
    return session
