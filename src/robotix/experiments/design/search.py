"""The search for a better design: differential evolution, then a simplex around the best.

Both (the simplex is that of Nelder and Mead) are SciPy's and seeded; the design as built is the
first one rated, so the result is never worse than it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from robotix.errors import BadField
from robotix.experiments.design.parameters import (
    Design,
    DesignParameter,
    chosen_parameters,
    make_design,
)
from robotix.experiments.design.rating import DesignRating, DesignWeights, rate_design
from robotix.experiments.tasks.library import TASKS, load_task
from robotix.experiments.tasks.task import LabTask
from robotix.geometry import Array
from robotix.motion.table_files import MissingPackage

__all__ = ["DesignStudy", "optimise_design"]

MIN_EVALUATIONS = 10
SIMPLEX_SHARE = 0.3  # of the evaluations
SIMPLEX_SIZE = 0.08  # of the bounds' width
WORST = 1.0  # of the objective, which is 1 - rating


@dataclass(frozen=True, eq=False)
class DesignStudy:
    """What a search found, beside the design as built."""

    parameters: tuple[DesignParameter, ...]  # that were varied
    weights: DesignWeights
    seed: int
    evaluations: int
    built: Design
    built_rating: DesignRating
    best: Design
    best_rating: DesignRating

    @property
    def at_bounds(self) -> tuple[str, ...]:
        """Parameters that the best design has at a bound: wider ones may give more."""
        return tuple(
            each.name
            for each in self.parameters
            if min(self.best.values[each.name] - each.low, each.high - self.best.values[each.name])
            <= 1e-3 * (each.high - each.low)
        )


def optimise_design(
    arm: str,
    mounting: str = "fixed",
    *,
    tasks: Sequence[str] = tuple(TASKS),
    vary: Sequence[str] = (),
    bounds: Mapping[str, tuple[float, float]] | None = None,
    weights: DesignWeights | None = None,
    evaluations: int = 300,
    seed: int = 0,
    advance: Callable[[], object] = lambda: None,
) -> DesignStudy:
    """Search for mounting and link lengths with a higher rating.

    Args:
        arm: A name of the library, or a file.
        mounting: `fixed` beside the seat, or `rail`.
        tasks: Whose points count.
        vary: Parameters to vary; all if empty.
        bounds: Other bounds, by parameter.
        weights: What counts how much.
        evaluations: How many designs are rated, the design as built included.
        seed: Of all random numbers.
        advance: Called after every design.
    """
    if evaluations < MIN_EVALUATIONS:
        raise BadField("evaluations", f"at least {MIN_EVALUATIONS}", evaluations)
    parameters = chosen_parameters(arm, mounting, vary=vary, bounds=bounds or {})
    rated = _Rated(
        arm, mounting, tuple(parameters), tuple(map(load_task, tasks)),
        weights or DesignWeights(), seed, evaluations, advance,
    )  # fmt: skip
    built = make_design(arm, mounting, {})
    built_rating = rated.rate(built)
    _search(rated, np.array([each.start for each in parameters]))
    is_better = rated.best_rating is not None and rated.best_rating.rating > built_rating.rating
    best, best_rating = built, built_rating
    if is_better and rated.best is not None and rated.best_rating is not None:
        best, best_rating = rated.best, rated.best_rating
    return DesignStudy(
        tuple(parameters), rated.weights, seed, rated.count, built, built_rating, best, best_rating
    )


class _Finished(Exception):
    """All evaluations are used."""


@dataclass
class _Rated:
    """The objective: rates designs, counts them, and remembers the best."""

    arm: str
    mounting: str
    parameters: tuple[DesignParameter, ...]
    tasks: tuple[LabTask, ...]
    weights: DesignWeights
    seed: int
    evaluations: int
    advance: Callable[[], object]
    count: int = 0
    best: Design | None = None
    best_x: Array | None = None
    best_rating: DesignRating | None = None

    def rate(self, design: Design) -> DesignRating:
        if self.count >= self.evaluations:
            raise _Finished
        self.count += 1
        found = rate_design(design, self.tasks, weights=self.weights, seed=self.seed)
        self.advance()
        return found

    def __call__(self, x: Array) -> float:
        """Return 1 - rating of the design at `x`, which counts from 0 to 1 between the bounds."""
        share = np.clip(x, 0.0, 1.0)
        values = {
            each.name: float(each.low + part * (each.high - each.low))
            for each, part in zip(self.parameters, share, strict=True)
        }
        design = make_design(self.arm, self.mounting, values)
        rating = self.rate(design)
        if self.best_rating is None or rating.rating > self.best_rating.rating:
            self.best, self.best_rating, self.best_x = design, rating, np.array(share)
        return WORST - rating.rating


def _search(rated: _Rated, start: Array) -> None:
    try:
        from scipy import optimize
    except ImportError:
        raise MissingPackage("design studies", "scipy", "lab") from None
    n = len(rated.parameters)
    low = np.array([each.low for each in rated.parameters])
    high = np.array([each.high for each in rated.parameters])
    rng = np.random.default_rng(rated.seed)
    for_simplex = int(SIMPLEX_SHARE * rated.evaluations)
    population = max(5, min(5 * n, (rated.evaluations - for_simplex) // 4))
    first = rng.random((population, n))
    first[0] = np.clip((start - low) / (high - low), 0.0, 1.0)
    generations = max((rated.evaluations - for_simplex) // population - 1, 0)
    try:
        optimize.differential_evolution(
            rated, [(0.0, 1.0)] * n, init=first, maxiter=generations, polish=False, tol=0.0,
            rng=rng,
        )  # fmt: skip
        while rated.best_x is not None:  # ended by the number of evaluations
            steps = SIMPLEX_SIZE * rng.uniform(-1.0, 1.0, (n, 1)) * np.eye(n)
            corners = np.vstack([rated.best_x, rated.best_x + steps])
            optimize.minimize(
                rated, rated.best_x, method="Nelder-Mead",
                options={"initial_simplex": np.clip(corners, 0.0, 1.0), "xatol": 1e-3,
                         "fatol": 1e-4, "maxfev": rated.evaluations},
            )  # fmt: skip
    except _Finished:
        pass
