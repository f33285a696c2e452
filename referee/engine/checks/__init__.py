"""Checks that all rule systems share, one file each."""
