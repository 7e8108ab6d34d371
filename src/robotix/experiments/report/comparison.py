"""Arms and mountings without trials: one figure, and the part of the report on it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from html import escape

from robotix.experiments.comparison.targets import TargetReach
from robotix.experiments.report.drawing import (
    INK,
    Colour,
    Drawing,
    LineMark,
    RectMark,
    TextMark,
    text_width,
)
from robotix.experiments.report.tables import html_table

__all__ = ["comparison_figure", "comparison_section"]

# One for each arm; distinct for those who confuse red and green, too.
COLOURS: tuple[Colour, ...] = (
    (0.84, 0.37, 0.0), (0.34, 0.20, 0.56), (0.0, 0.49, 0.43), (0.55, 0.34, 0.07), INK,
)  # fmt: skip
STRENGTHS = (0.35, 0.65, 1.0)  # of the colour, one for each mounting
GREY: Colour = (0.55, 0.55, 0.55)
CELL_WIDTH, CELL_HEIGHT, GAP_X, GAP_Y = 106.0, 66.0, 24.0, 20.0
LEFT, TOP, LEGEND = 98.0, 22.0, 34.0
Marks = list[LineMark | RectMark | TextMark]
Measure = Callable[[TargetReach], float]
MEASURES: Mapping[str, tuple[Measure, str]] = {
    "points reached": (lambda each: each.share, "share of all"),
    "isotropy": (lambda each: each.isotropy, "1 is best"),
    "distance from limits": (lambda each: each.limit_distance, "share of range"),
    "clearance": (lambda each: each.clearance, "m, from the person"),
}


def comparison_figure(found: Sequence[TargetReach]) -> Drawing:
    """Return rows of measures, columns of tasks, bars of arms and mountings.

    All cells of a row have the same scale. Arms that reach no point have no other bars.
    """
    tasks = list(dict.fromkeys(each.task for each in found))
    width = LEFT + len(tasks) * (CELL_WIDTH + GAP_X)
    height = TOP + len(MEASURES) * (CELL_HEIGHT + GAP_Y) + LEGEND
    marks: Marks = [
        TextMark(LEFT + k * (CELL_WIDTH + GAP_X), 13, task, 10) for k, task in enumerate(tasks)
    ]
    for row, (label, (measure, unit)) in enumerate(MEASURES.items()):
        y = TOP + row * (CELL_HEIGHT + GAP_Y)
        top = _top([measure(each) for each in found])
        marks.append(TextMark(4, y + CELL_HEIGHT / 2, label, 8.5))
        marks.append(TextMark(4, y + CELL_HEIGHT / 2 + 11, unit, 7.5, colour=GREY))
        for column, task in enumerate(tasks):
            corner = LEFT + column * (CELL_WIDTH + GAP_X), y
            marks += _cell(found, task, measure, top, corner)
    marks += _legend(found, height - LEGEND + 12)
    title = "Arms and mountings over the points of the tasks"
    return Drawing(max(width, 430.0), height, tuple(marks), title)


def _names(found: Sequence[TargetReach]) -> tuple[list[str], list[str]]:
    """Return the arms and the mountings."""
    arms = list(dict.fromkeys(each.arm for each in found))
    return arms, list(dict.fromkeys(each.mounting for each in found))


def _top(values: Sequence[float]) -> float:
    """Return a round number at the top of a scale."""
    largest = max((value for value in values if math.isfinite(value)), default=0.0)
    if largest <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(largest))
    return next(power * m for m in (1, 2, 5, 10) if power * m >= largest * (1 - 1e-9))


def _tint(arm: int, mounting: int) -> Colour:
    """Return the colour of an arm, mixed with white for the first mountings."""
    part = STRENGTHS[mounting % len(STRENGTHS)]
    red, green, blue = (1 - part * (1 - each) for each in COLOURS[arm % len(COLOURS)])
    return red, green, blue


def _cell(
    found: Sequence[TargetReach],
    task: str,
    measure: Measure,
    top: float,
    corner: tuple[float, float],
) -> Marks:
    (arms, mountings), (x, y) = _names(found), corner
    bottom = y + CELL_HEIGHT
    marks: Marks = [
        LineMark(x, y, x, bottom, GREY, 0.6),
        LineMark(x, bottom, x + CELL_WIDTH, bottom, GREY, 0.6),
        TextMark(x - 3, y + 6, f"{top:g}", 7, "end"),
        TextMark(x - 3, bottom, "0", 7, "end"),
    ]
    step = CELL_WIDTH / (len(arms) * (len(mountings) + 0.6))  # arms stand apart
    for each in found:
        value = measure(each)
        if each.task != task or not math.isfinite(value):
            continue
        i, j = arms.index(each.arm), mountings.index(each.mounting)
        tall = CELL_HEIGHT * min(max(value, 0.0), top) / top
        left = x + step * (i * (len(mountings) + 0.6) + j + 0.3)
        words = f"{each.arm}, {each.mounting}: {value:.3g}"
        bar = RectMark(left, bottom - tall, 0.84 * step, tall, _tint(i, j), words)
        marks.append(bar)
    return marks


def _legend(found: Sequence[TargetReach], y: float) -> Marks:
    arms, mountings = _names(found)
    marks: Marks = []
    for names, colours, line in (
        (arms, [_tint(k, len(STRENGTHS) - 1) for k in range(len(arms))], 0.0),
        (mountings, [_tint(len(COLOURS) - 1, k) for k in range(len(mountings))], 14.0),
    ):
        x = LEFT
        for name, colour in zip(names, colours, strict=True):
            marks.append(RectMark(x, y + line - 7, 8, 8, colour))
            marks.append(TextMark(x + 12, y + line, name, 8.5))
            x += 30 + text_width(name, 8.5)
    return marks


def comparison_section(
    found: Sequence[TargetReach], best: Mapping[str, str], *, mounting: str = "rail"
) -> str:
    """Return the section; `best` has the best arm of the trials by task, with one `mounting`."""
    head = "<h2>Arms and mountings without trials</h2>"
    if not found:
        return (
            f'{head}<p class="note">Not calculated. <code>robotix lab arms --study DIR</code>'
            " calculates it for the arms and tasks of this study and adds a figure here.</p>"
        )
    words = (
        "For every point at which a task takes or puts something, with the rotation that the hand"
        " keeps there: whether the arm reaches it, clear of the person, and for the most dexterous"
        " of the postures found, the isotropy of the Jacobian, the smallest distance of a joint"
        " from its limit as a share of its range, and the clearance of elbow, wrist and hand from"
        " boxes around the person; means over the points reached. Nobody drives here: it says what"
        " an arm can do, not how people get there."
    )
    heads = ["task", "arm", "mounting", "reached", "isotropy", "from limits", "clearance, m"]
    rows = [
        [each.task, each.arm, each.mounting, f"{each.reached} of {each.points}",
         _number(each.isotropy), _number(each.limit_distance, 3), _number(each.clearance)]
        for each in found
    ]  # fmt: skip
    return (
        f"{head}<p>{escape(words)}</p><figure class=broad>"
        f"{comparison_figure(found).svg()}</figure>"
        f"{_beside_trials(found, best, mounting)}"
        f"<details><summary>All numbers</summary>{html_table(heads, rows, left=3)}</details>"
    )


def _number(value: float, digits: int = 2) -> str:
    return "none" if math.isnan(value) else f"{value:.{digits}f}"


def _beside_trials(found: Sequence[TargetReach], best: Mapping[str, str], used: str) -> str:
    """Return the best arm of each measure beside that of the trials, by task and mounting."""
    arms, mountings = _names(found)
    if len(arms) < 2:
        return ""
    rows = []
    for task in dict.fromkeys(each.task for each in found):
        for mounting in mountings:
            here = [each for each in found if (each.task, each.mounting) == (task, mounting)]
            leaders = [_leader(here, measure) for measure, _ in MEASURES.values()]
            rows.append([task, mounting, *leaders, best.get(task, "") if mounting == used else ""])
    heads = ["task", "mounting", *MEASURES, "trials, by E"]
    words = (
        "The arm with the largest value of each measure, beside the best one of the trials, which"
        " had the mounting of the study only."
    )
    return f"<p>{words}</p>{html_table(heads, rows, left=len(heads))}"


def _leader(here: Sequence[TargetReach], measure: Measure) -> str:
    """Return the arm with the largest value; all of them, if several have it."""
    values = {each.arm: measure(each) for each in here if math.isfinite(measure(each))}
    if not values:
        return "none"
    leaders = [arm for arm, value in values.items() if value == max(values.values())]
    return "all" if len(leaders) == len(here) > 1 else ", ".join(leaders)
