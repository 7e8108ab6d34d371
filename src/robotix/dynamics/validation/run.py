"""All checks, in the order of the page that lists their figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from robotix.dynamics.validation.chains import caught_chain_checks, free_fall_checks
from robotix.dynamics.validation.check import Check
from robotix.dynamics.validation.contacts import bounce_checks, incline_checks, rolling_checks
from robotix.dynamics.validation.continuity import continuity_checks, tree_cut_checks
from robotix.dynamics.validation.double_pendulum import double_pendulum_checks
from robotix.dynamics.validation.forward import forward_checks
from robotix.dynamics.validation.four_bar import four_bar_checks
from robotix.dynamics.validation.hanging_chain import hanging_chain_checks
from robotix.dynamics.validation.spinning import spinning_checks

__all__ = ["CHECKS", "run_checks"]

CHECKS: Mapping[str, Callable[[], Iterator[Check]]] = {
    "double pendulum": double_pendulum_checks,
    "four-bar": four_bar_checks,
    "free fall": free_fall_checks,
    "spinning body": spinning_checks,
    "hanging chain": hanging_chain_checks,
    "caught chain": caught_chain_checks,
    "connections": continuity_checks,
    "tree cut": tree_cut_checks,
    "incline": incline_checks,
    "rolling ball": rolling_checks,
    "bounce": bounce_checks,
    "forward dynamics": forward_checks,
}


def run_checks() -> Iterator[Check]:
    """Yield every check; all of them take some seconds."""
    for checks in CHECKS.values():
        yield from checks()
