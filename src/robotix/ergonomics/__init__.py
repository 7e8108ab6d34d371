"""Ergonomics: the assessments people sign, each a pure function from numbers to a verdict.

Every result keeps its inputs, its steps with their reasons, its verdict, and in `shown` where the
numbers come from. `assess` applies all of them to a whole motion, `assess_family` to many bodies.
What needs compiled code loads on first use, so that the calculators start at once.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from robotix.ergonomics.assessment.finding import Finding
from robotix.ergonomics.methods.back_models import (
    AbdominalPressure,
    BackModel,
    SingleMuscle,
    TenMuscles,
)
from robotix.ergonomics.methods.composite_lifting import CompositeResult, composite_lifting_index
from robotix.ergonomics.methods.lifting import Lift, LiftingResult, lifting_index
from robotix.ergonomics.methods.low_back import (
    BackBand,
    BackTask,
    LowBackLoad,
    hand_calculated_compression,
    low_back_band,
    low_back_load,
    sacral_angle,
)
from robotix.ergonomics.methods.owas import OwasPosture, OwasResult, owas, owas_of_code
from robotix.ergonomics.methods.reba import RebaPosture, RebaResult, reba
from robotix.ergonomics.methods.rula import Effort, RulaPosture, RulaResult, rula
from robotix.ergonomics.methods.strength import (
    JointStrength,
    StrengthResult,
    assess_strength,
    joint_strength,
    strength_joints,
)
from robotix.ergonomics.methods.verdict import ScoreStep, Verdict
from robotix.ergonomics.signals.job import Job

if TYPE_CHECKING:
    from robotix.ergonomics.assessment.assessment import Assessment, assess
    from robotix.ergonomics.assessment.bodies import percentile_bodies, sampled_bodies
    from robotix.ergonomics.assessment.comparison import Comparison, compare
    from robotix.ergonomics.assessment.family import Family, Member, assess_family
    from robotix.ergonomics.report.files import save_report
    from robotix.ergonomics.signals.back_series import BackSeries
    from robotix.ergonomics.signals.measured_angles import PostureAngles, posture_angles
    from robotix.ergonomics.signals.reach import ReachEnvelope, reach_envelope
    from robotix.ergonomics.signals.sources import held, recorded

__all__ = [
    "AbdominalPressure",
    "Assessment",
    "BackBand",
    "BackModel",
    "BackSeries",
    "BackTask",
    "Comparison",
    "CompositeResult",
    "Effort",
    "Family",
    "Finding",
    "Job",
    "JointStrength",
    "Lift",
    "LiftingResult",
    "LowBackLoad",
    "Member",
    "OwasPosture",
    "OwasResult",
    "PostureAngles",
    "ReachEnvelope",
    "RebaPosture",
    "RebaResult",
    "RulaPosture",
    "RulaResult",
    "ScoreStep",
    "SingleMuscle",
    "StrengthResult",
    "TenMuscles",
    "Verdict",
    "assess",
    "assess_family",
    "assess_strength",
    "compare",
    "composite_lifting_index",
    "hand_calculated_compression",
    "held",
    "joint_strength",
    "lifting_index",
    "low_back_band",
    "low_back_load",
    "owas",
    "owas_of_code",
    "percentile_bodies",
    "posture_angles",
    "reach_envelope",
    "reba",
    "recorded",
    "rula",
    "sacral_angle",
    "sampled_bodies",
    "save_report",
    "strength_joints",
]

_HOMES = {
    "robotix.ergonomics.assessment.assessment": ("Assessment", "assess"),
    "robotix.ergonomics.signals.back_series": ("BackSeries",),
    "robotix.ergonomics.assessment.bodies": ("percentile_bodies", "sampled_bodies"),
    "robotix.ergonomics.assessment.comparison": ("Comparison", "compare"),
    "robotix.ergonomics.assessment.family": ("Family", "Member", "assess_family"),
    "robotix.ergonomics.signals.measured_angles": ("PostureAngles", "posture_angles"),
    "robotix.ergonomics.signals.reach": ("ReachEnvelope", "reach_envelope"),
    "robotix.ergonomics.report.files": ("save_report",),
    "robotix.ergonomics.signals.sources": ("held", "recorded"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'robotix.ergonomics' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME_OF[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
