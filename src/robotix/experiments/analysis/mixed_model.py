"""Linear mixed model: factors as fixed effects, participants as random intercepts."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from robotix.experiments.analysis.tidy import TidyTable

__all__ = ["FixedEffect", "MixedModel", "fit_mixed_model"]


@dataclass(frozen=True)
class FixedEffect:
    """A fixed effect: the difference of a level to the first level of its factor."""

    name: str
    estimate: float
    standard_error: float
    low: float
    high: float
    z: float
    p: float


@dataclass(frozen=True)
class MixedModel:
    """A fit by restricted maximum likelihood."""

    effects: tuple[FixedEffect, ...]
    participant_variance: float
    residual_variance: float
    n: int
    participants: int
    has_converged: bool


def fit_mixed_model(
    table: TidyTable, measure: str, factors: Sequence[str], *, numeric: Sequence[str] = ()
) -> MixedModel | None:
    """Fit `measure ~ factors + (1 | participant)`; None if the data cannot determine it.

    All rows are used, also those of participants with missing cells. Columns in `numeric` enter
    as numbers.
    """
    import statsmodels.regression.mixed_linear_model as mixed

    rows = [row for row in table.rows() if row.get(measure) is not None]
    y = np.array([float(row[measure]) for row in rows])
    names, columns = ["intercept"], [np.ones(len(rows))]
    for name in factors:
        for level in table.distinct(name)[1:]:
            names.append(f"{name}: {level}")
            columns.append(np.array([float(row[name] == level) for row in rows]))
    for name in numeric:
        names.append(name)
        columns.append(np.array([float(row[name]) for row in rows]))
    groups = np.array([row["participant"] for row in rows])
    x = np.column_stack(columns) if rows else np.zeros((0, len(names)))
    people = len(set(groups.tolist()))
    if people < 2 or len(rows) <= x.shape[1] + 1 or np.linalg.matrix_rank(x) < x.shape[1]:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # on the boundary of the variance: reported below
        try:
            fit = mixed.MixedLM(y, x, groups).fit(reml=True)
        except (np.linalg.LinAlgError, ValueError):
            return None
        errors = np.asarray(fit.bse_fe, dtype=float)
        bounds = np.asarray(fit.conf_int(), dtype=float)[: len(names)]
        z = np.asarray(fit.fe_params, dtype=float) / errors
        ps = np.asarray(fit.pvalues, dtype=float)[: len(names)]
    if not np.isfinite(errors).all():
        return None
    effects = tuple(
        FixedEffect(
            name, float(fit.fe_params[k]), float(errors[k]), float(bounds[k, 0]),
            float(bounds[k, 1]), float(z[k]), float(ps[k]),
        )
        for k, name in enumerate(names)
    )  # fmt: skip
    return MixedModel(
        effects,
        float(np.asarray(fit.cov_re)[0, 0]),
        float(fit.scale),
        len(rows),
        people,
        bool(fit.converged),
    )
