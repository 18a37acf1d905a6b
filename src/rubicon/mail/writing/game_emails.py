"""Writes the e-mails about games: an `EmailWriter` for the server; notices, and e-mails to
game masters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from sqlalchemy import Connection

from rubicon.mail.tokens import TokenScope
from rubicon.mail.writing import document
from rubicon.mail.writing.forms import OrderForm, form_of
from rubicon.mail.writing.history import facts_of, last_turn_of, luck_in, turns_in
from rubicon.mail.writing.layout import MOST_PICTURE
from rubicon.mail.writing.maps import Stand, map_picture
from rubicon.mail.writing.news_emails import news_email
from rubicon.mail.writing.panels import messages_panel, messages_since
from rubicon.mail.writing.post import NO_DECISION, NO_TOKEN, Post, ReplyToken, ReplyWay
from rubicon.mail.writing.scene import Scene, scene_of
from rubicon.mail.writing.turn_email import CONSEQUENCES, Answering, turn_email, turn_subject, why
from rubicon.odds.luck import Luck
from rubicon.rules.events import TurnBegan
from rubicon.server.emails import EmailIdentity, EmailWriter, UnsubscribePath, WrittenEmail
from rubicon.server.notifications import News, PendingEmail
from rubicon.table.chat import line_text
from rubicon.table.game.snapshot import Snapshot
from rubicon.table.notices import (
    Announcement,
    DeadlineNear,
    DecisionDue,
    DiceLost,
    EmailBounced,
    GameOver,
    MasterBegins,
    MessageToMaster,
    PlayerLate,
)
from rubicon.table.storage.database import Store
from rubicon.telling.turns import TurnEvents

# Short e-mails: the reminder, the end, a game that has stopped, an address that takes no mail.

NO_ANSWER = Answering()


def notice_email(
    scene: Scene,
    subject: str,
    news: str,
    panels: Sequence[document.Panel],
    answering: Answering = NO_ANSWER,
    *,
    because: document.Words = "",
) -> document.EmailContent:
    """A short e-mail that no form goes with."""
    return document.EmailContent(
        subject=subject,
        news=news,
        greeting=f"Hello {scene.name},",
        panels=tuple(panels),
        why=because or why(scene),
        game=scene.table_name,
        url=scene.url,
        token_line=answering.token_line,
        reply_mark=answering.mark,
    )


def reminder_email(scene: Scene, form: OrderForm, answering: Answering) -> document.EmailContent:
    """The time runs out; there is one reminder of a decision."""
    due = scene.deadline
    until = f": until {due}" if due else ""
    lead = f'{scene.left} left for your turn in "{scene.table_name}"{until}.'
    lead = lead[:1].upper() + lead[1:]
    then = CONSEQUENCES[scene.settings.timeout_policy]
    web = document.Button("Play on the web", scene.url, first=not answering.mailto)
    buttons = (
        (document.Button("Write your orders", answering.mailto), web)
        if answering.mailto
        else (web,)
    )
    blocks: list[document.Block] = [
        document.Heading(f"{scene.left.capitalize()} left, {scene.name}"),
        document.Paragraph(f"{lead} {then}"),
        document.Paragraph("Due: " + " ".join(form.due)),
    ]
    if answering.token_line:
        blocks.append(document.Code(form.lines))
    ways: list[document.Block] = []
    if answering.token_line:
        ways.append(_way("No time to think?", "The orders are complete: send them as they are."))
        ways.append(_way("Need longer?", "Reply VOTE EXTEND: the others may agree to more time."))
        if scene.settings.absence_days:
            most = f"within the {scene.settings.absence_days} days of this game"
            text = (
                "Reply ABSENCE with the first and last day, such as 2026-12-24: a stand-in plays, "
                f"{most}."
            )
            ways.append(_way("Going away?", text))
    panels = [document.Panel((*blocks, document.Buttons(buttons)))] + (
        [document.Panel(tuple(ways))] if ways else []
    )
    news = f"{scene.left} left" + (f", until {due.short}" if due else "")
    because = "This is the only reminder of this turn."
    return notice_email(
        scene, f"Re: {turn_subject(scene)}", news, panels, answering, because=because
    )


def _way(question: str, answer: str) -> document.Paragraph:
    return document.Paragraph((document.Strong(question), f" {answer}"), bullet=True)


def opening_email(scene: Scene) -> document.EmailContent:
    """All have placed, and only the recipient's own program or browser can open the placement."""
    due = scene.deadline
    until = f" until {due}" if due else ""
    lead = (
        f"All players have placed. Open the game{until}: your placement is in your browser or "
        "program."
    )
    then = "Only it can show the others what you sealed; this e-mail cannot."
    blocks = (
        document.Heading("Open your placement"),
        document.Paragraph(lead),
        document.Paragraph(then, quiet=True),
    )
    button = document.Buttons((document.Button("Open the game", scene.url),))
    subject = f"Open your placement: {scene.table_in_subject}"
    news = "All players have placed"
    return notice_email(scene, subject, news, [document.Panel((*blocks, button))])


