"""The errors of the API, as the client raises them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class ApiError(Exception):
    """An error of the API: `code` is stable, `status` the HTTP status (0 without a response).

    `body` is the whole JSON object, with fields such as `decision` and `problems`.
    """

    def __init__(self, status: int, body: Mapping[str, Any]) -> None:
        self.status = status
        self.code = str(body.get("code", ""))
        self.body = dict(body)
        super().__init__(f"{body.get('message', '')} {body.get('suggestion', '')}".strip())
