"""Standing balance of a humanoid by its ankles, and trials of it."""

from robotix.dynamics.balance.controller import Ankle, BalanceSensors, StandingBalance
from robotix.dynamics.balance.estimate import BodyState, MomentumEstimator
from robotix.dynamics.balance.humanoid import feet_of, stance
from robotix.dynamics.balance.law import AnkleLaw
from robotix.dynamics.balance.motions import KeyPostures, kick, squat, stand
from robotix.dynamics.balance.trial import BalanceResult, BalanceTrial, Push, run_balance

__all__ = [
    "Ankle",
    "AnkleLaw",
    "BalanceResult",
    "BalanceSensors",
    "BalanceTrial",
    "BodyState",
    "KeyPostures",
    "MomentumEstimator",
    "Push",
    "StandingBalance",
    "feet_of",
    "kick",
    "run_balance",
    "squat",
    "stance",
    "stand",
]
