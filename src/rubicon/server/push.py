"""Web push: messages to browsers that wake the app when it is someone's turn."""

from __future__ import annotations

import base64
import binascii
import json
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import httpx
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from sqlalchemy import ColumnElement, Connection, delete, insert, select

from rubicon.server.emails import DAY, EmailIdentity
from rubicon.server.outbox import Channel, Clock, Send, WaitingRows
from rubicon.server.posts import PostQueue, QueuedPost, Resolver, check_endpoint, public_address
from rubicon.server.unreadable import Unreadable, read_message
from rubicon.table.errors import TableError, TableNotFound
from rubicon.table.notices import Notice, read_notice, shown_of
from rubicon.table.storage import schema
from rubicon.table.storage.connection import now
from rubicon.table.storage.database import Store

# The encryption of a push message for one device (RFC 8291, with the encoding of RFC 8188).
#
# Written on `cryptography`, which the dice use already: the libraries for web push bring an HTTP
# client of their own, which connects to whatever address a name resolves to.

CURVE = ec.SECP256R1()
RECORD_SIZE = 4096  # bytes: the one record that a message has (RFC 8291, section 4)
MAX_PLAINTEXT = 3000  # bytes; push services take bodies of 4,096
SALT_BYTES, AUTH_BYTES, POINT_BYTES = 16, 16, 65
_LAST_RECORD = b"\x02"


def encrypt(
    plaintext: bytes,
    p256dh: bytes,
    auth: bytes,
    *,
    salt: bytes | None = None,
    sender: ec.EllipticCurvePrivateKey | None = None,
) -> bytes:
    """The body of a push message: header and one record, encoding `aes128gcm`.

    `p256dh` is the device's public key (an uncompressed point of P-256), `auth` its secret of 16
    bytes. `salt` and the `sender`'s key are new for every message; tests give those of the RFC.
    """
    if len(plaintext) > MAX_PLAINTEXT:
        raise ValueError(f"a push message of {len(plaintext)} bytes")
    salt = secrets.token_bytes(SALT_BYTES) if salt is None else salt
    sender = ec.generate_private_key(CURVE) if sender is None else sender
    own = point_of(sender.public_key())
    device = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, p256dh)
    shared = sender.exchange(ec.ECDH(), device)
    key_info = b"WebPush: info\x00" + p256dh + own
    secret = _derive(shared, auth, key_info, 32)
    key = _derive(secret, salt, b"Content-Encoding: aes128gcm\x00", 16)
    nonce = _derive(secret, salt, b"Content-Encoding: nonce\x00", 12)
    header = salt + RECORD_SIZE.to_bytes(4, "big") + bytes([len(own)]) + own
    return header + AESGCM(key).encrypt(nonce, plaintext + _LAST_RECORD, None)


def point_of(key: ec.EllipticCurvePublicKey) -> bytes:
    """A public key as an uncompressed point: 65 bytes."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def check_keys(p256dh: str, auth: str) -> None:
    """TableError `push/keys` unless these are the keys of a device, as browsers give them."""
    try:
        point = from_base64(p256dh)
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, point)
        good = len(point) == POINT_BYTES and len(from_base64(auth)) == AUTH_BYTES
    except ValueError:
        good = False
    if not good:
        message = "These are not the keys of a push subscription."
        raise TableError("push/keys", message, "Send the keys of PushSubscription.toJSON().")


def to_base64(data: bytes) -> str:
    """As base64url without padding."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def from_base64(text: str) -> bytes:
    """From base64url with or without padding; ValueError for any other text."""
    try:
        padded = text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4)
        return base64.b64decode(padded.encode("ascii"), altchars=b"-_", validate=True)
    except (binascii.Error, UnicodeEncodeError) as error:
        raise ValueError("not base64url") from error


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=SHA256(), length=length, salt=salt, info=info).derive(secret)


# How a push service recognises this server: its key pair, and a signed token (RFC 8292).

PUSH_KEY = "push key"  # its name among the server's secrets
KEY_BYTES = 32
VALID = 12 * 3600  # seconds that a token is valid; RFC 8292 allows 24 hours


