"""Reliability of questionnaires."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["cronbach_alpha"]


def cronbach_alpha(answers: ArrayLike) -> float | None:
    """Return Cronbach's α of answers (respondents, items), reversed items already turned.

    None with fewer than two items or respondents, or if all sums are equal.
    """
    data = np.asarray(answers, dtype=float)
    n, k = data.shape
    if n < 2 or k < 2:
        return None
    total = float(data.sum(axis=1).var(ddof=1))
    if total == 0:
        return None
    of_items = float(data.var(axis=0, ddof=1).sum())
    return float(k / (k - 1) * (1 - of_items / total))
