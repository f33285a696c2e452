"""Fixtures that several unit tests share."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.support.raw_server import Play, RawServer


@pytest.fixture
def raw() -> Iterator[Callable[[Play], RawServer]]:
    servers: list[RawServer] = []

    def start(play: Play) -> RawServer:
        servers.append(RawServer(play))
        return servers[-1]

    yield start
    for server in servers:
        server.close()
