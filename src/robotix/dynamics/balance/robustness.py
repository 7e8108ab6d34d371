"""How hard a push may be: the largest impulse that is survived, over gains and directions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from robotix.dynamics.balance.law import AnkleLaw
from robotix.dynamics.balance.trial import BalancePush, BalanceTrial, run_balance
from robotix.dynamics.simulation.rollouts import run_cases
from robotix.errors import BadField

__all__ = ["PushCase", "largest_push", "push_limits"]

MAX_IMPULSE = 6.0  # N s; more than any foot of this size can stop


@dataclass(frozen=True)
class PushCase:
    """A law, or held ankles when None, and a direction in rad: 0 forward, π/2 to the left."""

    law: AnkleLaw | None
    direction: float = 0.0
    seed: int = 0


def largest_push(case: PushCase, *, tolerance: float = 0.05) -> float:
    """Return the largest impulse that is survived, in N s, within a tolerance, by bisection.

    It is 0 if not even standing undisturbed is survived.
    """
    if not 0 < tolerance <= MAX_IMPULSE:
        raise BadField("tolerance", f"more than 0, at most {MAX_IMPULSE:g} N s", tolerance)
    low, high = 0.0, MAX_IMPULSE
    while high - low > tolerance:
        middle = (low + high) / 2
        trial = BalanceTrial("push", case.law, BalancePush(middle, case.direction), seed=case.seed)
        if run_balance(trial).fell:
            high = middle
        else:
            low = middle
    return low


def push_limits(
    gains_mg: Sequence[float],
    directions: Sequence[float],
    *,
    law: AnkleLaw | None = None,
    tolerance: float = 0.05,
    processes: int | None = None,
    advance: Callable[[object], None] | None = None,
) -> list[list[float]]:
    """Return the largest survived impulses, N s: one row a direction, one column a gain."""
    base = AnkleLaw() if law is None else law
    cases = [PushCase(replace(base, com_gain_mg=gain), angle)
             for angle in directions for gain in gains_mg]  # fmt: skip
    found = run_cases(
        partial(largest_push, tolerance=tolerance), cases, processes=processes, advance=advance
    )
    return [found[k : k + len(gains_mg)] for k in range(0, len(found), len(gains_mg))]
