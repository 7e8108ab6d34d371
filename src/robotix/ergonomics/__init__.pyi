from .assessment.assessment import (
    Assessment,
    assess,
)
from .assessment.bodies import (
    percentile_bodies,
    sampled_bodies,
)
from .assessment.comparison import (
    Comparison,
    compare,
)
from .assessment.family import (
    Family,
    Member,
    assess_family,
)
from .assessment.finding import Finding
from .assessment.instant import (
    Instant,
    assess_instant,
    assess_moment,
)
from .assessment.recommendations import (
    Recommendation,
    greatest_carried_load,
    recommendations,
)
from .assessment.work import (
    WorkDay,
    make_work_day,
)
from .methods.acceptable_loads import (
    AcceptableLoad,
    Handling,
    HandlingResult,
    acceptable_load,
    assess_handling,
)
from .methods.back_models import (
    AbdominalPressure,
    BackModel,
    SingleMuscle,
    TenMuscles,
)
from .methods.composite_lifting import (
    CompositeResult,
    composite_lifting_index,
)
from .methods.lifting import (
    Lift,
    LiftingResult,
    lifting_index,
)
from .methods.lifting_fatigue import (
    FatigueResult,
    RepeatedLift,
    lifting_fatigue,
)
from .methods.low_back import (
    BackBand,
    BackTask,
    LowBackLoad,
    greatest_load,
    hand_calculated_compression,
    low_back_band,
    low_back_load,
    sacral_angle,
)
from .methods.owas import (
    OwasPosture,
    OwasResult,
    owas,
    owas_of_code,
)
from .methods.reba import (
    RebaPosture,
    RebaResult,
    reba,
)
from .methods.rula import (
    Effort,
    RulaPosture,
    RulaResult,
    rula,
)
from .methods.strain_index import (
    Exertion,
    StrainResult,
    strain_index,
)
from .methods.strength import (
    JointStrength,
    StrengthResult,
    assess_strength,
    joint_strength,
    strength_joints,
)
from .methods.upper_limb_fatigue import (
    HandFatigueResult,
    RepeatedExertion,
    hand_fatigue,
)
from .methods.verdict import (
    ScoreStep,
    Verdict,
)
from .report.details import ReportDetails
from .report.files import save_report
from .report.languages import languages
from .signals.back_series import BackSeries
from .signals.job import Job
from .signals.measured_angles import (
    PostureAngles,
    posture_angles,
)
from .signals.performance_file import (
    MotionBodyError,
    load_performance,
)
from .signals.reach import (
    ReachEnvelope,
    reach_envelope,
)
from .signals.sources import (
    held,
    recorded,
)

__all__ = [
    "AbdominalPressure",
    "AcceptableLoad",
    "Assessment",
    "BackBand",
    "BackModel",
    "BackSeries",
    "BackTask",
    "Comparison",
    "CompositeResult",
    "Effort",
    "Exertion",
    "Family",
    "FatigueResult",
    "Finding",
    "HandFatigueResult",
    "Handling",
    "HandlingResult",
    "Instant",
    "Job",
    "JointStrength",
    "Lift",
    "LiftingResult",
    "LowBackLoad",
    "Member",
    "MotionBodyError",
    "OwasPosture",
    "OwasResult",
    "PostureAngles",
    "ReachEnvelope",
    "RebaPosture",
    "RebaResult",
    "Recommendation",
    "RepeatedExertion",
    "RepeatedLift",
    "ReportDetails",
    "RulaPosture",
    "RulaResult",
    "ScoreStep",
    "SingleMuscle",
    "StrainResult",
    "StrengthResult",
    "TenMuscles",
    "Verdict",
    "WorkDay",
    "acceptable_load",
    "assess",
    "assess_family",
    "assess_handling",
    "assess_instant",
    "assess_moment",
    "assess_strength",
    "compare",
    "composite_lifting_index",
    "greatest_carried_load",
    "greatest_load",
    "hand_calculated_compression",
    "hand_fatigue",
    "held",
    "joint_strength",
    "languages",
    "lifting_fatigue",
    "lifting_index",
    "load_performance",
    "low_back_band",
    "low_back_load",
    "make_work_day",
    "owas",
    "owas_of_code",
    "percentile_bodies",
    "posture_angles",
    "reach_envelope",
    "reba",
    "recommendations",
    "recorded",
    "rula",
    "sacral_angle",
    "sampled_bodies",
    "save_report",
    "strain_index",
    "strength_joints",
]
