"""The plan of the labyrinth: rectangles in the plane of the handle, in the device's base frame.

As in [Ueberle2004], the labyrinth is combined of rectangles, whose corners serve the picture and
the haptic rendering alike.
"""

from __future__ import annotations

from dataclasses import dataclass

from robotix.haptics.loop.environment import (
    BoxWall,
    DampingZone,
    FreeDamping,
    HapticElement,
    PlaneWall,
    SpringZone,
)

__all__ = ["LABYRINTH", "LabyrinthPlan", "PlanRectangle"]

WALL_STIFFNESS, WALL_DAMPING = 6000.0, 250.0  # N/m, N s/m
PLANE_STIFFNESS, PLANE_DAMPING = 4000.0, 200.0  # of what keeps the ball in its plane


@dataclass(frozen=True)
class PlanRectangle:
    """A rectangle along the axes, m."""

    name: str
    low: tuple[float, float]
    high: tuple[float, float]

    @property
    def centre(self) -> tuple[float, float]:
        """Its middle."""
        return (self.low[0] + self.high[0]) / 2, (self.low[1] + self.high[1]) / 2

    @property
    def size(self) -> tuple[float, float]:
        """Its lengths along x and y."""
        return self.high[0] - self.low[0], self.high[1] - self.low[1]

    def contains(self, x: float, y: float) -> bool:
        """Return whether a point lies in it."""
        return self.low[0] <= x <= self.high[0] and self.low[1] <= y <= self.high[1]

    def distance(self, x: float, y: float) -> float:
        """Return the distance of a point, 0 inside."""
        dx = max(self.low[0] - x, 0.0, x - self.high[0])
        dy = max(self.low[1] - y, 0.0, y - self.high[1])
        return float((dx * dx + dy * dy) ** 0.5)


@dataclass(frozen=True)
class LabyrinthPlan:
    """Walls, zones, start and goal."""

    walls: tuple[PlanRectangle, ...]
    damping_zone: PlanRectangle
    spring_zone: PlanRectangle
    goal: PlanRectangle
    start: tuple[float, float]
    waypoints: tuple[tuple[float, float], ...]  # a way from the start to the goal
    height: float = -0.2  # m, of the plane
    wall_height: float = 0.04  # m
    ball_radius: float = 0.015  # m

    def elements(self) -> list[HapticElement]:
        """Return what is felt: walls, zones, and the plane in which the ball stays."""
        z, half = self.height, self.wall_height
        found: list[HapticElement] = [
            BoxWall(
                (*wall.low, z - half), (*wall.high, z + half), stiffness=WALL_STIFFNESS,
                damping=WALL_DAMPING, hysteresis=1e-4, ball_radius=self.ball_radius,
            )
            for wall in self.walls
        ]  # fmt: skip
        zone = self.damping_zone
        found.append(DampingZone((*zone.low, z - half), (*zone.high, z + half), damping=60.0))
        zone = self.spring_zone
        found.append(
            SpringZone((*zone.low, z - half), (*zone.high, z + half), stiffness=60.0, damping=5.0)
        )
        found += [
            PlaneWall((0.0, 0.0, 1.0), z - 0.001, stiffness=PLANE_STIFFNESS, damping=PLANE_DAMPING),
            PlaneWall(
                (0.0, 0.0, -1.0), -z - 0.001, stiffness=PLANE_STIFFNESS, damping=PLANE_DAMPING
            ),
            FreeDamping(12.0),
        ]
        return found


def _walls() -> tuple[PlanRectangle, ...]:
    x0, x1, y0, y1, t = 0.35, 0.75, -0.3, 0.3, 0.02
    return (
        PlanRectangle("near_wall", (x0 - t, y0 - t), (x0, y1 + t)),
        PlanRectangle("far_wall", (x1, y0 - t), (x1 + t, y1 + t)),
        PlanRectangle("right_wall", (x0, y0 - t), (x1, y0)),
        PlanRectangle("left_wall", (x0, y1), (x1, y1 + t)),
        PlanRectangle("first_wall", (x0, 0.14), (0.64, 0.16)),
        PlanRectangle("second_wall", (0.46, -0.01), (x1, 0.01)),
        PlanRectangle("third_wall", (x0, -0.16), (0.64, -0.14)),
    )


LABYRINTH = LabyrinthPlan(
    walls=_walls(),
    damping_zone=PlanRectangle("damping_zone", (0.48, 0.01), (0.6, 0.14)),
    spring_zone=PlanRectangle("spring_zone", (0.36, -0.14), (0.45, 0.0)),
    goal=PlanRectangle("goal", (0.36, -0.3), (0.44, -0.16)),
    start=(0.42, 0.23),
    waypoints=((0.695, 0.23), (0.695, 0.08), (0.405, 0.08), (0.405, -0.075), (0.695, -0.075),
               (0.695, -0.23), (0.4, -0.23)),
)  # fmt: skip
