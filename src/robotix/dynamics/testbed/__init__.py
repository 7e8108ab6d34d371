"""A real robot's log against the simulation: error figures, and servos identified from it."""

from robotix.dynamics.testbed.compare import LogComparison, SignalError, compare_log
from robotix.dynamics.testbed.identify import Identification, identify_joints
from robotix.dynamics.testbed.log import RobotLog, load_log, save_log
from robotix.dynamics.testbed.playback import JointResponse, LogPlayback

__all__ = [
    "Identification",
    "JointResponse",
    "LogComparison",
    "LogPlayback",
    "RobotLog",
    "SignalError",
    "compare_log",
    "identify_joints",
    "load_log",
    "save_log",
]
