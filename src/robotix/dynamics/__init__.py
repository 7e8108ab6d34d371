"""Dynamics of a model: inverse and forward dynamics, statics, and the reactions of its supports."""

from robotix.dynamics.closed_chains import (
    ClosedChainEfforts,
    EffortLaw,
    LeastEffort,
    LeastLoad,
    LoopClosure,
    closed_chain_efforts,
    loop_jacobian,
)
from robotix.dynamics.forward import forward_dynamics
from robotix.dynamics.inverse import inverse_dynamics, motion_efforts, point_accelerations
from robotix.dynamics.motion_rates import MotionRates, motion_rates
from robotix.dynamics.point_wrench import PointWrench, resisting_efforts
from robotix.dynamics.reactions import Reaction, Reactions, joined_reaction, solve_reactions
from robotix.dynamics.statics import EffortContributions, effort_contributions, static_efforts
from robotix.dynamics.supports import Support
from robotix.dynamics.transmission import TransmittedWrench, transmitted_wrench

__all__ = [
    "ClosedChainEfforts",
    "EffortContributions",
    "EffortLaw",
    "LeastEffort",
    "LeastLoad",
    "LoopClosure",
    "MotionRates",
    "PointWrench",
    "Reaction",
    "Reactions",
    "Support",
    "TransmittedWrench",
    "closed_chain_efforts",
    "effort_contributions",
    "forward_dynamics",
    "inverse_dynamics",
    "joined_reaction",
    "loop_jacobian",
    "motion_efforts",
    "motion_rates",
    "point_accelerations",
    "resisting_efforts",
    "solve_reactions",
    "static_efforts",
    "transmitted_wrench",
]
