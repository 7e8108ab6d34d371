"""Forward dynamics with contacts, servos and connections that come and go, on MuJoCo."""

from robotix.dynamics.simulation.connections import (
    BallJoint,
    Connection,
    HingeJoint,
    LoopJoint,
    NoFreeSlot,
    SliderJoint,
    WeldJoint,
)
from robotix.dynamics.simulation.link_table import LinkRow, LinkTable
from robotix.dynamics.simulation.parts import (
    ContactSurface,
    Mechanism,
    MountedObject,
    RigidObject,
    Servo,
    World,
)
from robotix.dynamics.simulation.settings import CONTROL, EXACT, Settings
from robotix.dynamics.simulation.simulation import Simulation, SimulationDiverged
from robotix.dynamics.simulation.structure import PreparedCut
from robotix.dynamics.simulation.totals import ContactPoint, Energy, Momentum

__all__ = [
    "CONTROL",
    "EXACT",
    "BallJoint",
    "Connection",
    "ContactPoint",
    "ContactSurface",
    "Energy",
    "HingeJoint",
    "LinkRow",
    "LinkTable",
    "LoopJoint",
    "Mechanism",
    "Momentum",
    "MountedObject",
    "NoFreeSlot",
    "PreparedCut",
    "RigidObject",
    "Servo",
    "Settings",
    "Simulation",
    "SimulationDiverged",
    "SliderJoint",
    "WeldJoint",
    "World",
]
