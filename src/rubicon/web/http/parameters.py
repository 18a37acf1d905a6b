"""The parameters of handlers that many routes share: what is injected, and what the URL holds."""

from __future__ import annotations

from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery

from rubicon.server.accounts.accounts import Account
from rubicon.server.server import Server

CurrentServer = NamedDependency[Server]
CurrentAccount = NamedDependency[Account | None]  # None for a client that is not signed in
Asker = NamedDependency[str]  # for whom costly work is done: an account, or an address
PathText = FromPath[str]
GameId = FromPath[str]
Invite = FromQuery[str | None]  # the table's, for clients without a seat
