"""Key instants of an assessment, for the pictures of a report."""

from __future__ import annotations

from dataclasses import dataclass

from robotix.ergonomics.assessment.assessment import Assessment

__all__ = ["KeyInstant", "key_instants"]

MIN_SEPARATION = 0.4  # s; instants closer than that share a picture
MAX_INSTANTS = 6


@dataclass(frozen=True)
class KeyInstant:
    """A row of the motion and its captions."""

    row: int
    time: float  # s
    labels: tuple[str, ...]


def key_instants(assessment: Assessment) -> tuple[KeyInstant, ...]:
    """Return the worst instants of the methods, and grasps and releases, in order of time."""
    wanted = [
        (found.row, f"worst {found.what}")
        for found in assessment.findings
        if found.key not in ("task", "capable", "demand", "lifting_index", "acceptable", "lifft")
    ]
    for lift in assessment.lifts:
        wanted.append((lift.origin.row, f"{lift.load} is taken"))
        wanted.append((lift.destination.row, f"{lift.load} is put"))
    if assessment.finding("task") is not None and assessment.performance.shortfalls:
        wanted.append((len(assessment.times) - 1, "as far as the body gets"))
    if assessment.clearance is not None:
        row = assessment.clearance.row
        wanted.append((row, f"nearest: {assessment.clearance.label(row)}"))
    groups: list[list[tuple[int, str]]] = []
    for row, label in sorted(wanted):
        near = (
            groups and assessment.times[row] - assessment.times[groups[-1][0][0]] <= MIN_SEPARATION
        )
        if near:
            groups[-1].append((row, label))
        else:
            groups.append([(row, label)])
    # keep the groups with most entries
    kept = sorted(
        sorted(groups, key=len, reverse=True)[:MAX_INSTANTS], key=lambda group: group[0][0]
    )
    return tuple(_instant(assessment, group) for group in kept)


def _instant(assessment: Assessment, group: list[tuple[int, str]]) -> KeyInstant:
    """Return a group as one instant, at its row of highest compression."""
    row = max((row for row, _ in group), key=lambda row: assessment.back.compression[row])
    labels = tuple(dict.fromkeys(label for _, label in group))
    return KeyInstant(row, float(assessment.times[row]), labels)
