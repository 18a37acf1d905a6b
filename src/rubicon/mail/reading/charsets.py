"""Bytes to text where the declared charset may be missing, wrong or invented."""

from __future__ import annotations

import codecs
import re

# What senders write, and what they mean. ISO 8859-1 is read as Windows-1252, as browsers do:
# the two differ only in characters that no e-mail has.
ALIASES = {
    "ansi": "cp1252",
    "ansi_x3.110-1983": "latin-1",
    "default": "utf-8",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "iso-8859-1": "cp1252",
    "iso-8859-6-i": "iso-8859-6",
    "iso-8859-8-e": "iso-8859-8",
    "iso-8859-8-i": "iso-8859-8",
    "iso-8859-9": "cp1254",
    "ks_c_5601-1987": "cp949",
    "euc-kr": "cp949",
    "latin-1": "cp1252",
    "latin1": "cp1252",
    "unicode": "utf-8",
    "unicode-1-1-utf-7": "utf-7",
    "utf8mb4": "utf-8",
    "x-gbk": "gb18030",
    "x-mac-roman": "mac-roman",
    "x-sjis": "cp932",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
}
# Charsets of text only: Python also has codecs like `zlib` and `unicode_escape`.
_TEXT = re.compile(
    r"utf[-_]?(7|8|8-sig|16|16le|16be|16-le|16-be|32)|(us-)?ascii|ansi_x3[\w.-]+|latin[-_]?\d+"
    r"|iso[-_]?(8859|2022|646|ir)[\w-]*|(windows|cp|ibm|dos)[-_]?\d+|koi8[-_][rut]|big5(-hkscs)?"
    r"|gb18030|hz(-gb-2312)?|euc[-_](jp|kr|jis\w*)|mac[-_]\w+|tis-?620|johab|viscii|kz1048"
)
# As for 7-bit text, where a declared charset says nothing about the bytes above 127.
_VAGUE = frozenset({"", "ascii", "us-ascii", "cp1252", "unknown-8bit", "8bit", "x-unknown"})
_INVISIBLE = (0xAD, 0x200B, 0x2060, 0xFEFF)  # soft hyphen, and spaces without a width
_CONTROLS = dict.fromkeys([*range(9), 11, *range(14, 32), 127, *_INVISIBLE]) | {12: "\n"}
_SURROGATES = re.compile("[\ud800-\udfff]")


def decode_bytes(data: bytes, charset: str) -> str:
    """The text of `data`; control characters are left out, what is no text becomes U+FFFD."""
    text = _decoded(data, _codec(charset))
    text = text.replace("\r\n", "\n").replace("\r", "\n").translate(_CONTROLS)
    return _SURROGATES.sub("\ufffd", text.replace("\u2028", "\n").replace("\u2029", "\n\n"))


def _decoded(data: bytes, codec: str) -> str:
    for mark, marked in (
        (codecs.BOM_UTF8, "utf-8"),
        (b"\xff\xfe", "utf-16"),
        (b"\xfe\xff", "utf-16"),
    ):
        if data.startswith(mark):
            return data.decode(marked, "replace")
    if codec in _VAGUE:
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            return data.decode("cp1252", "replace")
    try:
        return data.decode(codec, "replace")
    except (LookupError, UnicodeError):
        return data.decode("utf-8", "replace")


def _codec(charset: str) -> str:
    """The name of a codec of Python for a declared charset; "" for an unknown one."""
    label = charset.strip().strip("\"'").lower()[:40]
    label = ALIASES.get(label, label)
    label = re.sub(r"^(cp|windows|dos|ibm)[-_]?(?=\d)", "cp", label)
    return label if label in _VAGUE or _TEXT.fullmatch(label) else ""
