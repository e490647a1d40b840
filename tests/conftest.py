"""Hypothesis profiles: HYPOTHESIS_PROFILE=quick (the default) for a working day, thorough for CI.

`quick` tries the same examples every time, so that the same checkout gives the same answer to everybody;
`thorough` looks somewhere new each time. No test has a time limit: machines differ, rules do not.
"""

import os
import sys

from hypothesis import HealthCheck, settings

SLOW_IS_FINE = (HealthCheck.too_slow, HealthCheck.data_too_large)

settings.register_profile("quick", max_examples=40, deadline=None, derandomize=True, suppress_health_check=SLOW_IS_FINE)
settings.register_profile("thorough", max_examples=300, deadline=None, suppress_health_check=SLOW_IS_FINE)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

# OpenSpiel and PettingZoo support Python up to 3.14: see their extras in pyproject.toml.
if sys.version_info >= (3, 15):
    collect_ignore_glob = ["test_openspiel*.py", "test_pettingzoo*.py", "test_training.py"]
