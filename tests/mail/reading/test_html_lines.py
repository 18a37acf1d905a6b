"""HTML to lines: what a reader sees, with the depth of quotation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubicon.mail.reading.incoming_mail import LineRole
from rubicon.mail.reading.text_part import html_lines


def lines(html: str) -> list[tuple[str, int]]:
    """Texts and depths."""
    return [(line.text, line.depth) for line in html_lines(html, 10_000)]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("a<br>b", ["a", "b"]),
        ("<div>a</div><div>b</div>", ["a", "b"]),
        ("<p>a</p><p>b</p>", ["a", "", "b"]),
        ("<p class=MsoNormal>a</p><p class=MsoNormal>b</p>", ["a", "b"]),
        ("<div>a<br></div><div><br></div><div>b</div>", ["a", "", "b"]),
        ("a  \n b&nbsp;c", ["a b c"]),
        ("alaska -&gt; kamchatka &amp; &#8594;", ["alaska -> kamchatka & →"]),
        ("<pre>a\n  b</pre>", ["a", "  b"]),
        ("<ul><li>a<li>b</ul>", ["a", "b"]),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", ["a b", "c"]),
        ("<head><title>x</title></head><style>y</style>a<script>z</script>", ["a"]),
        ("<!-- x --><![if !mso]>a<![endif]><?xml x?>", ["a"]),
        ("a<div style='DISPLAY : none'>x</div><p hidden>y</p>", ["a"]),
        ("a<s>x</s><del>y</del> <u style='text-decoration:line-through'>z</u>b", ["a b"]),
        ("<div style='white-space: pre-wrap'>a\n b</div>c\nd", ["a", " b", "c d"]),
        ("a<span style='white-space:pre'>\t</span>b", ["a\tb"]),
        ("a<span style='font-size:0'>x</span>b<b style='font-size:0.8em'>c</b>", ["abc"]),
        ("3 < 5 and a<b", ["3 < 5 and a<b"]),
        ("<<div>>a", ["<", ">a"]),
        ("a</div></p></b>b", ["ab"]),
        ("<b><i>a</b></i> b", ["a b"]),
        ("", []),
    ],
)
def test_text(html: str, expected: list[str]) -> None:
    assert [text for text, _ in lines(html)] == expected


@pytest.mark.parametrize(
    "container",
    [
        "<blockquote>",
        "<blockquote type=cite>",
        "<div class='gmail_quote'>",
        "<div class='gmail_quote gmail_quote_container'>",
        "<div class='yahoo_quoted' id='x'>",
        "<div class='protonmail_quote'>",
        "<div name='quote' style='margin:0'>",
    ],
)
def test_quotations(container: str) -> None:
    name = container[1:].split(maxsplit=1)[0].rstrip(">")
    assert lines(f"a{container}b<br>c</{name}>d") == [("a", 0), ("b", 1), ("c", 1), ("d", 0)]


def test_nested_quotations_have_a_greater_depth() -> None:
    html = "<blockquote>a<blockquote>b</blockquote></blockquote>"
    assert lines(html) == [("a", 1), ("b", 2)]


def test_signatures() -> None:
    found = html_lines("END<div class='gmail_signature'>Ann</div>", 1_000)
    assert [line.role for line in found] == [LineRole.OWN, LineRole.SIGNATURE]


@given(st.text("<>/ab=\"'! -&;#\n", max_size=200))
def test_any_html_gives_lines(html: str) -> None:
    assert all("\n" not in line.text for line in html_lines(html, 10_000))
