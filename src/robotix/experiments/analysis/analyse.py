"""The analysis of a study: what a reviewer asks for, from tidy tables.

For every task and measure: the cells, the score E, the check of assumptions, the test that they
allow, corrected comparisons of pairs, and a mixed model over all rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from robotix.experiments.analysis.anova import RepeatedEffect, repeated_anova
from robotix.experiments.analysis.design import CellDesign, pivot
from robotix.experiments.analysis.effects import EffectSize, kendall_w
from robotix.experiments.analysis.mixed_model import MixedModel, fit_mixed_model
from robotix.experiments.analysis.pairs import PairComparison, compare_pairs
from robotix.experiments.analysis.scores import SampleSummary, summarise
from robotix.experiments.analysis.tidy import TidyTable
from robotix.experiments.study.study import Study

__all__ = [
    "NOT_NEGATIVE",
    "BetweenTest",
    "FriedmanTest",
    "MeasureAnalysis",
    "analyse_measure",
    "main_factor",
    "normality",
]

ALPHA = 0.05
NOT_NEGATIVE = frozenset({"duration", "errors", "path_length", "time_near_singularity"})
MIN_FOR_NORMALITY = 3  # values that the test of Shapiro and Wilk needs


@dataclass(frozen=True)
class FriedmanTest:
    """Friedman's test of one factor."""

    chi_squared: float
    df: int
    p: float
    effect_size: EffectSize


@dataclass(frozen=True)
class BetweenTest:
    """Welch's analysis of variance of participants' means over a factor between participants."""

    factor: str
    f: float
    df: float
    error_df: float
    p: float


@dataclass(frozen=True)
class MeasureAnalysis:
    """One measure in one task."""

    task: str
    measure: str
    factor: str  # that is compared; empty without one
    cells: Mapping[str, SampleSummary]  # of the levels of that factor, one value a participant
    normality: Mapping[str, float | None]  # p of Shapiro and Wilk, of the levels' residuals
    is_parametric: bool  # which test the assumptions allow
    reason: str  # why
    effects: tuple[RepeatedEffect, ...]
    friedman: FriedmanTest | None
    pairs: tuple[PairComparison, ...]
    between: tuple[BetweenTest, ...]
    model: MixedModel | None
    left_out: Mapping[str, tuple[str, ...]]  # participants with missing cells
    notes: tuple[str, ...]

    @property
    def ranking(self) -> tuple[str, ...]:
        """Levels by the score E, best first; those without a score at the end."""

        def key(name: str) -> tuple[bool, float]:
            e = self.cells[name].e
            return e is None, e if e is not None else 0.0

        return tuple(sorted(self.cells, key=key))


def analyse_measure(table: TidyTable, study: Study, *, task: str, measure: str) -> MeasureAnalysis:
    """Analyse one measure of one task."""
    rows = table.where(lambda row: row["task"] == task)
    within = {
        name: levels
        for name in study.within
        if len(levels := _present(rows, name, study.factors[name].levels)) > 1
    }
    factor = main_factor(study, within)
    design = pivot(rows, measure, within)
    one = pivot(rows, measure, {factor: within[factor]}) if factor else design
    cells = _cells(rows, measure, factor, within.get(factor, ()))
    shapiro = normality(one) if factor else {}
    n = len(design.participants)
    is_parametric, reason = _choose(shapiro, n)
    effects: tuple[RepeatedEffect, ...] = ()
    friedman, pairs = None, tuple[PairComparison, ...]()
    if factor and n >= 2:
        effects = repeated_anova(design.values, design.shape)
    if factor and len(one.participants) >= 2:
        friedman = _friedman(one)
        pairs = compare_pairs(one.values, within[factor], is_parametric=is_parametric)
    present = [*within, *(name for name in study.between if len(rows.distinct(name)) > 1)]
    return MeasureAnalysis(
        task, measure, factor, cells, shapiro, is_parametric, reason, effects, friedman, pairs,
        _between(rows, measure, study), fit_mixed_model(rows, measure, present),
        design.left_out, tuple(_notes(rows, design, task) + _interval_notes(measure, cells)),
    )  # fmt: skip


def main_factor(study: Study, within: Mapping[str, object] | None = None) -> str:
    """Return the factor whose levels are compared: `arm`, or the first within participants."""
    names = list(study.within if within is None else within)
    return "arm" if "arm" in names else next(iter(names), "")


def _present(rows: TidyTable, name: str, levels: Sequence[str]) -> tuple[str, ...]:
    found = set(rows.distinct(name))
    return tuple(level for level in levels if level in found)


