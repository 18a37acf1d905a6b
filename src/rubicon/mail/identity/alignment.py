"""Does an e-mail come from the player's registered address, and is that proved?

SPF (RFC 7208) proves the envelope sender, DKIM (RFC 6376) a signing domain; only DMARC (RFC 7489)
asks whether they belong to the From address. Where no DMARC result is there, its rule is applied
here: the proved domain and that of From are the same, or one lies below the other.
"""

from __future__ import annotations

from enum import StrEnum

from rubicon.mail.reading.authentication import AuthenticationReport, AuthenticationResult
from rubicon.mail.reading.incoming_mail import IncomingMail


class SenderAlignment(StrEnum):
    """How far the sender is the player, from the surest on."""

    PROVED = "proved"  # the registered address, and SPF, DKIM or DMARC proves it
    LIKELY = "likely"  # the registered address, and nothing known speaks for or against it
    FORGED = "forged"  # the registered address, but the checks failed
    OTHER = "other"  # another address, or several


def sender_alignment(mail: IncomingMail, registered: str) -> SenderAlignment:
    """How an e-mail relates to the registered address of the seat that its token names."""
    if not registered or not same_mailbox(mail.sender, registered):
        return SenderAlignment.OTHER
    report, domain = mail.authentication, _domain(mail.sender)
    if _dmarc_passed(report, domain) or _proved(report, domain):
        # A DMARC failure beside a proof of its own: the policy of the domain decides.
        return SenderAlignment.FORGED if report.failed("dmarc") else SenderAlignment.PROVED
    failed = [method for method in ("dmarc", "spf", "dkim") if _refused(report, method)]
    return SenderAlignment.FORGED if failed else SenderAlignment.LIKELY


def _dmarc_passed(report: AuthenticationReport, domain: str) -> bool:
    """Whether DMARC passed for this very domain: two readers of a From header may disagree."""
    return any(result.value("header.from") == domain for result in report.passed("dmarc"))


def _refused(report: AuthenticationReport, method: str) -> bool:
    """Whether a method said no; `none`, `neutral` and `temperror` say nothing."""
    results = [result for result in report.results if result.method == method]
    return any(result.result in ("fail", "softfail", "policy", "permerror") for result in results)


def _proved(report: AuthenticationReport, domain: str) -> bool:
    signed = [_last_domain(result.value("header.d")) for result in report.passed("dkim")]
    signed += [_last_domain(result.value("header.i")) for result in report.passed("dkim")]
    sent = [_envelope_domain(result) for result in report.passed("spf")]
    return any(aligned(proved, domain) for proved in (*signed, *sent))


def _envelope_domain(result: AuthenticationResult) -> str:
    return _last_domain(result.value("smtp.mailfrom") or result.value("smtp.mail"))


def _last_domain(text: str) -> str:
    return text.rpartition("@")[2].strip("<>.")


def aligned(proved: str, claimed: str) -> bool:
    """Whether two domains are the same, or one lies below the other.

    A domain of one label proves nothing. Without a list of public suffixes `co.uk` would prove
    every domain below it; but nobody signs for a public suffix.
    """
    if "." not in proved or "." not in claimed:
        return False
    return proved == claimed or proved.endswith("." + claimed) or claimed.endswith("." + proved)


def same_mailbox(address: str, registered: str) -> bool:
    """Whether two addresses are one mailbox: letter case and a tag behind a plus do not count."""
    return bool(address) and mailbox_of(address) == mailbox_of(registered)


def mailbox_of(address: str) -> str:
    """The address in lower case, without a tag behind a plus."""
    local, _, domain = address.strip().lower().rpartition("@")
    return f"{local.partition('+')[0]}@{_ascii(domain)}"


def _ascii(domain: str) -> str:
    """The domain as it is sent: `müller.example` and `xn--mller-kva.example` are one."""
    try:
        return domain.encode("idna").decode("ascii")
    except UnicodeError:
        return domain


def _domain(address: str) -> str:
    return _ascii(address.rpartition("@")[2])
