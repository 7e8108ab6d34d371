"""How a model moves: postures, tasks, limits, criteria and the solvers that combine them."""

from robotix.kinematics.batch import forward_batch, jacobian_batch
from robotix.kinematics.criteria import (
    HoldingEffort,
    LimitDistance,
    PotentialEnergy,
    ReferencePosture,
    SideCriterion,
    step_length_bounds,
    weighted_sum,
)
from robotix.kinematics.dexterity import (
    Ellipsoid,
    condition_number,
    directional_manipulability,
    ellipsoid_volume,
    manipulability,
    velocity_ellipsoid,
)
from robotix.kinematics.dexterity_criteria import (
    DirectionalManipulability,
    EllipsoidVolume,
    Isotropy,
    Manipulability,
)
from robotix.kinematics.drag import drag
from robotix.kinematics.impact import dynamic_ellipsoid, effective_mass, impact_ellipsoid
from robotix.kinematics.limits import Limits
from robotix.kinematics.obstacles.clearance import Clearance
from robotix.kinematics.obstacles.criterion import ObstacleDistance
from robotix.kinematics.obstacles.obstacle import Gap, Obstacle
from robotix.kinematics.obstacles.self_collision import SelfCollision, collision_pairs
from robotix.kinematics.posture import Posture
from robotix.kinematics.sampling import random_posture
from robotix.kinematics.searcher import Searcher, Solution, Solutions, solve, solve_batch
from robotix.kinematics.solver import Criterion, Damping, Solver, Step, solve_step
from robotix.kinematics.tasks import (
    ComTask,
    OrientationTask,
    PointTask,
    PoseTask,
    PostureTask,
    RelativeTask,
    SlidingPointTask,
    Task,
    TaskOptions,
    point_along,
)
from robotix.kinematics.workspace import (
    ReachabilityMap,
    Workspace,
    reachability_map,
    sample_workspace,
)

__all__ = [
    "Clearance",
    "ComTask",
    "Criterion",
    "Damping",
    "DirectionalManipulability",
    "Ellipsoid",
    "EllipsoidVolume",
    "Gap",
    "HoldingEffort",
    "Isotropy",
    "LimitDistance",
    "Limits",
    "Manipulability",
    "Obstacle",
    "ObstacleDistance",
    "OrientationTask",
    "PointTask",
    "PoseTask",
    "Posture",
    "PostureTask",
    "PotentialEnergy",
    "ReachabilityMap",
    "ReferencePosture",
    "RelativeTask",
    "Searcher",
    "SelfCollision",
    "SideCriterion",
    "SlidingPointTask",
    "Solution",
    "Solutions",
    "Solver",
    "Step",
    "Task",
    "TaskOptions",
    "Workspace",
    "collision_pairs",
    "condition_number",
    "directional_manipulability",
    "drag",
    "dynamic_ellipsoid",
    "effective_mass",
    "ellipsoid_volume",
    "forward_batch",
    "impact_ellipsoid",
    "jacobian_batch",
    "manipulability",
    "point_along",
    "random_posture",
    "reachability_map",
    "sample_workspace",
    "solve",
    "solve_batch",
    "solve_step",
    "step_length_bounds",
    "velocity_ellipsoid",
    "weighted_sum",
]
