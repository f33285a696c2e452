"""Errors that a person at the terminal can act on: one line each, with the exit status."""

from __future__ import annotations


class RefereeError(Exception):
    """Any error that ends a command with one clear line. `status`: the exit status (contract)."""

    status = 2


class UsageError(RefereeError):
    """Wrong usage or configuration."""


class InputError(RefereeError):
    """A file that can't be used."""


class ReachError(RefereeError):
    """A board or roll that could not be reached or read."""

    status = 3
