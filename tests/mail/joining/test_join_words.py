"""The words of somebody who was asked whether they want to play."""

from __future__ import annotations

import pytest

from rubicon.mail.joining.join_words import JoinVerb, JoinWish, read_wish


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("JOIN Ann", JoinWish(JoinVerb.JOIN, "Ann")),
        ("join: Ann Lee!", JoinWish(JoinVerb.JOIN, "Ann Lee")),
        ("Yes please", JoinWish(JoinVerb.JOIN)),
        ("\nOK, it was me.\nAnn", JoinWish(JoinVerb.JOIN)),
        ("Yes, I would\nJOIN Ann", JoinWish(JoinVerb.JOIN, "Ann")),
        ("LEAVE", JoinWish(JoinVerb.LEAVE)),
        ("Yesterday I was away", None),
        ("No, thanks\nyes", None),
        ("", None),
    ],
)
def test_a_wish_is_read_from_plain_words(text: str, wish: JoinWish | None) -> None:
    assert read_wish(text) == wish
