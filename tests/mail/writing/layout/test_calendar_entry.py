"""The deadline as an entry for a calendar (RFC 5545)."""

from rubicon.mail.writing.post import calendar_entry


def test_a_long_or_hostile_title_adds_no_line_of_its_own() -> None:
    title = "Über\r\nBEGIN:VALARM; a, b\\c " + "ö" * 100
    entry = calendar_entry("x@y", title, "https://risk.example.org/games/x", 1_795_546_800_000, 0)
    lines = entry.split("\r\n")
    assert lines[-1] == ""
    assert all(len(line.encode()) <= 75 for line in lines)
    unfolded = entry.replace("\r\n ", "")
    assert unfolded.count("\r\nBEGIN:VALARM") == 1
    assert "SUMMARY:Über BEGIN:VALARM\\; a\\, b\\\\c öö" in unfolded
    assert "DTSTART:20261124T190000Z" in unfolded
