"""Body measures: from sex, stature and mass, or from a percentile, to every length of a body."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from robotix.errors import BadField, UnknownName
from robotix.human.body.measures import Measure, joint_measures, surveyed_measures
from robotix.human.body.survey import Sex, Survey, load_survey

__all__ = ["MASS_RANGE", "STATURE_RANGE", "Anthropometry", "make_anthropometry", "survey_notes"]

STATURE_RANGE = (1.2, 2.3)  # m
MASS_RANGE = (20.0, 300.0)  # kg
PERCENTILE_RANGE = (1.0, 99.0)
_SEXES: dict[str, Sex] = {"f": "female", "female": "female", "m": "male", "male": "male"}


@dataclass(frozen=True)
class Anthropometry:
    """A body in numbers: `body["thigh_length"]` in m, `body.source("thigh_length")` in words.

    Stature and mass have their sources under their own names.
    """

    sex: Sex
    stature: float  # m
    mass: float  # kg
    stature_source: str
    mass_source: str
    measures: tuple[Measure, ...]

    @cached_property
    def _by_name(self) -> Mapping[str, Measure]:
        return {measure.name: measure for measure in self.measures}

    def __getitem__(self, name: str) -> float:
        return self._find(name).value

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def source(self, name: str) -> str:
        """Return the source of a measure."""
        own = {"stature": self.stature_source, "mass": self.mass_source}
        return own[name] if name in own else self._find(name).source

    @property
    def label(self) -> str:
        """Sex, stature and mass in words."""
        return f"{self.sex}, {self.stature:.3f} m, {self.mass:.1f} kg"

    def _find(self, name: str) -> Measure:
        try:
            return self._by_name[name]
        except KeyError:
            raise UnknownName("body measure", name, self._by_name) from None


def make_anthropometry(
    *,
    sex: str,
    stature: float | None = None,
    mass: float | None = None,
    percentile: float | None = None,
    population: str = "ansur2",
) -> Anthropometry:
    """Return the measures of a body.

    Args:
        sex: `"f"`, `"female"`, `"m"` or `"male"`.
        stature: In m. When only this is given, the mass is the population's mean at this stature.
        mass: In kg. When only this is given, the stature is the mean at this mass.
        percentile: Of both stature and mass, 1 to 99, instead of giving them. Few people have the
            same extreme percentile of both, but families of manikins are usually defined like this.
            Without stature, mass and percentile: 50.
        population: Name of the survey.

    Examples:
        >>> round(rx.make_anthropometry(sex="f", percentile=50).stature, 2)
        1.63
    """
    if sex not in _SEXES:
        raise BadField("sex", f"one of {', '.join(map(repr, _SEXES))}", repr(sex))
    _check_arguments(stature, mass, percentile)
    survey = load_survey(population, _SEXES[sex])
    if stature is None and mass is None:
        size = _size_at(survey, 50.0 if percentile is None else percentile)
    else:
        size = _size_from(survey, stature, mass)
    measures = tuple(surveyed_measures(survey, stature=size.stature, mass=size.mass))
    measures += tuple(joint_measures(measures, stature=size.stature))
    return Anthropometry(
        survey.sex, size.stature, size.mass, size.stature_source, size.mass_source, measures
    )


def survey_notes(body: Anthropometry, *, population: str = "ansur2") -> tuple[str, ...]:
    """Return in what a body lies outside the middle 98 % of a survey: stature, mass, or both.

    The mass is also compared with that of people of this stature, within 3 standard deviations.
    """
    survey, notes = load_survey(population, body.sex), list[str]()
    low, high = PERCENTILE_RANGE
    sizes = (("stature", body.stature, "m"), ("mass", body.mass, "kg"))
    for (name, value, unit), spread in zip(sizes, (survey.stature, survey.mass), strict=True):
        least, most = spread.at(low), spread.at(high)
        if not least <= value <= most:
            notes.append(
                f"{name} of {value:.4g} {unit} is outside of the survey ({least:.3g} to "
                f"{most:.3g} {unit}): lengths and masses of the segments are extrapolated"
            )
    tall, heavy, r = survey.stature, survey.mass, survey.correlation
    usual = heavy.mean + r * heavy.sd / tall.sd * (body.stature - tall.mean)
    if abs(body.mass - usual) > 3 * heavy.sd * math.sqrt(1 - r**2):
        notes.append(
            f"{body.mass:.3g} kg at {body.stature:.3g} m is a build that the survey has not "
            f"(usual {usual:.0f} kg)"
        )
    return tuple(notes)


@dataclass(frozen=True)
class _Size:
    stature: float
    mass: float
    stature_source: str
    mass_source: str


def _check_arguments(stature: float | None, mass: float | None, percentile: float | None) -> None:
    _check_range("stature", stature, STATURE_RANGE, unit=" m")
    _check_range("mass", mass, MASS_RANGE, unit=" kg")
    _check_range("percentile", percentile, PERCENTILE_RANGE)
    if percentile is not None and not (stature is None and mass is None):
        raise BadField("percentile", "given alone, or left out for stature and mass", percentile)


def _check_range(
    what: str, value: float | None, allowed: tuple[float, float], *, unit: str = ""
) -> None:
    low, high = allowed
    if value is not None and not low <= value <= high:  # also true for NaN
        raise BadField(what, f"from {low:g} to {high:g}{unit}", repr(value))


def _size_at(survey: Survey, percentile: float) -> _Size:
    source = f"{survey.label}, percentile {percentile:g}"
    return _Size(survey.stature.at(percentile), survey.mass.at(percentile), source, source)


def _size_from(survey: Survey, stature: float | None, mass: float | None) -> _Size:
    """Return the size as given; a missing value by linear regression on the other."""
    tall, heavy, r = survey.stature, survey.mass, survey.correlation
    regressed = f"{survey.label}, regression (r = {r}): mean at the given"
    if stature is None:
        assert mass is not None
        usual = tall.mean + r * tall.sd / heavy.sd * (mass - heavy.mean)
        usual = min(max(usual, tall.at(1)), tall.at(99))  # do not extrapolate stature from mass
        return _Size(usual, mass, f"{regressed} mass, within percentiles 1 to 99", "given")
    if mass is None:
        usual = heavy.mean + r * heavy.sd / tall.sd * (stature - tall.mean)
        return _Size(stature, usual, "given", f"{regressed} stature")
    return _Size(stature, mass, "given", "given")
