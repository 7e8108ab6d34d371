"""Ergonomics: the assessments people sign, each a pure function from numbers to a verdict.

Every result keeps its inputs, its steps with their reasons, its verdict, and in `shown` where the
numbers come from.
"""

from robotix.ergonomics.back_models import AbdominalPressure, BackModel, SingleMuscle, TenMuscles
from robotix.ergonomics.composite_lifting import CompositeResult, composite_lifting_index
from robotix.ergonomics.lifting import Lift, LiftingResult, lifting_index
from robotix.ergonomics.low_back import (
    BackBand,
    BackTask,
    LowBackLoad,
    hand_calculated_compression,
    low_back_band,
    low_back_load,
    sacral_angle,
)
from robotix.ergonomics.owas import OwasPosture, OwasResult, owas, owas_of_code
from robotix.ergonomics.reba import RebaPosture, RebaResult, reba
from robotix.ergonomics.rula import Effort, RulaPosture, RulaResult, rula
from robotix.ergonomics.strength import (
    JointStrength,
    StrengthResult,
    assess_strength,
    joint_strength,
    strength_joints,
)
from robotix.ergonomics.verdict import Step, Verdict

__all__ = [
    "AbdominalPressure",
    "BackBand",
    "BackModel",
    "BackTask",
    "CompositeResult",
    "Effort",
    "JointStrength",
    "Lift",
    "LiftingResult",
    "LowBackLoad",
    "OwasPosture",
    "OwasResult",
    "RebaPosture",
    "RebaResult",
    "RulaPosture",
    "RulaResult",
    "SingleMuscle",
    "Step",
    "StrengthResult",
    "TenMuscles",
    "Verdict",
    "assess_strength",
    "composite_lifting_index",
    "hand_calculated_compression",
    "joint_strength",
    "lifting_index",
    "low_back_band",
    "low_back_load",
    "owas",
    "owas_of_code",
    "reba",
    "rula",
    "sacral_angle",
    "strength_joints",
]