class ServerKey:
    """The key pair with which a server signs. Devices subscribe to its public key."""

    def __init__(self, private: ec.EllipticCurvePrivateKey) -> None:
        self._private = private
        self.public = to_base64(point_of(private.public_key()))

    @staticmethod
    def of(store: Store) -> ServerKey:
        """The key pair of a database, made at the first start."""
        number = int.from_bytes(store.write(_stored_key).result(), "big")
        return ServerKey(ec.derive_private_key(number, CURVE))

    def authorization(self, endpoint: str, contact: str, at: float | None = None) -> str:
        """The header `Authorization` for a message to an endpoint; `at` in seconds since 1970."""
        parts = urlsplit(endpoint)
        expires = int(time.time() if at is None else at) + VALID
        claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": expires, "sub": contact}
        signed = f"{_part({'typ': 'JWT', 'alg': 'ES256'})}.{_part(claims)}"
        r, s = decode_dss_signature(self._private.sign(signed.encode(), ec.ECDSA(SHA256())))
        signature = r.to_bytes(KEY_BYTES, "big") + s.to_bytes(KEY_BYTES, "big")
        return f"vapid t={signed}.{to_base64(signature)}, k={self.public}"


def _part(content: dict[str, object]) -> str:
    return to_base64(json.dumps(content, separators=(",", ":")).encode())


def _stored_key(connection: Connection) -> bytes:
    columns = schema.secret.c
    wanted = select(columns.value).where(columns.name == PUSH_KEY)
    found = connection.execute(wanted).scalar_one_or_none()
    if found is None:
        number = ec.generate_private_key(CURVE).private_numbers().private_value
        found = number.to_bytes(KEY_BYTES, "big")
        connection.execute(insert(schema.secret), {"name": PUSH_KEY, "value": found})
    return bytes(found)


# The devices of an account that get push messages: none until the person asks for it.

MAX_DEVICES = 10  # of one account; a new one replaces the oldest
MAX_LABEL = 40  # characters


@dataclass(frozen=True, slots=True, kw_only=True)
class PushDevice:
    """A subscription as its browser gives it; keys in base64url."""

    endpoint: str
    p256dh: str
    auth: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class KnownDevice:
    """A device without its keys; `created` in milliseconds since 1970."""

    id: int
    label: str
    created: int


def subscribe(connection: Connection, account: str, device: PushDevice) -> int:
    """Send push messages to a device from now on; its id. Idempotent.

    TableError `push/endpoint`, `push/keys` or `push/label`. A device belongs to the account that
    signed in on it last.
    """
    check_endpoint(device.endpoint)
    check_keys(device.p256dh, device.auth)
    label = device.label.strip()
    if len(label) > MAX_LABEL or not label.isprintable():
        message = f"A device's label has at most {MAX_LABEL} printable characters."
        raise TableError("push/label", message, "Send a shorter one.")
    columns = schema.push_subscription.c
    forget_devices(connection, columns.endpoint == device.endpoint)
    own = select(columns.id).where(columns.account == account).order_by(columns.id.desc())
    surplus = connection.execute(own.offset(MAX_DEVICES - 1)).scalars().all()
    forget_devices(connection, columns.id.in_(surplus))
    row = {"account": account, "endpoint": device.endpoint, "p256dh": device.p256dh}
    row |= {"auth": device.auth, "label": label}
    stored = connection.execute(
        insert(schema.push_subscription).values(**row, created=now(connection))
    ).inserted_primary_key
    assert stored is not None
    return int(stored[0])


def devices_of(connection: Connection, account: str) -> list[KnownDevice]:
    """The devices of an account, the oldest first."""
    columns = schema.push_subscription.c
    wanted = select(columns.id, columns.label, columns.created).where(columns.account == account)
    return [KnownDevice(*row) for row in connection.execute(wanted.order_by(columns.id))]


def unsubscribe(connection: Connection, account: str, device: int | None) -> None:
    """Send nothing more to a device of an account, or (None) to all of them.

    TableError `push/unknown` for a device that is not the account's.
    """
    columns = schema.push_subscription.c
    own = columns.account == account
    if device is None:
        forget_devices(connection, own)
    elif not forget_devices(connection, own & (columns.id == device)):
        message = f"You have no device with the number {device}."
        raise TableNotFound("push/unknown", message, "GET /api/v1/me/push lists your devices.")


