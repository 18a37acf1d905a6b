"""The words of somebody who was asked whether they want to play."""

from __future__ import annotations

import pytest

from rubicon.mail.join_requests import JoinVerb, JoinWish, read_wish


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
        ("Yes\nCOLOUR = light blue!", JoinWish(JoinVerb.JOIN, "", "light blue")),
        ("JOIN Ann\nMy colour is blue", JoinWish(JoinVerb.JOIN, "Ann", "blue")),
        ("JOIN Ann, my colour is blue", JoinWish(JoinVerb.JOIN, "Ann", "blue")),
        ("JOIN Ann\nColour red, please", JoinWish(JoinVerb.JOIN, "Ann", "red")),
        ("JOIN Ann\nCOLOUR red, pls. ", JoinWish(JoinVerb.JOIN, "Ann", "red")),
        ("JOIN Ann\nCOLOUR red if possible, thanks!", JoinWish(JoinVerb.JOIN, "Ann", "red")),
        ("COLOUR red if it's free", JoinWish(JoinVerb.JOIN, "", "red")),
        ("Yes, colour red", JoinWish(JoinVerb.JOIN, "", "red")),
        ("Yes please! My colour is gray.", JoinWish(JoinVerb.JOIN, "", "grey")),
        ("COLOUR pink please", JoinWish(JoinVerb.JOIN, "", "pink")),
        ("JOIN Ann COLOUR pink", JoinWish(JoinVerb.JOIN, "Ann", "pink")),
        ("LEAVE\nColour printing", JoinWish(JoinVerb.LEAVE)),
        ("Colour pink", None),
        ("Colour black", JoinWish(JoinVerb.JOIN, "", "black")),
        ("Colours do not matter to me", None),
        ("My colour is not important to me", None),
        ("COLOUR", None),
        ("", None),
    ],
)
def test_a_wish_is_read_from_plain_words(text: str, wish: JoinWish | None) -> None:
    assert read_wish(text) == wish


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("JOIN Ann\n\nAnn Lee\nColor Printing", "Ann"),
        ("JOIN Color Guard", "Color Guard"),
        ("JOIN Ann, colour guard", "Ann"),
        ("JOIN Ann\nMy colour is not important to me", "Ann"),
        ("JOIN Ann\nColour red or blue", "Ann"),
        ("Yes, colour pink", ""),
    ],
)
def test_a_colour_that_is_not_understood_is_told(text: str, name: str) -> None:
    assert read_wish(text) == JoinWish(JoinVerb.JOIN, name, unclear_colour=True)
