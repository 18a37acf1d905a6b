"""How the time that is left is written."""

from __future__ import annotations


def time_left(seconds: int) -> str:
    """`4:05`, `3:20 h`, `3 d`."""
    if seconds >= 2 * 86400:
        return f"{seconds // 86400} d"
    if seconds >= 3600:
        return f"{seconds // 3600}:{seconds // 60 % 60:02} h"
    return f"{seconds // 60}:{seconds % 60:02}"
