"""The status of an error is that of its class; what may be repeated says when."""

from __future__ import annotations

import pickle

import pytest

from rubicon.errors import RubiconError, SignInRequired
from rubicon.server import work
from rubicon.table import errors
from rubicon.web.http.errors import MethodNotAllowed, handle_error

SAID = ("part/what", "It is wrong.", "Do this.")


@pytest.mark.parametrize(
    ("error", "status", "repeated"),
    [
        (RubiconError(*SAID), 400, False),
        (SignInRequired(*SAID), 401, False),
        (errors.TableNotAllowed(*SAID), 403, False),
        (errors.NoSuchGame("abc"), 404, False),
        (MethodNotAllowed(*SAID), 405, False),
        (errors.Stale(1, 2), 409, False),
        (errors.TextTooLong(*SAID), 413, False),
        (errors.TableTooMany(*SAID), 429, False),
        (work.busy(), 429, True),
        (work.overloaded(), 503, True),
        (errors.StoreUnavailable("it is full"), 503, True),
        (errors.StoreOutcomeUnknown("it is away"), 503, False),
        (errors.DiceRefused("dice/other-key", "It differs."), 503, True),
    ],
)
def test_a_class_has_its_status(error: RubiconError, status: int, repeated: bool) -> None:
    response = handle_error(None, error)  # type: ignore[arg-type]
    assert response.status_code == status
    assert response.content == error.as_dict()
    assert ("Retry-After" in response.headers) == repeated


def test_an_error_of_another_process_keeps_its_status() -> None:
    assert pickle.loads(pickle.dumps(work.busy())).status == 429
