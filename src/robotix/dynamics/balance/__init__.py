"""Standing balance of a humanoid by its ankles, and trials of it."""

from robotix.dynamics.balance.controller import Ankle, BalanceSensors, StandingBalance
from robotix.dynamics.balance.estimate import BodyState, MomentumEstimator
from robotix.dynamics.balance.humanoid import feet_of, stance
from robotix.dynamics.balance.law import AnkleLaw
from robotix.dynamics.balance.motions import KeyPostures, kick, squat, stand
from robotix.dynamics.balance.trial import BalancePush, BalanceResult, BalanceTrial, run_balance

__all__ = [
    "Ankle",
    "AnkleLaw",
    "BalancePush",
    "BalanceResult",
    "BalanceSensors",
    "BalanceTrial",
    "BodyState",
    "KeyPostures",
    "MomentumEstimator",
    "StandingBalance",
    "feet_of",
    "kick",
    "run_balance",
    "squat",
    "stance",
    "stand",
]
