"""Benchmarks: `make bench` prints each goal, what was measured, and the ratio between the two."""

import os
from pathlib import Path

#: Captured pages and sample battles.
SHARED = Path(os.environ.get("REFEREE_SHARED", Path(__file__).resolve().parents[2] / "shared"))
