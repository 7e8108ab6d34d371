"""What a study file allows but its author may not have meant."""

from __future__ import annotations

import math

from robotix.experiments.study.orders import order_rows
from robotix.experiments.study.study import Study

__all__ = ["study_remarks"]


def study_remarks(study: Study) -> list[str]:
    """Return remarks about balance and missing texts."""
    groups = math.prod(len(study.factors[name].levels) for name in study.between)
    rows = [
        order_rows(study.factors[name].order, len(study.factors[name].levels))
        for name in study.within
    ]
    needed = groups * math.lcm(*rows, order_rows(study.task_order, len(study.tasks)))
    found = []
    if study.participants % needed:
        found.append(
            f"orders are balanced for multiples of {needed} participants, not for"
            f" {study.participants}"
        )
    if not study.consent:
        found.append("no text of consent: participants are asked for it without one")
    if study.repeats == 1 and study.participants == 1:
        found.append("one participant and one repeat: nothing can be tested")
    for name in study.within:
        if study.factors[name].order == "fixed" and len(study.factors[name].levels) > 1:
            found.append(f"the order of {name} is fixed: its effect mixes with that of practice")
    return found
