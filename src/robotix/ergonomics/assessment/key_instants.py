"""The instants of an assessment that are worth a picture."""

from __future__ import annotations

from dataclasses import dataclass

from robotix.ergonomics.assessment.assessment import Assessment

__all__ = ["KeyInstant", "key_instants"]

TOGETHER = 0.4  # s: instants nearer than that share a picture
MOST = 6


@dataclass(frozen=True)
class KeyInstant:
    """A row, and what is to be said about it."""

    row: int
    time: float  # s
    labels: tuple[str, ...]


def key_instants(assessment: Assessment) -> tuple[KeyInstant, ...]:
    """Return where methods find their worst and where loads are taken and put, in order of time."""
    wanted = [
        (found.row, "fewest strong enough" if found.key == "capable" else f"worst {found.what}")
        for found in assessment.findings
        if found.key not in ("task", "demand", "lifting_index")
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
        near = groups and assessment.times[row] - assessment.times[groups[-1][0][0]] <= TOGETHER
        if near:
            groups[-1].append((row, label))
        else:
            groups.append([(row, label)])
    # the fullest groups matter most
    kept = sorted(sorted(groups, key=len, reverse=True)[:MOST], key=lambda group: group[0][0])
    return tuple(_instant(assessment, group) for group in kept)


def _instant(assessment: Assessment, group: list[tuple[int, str]]) -> KeyInstant:
    """Return a group at the row of its highest compression."""
    row = max((row for row, _ in group), key=lambda row: assessment.back.compression[row])
    labels = tuple(dict.fromkeys(label for _, label in group))
    return KeyInstant(row, float(assessment.times[row]), labels)
