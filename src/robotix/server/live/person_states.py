"""Converts assessments of people to messages."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from robotix.ergonomics.methods.back.low_back import compression_levels, shear_levels
from robotix.geometry import Array
from robotix.server.wire.messages import Vector
from robotix.server.wire.people import BackLimits, BackState, PersonState, ScoreState, StrainState

if TYPE_CHECKING:
    from robotix.ergonomics.assessment.instant import Instant

__all__ = ["MAX_BASE_TILT", "back_limits", "in_world", "person_state"]

MAX_BASE_TILT = math.radians(3.0)  # of a base; the methods assume level ground
SITTING_NOTE = (
    "Assumed to sit: the feet alone cannot support this posture. Backrest and armrests are ignored."
)
UNSUPPORTED_NOTE = (
    "The contacts cannot support this posture: no centre of pressure, legs are not assessed."
)
HANDS_UNKNOWN_NOTE = (
    "The contacts cannot support this posture, and the load on the hands is unknown."
)
SLOPE_NOTE = "The ground is sloped: the methods assume level ground."


def back_limits() -> BackLimits:
    """Return the limits at L5/S1."""
    (action, maximum, _), (often, most, _) = compression_levels(), shear_levels()
    return BackLimits((action.highest, maximum.highest), (often.highest, most.highest))


def person_state(instant: Instant, *, task: str = "") -> PersonState:
    """Return an assessed instant as a message part, without name, in the base frame."""
    margin = instant.margin
    return PersonState(
        name="",
        task=task,
        note=_note(instant),
        bears=_bears(instant),
        load=instant.load,
        is_dynamic=instant.back.is_dynamic,
        is_supported=instant.is_supported,
        com=_vector(instant.com),
        cop=None if instant.cop is None else _vector(instant.cop),
        polygon=[_vector(corner) for corner in instant.polygon],
        margin=margin if math.isfinite(margin) else None,
        back=_back(instant) if instant.is_back_known else None,
        scores=_scores(instant),
        strains=[
            StrainState(each.joint, each.moment, each.demand, each.percent)
            for each in instant.strains()
        ],
    )


def in_world(state: PersonState, *, name: str, base: Array) -> PersonState:
    """Return a state with its name, in the world frame; `base` is a row of the graph, (13,)."""
    R, t = base[:9].reshape(3, 3), base[9:12]
    if R[2, 2] < math.cos(MAX_BASE_TILT):
        return PersonState(name, state.task, SLOPE_NOTE, state.bears, state.load)

    def moved(place: Vector | None) -> Vector | None:
        return None if place is None else _vector(R @ np.array(place) + t)

    return msgspec.structs.replace(
        state,
        name=name,
        com=moved(state.com),
        cop=moved(state.cop),
        polygon=[moved(corner) for corner in state.polygon],
    )


def _note(instant: Instant) -> str:
    if not instant.is_supported:
        return UNSUPPORTED_NOTE if instant.is_back_known else HANDS_UNKNOWN_NOTE
    return SITTING_NOTE if instant.support_source == "sitting" else ""


def _bears(instant: Instant) -> list[str]:
    names = [contact.name.replace("_", " ") for contact in instant.contacts]
    feet = [name for name in names if name.endswith(("foot", "toes"))]
    rest = [name for name in names if name not in feet]
    return [*(["feet"] if len(feet) > 1 else feet), *dict.fromkeys(rest)]


def _back(instant: Instant) -> BackState:
    back, row = instant.back, instant.row
    low, high = back.band
    pressed, sheared = back.compression_verdict(row), back.shear_verdict(row)
    return BackState(
        compression=float(back.compression[row]),
        low=float(low[row]),
        high=float(high[row]),
        level=pressed.level,
        advice=pressed.advice,
        shear=float(back.shear[row]),
        shear_level=sheared.level,
        shear_advice=sheared.advice,
        moment=float(back.moment[row]),
    )


def _scores(instant: Instant) -> list[ScoreState]:
    rula, reba, owas = instant.rula, instant.reba, instant.owas
    found = (
        ("RULA", rula.score, rula.verdict, ""),
        ("REBA", reba.score, reba.verdict, ""),
        ("OWAS", owas.category, owas.verdict, owas.code),
    )
    return [
        ScoreState(method, score, verdict.level, verdict.levels, verdict.advice, code)
        for method, score, verdict, code in found
    ]


def _vector(values: Array) -> Vector:
    x, y, z = values.tolist()
    return x, y, z
