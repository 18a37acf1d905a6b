"""Whose an e-mail is and what it may do: its sender, its stored token, the secret keys."""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

from sqlalchemy import Connection, case, delete, insert, select

from rubicon.mail.mail_commands import SentForm
from rubicon.mail.reading import incoming_mail
from rubicon.mail.tokens import KEY_BYTES, FoundToken, TokenKeys, TokenScope, token_digest
from rubicon.orders import syntax
from rubicon.table.lobby.people import GAME_MASTER
from rubicon.table.storage import schema
from rubicon.table.storage.database import Store

# Does an e-mail come from the player's registered address, and is that proved?
#
# SPF (RFC 7208) proves the envelope sender, DKIM (RFC 6376) a signing domain; only DMARC (RFC
# 7489) asks whether they belong to the From address. Where no DMARC result is there, its rule is
# applied here: the proved domain and that of From are the same, or one lies below the other.


class SenderAlignment(StrEnum):
    """How far the sender is the player, from the surest on."""

    PROVED = "proved"  # the registered address, and SPF, DKIM or DMARC proves it
    LIKELY = "likely"  # the registered address, and nothing known speaks for or against it
    FORGED = "forged"  # the registered address, but the checks failed
    OTHER = "other"  # another address, or several


def sender_alignment(mail: incoming_mail.IncomingMail, registered: str) -> SenderAlignment:
    """How an e-mail relates to the registered address of the seat that its token names."""
    if not registered or not same_mailbox(mail.sender, registered):
        return SenderAlignment.OTHER
    report, domain = mail.authentication, _domain(mail.sender)
    if _dmarc_passed(report, domain) or _proved(report, domain):
        # A DMARC failure next to its own proof: the policy of the domain decides.
        return SenderAlignment.FORGED if report.failed("dmarc") else SenderAlignment.PROVED
    failed = [method for method in ("dmarc", "spf", "dkim") if _refused(report, method)]
    return SenderAlignment.FORGED if failed else SenderAlignment.LIKELY


def _dmarc_passed(report: incoming_mail.AuthenticationReport, domain: str) -> bool:
    """Whether DMARC passed for this very domain: two readers of a From header may disagree."""
    return any(result.value("header.from") == domain for result in report.passed("dmarc"))


def _refused(report: incoming_mail.AuthenticationReport, method: str) -> bool:
    """Whether a method said no; `none`, `neutral` and `temperror` say nothing."""
    results = [result for result in report.results if result.method == method]
    return any(result.result in ("fail", "softfail", "policy", "permerror") for result in results)


def _proved(report: incoming_mail.AuthenticationReport, domain: str) -> bool:
    signed = [_last_domain(result.value("header.d")) for result in report.passed("dkim")]
    signed += [_last_domain(result.value("header.i")) for result in report.passed("dkim")]
    sent = [_envelope_domain(result) for result in report.passed("spf")]
    return any(aligned(proved, domain) for proved in (*signed, *sent))


def _envelope_domain(result: incoming_mail.AuthenticationResult) -> str:
    return _last_domain(result.value("smtp.mailfrom") or result.value("smtp.mail"))


def _last_domain(text: str) -> str:
    return text.rpartition("@")[2].strip("<>.")


def aligned(proved: str, claimed: str) -> bool:
    """Whether two domains are the same, or one lies below the other.

    A domain of one label proves nothing. Without a list of public suffixes `co.uk` would prove
    every domain below it; but no one signs for a public suffix.
    """
    if "." not in proved or "." not in claimed:
        return False
    return proved == claimed or proved.endswith("." + claimed) or claimed.endswith("." + proved)


def same_mailbox(address: str, registered: str) -> bool:
    """Whether two addresses are one mailbox: letter case and a tag after a plus do not count."""
    return bool(address) and mailbox_of(address) == mailbox_of(registered)


def mailbox_of(address: str) -> str:
    """The address in lower case, without a tag after a plus."""
    local, _, domain = address.strip().lower().rpartition("@")
    return f"{local.partition('+')[0]}@{_ascii(domain)}"


def _ascii(domain: str) -> str:
    """The domain as it is sent: `müller.example` and `xn--mller-kva.example` are one."""
    try:
        return domain.encode("idna").decode("ascii")
    except UnicodeError:
        return domain


