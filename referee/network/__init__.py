"""Talking to the net: the only package of the project that does.

A `Session` answers a board's or dice service's `Wish` with a `Page`, and only for configured sites,
at a polite pace, within limits of size and time, and never at an address that is not public unless
the site says so. Everything that must outlast a process (pace, robots.txt, known pages) goes
through a `Memory`.
"""

from __future__ import annotations

from referee.network.errors import (
    BadRedirect,
    NetworkError,
    NotConfigured,
    PrivateAddress,
    RobotsForbids,
    TooLarge,
    TooSlow,
    Unreachable,
)
from referee.network.memory import InProcessMemory, Memory, PageKeeper
from referee.network.session import Session
from referee.network.settings import Settings, Site

__all__ = [
    "BadRedirect",
    "InProcessMemory",
    "Memory",
    "NetworkError",
    "NotConfigured",
    "PageKeeper",
    "PrivateAddress",
    "RobotsForbids",
    "Session",
    "Settings",
    "Site",
    "TooLarge",
    "TooSlow",
    "Unreachable",
]
