"""The synthetic index: objective and subjective criteria with the weights that users chose.

Every criterion is scaled to 0..1 over the alternatives, 1 being best, and the index is the weighted
mean. Its sensitivity is how far each weight would have to move before another alternative is best,
and how often each is best under random weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from robotix.experiments.analysis.tidy import TidyTable
from robotix.experiments.study.questionnaires import IMPORTANCE
from robotix.geometry import Array

__all__ = [
    "HIGHER_IS_BETTER",
    "IndexSensitivity",
    "SyntheticIndex",
    "best_for_users",
    "make_index",
    "mean_weights",
    "test_weights",
    "users_weights",
]

HIGHER_IS_BETTER = frozenset(
    {"sus", "presence", "throughput", "payload", "safety", "appearance", "smoothness", "sparc"}
)
WEIGHT_SAMPLES = 10_000


@dataclass(frozen=True)
class SyntheticIndex:
    """The index of every alternative, 0 to 1, best first."""

    values: Mapping[str, float]
    scaled: Mapping[str, Mapping[str, float]]  # criterion -> alternative -> 0..1
    weights: Mapping[str, float]  # of sum 1
    left_out: tuple[str, ...]  # criteria without data for all alternatives

    @property
    def best(self) -> str:
        """The best alternative."""
        return max(self.values, key=lambda name: self.values[name])


@dataclass(frozen=True)
class IndexSensitivity:
    """How the best alternative depends on the weights."""

    best_share: Mapping[str, float]  # how often each is best, of uniformly random weights
    turning: Mapping[str, tuple[float, str] | None]  # criterion -> nearest weight, and who wins


def make_index(
    criteria: Mapping[str, Mapping[str, float | None]],
    weights: Mapping[str, float],
    *,
    higher_is_better: frozenset[str] = HIGHER_IS_BETTER,
) -> SyntheticIndex | None:
    """Return the index; None if no weighted criterion has data for all alternatives.

    Args:
        criteria: Criterion to the mean of every alternative.
        weights: Criterion to weight; they need not sum to 1.
        higher_is_better: Criteria of which more is better; of all others less is.
    """
    alternatives = list(dict.fromkeys(name for each in criteria.values() for name in each))
    scaled, left_out = dict[str, dict[str, float]](), []
    for criterion in weights:
        known = criteria.get(criterion, {})
        found = {name: value for name in alternatives if (value := known.get(name)) is not None}
        if len(found) < len(alternatives) or not alternatives:
            left_out.append(criterion)
            continue
        low, high = min(found.values()), max(found.values())
        width = high - low
        share = {name: (v - low) / width if width else 1.0 for name, v in found.items()}
        if criterion not in higher_is_better and width:
            share = {name: 1 - value for name, value in share.items()}
        scaled[criterion] = share
    total = sum(weights[criterion] for criterion in scaled)
    if not total > 0:
        return None
    used = {criterion: weights[criterion] / total for criterion in scaled}
    values = {
        name: sum(used[criterion] * scaled[criterion][name] for criterion in scaled)
        for name in alternatives
    }
    ranked = dict(sorted(values.items(), key=lambda item: -item[1]))
    return SyntheticIndex(ranked, scaled, used, tuple(left_out))


def test_weights(index: SyntheticIndex, *, rng: np.random.Generator) -> IndexSensitivity:
    """Return how the best alternative depends on the weights."""
    names, criteria = list(index.values), list(index.scaled)
    table = np.array([[index.scaled[c][name] for name in names] for c in criteria])
    drawn = rng.dirichlet(np.ones(len(criteria)), WEIGHT_SAMPLES) @ table
    best = np.bincount(drawn.argmax(axis=1), minlength=len(names)) / WEIGHT_SAMPLES
    weights = np.array([index.weights[c] for c in criteria])
    turning = {
        criterion: _turning(table, weights, k, names) for k, criterion in enumerate(criteria)
    }
    return IndexSensitivity(dict(zip(names, map(float, best), strict=True)), turning)


test_weights.__test__ = False  # type: ignore[attr-defined]


def users_weights(answers: TidyTable) -> dict[str, dict[str, float]]:
    """Return the weights that participants chose, of sum 1, by participant.

    Who finds nothing important has no weights. Of several answers the last one counts.
    """
    found = dict[str, dict[str, float]]()
    for row in answers.rows():
        if row["form"] == IMPORTANCE:
            found.setdefault(row["participant"], {})[row["item"]] = float(row["value"])
    return {
        name: {item: value / total for item, value in chosen.items()}
        for name, chosen in found.items()
        if (total := sum(chosen.values())) > 0
    }


def mean_weights(chosen: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Return the mean of users' weights."""
    names = dict.fromkeys(item for each in chosen.values() for item in each)
    return {
        item: sum(each.get(item, 0.0) for each in chosen.values()) / len(chosen) for item in names
    }


def best_for_users(
    criteria: Mapping[str, Mapping[str, float | None]], chosen: Mapping[str, Mapping[str, float]]
) -> dict[str, int]:
    """Return for how many users each alternative is best by their own weights."""
    found = dict[str, int]()
    for weights in chosen.values():
        index = make_index(criteria, weights)
        if index is not None:
            found[index.best] = found.get(index.best, 0) + 1
    return found


def _turning(table: Array, weights: Array, k: int, names: list[str]) -> tuple[float, str] | None:
    """Return the nearest weight of a criterion at which another alternative is best.

    The other weights keep their proportions. Along the way every alternative's index is a straight
    line, so lines cross at most once.
    """
    others = np.delete(weights, k)
    if not others.sum() > 0:
        return None
    rest = (others / others.sum()) @ np.delete(table, k, axis=0)
    slope, now = table[k] - rest, float(weights[k])
    best = int((rest + now * slope).argmax())
    crossings = []
    for j in range(len(names)):
        if j != best and abs(slope[j] - slope[best]) > 1e-12:
            at = float((rest[best] - rest[j]) / (slope[j] - slope[best]))
            if 0 <= at <= 1:
                crossings.append((abs(at - now), at, names[j]))
    if not crossings:
        return None
    _, at, name = min(crossings)
    return at, name
