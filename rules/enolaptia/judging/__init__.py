"""Judging: claims and actions against the rules and the state of the battle, to findings."""
