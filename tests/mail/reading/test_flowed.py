"""Marks of quotation, and format=flowed (RFC 3676)."""

import pytest

from rubicon.mail.reading.text_part import flowed_lines, marked_line


@pytest.mark.parametrize(
    ("line", "text", "depth"),
    [
        ("plain", "plain", 0),
        ("> a", "a", 1),
        (">a", "a", 1),
        (">", "", 1),
        ("> > a", "a", 2),
        (">>> a", "a", 3),
        ("  > a", "a", 1),
        ("|a", "a", 1),
        ("> | a", "a", 2),
        ("＞ a", "a", 1),
        ("RB> a", "a", 1),
        ("-> alaska", "-> alaska", 0),
        ("alaska > kamchatka", "alaska > kamchatka", 0),
        (">     // ATTACK a -> b", "    // ATTACK a -> b", 1),
    ],
)
def test_marks(line: str, text: str, depth: int) -> None:
    assert marked_line(line)[:2] == (text, depth)


def test_flowed_lines_are_joined_within_one_depth() -> None:
    text = "ATTACK alaska -> \nkamchatka\n> quoted \n> text\n> > deeper \nEND"
    found = [line[:2] for line in flowed_lines(text, delete_space=False)]
    expected = [("ATTACK alaska -> kamchatka", 0), ("quoted text", 1)]
    assert found[:2] == expected
    assert ("END", 0) in found


def test_delsp_deletes_the_space_at_the_seam() -> None:
    lines = flowed_lines("kam \nchatka", delete_space=True)
    assert [line.text for line in lines] == ["kamchatka"]


def test_the_signature_line_is_never_joined() -> None:
    lines = flowed_lines("END \n-- \nAnn", delete_space=False)
    assert [line.text for line in lines] == ["END ", "-- ", "Ann"]


def test_stuffed_lines_lose_their_space() -> None:
    lines = flowed_lines(" From here\n > no quotation", delete_space=False)
    assert [(line.text, line.depth) for line in lines] == [("From here", 0), ("> no quotation", 0)]
