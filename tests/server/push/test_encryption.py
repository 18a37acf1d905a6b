"""The encryption agrees with the example of RFC 8291, and keys are checked."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from rubicon.server.push import CURVE, MAX_PLAINTEXT, check_keys, encrypt, from_base64, to_base64
from rubicon.table.errors import TableError
from tests.server.push.push_service import Browser

# RFC 8291, section 5 and appendix A.
PLAINTEXT = b"When I grow up, I want to be a watermelon"
SENDER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
DEVICE = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIg"
    "Dll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyou"
    "BWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def test_the_example_of_the_rfc() -> None:
    number = int.from_bytes(from_base64(SENDER), "big")
    body = encrypt(
        PLAINTEXT,
        from_base64(DEVICE),
        from_base64(AUTH),
        salt=from_base64(SALT),
        sender=ec.derive_private_key(number, CURVE),
    )
    assert to_base64(body) == BODY


def test_a_browser_decrypts_each_message_and_no_two_are_alike() -> None:
    browser = Browser("one")
    bodies = [encrypt(PLAINTEXT, browser.point, browser.auth) for _ in range(2)]
    assert [browser.decrypt(body) for body in bodies] == [PLAINTEXT] * 2
    assert bodies[0] != bodies[1]


def test_a_long_message_is_not_made() -> None:
    browser = Browser("one")
    with pytest.raises(ValueError, match="bytes"):
        encrypt(bytes(MAX_PLAINTEXT + 1), browser.point, browser.auth)


@pytest.mark.parametrize(
    ("p256dh", "auth"),
    [
        ("", AUTH),
        (DEVICE, ""),
        (DEVICE, AUTH[:-4]),
        (DEVICE[:-3], AUTH),
        ("A" * len(DEVICE), AUTH),
        ("é" + DEVICE[1:], AUTH),
        ("*" + DEVICE[1:], AUTH),
    ],
)
def test_wrong_keys_are_refused(p256dh: str, auth: str) -> None:
    check_keys(DEVICE, AUTH)
    with pytest.raises(TableError) as caught:
        check_keys(p256dh, auth)
    assert caught.value.code == "push/keys"
