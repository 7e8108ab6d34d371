from .body.anthropometry import (
    Anthropometry,
    make_anthropometry,
)
from .body.manikin import (
    GROUPS,
    Manikin,
    make_manikin,
    mirrored,
)
from .body.measures import Measure
from .body.skeleton import (
    Side,
    Skeleton,
)
from .evaluation.joint_loads import (
    JointLoads,
    joint_loads,
)
from .evaluation.report import (
    Report,
    com_margins,
    measure,
)
from .evaluation.tables import performance_table
from .export.bvh import save_bvh
from .export.gltf import save_gltf
from .gait.footprints import (
    Footprint,
    Gait,
)
from .gait.walking import (
    footprints_along,
    raise_heels,
    stand_on_soles,
    stand_on_toes,
    step,
    walk,
)
from .motion.actions import (
    SIDEWAYS,
    Palm,
    adopt,
    after,
    brace,
    change_height,
    grasp,
    lean_towards,
    look_at,
    move_goal,
    reach,
    release,
    rotate_goal,
    shift_weight,
    straighten,
    together,
    turn_palm,
    wait,
    wait_until,
)
from .motion.contacts import (
    Contact,
    ContactPhase,
    grip,
    seat,
    sole,
    toes,
    tread,
)
from .motion.furniture import (
    FLOOR,
    Chair,
    Crate,
    Hole,
    Ladder,
    Stairs,
    Table,
)
from .motion.loads import (
    Load,
    LoadPhase,
)
from .motion.motion_body import (
    body_in,
    with_body,
)
from .motion.performance import (
    Environment,
    Performance,
)
from .motion.performer import (
    BodyAction,
    Infeasible,
    Performer,
    Shortfall,
)
from .motion.scenario import (
    Scenario,
    run_scenario,
    standing,
)
from .motion.styles import (
    NATURAL,
    STYLES,
    Style,
)
from .skin.skin import (
    Skin,
    make_skin,
)
from .tasks.tasks import (
    TASKS,
    check_parameters,
    perform,
    task_parameters,
)

__all__ = [
    "FLOOR",
    "GROUPS",
    "NATURAL",
    "SIDEWAYS",
    "STYLES",
    "TASKS",
    "Anthropometry",
    "BodyAction",
    "Chair",
    "Contact",
    "ContactPhase",
    "Crate",
    "Environment",
    "Footprint",
    "Gait",
    "Hole",
    "Infeasible",
    "JointLoads",
    "Ladder",
    "Load",
    "LoadPhase",
    "Manikin",
    "Measure",
    "Palm",
    "Performance",
    "Performer",
    "Report",
    "Scenario",
    "Shortfall",
    "Side",
    "Skeleton",
    "Skin",
    "Stairs",
    "Style",
    "Table",
    "adopt",
    "after",
    "body_in",
    "brace",
    "change_height",
    "check_parameters",
    "com_margins",
    "footprints_along",
    "grasp",
    "grip",
    "joint_loads",
    "lean_towards",
    "look_at",
    "make_anthropometry",
    "make_manikin",
    "make_skin",
    "measure",
    "mirrored",
    "move_goal",
    "perform",
    "performance_table",
    "raise_heels",
    "reach",
    "release",
    "rotate_goal",
    "run_scenario",
    "save_bvh",
    "save_gltf",
    "seat",
    "shift_weight",
    "sole",
    "stand_on_soles",
    "stand_on_toes",
    "standing",
    "step",
    "straighten",
    "task_parameters",
    "toes",
    "together",
    "tread",
    "turn_palm",
    "wait",
    "wait_until",
    "walk",
    "with_body",
]
