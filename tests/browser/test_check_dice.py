"""docs/check_dice.js in a browser says what docs/check_dice.py says."""

from __future__ import annotations

import re
import ssl
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from playwright.sync_api import Page, expect

from tests.browser.chromium import PLAIN_HOST
from tests.browser.conftest import NewPage
from tests.browser.static_site import static_site
from tests.docs.checker_cases import (
    DOCS,
    VERDICTS,
    WHOLE,
    Verdict,
    all_cases,
    in_python,
    in_python_without_signatures,
)

HERE = Path(__file__).parent / "check_dice"
FILES: dict[str, Path | str] = {
    "/page.html": HERE / "page.html",
    "/page.js": HERE / "page.js",
    "/check_dice.js": DOCS / "check_dice.js",
    "/verdicts.js": VERDICTS,
}
COUNT_SIGNATURES = """
globalThis.verified = 0;
const { verify } = SubtleCrypto.prototype;
SubtleCrypto.prototype.verify = function (...all) {
  globalThis.verified += 1;
  return verify.apply(this, all);
};
"""
NO_ED25519 = """
SubtleCrypto.prototype.importKey = async () => {
  throw new DOMException("Unrecognized name", "NotSupportedError");
};
"""
UNCHECKED = re.compile(r"^signatures +not checked$", re.MULTILINE)
CHECKED = re.compile(r"^signatures +(\d+) checked$", re.MULTILINE)


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """The port of the page."""
    with static_site(FILES) as port:
        yield port


def open_checker(page: Page, url: str) -> Page:
    """Open the page, and wait until its modules are there."""
    page.goto(f"{url}/page.html")
    expect(page.get_by_role("status")).to_have_text("ready")
    return page


def in_browser(page: Page) -> dict[str, Verdict]:
    """What the page says to every case, in one call."""
    cases = all_cases()
    verdicts = page.evaluate("verdictsOf", [asdict(case) for case in cases.values()])
    return dict(zip(cases, verdicts, strict=True))


def secure(page: Page) -> tuple[bool, bool]:
    """Whether the page is a secure context, and whether it has Web Crypto."""
    context, crypto = page.evaluate("[isSecureContext, crypto.subtle !== undefined]")
    return context, crypto


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_every_transcript_is_judged_as_in_python(page: Page, port: int, host: str) -> None:
    open_checker(page, f"http://{host}:{port}")
    assert secure(page) == (True, True)
    assert in_browser(page) == {name: in_python(case) for name, case in all_cases().items()}


def test_a_visitor_chooses_a_file(page: Page, port: int, tmp_path: Path) -> None:
    open_checker(page, f"http://localhost:{port}")
    good, bad = tmp_path / "good.dice", tmp_path / "bad.dice"
    good.write_text(WHOLE.text, "utf-8")
    bad.write_text(WHOLE.text.replace("seats", "Seats"), "utf-8")
    page.get_by_label("Transcript").set_input_files(good)
    expect(page.get_by_role("status")).to_contain_text("69 checked")
    page.get_by_label("Transcript").set_input_files(bad)
    expect(page.get_by_role("status")).to_have_text("0,not canonical JSON")


def test_signatures_go_by_web_crypto(page: Page, port: int) -> None:
    page.add_init_script(COUNT_SIGNATURES)
    open_checker(page, f"http://localhost:{port}")
    [table] = page.evaluate("verdictsOf", [asdict(WHOLE)])
    found = CHECKED.search(table)
    assert found is not None
    assert page.evaluate("verified") >= int(found[1]) > 0  # a certificate may have two keys


def without_signatures() -> dict[str, Verdict]:
    """What Python says to every case where it cannot check signatures."""
    return {name: in_python_without_signatures(case) for name, case in all_cases().items()}


def test_by_http_on_another_host_no_signature_is_said_to_be_checked(page: Page, port: int) -> None:
    open_checker(page, f"http://{PLAIN_HOST}:{port}")
    assert secure(page) == (False, False)
    verdicts = in_browser(page)
    tables = [verdict for verdict in verdicts.values() if isinstance(verdict, str)]
    assert len(tables) > 7  # the honest ones, and those that are forged in a signature alone
    assert all(UNCHECKED.search(table) and not CHECKED.search(table) for table in tables)
    assert verdicts == without_signatures()


def test_no_signature_is_said_to_be_checked_where_web_crypto_lacks_ed25519(
    page: Page, port: int
) -> None:
    page.add_init_script(NO_ED25519)
    open_checker(page, f"http://localhost:{port}")
    assert secure(page) == (True, True)
    assert in_browser(page) == without_signatures()


def own_certificate(folder: Path) -> ssl.SSLContext:
    """TLS with a certificate that nobody signed."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, PLAIN_HOST)])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(now - timedelta(1)).not_valid_after(now + timedelta(1))
    certificate = builder.sign(key, hashes.SHA256())
    pem = serialization.Encoding.PEM
    form, plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    file = folder / "tls.pem"
    file.write_bytes(certificate.public_bytes(pem) + key.private_bytes(pem, form, plain))
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(file)
    return tls


def test_by_https_on_another_host_signatures_are_checked(new_page: NewPage, tmp_path: Path) -> None:
    page = new_page(ignore_https_errors=True)
    with static_site(FILES, tls=own_certificate(tmp_path)) as port:
        open_checker(page, f"https://{PLAIN_HOST}:{port}")
        assert secure(page) == (True, True)
        [table] = page.evaluate("verdictsOf", [asdict(WHOLE)])
    assert table == in_python(WHOLE)
    assert CHECKED.search(table)
