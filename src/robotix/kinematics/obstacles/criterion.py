"""Distance from obstacles as a side criterion."""

from __future__ import annotations

from dataclasses import dataclass

from robotix.geometry import Array
from robotix.kinematics.criteria import SideCriterion
from robotix.kinematics.obstacles.clearance import Clearance
from robotix.kinematics.posture import Posture

__all__ = ["ObstacleDistance"]


@dataclass(frozen=True, eq=False)
class ObstacleDistance(SideCriterion):
    """Raises the smallest slack to the obstacles, H = min(slack, influence), in m."""

    clearance: Clearance

    def value(self, posture: Posture) -> float:
        """Return the smallest slack, at most the influence."""
        return min(self.clearance.slack(posture), self.clearance.influence)

    def gradient(self, posture: Posture) -> Array:
        """Return its gradient, (n_dof,)."""
        return self.clearance.slack_gradient(posture)
