"""Shared set-up of the tests."""

import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

# How long an example takes, or to make one up, tells of a busy machine and of nothing else: tests of speed measure
# processor time. As many examples are tried as ever.
settings.register_profile("busy machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy machine")
