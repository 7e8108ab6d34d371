"""The line along which an end-effector is driven: the target stays on it, and waits for the hand.

Near the edge of the reach, at the end of a stroke and beside obstacles a solver gives way sideways.
Here the target is on the line, not ahead of where the end-effector has drifted to, and advances the
more slowly the farther aside the end-effector is: it stops on the line rather than leave it. Points
that cannot go every way, such as an elbow or the tip of a planar arm, are led as well as they can;
along what it touches a robot slides.
"""

from __future__ import annotations

import numpy as np

from robotix.geometry import Array
from robotix.kinematics import Posture
from robotix.scene.robots.driven import DrivenRobot

__all__ = ["StraightLine"]

SLOW_ASIDE = 0.004  # m from the line at which the target begins to slow down
MAX_ASIDE = 0.03  # m from the line at which it stops
SAME_DIRECTION = 0.999  # cosine; a stick that is turned farther asks for another line
STALL_TIME = 0.4  # s over which progress is averaged
MIN_PROGRESS = 0.15  # of what is asked for; below this the reason is said
MIN_RATIO = 1e-3  # of singular values; below this a direction is barred


class StraightLine:
    """The line along which somebody drives; says once a push that the robot cannot follow it."""

    def __init__(self) -> None:
        self._foot: Array | None = None  # on the line, nearest to the end-effector
        self._direction = np.zeros(3)
        self._progress = 1.0  # mean ratio of actual to desired speed along the line
        self._has_spoken = False
        self._is_kept = True  # the end-effector can go every way, if not everywhere

    def end(self) -> None:
        """Forget the line: nobody pushes."""
        self._foot = None

    def target(self, robot: DrivenRobot, position: Array, lead: Array, speed: float) -> Array:
        """Return a target on the line, `lead` ahead at most; all in the base, m and m/s.

        A small change of direction bends the line where the end-effector is; a large one, or a new
        push, starts another line at `position`.
        """
        direction = lead / np.linalg.norm(lead)
        if self._foot is None or direction @ self._direction < SAME_DIRECTION:
            self._foot, self._progress, self._has_spoken = position.copy(), 1.0, False
            self._is_kept = _goes_every_way(robot)
        self._direction = direction
        if robot.is_held_back:  # it slides along something, and has said so
            self._foot, self._progress = position.copy(), 1.0
        along = float((position - self._foot) @ direction)
        self._foot = self._foot + along * direction
        aside = float(np.linalg.norm(position - self._foot))
        self._note_progress(robot, along / (speed * robot.dt))
        if not self._is_kept:
            return position + lead
        slack = (MAX_ASIDE - aside) / (MAX_ASIDE - SLOW_ASIDE)
        return self._foot + min(1.0, max(0.0, slack)) * lead

    def _note_progress(self, robot: DrivenRobot, ratio: float) -> None:
        self._progress += (ratio - self._progress) * min(1.0, robot.dt / STALL_TIME)
        if self._progress < MIN_PROGRESS and not self._has_spoken:
            self._has_spoken = True
            robot.say(f"cannot go straight on: {_reason(robot)}")


def _goes_every_way(robot: DrivenRobot) -> bool:
    """Return whether the tip is driven, and can be moved along all three axes in some posture."""
    chain, model = robot.chain, robot.model
    if chain.point.body != model.point().body:
        return False
    bent = robot.q + np.where(chain.moves, 0.3 + 0.1 * np.arange(model.n_dof), 0.0)
    J = Posture(model, bent).jacobian(chain.point)[:3, chain.moves]
    sizes = np.linalg.svd(J, compute_uv=False)
    return len(sizes) == 3 and bool(sizes[2] > MIN_RATIO * sizes[0])


def _reason(robot: DrivenRobot) -> str:
    names = robot.model.dof_names
    ends = [name for name, is_at in zip(names, robot.at_stop, strict=True) if is_at]
    if ends:
        return f"{', '.join(ends)} {'is' if len(ends) == 1 else 'are'} at the end of the stroke"
    return "it is at the edge of its reach, or keeps clear of something"