def over_email(scene: Scene, over: GameOver, luck: Mapping[str, Luck]) -> document.EmailContent:
    """The game is over: the result, everyone's end and luck, how to check the dice."""
    result, reason = over.result, over.reason
    table = f'"{scene.table_name}"'
    where = f" in round {scene.round}" if scene.round else ""
    match result:
        case "draw":
            headline, lead = "A draw", f"{table} ends{where} in a draw."
        case "void":
            headline, lead = (
                "Closed without a winner",
                f"{table} was closed{where}, without a winner.",
            )
        case winner:
            headline = scene.teller.result(winner)
            lead = f"{headline} {table}{where}."
    if reason and reason != "the game is won":
        lead = f"{lead} {reason[:1].upper()}{reason[1:]}."
    rows: list[tuple[document.Words, ...]] = []
    held = sorted(scene.game.colours, key=lambda c: -len(scene.held_by(c)))
    for colour in held:
        end = "won" if colour == result else "out" if scene.is_out(colour) else "in the game"
        who: document.Words = (
            document.Tile(colour, said=document.LETTERS[colour]),
            " ",
            document.Strong(scene.seats.listed(colour)),
        )
        rolled = f"{_net(luck[colour]):+.0f}".replace("-", "\u2212") if colour in luck else ""
        below = f"{luck[colour].percentile:.0f} %" if colour in luck else ""
        rows.append((who, end, str(len(scene.held_by(colour))), rolled, below))
    if scene.held_by(document.NEUTRAL_COLOUR):
        name: document.Words = (
            document.Tile(document.NEUTRAL_COLOUR, said="*"),
            " ",
            document.Strong(scene.seats.listed(document.NEUTRAL_COLOUR)),
        )
        count = str(len(scene.held_by(document.NEUTRAL_COLOUR)))
        rows.append((name, "", count, "", ""))
    everybody = document.FactTable(
        tuple(rows), ("", "end", "terr.", "luck", "below"), frozenset({2, 3, 4})
    )
    review = document.Button("Review the game", f"{scene.url}/review")
    check = document.Button("Check the dice", f"{scene.url}/dice", first=False)
    dice: tuple[document.Block, ...] = (
        document.Paragraph("The dice are open now: every roll, the seal and the keys."),
        document.Code((f"{scene.url}/review", f"{scene.url}/dice")),
        document.Buttons((review, check)),
    )
    panels = [
        document.Panel((document.Heading(headline), document.Paragraph(lead))),
        *_receipt(luck.get(scene.you)),
        document.Panel((everybody, *_luck_note(luck)), "Everybody"),
        document.Panel(dice, "Check every die"),
    ]
    subject = f"{headline}: {scene.table_in_subject}"
    if result not in ("draw", "void"):
        subject = f"{headline} {scene.table_in_subject}"
    news = f"In round {scene.round}" if scene.round else "The game is over"
    return notice_email(
        scene, subject, news, panels, because="This is the last e-mail of this game."
    )


def _net(luck: Luck) -> float:
    """Armies destroyed minus lost, compared with what the same rolls bring on average."""
    lost, destroyed = luck.lost - luck.expected_lost, luck.destroyed - luck.expected_destroyed
    return destroyed - lost


def _receipt(luck: Luck | None) -> list[document.Panel]:
    """The recipient's own luck."""
    if luck is None or not luck.rolls:
        return []
    worse = round(luck.percentile)
    rows: tuple[tuple[document.Words, ...], ...] = (
        ("rolls, both sides", str(luck.rolls)),
        ("armies lost by the dice", str(luck.lost)),
        ("armies destroyed by the dice", str(luck.destroyed)),
        (
            document.Strong("luck of the dice"),
            document.Strong(f"{_net(luck):+.0f}".replace("-", "\u2212")),
        ),
    )
    said = f"Fair dice do worse in {worse} of 100 games, and better in {100 - worse}."
    table = document.FactTable(rows, (), frozenset({1}))
    return [document.Panel((table, document.Paragraph(said, quiet=True)), "Your luck")]


def _luck_note(luck: Mapping[str, Luck]) -> list[document.Block]:
    if not luck:
        return []
    text = (
        "Luck: armies destroyed minus lost by the dice, compared with what the same rolls bring on "
        "average. Below: in how many of 100 games fair dice do worse."
    )
    return [document.Paragraph(text, quiet=True)]


