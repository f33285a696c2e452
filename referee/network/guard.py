"""The address guard: connections that look a name up once, check every answer, and go nowhere else.

A check before the request would not do: the name could be looked up again and answer differently
(DNS rebinding). So the look-up, the check and the connection are one step, inside the connection;
Host header, SNI and certificate check keep the name. Environment proxies are never used: a proxy
would do its own look-up.
"""

from __future__ import annotations

import socket
from typing import Any

from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool, PoolManager
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import ConnectTimeoutError, NewConnectionError

from referee.network import watch
from referee.network.addresses import PRIVATE_KINDS, kind_of, may_ask

#: Of a name with more addresses only the first few are tried.
MOST_ADDRESSES = 6

Place = tuple[int, Any]


class ForbiddenAddress(Exception):
    """A name resolves to an address that may not be asked. Not an OSError: nothing may retry it."""

    def __init__(self, host: str, address: str) -> None:
        kind = kind_of(address)
        way = "; `allow_private = true` in its section, or --allow-private, lets it be asked"
        super().__init__(
            f"{host} resolves to {address}, which is a {kind} address{way if kind in PRIVATE_KINDS else ''}"
        )


def resolve(host: str, port: int, allow_private: bool) -> list[Place]:
    """Every (family, socket address) of a host, in order of preference.

    Raises ForbiddenAddress if any of them may not be asked: an honest public site has no reason to
    answer with a private address beside its own. Raises OSError or UnicodeError where the name
    can't be looked up.
    """
    found = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
    places = [(int(family), place) for family, _, _, _, place in found]
    for _, place in places:
        if not may_ask(str(place[0]), allow_private):
            raise ForbiddenAddress(host, str(place[0]))
    return places[:MOST_ADDRESSES]


def _connected(connection: HTTPConnection, allow_private: bool) -> socket.socket:
    """A socket to the first checked address of the connection's host that answers."""
    host, limit = connection.host, connection.timeout
    try:
        places = resolve(host, connection.port or connection.default_port, allow_private)
    except (OSError, UnicodeError) as error:
        raise NewConnectionError(connection, f"{host} could not be looked up ({error})") from error
    trouble: OSError | None = None
    for family, place in places:
        made = socket.socket(family, socket.SOCK_STREAM)
        try:
            made.settimeout(limit if isinstance(limit, (int, float)) else None)
            for option in connection.socket_options or ():
                made.setsockopt(*option)
            made.connect(place)
        except OSError as error:
            made.close()
            trouble = error
        else:
            return made
    if isinstance(trouble, TimeoutError):
        raise ConnectTimeoutError(connection, f"{host} did not answer in time") from trouble
    raise NewConnectionError(connection, f"{host} could not be connected to ({trouble})") from trouble


class _PublicHTTP(HTTPConnection):
    """A plain connection to public addresses."""

    allow_private = False

    def _new_conn(self) -> socket.socket:
        return _connected(self, self.allow_private)

    def getresponse(self) -> Any:
        """The answer's head; from here on the watch may cut the connection."""
        watch.attach(self.sock)
        return super().getresponse()


class _PublicHTTPS(HTTPSConnection):
    """A TLS connection to public addresses; name and certificate are checked as usual."""

    allow_private = False

    def _new_conn(self) -> socket.socket:
        return _connected(self, self.allow_private)

    def getresponse(self) -> Any:
        """The answer's head; from here on the watch may cut the connection."""
        watch.attach(self.sock)
        return super().getresponse()


class _PrivateHTTP(_PublicHTTP):
    """A plain connection that may also go to private and loopback addresses."""

    allow_private = True


class _PrivateHTTPS(_PublicHTTPS):
    """A TLS connection that may also go to private and loopback addresses."""

    allow_private = True


class _PublicPool(HTTPConnectionPool):
    ConnectionCls = _PublicHTTP


class _PublicPoolTLS(HTTPSConnectionPool):
    ConnectionCls = _PublicHTTPS


class _PrivatePool(HTTPConnectionPool):
    ConnectionCls = _PrivateHTTP


class _PrivatePoolTLS(HTTPSConnectionPool):
    ConnectionCls = _PrivateHTTPS


class GuardedAdapter(HTTPAdapter):
    """A `requests` adapter all of whose connections go through the address guard."""

    def __init__(self, allow_private: bool) -> None:
        """An adapter for public sites, or for sites that may be private."""
        self.allow_private = allow_private
        super().__init__(max_retries=0)

    def init_poolmanager(self, connections: int, maxsize: int, block: bool = False, **pool: Any) -> None:
        """Make the pools, with guarded connections for both schemes."""
        manager = PoolManager(num_pools=connections, maxsize=maxsize, block=block, **pool)
        manager.pool_classes_by_scheme = (
            {"http": _PrivatePool, "https": _PrivatePoolTLS}
            if self.allow_private
            else {"http": _PublicPool, "https": _PublicPoolTLS}
        )
        self.poolmanager = manager
