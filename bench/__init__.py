"""Benchmarks: `make bench` prints each goal, what was measured, and the ratio between the two."""