def stopped_email(scene: Scene) -> document.EmailContent:
    """The game has lost lines of its dice that were shown before, and goes on as a fork only."""
    lead = (
        f'"{scene.table_name}" has stopped: this server lost dice that it had already shown. '
        "No player has lost because of it, and no die is rolled again."
    )
    then = "You can all continue, as a new game, from the last position with all its dice."
    button = document.Buttons((document.Button("Open the game", scene.url),))
    blocks = (
        document.Heading("The game has stopped"),
        document.Paragraph(lead),
        document.Paragraph(then),
        button,
    )
    subject = f"Stopped: {scene.table_in_subject}"
    return notice_email(scene, subject, "The game has stopped", [document.Panel(blocks)])


def announcement_email(scene: Scene, words: str, answering: Answering) -> document.EmailContent:
    """The game master writes to all players."""
    lines = [document.Paragraph(line) for line in words.splitlines() if line.strip()]
    button = document.Buttons((document.Button("Open the game", scene.url),))
    blocks: tuple[document.Block, ...] = (document.Heading("From the game master"), *lines, button)
    subject = f"From the game master ({scene.table_in_subject})"
    return notice_email(
        scene, subject, "The game master has written to all", [document.Panel(blocks)], answering
    )


def bounced_email(scene: Scene, seat: str, answering: Answering) -> document.EmailContent:
    """E-mails to another player come back."""
    who = scene.seats.subject(seat)
    lead = (
        f"E-mails to {who} come back. We notified {who} in other ways if possible, and gave them "
        "more time once."
    )
    then = "If you know how to reach that player, please let them know."
    blocks = (
        document.Heading(f"E-mails to {who} come back"),
        document.Paragraph(lead),
        document.Paragraph(then),
    )
    subject = f"E-mails to {who} come back ({scene.table_in_subject})"
    return notice_email(
        scene, subject, f"E-mails to {who} come back", [document.Panel(blocks)], answering
    )


# E-mails to a game master: what a game master can do, messages of players, who is late.

REQUESTS = (
    "EXTEND 12 HOURS",
    "PROCESS",
    "BOT blue medium",
    "REPLACE blue CONFIRM",
    "UNDO",
    "ANNOUNCE Happy new year!",
)


def master_begins_email(scene: Scene, answering: Answering) -> document.EmailContent:
    """The game has begun, and this is what its game master can do."""
    lead = (
        f'"{scene.table_name}" has begun. The software rolls the dice, deals the cards and keeps '
        "the deadlines; you look after the players. You get an e-mail when a player's time is "
        "over, when e-mails to a player come back, and when a player writes to you."
    )
    then = "You see what everyone sees. No one can change, repeat or drop a roll."
    blocks = (
        document.Heading("You are the game master"),
        document.Paragraph(lead),
        document.Paragraph(then, quiet=True),
    )
    subject = f"You are the game master: {scene.table_in_subject}"
    panels = [document.Panel((*blocks, _page(scene))), *_requests(answering)]
    return notice_email(scene, subject, "The game has begun", panels, answering)


def to_master_email(
    scene: Scene, seat: str, text: str, answering: Answering
) -> document.EmailContent:
    """A message of a player; without a seat it was erased meanwhile."""
    who = scene.seats.subject(seat) if seat else "A former player"
    words = document.harmless(text) or "The message was erased."
    blocks = (document.Heading(f"{who} writes to you"), document.Paragraph(words), _page(scene))
    note = document.Paragraph(
        "Only you get this message. ANNOUNCE writes to all players.", quiet=True
    )
    subject = f"{who} writes to the game master ({scene.table_in_subject})"
    panels = [document.Panel((*blocks, note)), *_requests(answering)]
    return notice_email(scene, subject, f"{who} writes to you", panels, answering)


def late_email(scene: Scene, seat: str, answering: Answering) -> document.EmailContent:
    """A player's time is over, and the table waits."""
    who = scene.seats.subject(seat)
    lead = f"The time of {who} is over, and the table waits for its game master or the players."
    then = "PROCESS lets a bot play for all who are late; EXTEND gives them more time."
    blocks = (
        document.Heading(f"{who} is late"),
        document.Paragraph(lead),
        document.Paragraph(then),
        _page(scene),
    )
    subject = f"{who} is late ({scene.table_in_subject})"
    panels = [document.Panel(blocks), *_requests(answering)]
    return notice_email(scene, subject, f"{who} is late", panels, answering)


def _page(scene: Scene) -> document.Block:
    return document.Buttons((document.Button("Open the game", scene.url),))


def _requests(answering: Answering) -> list[document.Panel]:
    """What can be written in an answer; nothing where this server takes none."""
    if not answering.token_line:
        return []
    how = document.Paragraph(
        "Reply with one of these lines at the top. Without a line nothing happens."
    )
    more = document.Paragraph("STATUS, MAP, HISTORY, RULES and HELP are answered too.", quiet=True)
    return [document.Panel((how, document.Code(REQUESTS), more), "What you can send")]