def forget_devices(connection: Connection, which: ColumnElement[bool]) -> Sequence[int]:
    """Delete subscriptions and what waits for them; their ids."""
    columns = schema.push_subscription.c
    found = connection.execute(select(columns.id).where(which)).scalars().all()
    if found:
        waiting = schema.push_message.c.subscription.in_(found)
        connection.execute(delete(schema.push_message).where(waiting))
        connection.execute(delete(schema.push_subscription).where(columns.id.in_(found)))
    return found


# The queue of push messages: a row goes to one device.


@dataclass(frozen=True, slots=True, kw_only=True)
class PushMessage:
    """A message that is due, and the device it goes to."""

    id: int
    subscription: int
    endpoint: str
    p256dh: str
    auth: str
    at: int  # of the notification, in milliseconds since 1970
    game: str
    title: str
    kind: str
    notice: Notice
    stale: bool  # the seat has decided since

    @property
    def rows(self) -> tuple[int, ...]:
        """Its row of the queue."""
        return (self.id,)


def _message(row: Any) -> PushMessage:
    return PushMessage(
        id=row.id,
        subscription=row.subscription,
        endpoint=row.endpoint,
        p256dh=row.p256dh,
        auth=row.auth,
        at=row.at,
        game=row.game,
        title=row.title,
        kind=row.kind,
        notice=read_notice(row.kind, row.body),
        stale=bool(row.stale),
    )


def _fields(message: Any) -> dict[str, object]:
    """What the log says of a message or of its row."""
    return {"game": message.game, "kind": message.kind}


# Sends push messages to the push services of browsers (RFC 8030).

TTL = DAY // 1000  # seconds that a push service keeps a message for a device that is off
SHOWN = ("decision", "result")  # of the notice, where it has them
MAX_TITLE = 60  # characters


class PushQueue(PostQueue[PushMessage]):
    """The push messages of a server."""

    channel = Channel.PUSH
    subject = "push message"
    failed = "push message not delivered"
    rows = WaitingRows(schema.push_message)
    receivers, receiver = schema.push_subscription, "subscription"
    batch = most_read = 20

    def __init__(
        self,
        store: Store,
        key: ServerKey,
        identity: EmailIdentity,
        *,
        transport: httpx.AsyncBaseTransport | None = None,
        resolve: Resolver = public_address,
        clock: Clock = now,
    ) -> None:
        super().__init__(store, identity, transport=transport, resolve=resolve, clock=clock)
        self._key = key

    def due(self, connection: Connection, at: int) -> Sequence[PushMessage | Unreadable]:
        """The messages that are due, the oldest first."""
        device = schema.push_subscription.c
        found = self.due_rows(connection, at, device.endpoint, device.p256dh, device.auth)
        return [
            read_message((row.id,), row.at, _fields(row), partial(_message, row)) for row in found
        ]

    def forget(self, connection: Connection, message: PushMessage) -> None:
        """Delete the subscription of a device, with all of its messages."""
        forget_devices(connection, schema.push_subscription.c.id == message.subscription)

    def log_fields(self, message: PushMessage) -> Mapping[str, object]:
        """The game and the kind of the message."""
        return _fields(message)

    def plan(self, message: PushMessage, at: int) -> Send[QueuedPost]:
        """The encrypted message (RFC 8291), signed by the server's key (RFC 8292)."""
        body = encrypt(
            json.dumps(self.content(message)).encode(),
            from_base64(message.p256dh),
            from_base64(message.auth),
        )
        headers = {
            "Authorization": self._key.authorization(message.endpoint, self._contact),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(TTL),
            "Topic": message.game,  # a newer message of the same game replaces one that waits
            "Urgency": "high" if message.kind == "deadline" else "normal",
        }
        return Send(QueuedPost(message.endpoint, body, headers))

    def content(self, message: PushMessage) -> dict[str, object]:
        """What the device gets, as JSON: the kind, the game, its title and its address."""
        return {
            "kind": message.kind,
            "game": message.game,
            "title": message.title[:MAX_TITLE],
            "url": f"{self._identity.url}/games/{message.game}",
            "at": message.at,
            **shown_of(message.notice, SHOWN),
        }

    @property
    def _contact(self) -> str:
        """How the operators of a push service reach ours (RFC 8292, section 2.1)."""
        return f"mailto:{self._identity.sender.addr_spec}"