def _domain(address: str) -> str:
    return _ascii(address.rpartition("@")[2])


# What an e-mail may do, from its token, its sender and what it asks for.
#
# A token that leaks can at most play the orders of one turn: it names one decision, the sender
# must still look like the player, and everything that cannot be taken back needs a one-time code.

CHANGING = (
    syntax.Ask.CLEAR,
    syntax.Ask.WAIT,
    syntax.Ask.UNDO,
)  # requests of one word that change something


class MailAct(StrEnum):
    """Kinds of what an e-mail can ask for, by what they need."""

    INQUIRY = "inquiry"  # changes nothing; the answer goes to the registered address alone
    ORDERS = "orders"  # answers the pending decision
    STANDING = "standing"  # DEFEND, VOTE, PRESS, ABSENCE, TIMEZONE …: at any time of the game
    FINAL = "final"  # RESIGN, FORK, a change of address …: cannot be taken back
    CONFIRM = "confirm"  # brings the code itself


class MailVerdict(StrEnum):
    """What the server does."""

    ALLOWED = "allowed"
    STALE = "stale"  # the decision is answered: say so, and send the form of the newest one
    NEEDS_CODE = "needs-code"  # mail a code to the registered address
    UNKNOWN = "unknown"  # no valid token: the sender is a stranger


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownToken:
    """A token that the server issued; `expires_at` in milliseconds since 1970."""

    scope: TokenScope
    expires_at: int


def acts_of(text: syntax.OrderText) -> frozenset[MailAct]:
    """All kinds of acts in a text."""
    return frozenset(_acts(text))


def _acts(text: syntax.OrderText) -> Iterator[MailAct]:
    for order in text.orders:
        yield MailAct.STANDING if isinstance(order, syntax.DefendOrder) else MailAct.ORDERS
    for request in text.requests:
        yield _act_of(request)
    if text.ended and not text.requests and not text.orders:
        yield MailAct.ORDERS


def _act_of(request: syntax.Request) -> MailAct:
    match request:
        case syntax.AskRequest(ask=ask):
            return MailAct.STANDING if ask in CHANGING else MailAct.INQUIRY
        case syntax.HistoryRequest() | syntax.HelpRequest():
            return MailAct.INQUIRY
        case syntax.ConfirmRequest():
            return MailAct.CONFIRM
        case (
            syntax.ResignRequest()
            | syntax.MasterRequest(act=syntax.MasterAct.FORK | syntax.MasterAct.REPLACE)
        ):
            return MailAct.FINAL
        case syntax.VoteRequest(motion=motion):
            return MailAct.FINAL if motion is syntax.Motion.DRAW else MailAct.STANDING
        case _:
            return MailAct.STANDING


def judge(
    act: MailAct,
    token: KnownToken | None,
    alignment: SenderAlignment,
    *,
    pending: int | None,
    now: int,
) -> MailVerdict:
    """What one kind of act gets; `pending` is the decision that the token's seat is asked now."""
    if token is None:
        return MailVerdict.UNKNOWN
    if now >= token.expires_at:
        return MailVerdict.STALE
    # The code was mailed to the registered address: who brings it, has read that mailbox.
    if act in (MailAct.INQUIRY, MailAct.CONFIRM):
        return MailVerdict.ALLOWED
    if act is MailAct.ORDERS and token.scope.decision != pending:
        return MailVerdict.STALE
    doubtful = alignment in (SenderAlignment.OTHER, SenderAlignment.FORGED)
    if doubtful or act is MailAct.FINAL:
        return MailVerdict.NEEDS_CODE
    return MailVerdict.ALLOWED


# The secret keys of a server's e-mails: all derived from one that the database holds.

MAIL_KEY = "mail key"  # its name among the server's secrets


@dataclass(frozen=True, slots=True)
class MailKeys:
    """One key for each use, so that a digest of one kind is never one of another kind."""

    tokens: TokenKeys
    codes: bytes
    senders: bytes

    @staticmethod
    def of(store: Store) -> MailKeys:
        """The keys of a database, made at the first start."""
        key = store.write(_stored_key).result()
        return MailKeys(
            tokens=TokenKeys(_derived(key, "tokens")),
            codes=_derived(key, "codes"),
            senders=_derived(key, "senders"),
        )

    def sender(self, address: str) -> str:
        """What is stored of the mailbox of a sender, hex digits: a copy reveals no address.

        All tags of a mailbox are one sender: no one gets more answers by them, or has more waiting.
        """
        mailbox = mailbox_of(address).encode("utf-8", "replace")
        return hmac.digest(self.senders, mailbox, "sha256").hex()


