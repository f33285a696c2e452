"""Fixtures that several unit tests share."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from referee.store import open_store
from referee.store.store import Store
from tests.support.raw_server import Play, RawServer

sys.path.insert(0, str(Path(__file__).parent))
toy = importlib.import_module("toy_forum")


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of an empty database."""
    with toy.empty_database(request.param, tmp_path / "deep") as place:
        yield place


@pytest.fixture
def store(place: str) -> Iterator[Store]:
    """A store on an empty database."""
    with open_store(place) as store:
        yield store


@pytest.fixture
def raw() -> Iterator[Callable[[Play], RawServer]]:
    servers: list[RawServer] = []

    def start(play: Play) -> RawServer:
        servers.append(RawServer(play))
        return servers[-1]

    yield start
    for server in servers:
        server.close()
