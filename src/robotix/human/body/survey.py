"""Anthropometric surveys: percentiles of measures, and regression lines over stature."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from statistics import NormalDist
from typing import Literal, TypeAlias

from robotix.errors import BadField, UnknownName
from robotix.files.toml_table import parse_toml

__all__ = ["POPULATIONS", "Distribution", "RegressionLine", "Sex", "Survey", "load_survey"]

Sex: TypeAlias = Literal["female", "male"]

POPULATIONS = ("ansur2",)
_PER_UNIT = {"mm": 1000.0, "kg": 1.0}  # divided, so that 1755 mm is exactly 1.755 m
_DATA = resources.files("robotix.human") / "data"


@dataclass(frozen=True)
class Distribution:
    """One measure over a population, in m or kg."""

    mean: float
    sd: float
    percentiles: tuple[tuple[float, float], ...]  # (percentile, value), rising

    def at(self, percentile: float) -> float:
        """Return a percentile; between those of the table, linear in the normal score."""
        for (low, below), (high, above) in zip(
            self.percentiles, self.percentiles[1:], strict=False
        ):
            if low <= percentile <= high:
                fraction = (_score(percentile) - _score(low)) / (_score(high) - _score(low))
                return below + fraction * (above - below)
        first, last = self.percentiles[0][0], self.percentiles[-1][0]
        raise BadField("percentile", f"in [{first:g}, {last:g}]", repr(percentile))


@dataclass(frozen=True)
class RegressionLine:
    """Least-squares line of a length over stature, in m."""

    slope: float
    intercept: float  # m
    residual_sd: float  # m

    def at(self, stature: float) -> float:
        """Return the mean length at a stature, m."""
        return self.slope * stature + self.intercept


@dataclass(frozen=True, eq=False)
class Survey:
    """The data of one sex of a population; measures have the survey's own names."""

    title: str
    sex: Sex
    count: int
    source: str
    correlation: float  # of stature and mass
    distributions: Mapping[str, Distribution]
    lines: Mapping[str, RegressionLine]

    @property
    def stature(self) -> Distribution:
        """Stature, m."""
        return self.distributions["stature"]

    @property
    def mass(self) -> Distribution:
        """Body mass, kg."""
        return self.distributions["weightkg"]

    @property
    def label(self) -> str:
        """Survey, sex and number of people, for sources."""
        return f"{self.title} {self.sex} (n = {self.count})"


@cache
def load_survey(population: str, sex: Sex) -> Survey:
    """Return the survey of a named population."""
    if population not in POPULATIONS:
        raise UnknownName("population", population, POPULATIONS)
    file = _DATA / f"{population}.toml"
    top = parse_toml(file.read_text(encoding="utf-8"), path=file.name)
    rows = list(_rows(f"{population}_percentiles.csv", sex))
    return Survey(
        title=top.text_of("title"),
        sex=sex,
        count=int(rows[0]["n"]),
        source=f"{top.text_of('source')}; {top.table('files').text_of(sex)}",
        correlation=top.table("stature_mass_correlation").number(sex),
        distributions={row["measure"]: _distribution(row) for row in rows},
        lines={row["measure"]: _line(row) for row in _rows(f"{population}_regressions.csv", sex)},
    )


def _rows(name: str, sex: Sex) -> Iterator[dict[str, str]]:
    text = (_DATA / name).read_text(encoding="utf-8")
    return (row for row in csv.DictReader(text.splitlines()) if row["sex"] == sex)


def _distribution(row: dict[str, str]) -> Distribution:
    unit = _PER_UNIT[row["unit"]]
    columns = [key for key in row if key[0] == "p" and key[1:].isdigit()]
    table = tuple((float(key[1:]), float(row[key]) / unit) for key in columns)
    return Distribution(float(row["mean"]) / unit, float(row["sd"]) / unit, table)


def _line(row: dict[str, str]) -> RegressionLine:
    return RegressionLine(
        float(row["slope_mm_per_mm_stature"]),
        float(row["intercept_mm"]) / 1000,
        float(row["residual_sd_mm"]) / 1000,
    )


def _score(percentile: float) -> float:
    return NormalDist().inv_cdf(percentile / 100)
