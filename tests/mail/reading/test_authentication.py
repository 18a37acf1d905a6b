"""Authentication-Results: only those of the trusted server, and only from above the others."""

import pytest

from rubicon.mail.reading.incoming_mail import AuthenticationResult, read_authentication

SERVER = "mx.risk.example.org"
NAME = "Authentication-Results"


def results(*headers: tuple[str, str], own_received: int = 1) -> list[tuple[str, str]]:
    """Methods and results of the trusted server."""
    report = read_authentication(headers, [SERVER], own_received)
    return [(result.method, result.result) for result in report.results]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (f"{SERVER}; spf=pass smtp.mailfrom=a@b.example", [("spf", "pass")]),
        (f"{SERVER} 1; dkim=Pass", [("dkim", "pass")]),
        (
            f"{SERVER.upper()}; dkim/1=fail (bad; (very) bad); spf=none",
            [("dkim", "fail"), ("spf", "none")],
        ),
        (f"({SERVER}) evil.example; spf=pass", []),
        ("evil.example; spf=pass", []),
        (f"evil.example; {SERVER}; spf=pass", []),
        (f"{SERVER}; none", []),
        (f'{SERVER}; spf=fail reason="; dmarc=pass"', [("spf", "fail")]),
        (f"{SERVER}; spf=fail (open; dmarc=pass", [("spf", "fail")]),
        ("", []),
    ],
)
def test_values(value: str, expected: list[tuple[str, str]]) -> None:
    assert results((NAME, value)) == expected


def test_properties_are_read_without_comments_and_in_lower_case() -> None:
    value = f'{SERVER}; dkim=pass (ok) header.d=Example.NET header.i="@a.example.net"'
    (result,) = read_authentication([(NAME, value)], [SERVER]).results
    assert result == AuthenticationResult(
        "dkim", "pass", (("header.d", "example.net"), ("header.i", "@a.example.net"))
    )


def test_what_stands_below_the_received_headers_of_others_is_ignored() -> None:
    ours, theirs = ("Received", "by mx"), ("Received", "by relay.evil.example")
    good = (NAME, f"{SERVER}; spf=pass")
    assert results(ours, good, theirs) == [("spf", "pass")]
    assert results(good, ours, theirs) == [("spf", "pass")]
    assert results(ours, theirs, good) == []
    assert results(ours, theirs, good, own_received=2) == [("spf", "pass")]


def test_the_topmost_statement_about_a_method_counts() -> None:
    headers = [(NAME, f"{SERVER}; spf=fail"), (NAME, f"{SERVER}; spf=pass; dkim=pass")]
    assert results(*headers) == [("spf", "fail"), ("dkim", "pass")]


def test_without_a_trusted_server_nothing_counts() -> None:
    assert read_authentication([(NAME, f"{SERVER}; spf=pass")], []).results == ()
