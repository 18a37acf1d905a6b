"""What mail programs do to lines of orders is undone; nothing else is changed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubicon.mail import order_lines
from tests.mail.corpus_messages import order_reader

MESSAGE = (
    "Hi Otto,",
    "\u201cPeace?\u201d *Now* or",
    "a line that is long enough to have been wrapped by a program, or",
    "until you say otherwise <https://example.org>",
    "Regards",
    "[ ] Ann",
)


def prepared(text: str) -> tuple[str, tuple[str, ...]]:
    """The text as it is parsed in a game on the world, and what is left out."""
    return order_lines.prepared(text, order_reader())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ATTACK ontario à alberta", "ATTACK ontario -> alberta"),
        ("att ont è alb", "att ont -> alb"),
        ("*DEPLOY 3 alaska*", "DEPLOY 3 alaska"),
        ("__END__", "END"),
        ("*Deploy* 3 alaska", "Deploy 3 alaska"),
        ("☑ DEPLOY 3 alaska", " DEPLOY 3 alaska"),
        ("DEPLOY 3 alaska <https://x.example/y>", "DEPLOY 3 alaska"),
        ("DEPLOY\xa03 alaska", "DEPLOY 3 alaska"),
        ("Hello,\n\nHi Rubicon!\nEND", "END"),
        ("* DEPLOY 3 alaska", "* DEPLOY 3 alaska"),
        ("a à la carte", "a à la carte"),
        (
            f"ATTACK {'alaska -> ' * 6}kamchatka UNTIL\nLEFT 3",
            f"ATTACK {'alaska -> ' * 6}kamchatka UNTIL LEFT 3",
        ),
        (
            f"ATTACK {'alaska -> ' * 6}\nkamchatka",
            f"ATTACK {'alaska -> ' * 6}".rstrip() + " kamchatka",
        ),
        ("ATTACK alaska ->\nkamchatka", "ATTACK alaska ->\nkamchatka"),
        (f"// {'long ' * 20}\n-> x", f"// {'long ' * 20}\n-> x"),
    ],
)
def test_preparation(text: str, expected: str) -> None:
    assert prepared(text)[0] == expected


def test_empty_boxes_and_greetings_are_left_out_and_told() -> None:
    text = "Dear server,\n[ ] DEPLOY 3 alaska\n[x] DEPLOY 4 alaska\n☐ END"
    assert prepared(text) == (
        "[x] DEPLOY 4 alaska",
        ("Dear server,", "[ ] DEPLOY 3 alaska", "☐ END"),
    )


@given(st.text(max_size=200))
def test_any_text_is_prepared(text: str) -> None:
    clean, left_out = prepared(text)
    assert len(clean) <= len(text) + 3 * text.count(" ")
    assert all(line.strip() for line in left_out)


def test_a_message_to_players_is_sent_as_it_was_written() -> None:
    text = "\n".join(["Hello,", "PRESS TO red", *MESSAGE, "ENDPRESS", "\u201cEND\u201d"])
    message = "\n".join(["PRESS TO red", *MESSAGE, "ENDPRESS", "END"])
    assert prepared(text) == (message, ("Hello,",))


def test_a_message_without_an_end_is_prepared_like_orders() -> None:
    assert prepared("PRESS TO red\n*hello*") == ("PRESS TO red\nhello", ())
