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
from .methods.back.back_models import (
    AbdominalPressure,
    BackModel,
    SingleMuscle,
    TenMuscles,
)
from .methods.back.low_back import (
    BackBand,
    BackTask,
    LowBackLoad,
    compression_levels_by_sex,
    greatest_load,
    hand_calculated_compression,
    low_back_band,
    low_back_load,
    sacral_angle,
)
from .methods.manual_handling.acceptable_loads import (
    AcceptableLoad,
    Handling,
    HandlingResult,
    acceptable_load,
    assess_handling,
)
from .methods.manual_handling.composite_lifting import (
    CompositeResult,
    LiftCategory,
    VariableResult,
    composite_lifting_index,
    variable_lifting_index,
)
from .methods.manual_handling.key_indicators import (
    KeyIndicatorResult,
    KeyIndicators,
    key_indicators,
)
from .methods.manual_handling.lifting import (
    Lift,
    LiftingResult,
    lifting_index,
)
from .methods.manual_handling.lifting_fatigue import (
    FatigueResult,
    RepeatedLift,
    lifting_fatigue,
)
from .methods.manual_handling.reference_mass import (
    Lifters,
    ReferenceMassResult,
    reference_mass_index,
)
from .methods.posture.owas import (
    OwasPosture,
    OwasResult,
    owas,
    owas_of_code,
)
from .methods.posture.reba import (
    RebaPosture,
    RebaResult,
    reba,
)
from .methods.posture.rula import (
    Effort,
    RulaPosture,
    RulaResult,
    rula,
)
from .methods.posture.static_posture import (
    StaticPosture,
    StaticPostureResult,
    static_posture,
)
from .methods.strength.arm_strength import (
    ArmExertion,
    ArmStrengthResult,
    arm_strength,
)
from .methods.strength.joint_strength import (
    JointStrength,
    StrengthResult,
    assess_strength,
    joint_strength,
    strength_joints,
)
from .methods.upper_limb.hand_fatigue import (
    HandFatigueResult,
    RepeatedExertion,
    hand_fatigue,
)
from .methods.upper_limb.ocra_checklist import (
    RepetitiveWork,
    RepetitiveWorkResult,
    ocra_checklist,
)
from .methods.upper_limb.shoulder_fatigue import (
    ShoulderFatigueResult,
    ShoulderTask,
    shoulder_fatigue,
)
from .methods.upper_limb.strain_index import (
    Exertion,
    StrainResult,
    strain_index,
)
from .methods.verdict import (
    ScoreStep,
    Verdict,
)
from .report.details import ReportDetails
from .report.files import save_report
from .report.languages import languages
from .signals.arm_exertions import arm_exertion
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
from .signals.static_holds import (
    Hold,
    static_holds,
)

__all__ = [
    "AbdominalPressure",
    "AcceptableLoad",
    "ArmExertion",
    "ArmStrengthResult",
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
    "Hold",
    "Instant",
    "Job",
    "JointStrength",
    "KeyIndicatorResult",
    "KeyIndicators",
    "Lift",
    "LiftCategory",
    "Lifters",
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
    "ReferenceMassResult",
    "RepeatedExertion",
    "RepeatedLift",
    "RepetitiveWork",
    "RepetitiveWorkResult",
    "ReportDetails",
    "RulaPosture",
    "RulaResult",
    "ScoreStep",
    "ShoulderFatigueResult",
    "ShoulderTask",
    "SingleMuscle",
    "StaticPosture",
    "StaticPostureResult",
    "StrainResult",
    "StrengthResult",
    "TenMuscles",
    "VariableResult",
    "Verdict",
    "WorkDay",
    "acceptable_load",
    "arm_exertion",
    "arm_strength",
    "assess",
    "assess_family",
    "assess_handling",
    "assess_instant",
    "assess_moment",
    "assess_strength",
    "compare",
    "composite_lifting_index",
    "compression_levels_by_sex",
    "greatest_carried_load",
    "greatest_load",
    "hand_calculated_compression",
    "hand_fatigue",
    "held",
    "joint_strength",
    "key_indicators",
    "languages",
    "lifting_fatigue",
    "lifting_index",
    "load_performance",
    "low_back_band",
    "low_back_load",
    "make_work_day",
    "ocra_checklist",
    "owas",
    "owas_of_code",
    "percentile_bodies",
    "posture_angles",
    "reach_envelope",
    "reba",
    "recommendations",
    "recorded",
    "reference_mass_index",
    "rula",
    "sacral_angle",
    "sampled_bodies",
    "save_report",
    "shoulder_fatigue",
    "static_holds",
    "static_posture",
    "strain_index",
    "strength_joints",
    "variable_lifting_index",
]
