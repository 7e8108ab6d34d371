"""Checks of the simulation against closed forms and independent solutions."""

from robotix.dynamics.validation.check import Check
from robotix.dynamics.validation.run import CHECKS, run_checks

__all__ = ["CHECKS", "Check", "run_checks"]
