"""Motion: time laws, paths in space, postures over time, recording, playing, files."""

from robotix.motion.coordinates import Dof, Unit, model_dofs
from robotix.motion.events import JointEvent, JointMoved, LimitReached, joint_events
from robotix.motion.files import append_motion, load_motion, save_motion
from robotix.motion.lerobot import save_lerobot
from robotix.motion.mcap_file import MotionLog
from robotix.motion.motion import LimitBreach, Marker, Motion
from robotix.motion.moves import fastest_profile, make_move, move_goal, move_steps
from robotix.motion.paths import Arc, Line, PointPath
from robotix.motion.profiles import Profile, profile_limits
from robotix.motion.recorder import Ended, Looped, MotionRecorder, Passed, Player, PlayEvent
from robotix.motion.spline import Spline
from robotix.motion.table_files import MissingPackage, save_table
from robotix.motion.trajectory import PosePath, Trajectory

__all__ = [
    "Arc",
    "Dof",
    "Ended",
    "JointEvent",
    "JointMoved",
    "LimitBreach",
    "LimitReached",
    "Line",
    "Looped",
    "Marker",
    "MissingPackage",
    "Motion",
    "MotionLog",
    "MotionRecorder",
    "Passed",
    "PlayEvent",
    "Player",
    "PointPath",
    "PosePath",
    "Profile",
    "Spline",
    "Trajectory",
    "Unit",
    "append_motion",
    "fastest_profile",
    "joint_events",
    "load_motion",
    "make_move",
    "model_dofs",
    "move_goal",
    "move_steps",
    "profile_limits",
    "save_lerobot",
    "save_motion",
    "save_table",
]
