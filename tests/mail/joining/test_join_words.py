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
        ("JOIN Ann\nCOLOUR red", JoinWish(JoinVerb.JOIN, "Ann", "red")),
        ("color: Gray\nJOIN Ann", JoinWish(JoinVerb.JOIN, "Ann", "grey")),
        ("JOIN Ann, colour green.", JoinWish(JoinVerb.JOIN, "Ann", "green")),
        ("JOIN Ann Lee in Color Blue please", JoinWish(JoinVerb.JOIN, "Ann Lee", "blue")),
        ("JOIN COLOUR red", JoinWish(JoinVerb.JOIN, "", "red")),
        ("Yes\nColour = light blue!", JoinWish(JoinVerb.JOIN, "", "light blue")),
        ("Colour black", JoinWish(JoinVerb.JOIN, "", "black")),
        ("Colours do not matter to me", None),
        ("My colour is not important to me", None),
        ("COLOUR", None),
        ("", None),
    ],
)
def test_a_wish_is_read_from_plain_words(text: str, wish: JoinWish | None) -> None:
    assert read_wish(text) == wish