# The `EmailWriter` of the server.


class GameEmails:
    """An EmailWriter; without a `reply` way, e-mails have no form and no token."""

    def __init__(
        self,
        store: Store,
        identity: EmailIdentity,
        unsubscribe_path: UnsubscribePath,
        *,
        reply: ReplyWay | None = None,
    ) -> None:
        self._store = store
        self._post = Post(identity, unsubscribe_path, reply)

    def write(self, pending: PendingEmail, snapshot: Snapshot, at: int) -> WrittenEmail:
        """The e-mail of a notification."""
        site = self._post.identity.url
        scene = self._store.read(partial(scene_of, pending, snapshot, at, site))
        token = self._token(pending, snapshot)
        plain = self._post.plain(token)
        match pending.body:
            case DecisionDue():
                return self._decision(pending, scene, token)
            case DeadlineNear():
                form = form_of(scene)
                answering = self._post.answering(scene, form.lines, token)
                content = reminder_email(scene, form, answering)
                return self._post.written(pending, scene, content, token, form=form)
            case News() as news:
                told = self._store.read(partial(_told, pending, news))
                content = news_email(scene, pending.kind, told, plain)
                return self._post.written(pending, scene, content, token)
            case Announcement(words):
                content = announcement_email(scene, words, plain)
                return self._post.written(pending, scene, content, token)
            case EmailBounced(seat):
                content = bounced_email(scene, seat, plain)
                return self._post.written(pending, scene, content, token)
            case PlayerLate(seat):
                content = late_email(scene, seat, plain)
                return self._post.written(pending, scene, content, token)
            case MessageToMaster(line):
                read = partial(line_text, game=pending.game, line=line)
                content = to_master_email(scene, *self._store.read(read), plain)
                return self._post.written(pending, scene, content, token)
            case MasterBegins():
                content = master_begins_email(scene, plain)
                return self._post.written(pending, scene, content, token)
            case GameOver() as over:
                luck = self._store.read(partial(luck_in, game=pending.game))
                content = over_email(scene, over, luck)
            case DiceLost():
                content = stopped_email(scene)
            case _:
                content = opening_email(scene)
        return self._post.written(pending, scene, content, NO_TOKEN)

    def _decision(self, pending: PendingEmail, scene: Scene, token: ReplyToken) -> WrittenEmail:
        form = form_of(scene)
        told = self._store.read(partial(_since_last_turn, pending, scene))
        preferences = pending.preferences
        picture = map_of(scene) if preferences.picture and not preferences.text_only else b""
        answering = self._post.answering(scene, form.lines, token)
        said = self._store.read(partial(messages_since, game=pending.game, seat=pending.seat))
        messages = messages_panel(scene, said)
        content = turn_email(scene, form, told, answering, messages, picture=bool(picture))
        return self._post.written(pending, scene, content, token, form=form, picture=picture)

    def _token(self, pending: PendingEmail, snapshot: Snapshot) -> ReplyToken:
        decision = snapshot.decisions.get(pending.seat, NO_DECISION)
        return self._post.token(
            TokenScope(
                game=pending.game, seat=pending.seat, decision=decision, notification=pending.id
            )
        )


def game_emails(
    store: Store, identity: EmailIdentity, unsubscribe_path: UnsubscribePath
) -> EmailWriter:
    """The writer of a server that takes no answers by e-mail."""
    return GameEmails(store, identity, unsubscribe_path)


def map_of(scene: Scene) -> bytes:
    """The picture of the map; b"" where it would be too large for an e-mail."""
    stands = [Stand(scene.owner(t), scene.armies(t)) for t in range(len(scene.board.territories))]
    made = map_picture(scene.board, stands)
    return made if len(made) <= MOST_PICTURE else b""


def _since_last_turn(
    pending: PendingEmail, scene: Scene, connection: Connection
) -> list[TurnEvents]:
    """What happened since the recipient's last turn, and in the present one so far."""
    game, seat, last = pending.game, pending.seat, pending.head
    if scene.round and scene.view.turn == scene.game.seat(seat):
        last = last_turn_of(connection, game, seat, last + 1)  # where the present turn began
    begun = last_turn_of(connection, game, seat, last)
    told = turns_in(facts_of(connection, game, seat, begun, pending.head))
    # The turn that began there is the recipient's own, and known.
    return [turn for turn in told if turn.seat != seat or turn.round == scene.round]


def _told(pending: PendingEmail, news: News, connection: Connection) -> list[TurnEvents]:
    """The events of news by turns, with the numbers of their rolls."""
    wanted = set(news.facts)
    first, last = news.first_index, news.last_index
    facts = facts_of(connection, pending.game, pending.seat, first, last)
    return turns_in(f for f in facts if isinstance(f.fact, TurnBegan) or f.fact in wanted)
