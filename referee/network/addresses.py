"""Which network addresses may be asked: the registries of special-purpose addresses as a table.

The table is our own, since what the standard library calls global changed between its releases.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address

#: Kinds that a site with `allow_private` may resolve to. Link-local is not among them: that is
#: where cloud machines keep their credentials.
PRIVATE_KINDS = frozenset({"private", "loopback", "shared"})

_SPECIAL_4 = tuple(
    (ip_network(network), kind)
    for network, kind in (
        ("0.0.0.0/8", "unspecified"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "shared"),
        ("127.0.0.0/8", "loopback"),
        ("169.254.0.0/16", "link-local"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "reserved"),
        ("192.0.2.0/24", "reserved"),
        ("192.88.99.0/24", "reserved"),
        ("192.168.0.0/16", "private"),
        ("198.18.0.0/15", "reserved"),
        ("198.51.100.0/24", "reserved"),
        ("203.0.113.0/24", "reserved"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved"),
    )
)
_SPECIAL_6 = tuple(
    (ip_network(network), kind)
    for network, kind in (
        ("::/128", "unspecified"),
        ("::1/128", "loopback"),
        ("::ffff:0:0/96", "mapped"),
        ("64:ff9b:1::/48", "reserved"),
        ("2001::/23", "reserved"),
        ("2001:db8::/32", "reserved"),
        ("2002::/16", "reserved"),
        ("3fff::/20", "reserved"),
        ("fc00::/7", "private"),
        ("fe80::/10", "link-local"),
        ("fec0::/10", "link-local"),
        ("ff00::/8", "multicast"),
    )
)
_GLOBAL_6 = IPv6Network("2000::/3")
#: An IPv6-only network reaches IPv4 hosts under this prefix; what counts is the address inside.
_TRANSLATED = IPv6Network("64:ff9b::/96")


def kind_of(address: str) -> str:
    """The kind of an address: public, private, loopback, shared, link-local, multicast,
    unspecified, mapped or reserved. An address that cannot be read is reserved.
    """
    try:
        found: Address = ip_address(address.partition("%")[0])
    except ValueError:
        return "reserved"
    if isinstance(found, IPv6Address):
        if found in _TRANSLATED:
            return kind_of(str(IPv4Address(int(found) & 0xFFFFFFFF)))
        named = next((kind for network, kind in _SPECIAL_6 if found in network), None)
        return named or ("public" if found in _GLOBAL_6 else "reserved")
    return next((kind for network, kind in _SPECIAL_4 if found in network), "public")


def may_ask(address: str, allow_private: bool) -> bool:
    """Whether a connection to this address is allowed."""
    kind = kind_of(address)
    return kind == "public" or (allow_private and kind in PRIVATE_KINDS)
