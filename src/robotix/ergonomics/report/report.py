"""The report of an assessment: one page of HTML, to read and to print."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape

from robotix.ergonomics.assessment.assessment import Assessment
from robotix.ergonomics.assessment.finding import Finding
from robotix.ergonomics.assessment.key_instants import KeyInstant, key_instants
from robotix.ergonomics.assessment.recommendations import recommendations
from robotix.ergonomics.methods.back.back_models import SingleMuscle, TenMuscles
from robotix.ergonomics.methods.tables import read_table
from robotix.ergonomics.methods.verdict import ScoreStep
from robotix.ergonomics.report.curves import curve_charts, exposure_rows
from robotix.ergonomics.report.details import (
    ReportDetails,
    details_block,
    photo_section,
    signature_section,
)
from robotix.ergonomics.report.page import SEVERITY_LABELS, bullets, chip, document, section, table
from robotix.ergonomics.report.shift import shift_table
from robotix.ergonomics.signals.reach import reach_use

__all__ = [
    "inputs_table",
    "limits_section",
    "method_limits",
    "postures_figure",
    "report_html",
    "task_parts",
]

POSTURE_LIMITS = "EN 1005-4 [CEN2005], as a design program's public manual quotes it"
NOT_FOLLOWED = "The recording was not followed: nothing is judged."
LIFT_HEADS = (
    *("", "H cm", "V cm", "D cm", "A °", "HM", "VM", "DM", "AM", "FM", "CM"),
    *("limit kg", "index"),
)


@dataclass(frozen=True)
class _Limits:
    general: tuple[str, ...]
    angles: tuple[str, ...]
    back: tuple[str, ...]
    lifting: tuple[str, ...]
    strength: tuple[str, ...]


def report_html(
    assessment: Assessment,
    *,
    inputs: Mapping[str, str] | None = None,
    details: ReportDetails | None = None,
) -> str:
    """Return the report as HTML.

    Args:
        assessment: What is reported.
        inputs: Additional rows of the table of inputs.
        details: Who, where and when, photographs and the language.
    """
    title = (details.title if details else "") or _title(assessment)
    return document(
        f"{title}: ergonomic assessment",
        [
            f"<h1>{escape(title)}</h1>",
            details_block(details),
            *task_parts(assessment, inputs=inputs),
            photo_section(details),
            limits_section([assessment]),
            signature_section(details),
        ],
    )


def task_parts(assessment: Assessment, *, inputs: Mapping[str, str] | None = None) -> Iterator[str]:
    """Yield the parts of a report that concern one task."""
    instants = key_instants(assessment)
    yield f'<p class="soft">{escape(_whose(assessment))}</p>'
    yield _banner(assessment)
    yield _verdicts(assessment)
    yield section("What would make it acceptable", _changes(assessment))
    yield section("Key postures", postures_figure(assessment, instants))
    yield section("Over time", *_charts(assessment, instants))
    yield section("Time at each level", _exposure(assessment))
    yield section("Over the shift", shift_table(assessment) if len(assessment.times) > 1 else "")
    yield section("Steps of the scores", *_reasons(assessment.findings))
    yield section("Lifting equation", *_lifts(assessment))
    yield section("Reach and clearances", _reach(assessment), _clearances(assessment))
    yield section("Inputs", inputs_table(assessment, inputs))


def _title(assessment: Assessment) -> str:
    name = assessment.performance.task
    if "." in name:
        return name  # of a file
    return f"{name[:1].upper()}{name[1:]}".replace("_", " ")


def _whose(assessment: Assessment) -> str:
    performance = assessment.performance
    body = performance.manikin.anthropometry.label
    seconds = f"{performance.motion.duration:.1f} s" if len(assessment.times) > 1 else "one posture"
    return f"{body} · {performance.style} · {seconds}"


def _changes(assessment: Assessment) -> str:
    if not _is_judged(assessment):
        return "<p>Nothing was judged.</p>"
    if not any(found.is_beyond for found in assessment.findings):
        return "<p>No method asks for a change.</p>"
    found = recommendations(assessment)
    if not found:
        return "<p>No change of load or place was found that these methods can compute.</p>"
    rows = [(escape(each.change), escape(each.effect)) for each in found]
    note = "Each change alone, by the same methods and inputs as the verdicts."
    return table(("change", "effect"), rows) + f'<p class="note">{note}</p>'


def _banner(assessment: Assessment) -> str:
    """Return the overall verdict in one line."""
    findings, worst = assessment.findings, assessment.severity
    said = {
        "unverified": "Nothing was judged.",
        "fine": "No method asks for a change.",
        "look": "Worth a closer look.",
        "act": "This should be changed.",
    }
    parts = []
    for level in reversed(SEVERITY_LABELS):
        names = dict.fromkeys(found.what for found in findings if found.severity == level)
        if names and level != "fine":
            parts.append(f"{SEVERITY_LABELS[level]}: {', '.join(names)}")
    title = said[worst] if _is_judged(assessment) else NOT_FOLLOWED
    words = escape("; ".join(parts) or f"{len(findings)} findings, all fine")
    return (
        f'<div class="banner {worst}"><div><b>{title}</b><br>'
        f'<span class="soft">{words}</span></div></div>'
    )


def _is_judged(assessment: Assessment) -> bool:
    tracking = assessment.performance.tracking
    return tracking is None or tracking.success


def _verdicts(assessment: Assessment) -> str:
    rows = [
        (
            chip(found.severity),
            f"<b>{escape(found.what)}</b>",
            escape(found.figure),
            "" if found.key == "task" else f"{found.time:.1f}",
            f'{escape(str(found.verdict))}<div class="note">{escape(found.note)}</div>',
        )
        for found in assessment.findings
    ]
    heads = ("", "method", "worst", "at, s", "verdict")
    notes = bullets(assessment.notes)
    more = f"<h3>Notes</h3>{notes}" if notes else ""
    return section("Verdicts", table(heads, rows, numbers=(2, 3)), more)


def postures_figure(assessment: Assessment, instants: Sequence[KeyInstant]) -> str:
    """Return pictures of key instants with captions."""
    from robotix.ergonomics.report.pictures import data_url, posture_pictures

    pictures = posture_pictures(assessment.performance, [instant.row for instant in instants])
    figures = []
    for k, (instant, picture) in enumerate(zip(instants, pictures, strict=True)):
        letter, labels = chr(ord("A") + k), "; ".join(instant.labels)
        force = f"{assessment.back.compression[instant.row]:.0f} N"
        trunk = f"trunk {round(math.degrees(assessment.angles.trunk[instant.row]))}°"
        figures.append(
            f'<figure><img alt="{escape(labels)}" src="{data_url(picture)}"><figcaption>'
            f"<b>{letter} · {instant.time:.2f} s</b> {escape(labels)}<br>{force}, {trunk}"
            "</figcaption></figure>"
        )
    return f'<div class="postures">{"".join(figures)}</div>'


def _charts(assessment: Assessment, instants: Sequence[KeyInstant]) -> Iterator[str]:
    if len(assessment.times) == 1:
        return
    for title, svg in curve_charts(assessment, instants):
        yield f"<h3>{escape(title)}</h3>{svg}"
    if instants:
        yield '<p class="note">Letters are those of the key postures.</p>'


def _exposure(assessment: Assessment) -> str:
    if len(assessment.times) == 1:
        return ""
    rows = [
        (escape(name), bar, " · ".join(f"{value:.1f}" for value in seconds))
        for name, bar, seconds in exposure_rows(assessment)
    ]
    return table(("method", "from the best level (left) to the worst", "seconds at each"), rows)


def _reasons(findings: Iterable[Finding]) -> Iterator[str]:
    blocks = [
        f"<div><h3>{escape(found.what)}, {found.time:.2f} s</h3>{_steps(found.steps)}</div>"
        for found in findings
        if found.steps and found.key not in ("task", "lifting_index", "shear", "lifft")
    ]
    if blocks:
        yield f'<div class="two">{"".join(blocks)}</div>'


def _steps(steps: Iterable[ScoreStep]) -> str:
    rows = [(escape(step.part), _step_value(step), escape(step.reason)) for step in steps]
    return table(("part", "value", "reason"), rows, numbers=(1,))


def _step_value(step: ScoreStep) -> str:
    """Return the score; of forces and moments what anybody would measure."""
    if step.part.endswith((", N", ", N m")):
        return f"{round(step.score)}" if abs(step.score) >= 100 else f"{round(step.score, 1) + 0:g}"
    return f"{step.score if abs(step.score) > 1e-6 else 0:.4g}"


def _lifts(assessment: Assessment) -> Iterator[str]:
    for lift in assessment.lifts:
        rows = []
        for end in (lift.origin, lift.destination):
            found = end.result
            given = found.lift
            rows.append(
                (
                    end.end,
                    *(
                        f"{100 * size:.0f}"
                        for size in (given.horizontal, given.vertical, given.distance)
                    ),
                    f"{math.degrees(given.asymmetry):.0f}",
                    *(f"{step.score:.2f}" for step in found.multipliers),
                    f"{found.weight_limit:.1f}",
                    f"<b>{found.index:.2f}</b>",
                )
            )
        yield f"<h3>{escape(lift.load)}, {lift.origin.result.lift.load:g} kg</h3>"
        yield table(LIFT_HEADS, rows, numbers=range(1, len(LIFT_HEADS))) + bullets(lift.notes)


def _reach(assessment: Assessment) -> str:
    spans = assessment.spans()
    whole = max(float(spans.sum()), 1e-9)
    rows = []
    for use in reach_use(assessment.performance, assessment.angles):
        far = float(use.reach[use.row])
        easy = float(spans[use.is_comfortable].sum()) / whole
        if len(spans) == 1:
            easy = float(use.is_comfortable[0])
        rows.append(
            (
                f"{use.side} hand",
                f"{100 * far:.0f}",
                f"{100 * far / use.longest:.0f}",
                f"{assessment.times[use.row]:.1f}",
                f"{100 * easy:.0f}",
            )
        )
    heads = ("", "farthest out from the shoulder, cm", "of the arm, %", "at, s", "time at ease, %")
    note = "At ease: upper arm up to 45° forward and 20° aside, elbow 60 to 100°, wrist up to 15°."
    return table(heads, rows, numbers=range(1, 5)) + f'<p class="note">{note}</p>'


def _clearances(assessment: Assessment) -> str:
    if assessment.clearance is None:
        return ""
    rows = [(escape(pair), f"{100 * gap:.1f}") for pair, gap in assessment.clearance.nearest(6)]
    return table(("smallest distance over the motion", "cm"), rows, numbers=(1,))


def inputs_table(assessment: Assessment, more: Mapping[str, str] | None = None) -> str:
    """Return the table of inputs, with their sources."""
    body, job = assessment.performance.manikin.anthropometry, assessment.job
    lines: dict[str, tuple[str, str]] = {
        "sex": (body.sex, ""),
        "stature": (f"{body.stature:.3f} m", body.source("stature")),
        "body mass": (f"{body.mass:.1f} kg", body.source("mass")),
    }
    for phase in assessment.performance.loads:
        hands = " and ".join(phase.load.hands)
        when = f"{phase.start:.1f} to {phase.end:.1f} s, {hands} hand"
        lines[f"load: {phase.load.name}"] = (f"{phase.load.mass:g} kg", when)
    lines |= {
        "frequency": (f"{job.per_minute:g} a minute for {job.hours:g} h", ""),
        "grip": (job.coupling, ""),
        "neck": (
            ("follows the eyes", "grasps and releases are looked at, else ahead")
            if job.neck is None
            else (f"{math.degrees(job.neck):.0f}°", "given")
        ),
        "counts as upright": (f"up to {math.degrees(job.neutral):.0f}°", "assumed"),
        "counts as turned": (
            f"beyond {math.degrees(job.turned):.0f}°",
            POSTURE_LIMITS,
        ),
        "counts as abducted": (
            f"beyond {math.degrees(job.abducted):.0f}°",
            POSTURE_LIMITS,
        ),
        "age group": (job.age, "for strength"),
        "muscles at L5/S1": (_model_words(assessment), ""),
        "forces": ("with inertia" if assessment.back.is_dynamic else "at rest", ""),
    }
    lines |= {name: (value, "given") for name, value in (more or {}).items()}
    rows = [(escape(k), escape(v), escape(source)) for k, (v, source) in lines.items()]
    return table(("input", "value", "source"), rows)


def _model_words(assessment: Assessment) -> str:
    match assessment.back.model:
        case SingleMuscle() as model:
            relief = "without" if model.abdominal is None else "with"
            return f"one, {100 * model.arm:g} cm behind the disc, {relief} abdominal pressure"
        case TenMuscles():
            return "ten, in three dimensions, by linear programming"
    return type(assessment.back.model).__name__


def limits_section(assessments: Sequence[Assessment]) -> str:
    """Return limitations of the methods, and sources of all numbers."""
    return method_limits(found for each in assessments for found in each.findings)


def method_limits(findings: Iterable[Finding]) -> str:
    """Return the same for findings of any number of assessments."""
    limits, found = _limits(), list(findings)
    lifting = limits.lifting if any(each.key == "lifting_index" for each in found) else ()
    return section(
        "Limits of the methods, and sources",
        bullets(limits.general + limits.back + lifting + limits.strength),
        "<h3>How angles are measured</h3>",
        bullets(limits.angles),
        "<h3>Sources</h3>",
        bullets((line for each in found for line in each.sources), kind="sources"),
    )


@cache
def _limits() -> _Limits:
    return read_table("limits_of_methods.toml", _Limits)
