"""Forward dynamics with contacts, servos and connections that come and go, on MuJoCo."""

from robotix.dynamics.simulation.parts import Mechanism, RigidObject, Servo, Surface, World
from robotix.dynamics.simulation.settings import CONTROL, EXACT, Settings
from robotix.dynamics.simulation.simulation import (
    ContactPoint,
    Energy,
    Momentum,
    Simulation,
    SimulationDiverged,
)

__all__ = [
    "CONTROL",
    "EXACT",
    "ContactPoint",
    "Energy",
    "Mechanism",
    "Momentum",
    "RigidObject",
    "Servo",
    "Settings",
    "Simulation",
    "SimulationDiverged",
    "Surface",
    "World",
]