def _derived(key: bytes, use: str) -> bytes:
    return hmac.digest(key, f"rubicon mail {use}".encode(), "sha256")


def _stored_key(connection: Connection) -> bytes:
    columns = schema.secret.c
    wanted = select(columns.value).where(columns.name == MAIL_KEY)
    found = connection.execute(wanted).scalar_one_or_none()
    if found is None:
        found = secrets.token_bytes(KEY_BYTES)
        connection.execute(insert(schema.secret), {"name": MAIL_KEY, "value": found})
    return bytes(found)


# The reply tokens that were sent: stored with their e-mail, found again in an answer.


@dataclass(frozen=True, slots=True, kw_only=True)
class MailSeat:
    """Whose an e-mail is: the seat of its token, and the account that owns the seat now."""

    token: KnownToken
    account: str
    address: str  # the registered one; "" where the account has none
    form: SentForm | None

    @property
    def game(self) -> str:
        """The game's id."""
        return self.token.scope.game

    @property
    def seat(self) -> str:
        """The seat's colour."""
        return self.token.scope.seat


def record_token(
    connection: Connection,
    token: str,
    scope: TokenScope,
    form: SentForm | None,
    issued_at: int,
    expires_at: int,
) -> None:
    """Store a token with the e-mail that carries it; a repeat of the e-mail has the same one."""
    columns, seat, game = schema.mail_token.c, schema.seat.c, schema.game.c
    owner = select(seat.account).where(seat.game == scope.game, seat.colour == scope.seat)
    if scope.seat == GAME_MASTER:
        owner = select(game.master).where(game.id == scope.game)
    digest = token_digest(token)
    connection.execute(delete(schema.mail_token).where(columns.digest == digest))
    row = {
        "digest": digest,
        "game": scope.game,
        "seat": scope.seat,
        "decision": scope.decision,
        "notification": scope.notification,
        "account": connection.execute(owner).scalar_one_or_none() or "",
        "form": "" if form is None else json.dumps(asdict(form)),
        "expires": expires_at,
    }
    connection.execute(insert(schema.mail_token), row)
    connection.execute(delete(schema.mail_token).where(columns.expires <= issued_at))


def find_seat(
    connection: Connection, keys: TokenKeys, found: Sequence[FoundToken]
) -> MailSeat | None:
    """The seat of the first token that this server has issued to the seat's present owner."""
    for candidate in found:
        seat = _seat_of(connection, keys, candidate.token)
        if seat is not None:
            return seat
    return None


def _seat_of(connection: Connection, keys: TokenKeys, token: str) -> MailSeat | None:
    columns, seat = schema.mail_token.c, schema.seat.c
    game, account = schema.game.c, schema.account.c
    here = (seat.game == columns.game) & (seat.colour == columns.seat)
    owner = case((columns.seat == GAME_MASTER, game.master), else_=seat.account)
    # A seat that has changed hands is not played by the tokens of its former owner.
    wanted = (
        select(schema.mail_token, account.email)
        .join(schema.game, game.id == columns.game)
        .outerjoin(schema.seat, here)
        .join(schema.account, (account.id == columns.account) & (account.id == owner))
        .where(columns.digest == token_digest(token))
    )
    row = connection.execute(wanted).one_or_none()
    if row is None:
        return None
    scope = TokenScope(
        game=row.game, seat=row.seat, decision=row.decision, notification=row.notification
    )
    # The row alone would do; the key makes a stolen and changed database useless for forgers.
    if not keys.verify(token, scope):
        return None
    return MailSeat(
        token=KnownToken(scope=scope, expires_at=row.expires),
        account=row.account,
        address=row.email or "",
        form=_form(row.form),
    )


def _form(text: str) -> SentForm | None:
    if not text:
        return None
    stored = json.loads(text)
    return SentForm(tuple(stored["lines"]), stored["before"], stored["after"])
