"""Sets of bodies for which a task is assessed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np

from robotix.human.body.anthropometry import PERCENTILE_RANGE, Anthropometry, make_anthropometry
from robotix.human.body.survey import load_survey

__all__ = ["percentile_bodies", "sampled_bodies"]

MAX_BODIES = 10_000


def percentile_bodies(
    percentiles: Sequence[float] = (5, 50, 95),
    *,
    sexes: Sequence[str] = ("f", "m"),
    population: str = "ansur2",
) -> tuple[Anthropometry, ...]:
    """Return one body per sex and percentile of both stature and mass, in this order."""
    if not percentiles or not sexes:
        raise ValueError("a family needs at least one percentile and one sex")
    return tuple(
        make_anthropometry(sex=sex, percentile=percentile, population=population)
        for sex in sexes
        for percentile in percentiles
    )


def sampled_bodies(
    count: int,
    *,
    seed: int = 0,
    sexes: Sequence[str] = ("f", "m"),
    population: str = "ansur2",
) -> tuple[Anthropometry, ...]:
    """Return bodies sampled from a population, alternating the sexes.

    Stature and mass are sampled from a bivariate normal distribution with the correlation of the
    survey, and mapped to its percentiles; samples are clamped to percentiles 1 and 99.
    """
    if not 1 <= count <= MAX_BODIES or not sexes:
        raise ValueError(f"a sample needs from 1 to {MAX_BODIES} bodies and a sex, got {count}")
    rng = np.random.default_rng(seed)
    bodies = []
    for k in range(count):
        sex = sexes[k % len(sexes)]
        name = make_anthropometry(sex=sex, population=population).sex
        survey = load_survey(population, name)
        tall, other = rng.normal(size=2)
        heavy = survey.correlation * tall + math.sqrt(1 - survey.correlation**2) * other
        bodies.append(
            make_anthropometry(
                sex=sex,
                stature=survey.stature.at(_percentile(tall)),
                mass=survey.mass.at(_percentile(heavy)),
                population=population,
            )
        )
    return tuple(bodies)


def _percentile(score: float) -> float:
    low, high = PERCENTILE_RANGE
    return min(max(100 * NormalDist().cdf(float(score)), low), high)
