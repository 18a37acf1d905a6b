"""Which addresses of the internet count as one, where something is limited for each address."""

import ipaddress

NETWORK_BITS = 64  # of an IPv6 address: one home or server has a whole /64 to choose from


def limited_address(address: str) -> str:
    """An IPv4 address as it is; the /64 network of an IPv6 address."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.IPv6Network((parsed, NETWORK_BITS), strict=False))
