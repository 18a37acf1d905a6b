"""Secrets that are the same in every run, so that each test plays the same games every time.

The dice of a hosted game follow from the secrets of its table, and a bot's choices from its seed;
both come from the module `secrets`. `RUBICON_TEST_SEED` chooses other games. A server in a process
of its own, as in the tests of the browser, still draws real ones.
"""

from __future__ import annotations

import os
import secrets
import sys
from random import Random

import pytest

SEED = os.environ.get("RUBICON_TEST_SEED", "")
OURS = "rubicon."
REAL_BYTES = secrets.token_bytes
REAL_BITS = secrets.randbits


class RepeatableSecrets:
    """Stands in for two functions of `secrets` where a module of Rubicon calls them.

    Each module has a stream of its own: a thread that draws for something else shifts no dice.
    """

    def __init__(self) -> None:
        self._name = ""
        self._streams: dict[str, Random] = {}

    def begin(self, name: str) -> None:
        """From here on, draw what is always drawn under this name."""
        self._name, self._streams = name, {}

    def install(self, patch: pytest.MonkeyPatch) -> None:
        """Take the place of the real functions."""
        patch.setattr(secrets, "token_bytes", self.token_bytes)
        patch.setattr(secrets, "randbits", self.randbits)

    def token_bytes(self, size: int | None = None) -> bytes:
        """As `secrets.token_bytes`."""
        stream = self._stream(_calling_module())
        if stream is None:
            return REAL_BYTES(size)
        return stream.randbytes(secrets.DEFAULT_ENTROPY if size is None else size)

    def randbits(self, bits: int) -> int:
        """As `secrets.randbits`."""
        stream = self._stream(_calling_module())
        return REAL_BITS(bits) if stream is None else stream.getrandbits(bits)

    def _stream(self, module: str) -> Random | None:
        if not module.startswith(OURS):
            return None
        # Two threads may ask for a new one at the same time: both get the same.
        return self._streams.setdefault(module, Random(f"{SEED} {self._name} {module}"))


def _calling_module() -> str:
    """The module that called the function of `secrets`."""
    return str(sys._getframe(2).f_globals.get("__name__", ""))
