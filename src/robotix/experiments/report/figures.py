"""Figures of a study: intervals with the single values beside them, and the index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from robotix.experiments.analysis.analyse import NOT_NEGATIVE, MeasureAnalysis
from robotix.experiments.analysis.scores import SampleSummary
from robotix.experiments.analysis.study_analysis import StudyAnalysis
from robotix.experiments.report.drawing import CircleMark, Drawing, LineMark, RectMark, TextMark
from robotix.experiments.report.measure_names import measure_name, measure_title
from robotix.view.charts import nice_ticks

__all__ = ["interval_figure", "study_figures"]

WIDTH, ROW, LEFT, RIGHT, TOP, BOTTOM = 430.0, 30.0, 110.0, 14.0, 26.0, 34.0
PERCENT_FORMS = frozenset({"sus", "nasa_tlx"})  # with scores from 0 to 100
BLUE, GREY, LIGHT = (0.11, 0.38, 0.77), (0.55, 0.55, 0.55), (0.87, 0.87, 0.87)


def study_figures(analysis: StudyAnalysis) -> dict[str, Drawing]:
    """Return all figures by name, in the order of the report."""
    found = {}
    for each in analysis.measures:
        if each.cells:
            values = _values(analysis, each)
            title = f"{each.task}: {measure_name(each.measure)}"
            unit = measure_title(each.measure)
            name = f"{each.measure}_{each.task}"
            least = 0.0 if each.measure in NOT_NEGATIVE else None
            found[name] = interval_figure(title, unit, each.cells, values, least=least)
    for form in analysis.forms:
        if form.scale == "score" and form.cells:
            scores = _scores(analysis, form.form)
            limits = (0.0, 100.0) if form.form in PERCENT_FORMS else None
            found[f"form_{form.form}"] = interval_figure(
                form.title, "score", form.cells, scores, limits=limits
            )
    if analysis.index is not None:
        found["index"] = _index_figure(analysis.index.values)
    return found


def _values(analysis: StudyAnalysis, each: MeasureAnalysis) -> dict[str, list[float]]:
    found = dict[str, list[float]]()
    for row in analysis.trials.rows():
        if row["task"] == each.task and row.get(each.measure) is not None:
            level = str(row[each.factor]) if each.factor else "all"
            found.setdefault(level, []).append(float(row[each.measure]))
    return found


def _scores(analysis: StudyAnalysis, form: str) -> dict[str, list[float]]:
    """Return the single scores of a questionnaire by level of the main factor."""
    found = dict[str, list[float]]()
    for row in analysis.scores.rows():
        if row["form"] == form and row["score"] is not None:
            level = row[analysis.factor] if analysis.factor else None
            found.setdefault("all" if level is None else str(level), []).append(float(row["score"]))
    return found


def interval_figure(
    title: str,
    unit: str,
    cells: Mapping[str, SampleSummary],
    values: Mapping[str, Sequence[float]],
    *,
    limits: tuple[float, float] | None = None,
    least: float | None = None,
) -> Drawing:
    """Return means with 95 % intervals, and single values as small dots, one row a level.

    Intervals end at `limits`, the possible scores of a questionnaire, or at the `least` possible
    value.
    """
    numbers = [v for level in cells for v in values.get(level, ())]
    for cell in cells.values():
        numbers += [v for v in (cell.mean, cell.low, cell.high) if v is not None]
    low, high = limits or (min([*numbers, 0.0]), max([*numbers, low_top(numbers)]))
    if least is not None:
        low = max(low, least)
    height = TOP + ROW * len(cells) + BOTTOM

    def x(value: float) -> float:
        return LEFT + (value - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    bottom = height - BOTTOM
    marks: list[LineMark | RectMark | CircleMark | TextMark] = [TextMark(LEFT, 14, title, 10)]
    for tick in nice_ticks(low, high, count=6):
        marks.append(LineMark(x(tick), TOP, x(tick), bottom, LIGHT, 0.6))
        marks.append(TextMark(x(tick), bottom + 12, f"{tick:g}", 8, "middle"))
    if unit:
        marks.append(TextMark((LEFT + WIDTH - RIGHT) / 2, bottom + 25, unit, 8, "middle"))
    for row, (level, cell) in enumerate(cells.items()):
        y = TOP + ROW * (row + 0.5)
        marks.append(TextMark(LEFT - 8, y + 3, level, 9, "end"))
        for k, value in enumerate(values.get(level, ())):
            marks.append(CircleMark(x(value), y + 5 + 3 * (k % 3), 1.3, GREY))
        if cell.low is not None and cell.high is not None:
            a, b = max(cell.low, low), min(cell.high, high)
            marks.append(LineMark(x(a), y - 2, x(b), y - 2, BLUE, 2.0))
        marks.append(CircleMark(x(cell.mean), y - 2, 3.4, BLUE))
    return Drawing(WIDTH, height, tuple(marks), f"{title}, means with 95 % intervals")


def low_top(numbers: Sequence[float]) -> float:
    """Return a value above the lowest, so that a scale has a width."""
    return min([*numbers, 0.0]) + 1e-6


def _index_figure(values: Mapping[str, float]) -> Drawing:
    height = TOP + ROW * len(values)
    width = WIDTH - LEFT - RIGHT - 30
    marks: list[LineMark | RectMark | CircleMark | TextMark] = [
        TextMark(LEFT, 14, "Synthetic index (1 is best)", 10)
    ]
    for row, (name, value) in enumerate(values.items()):
        y = TOP + ROW * row + 6
        marks.append(TextMark(LEFT - 8, y + 12, name, 9, "end"))
        marks.append(RectMark(LEFT, y, max(width * value, 0.5), ROW - 12, BLUE))
        marks.append(TextMark(LEFT + width * value + 5, y + 12, f"{value:.2f}", 9))
    return Drawing(WIDTH, height, tuple(marks), "Synthetic index")
