"""Text in charsets that are declared wrongly, oddly, or not at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubicon.mail.reading.bounded_message import decode_bytes


@pytest.mark.parametrize(
    ("data", "charset", "text"),
    [
        ("Grüße".encode(), "utf-8", "Grüße"),
        ("Grüße".encode(), "us-ascii", "Grüße"),
        ("Grüße".encode("latin-1"), "us-ascii", "Grüße"),
        ("Grüße".encode(), "iso-8859-1", "Grüße"),
        ("“a” – b".encode("cp1252"), "ISO-8859-1", "“a” – b"),
        ("“a”".encode("cp1252"), "windows-1252", "“a”"),
        ("Привет".encode("koi8-r"), "KOI8-R", "Привет"),
        ("Привет".encode("cp1251"), "cp-1251", "Привет"),
        ("攻击".encode("gb18030"), "gb2312", "攻击"),
        ("攻擊".encode("big5"), "Big5", "攻擊"),
        ("공격".encode("cp949"), "ks_c_5601-1987", "공격"),
        ("攻撃".encode("iso2022_jp"), "iso-2022-jp", "攻撃"),
        ("①".encode("cp932"), "Shift_JIS", "①"),
        ("a".encode("utf-16"), "utf-8", "a"),
        (b"\xef\xbb\xbfa", "us-ascii", "a"),
        (b"+AOQ-", "unicode-1-1-utf-7", "ä"),
        ("ä".encode(), "'UTF-8'", "ä"),
        ("ä".encode(), "x-klingon", "ä"),
        ("ä".encode(), "utf-8; format=flowed", "ä"),
        (b"a\\x41", "unicode_escape", "a\\x41"),
        (b"uryyb", "rot13", "uryyb"),
        (b"a\x00b\x07\x1bc\r\nd\re", "us-ascii", "abc\nd\ne"),
        (b"\xff", "utf-8", "\ufffd"),
    ],
)
def test_decoding(data: bytes, charset: str, text: str) -> None:
    assert decode_bytes(data, charset) == text


@given(st.binary(max_size=80), st.text(max_size=30))
def test_every_label_gives_clean_text(data: bytes, charset: str) -> None:
    text = decode_bytes(data, charset)
    assert "\r" not in text
    assert "\0" not in text
    assert text.encode().decode() == text