def _cells(
    rows: TidyTable, measure: str, factor: str, levels: Sequence[str]
) -> dict[str, SampleSummary]:
    """Return the summary of every level over participants, of whom each gives one mean."""
    found = {}
    for level in levels or ("all",):
        means = dict[str, list[float]]()
        for row in rows.rows():
            if row.get(measure) is not None and (not factor or row[factor] == level):
                means.setdefault(row["participant"], []).append(float(row[measure]))
        if means:
            found[level] = summarise([float(np.mean(each)) for each in means.values()])
    return found


def normality(design: CellDesign) -> dict[str, float | None]:
    """Return p of the test of Shapiro and Wilk for every level; None where it cannot be made."""
    from scipy import stats

    (_, levels), *_ = design.factors
    values = design.values.reshape(len(design.values), -1)
    return {
        level: float(stats.shapiro(values[:, k]).pvalue)
        if len(values) >= MIN_FOR_NORMALITY and np.ptp(values[:, k]) > 0
        else None
        for k, level in enumerate(levels)
    }


def _choose(shapiro: Mapping[str, float | None], n: int) -> tuple[bool, str]:
    """Return whether parametric tests are used, and why."""
    if n < MIN_FOR_NORMALITY:
        return True, f"{n} complete participants are too few to check normality"
    constant = [level for level, p in shapiro.items() if p is None]
    if constant:
        words = f"all values of {', '.join(constant)} are equal, so normality cannot be checked"
        return False, f"{words}: Friedman's test and Wilcoxon's signed ranks"
    worst = min((p for p in shapiro.values() if p is not None), default=1.0)
    if worst < ALPHA:
        words = f"a level departs from normality (Shapiro-Wilk p = {worst:.3g})"
        return False, f"{words}: Friedman's test and Wilcoxon's signed ranks"
    return True, "no level departs from normality: analysis of variance and Student's t"


def _friedman(design: CellDesign) -> FriedmanTest | None:
    from scipy import stats

    values = design.values
    n, k = values.shape
    if k < 3 or n < 2 or not np.ptp(values, axis=1).any():
        return None
    test = stats.friedmanchisquare(*values.T)
    chi = float(test.statistic)
    return FriedmanTest(chi, k - 1, float(test.pvalue), kendall_w(chi, n, k))


def _between(rows: TidyTable, measure: str, study: Study) -> tuple[BetweenTest, ...]:
    found = []
    for name in study.between:
        groups = dict[str, dict[str, list[float]]]()
        for row in rows.rows():
            if row.get(measure) is not None:
                person = groups.setdefault(row[name], {}).setdefault(row["participant"], [])
                person.append(float(row[measure]))
        means = [np.array([np.mean(v) for v in group.values()]) for group in groups.values()]
        if len(means) > 1 and all(len(g) > 1 and np.ptp(g) > 0 for g in means):
            found.append(_welch(name, means))
    return tuple(found)


def _welch(
    name: str, groups: Sequence[np.ndarray[tuple[int], np.dtype[np.float64]]]
) -> BetweenTest:
    """Return Welch's analysis of variance, which does not assume equal variances."""
    from scipy import stats

    k = len(groups)
    n = np.array([len(each) for each in groups], dtype=float)
    means = np.array([each.mean() for each in groups])
    weights = n / np.array([each.var(ddof=1) for each in groups])
    grand = (weights * means).sum() / weights.sum()
    spread = ((1 - weights / weights.sum()) ** 2 / (n - 1)).sum()
    f = (weights * (means - grand) ** 2).sum() / (k - 1)
    f /= 1 + 2 * (k - 2) / (k**2 - 1) * spread
    error_df = (k**2 - 1) / (3 * spread)
    p = float(stats.f.sf(f, k - 1, error_df))
    return BetweenTest(name, float(f), float(k - 1), float(error_df), p)


def _interval_notes(measure: str, cells: Mapping[str, SampleSummary]) -> list[str]:
    """Return a note on intervals that reach below 0, if the measure cannot."""
    beyond = [name for name, cell in cells.items() if cell.low is not None and cell.low < 0]
    if measure not in NOT_NEGATIVE or not beyond:
        return []
    return [
        f"the 95 % interval of {', '.join(beyond)} reaches below 0, which is impossible: too few"
        " participants, or values too skewed, for an interval that is symmetric"
    ]


def _notes(rows: TidyTable, design: CellDesign, task: str) -> list[str]:
    notes = []
    statuses = list(rows["status"]) if "status" in rows.columns else []
    if count := statuses.count("timeout"):
        notes.append(
            f"{count} of {len(statuses)} trials of {task} ended by the time limit; they count with"
            " that time, which is too short"
        )
    if count := statuses.count("aborted"):
        notes.append(f"{count} aborted trials of {task} are not in the durations")
    if design.left_out:
        notes.append(
            f"left out of tests for missing cells: {', '.join(design.left_out)}; the mixed model"
            " uses their rows"
        )
    return notes
