"""Reporters: a report in, text out. They render and decide nothing."""
