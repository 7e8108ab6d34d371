"""Lifting a box from one height to another, and carrying it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from robotix.geometry import Array
from robotix.human.body.manikin import Manikin
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.gait.footprints import Footprint, Gait
from robotix.human.gait.walking import footprints_along, walk
from robotix.human.motion.actions import wait
from robotix.human.motion.curves import translated, yaw_rotations
from robotix.human.motion.furniture import FLOOR, Crate, Table
from robotix.human.motion.loads import Load
from robotix.human.motion.performance import Environment
from robotix.human.motion.performer import BodyAction, Performer
from robotix.human.motion.scenario import Scenario, standing
from robotix.human.motion.styles import Style
from robotix.human.tasks.boxes import (
    BOTH_HANDS,
    HOLD_HEIGHT_RATIO,
    hold_position,
    move_box,
    pick_up,
    put_down,
    side_of,
    thickness,
)

__all__ = ["LADEN_STEP_RATIO", "TABLE_HEIGHT_RATIO", "carry", "lift"]

TABLE_HEIGHT_RATIO = 0.42  # of stature, as the sizes below
CRATE_RATIOS = (0.17, 0.20, 0.16)  # depth, width, height
CASE_RATIOS = (0.17, 0.10, 0.16)  # of what one hand lifts
LADEN_STEP_RATIO = 0.15
SIDE_STEP_RATIO = 0.15
STAND_ABOVE = 0.04  # m: a box lower than this stands on the floor
TABLE_CLEARANCE = 0.05  # m, of a box above what it passes
STAND_CLEARANCE = 0.08  # m, of a box above what it was taken from
ARMS_OUT = 0.15  # m: a box is held so much further away while wide feet are brought together
HIGH_TABLE_RATIO = 0.62  # of stature: above it the forearms may meet the edge
BESIDE = 0.15  # m, from a stand to the table beside it: room for an arm
TABLE_AHEAD_RATIO = 0.155  # of stature: of the table in front of the ankles
WIDE_STANCE = 0.18  # m, of an ankle from the middle, when a body with thick thighs bends down
HANDLE_GAP = 0.03  # m: one hand holds a handle so far above the box
SIDE_STEPPING = Gait(
    double_support=0.8, swing=0.6, first=1.0, lift=0.03, heel_rise=0.0, droop=0.0, arm_swing=0.0
)


def lift(
    manikin: Manikin,
    *,
    style: Style,
    load: float = 10.0,
    origin_height: float = 0.0,
    table_height: float | None = None,
    distance: float = 0.0,
    box_distance: float | None = None,
    box_depth: float | None = None,
    box_width: float | None = None,
    box_height: float | None = None,
    handle_height: float | None = None,
    turn_deg: float = 0.0,
    hands: int = 2,
    stance_width: float | None = None,
    straddle: int = 0,
    pace: float = 1.0,
) -> Scenario:
    """Lift a box from the floor or a stand onto a table.

    Args:
        manikin: The body.
        style: How it bends.
        load: Mass of the box, kg.
        origin_height: Of the surface under the box at first, m; 0 is the floor.
        table_height: Of the table where the box ends, m.
        distance: Walked with the box besides the step or two to the table, m.
        box_distance: From the ankles to the centre of the box, m.
        box_depth: From front to back, m.
        box_width: From hand to hand, m.
        box_height: From bottom to top, m.
        handle_height: Of the hands above the bottom of the box, m; half its height when None.
        turn_deg: Angle of the box to the left of straight ahead, degrees; the feet stay.
        hands: 2, or 1 for the right hand at a handle on the top.
        stance_width: From ankle to ankle, m.
        straddle: 1 for feet on both sides of the box, which is then close.
        pace: Times are divided by it.
    """
    asked = LiftSetting(
        manikin, load=load, origin_height=origin_height, box_distance=box_distance,
        size=(box_depth, box_width, box_height), handle_height=handle_height,
        turn=float(np.radians(turn_deg)), hands=int(hands), stance_width=stance_width,
        straddle=bool(straddle),
    )  # fmt: skip
    return asked.scenario(style, table_height=table_height, distance=distance, pace=pace)


def carry(
    manikin: Manikin,
    *,
    style: Style,
    load: float = 8.0,
    table_height: float | None = None,
    box_distance: float | None = None,
    distance: float = 1.6,
    pace: float = 1.0,
) -> Scenario:
    """Lift a box from the floor, carry it over a distance and place it on a table.

    `box_distance` is from the ankles to the centre of the box, m.
    """
    asked = LiftSetting(manikin, load=load, box_distance=box_distance)
    return asked.scenario(style, table_height=table_height, distance=distance, pace=pace)


@dataclass(frozen=True, eq=False)
class LiftSetting:
    """What is lifted from where; lengths in m, None: as it suits the body."""

    manikin: Manikin
    load: float
    origin_height: float = 0.0
    box_distance: float | None = None
    size: tuple[float | None, float | None, float | None] = (None, None, None)
    handle_height: float | None = None
    turn: float = 0.0  # rad
    hands: int = 2
    stance_width: float | None = None
    straddle: bool = False

    def scenario(
        self, style: Style, *, table_height: float | None, distance: float, pace: float
    ) -> Scenario:
        """Return the person, the script and the furniture."""
        if self.straddle and self.origin_height >= STAND_ABOVE:
            raise ValueError(
                f"straddle is for a box on the floor, not at {self.origin_height:g} m; "
                "leave out straddle or origin_height"
            )
        person = standing(self.manikin, style=style, half_width=self._half_width())
        height = TABLE_HEIGHT_RATIO * person.stature if table_height is None else table_height
        box, at = self.box(), self.origin()
        at[:2] += yaw_rotations(self.turn)[:2, :2] @ (0.0, side_of(person, box))
        stand = self._stand(side_of(person, box))
        room = {**FLOOR} if stand is None else {**FLOOR, **stand.solids}
        room_to_bend = box.box.size[0] / 2 + 0.15 * person.stature
        if stand is None:
            ahead = max(self._ahead(), self._before_toes())
            table = Table(height, near=ahead + room_to_bend + distance)
        else:
            away = -1.0 if self.turn > 0 else 1.0
            width = float(box.box.size[1]) + 0.25
            beside = stand.middle + away * (stand.width / 2 + width / 2 + BESIDE)
            near = TABLE_AHEAD_RATIO * person.stature + 0.02 + distance
            table = Table(height, near=near, width=width, middle=beside, legs_behind=0.15)
        script = bring(person, box, at=at, to=table, yaw=self.turn, stand=stand, pace=pace)
        return Scenario(person, script, Environment({**table.solids, **room}))

    def _crate(self) -> Crate:
        stature = self.manikin.anthropometry.stature
        ratios = CRATE_RATIOS if self.hands == 2 else CASE_RATIOS
        sizes = [
            ratio * stature if own is None else own
            for own, ratio in zip(self.size, ratios, strict=True)
        ]
        return Crate(*sizes)

    def box(self) -> Load:
        """Return the box as a load of the hands."""
        crate = self._crate()
        if self.hands == 1:
            grip = crate.height / 2 + HANDLE_GAP
        else:
            low = crate.height / 2 if self.handle_height is None else self.handle_height
            if not 0 <= low <= crate.height:
                raise ValueError(
                    f"handle_height must be from 0 to the height of the box, {crate.height:.3g} m, "
                    f"not {low:g} m"
                )
            grip = low - crate.height / 2
        hands: tuple[Side, ...] = BOTH_HANDS if self.hands == 2 else ("right",)
        return Load("box", self.load, hands, crate.box, grip)

    def origin(self) -> Array:
        """Return the centre of the box at first, (3,), m; turned about the ankles."""
        crate = self._crate()
        position = np.array([self._ahead(), 0.0, self.origin_height + crate.height / 2])
        return np.asarray(yaw_rotations(self.turn) @ position)

    def _ahead(self) -> float:
        """Return the distance of the box in front of the ankles, m."""
        if self.box_distance is not None:
            return self.box_distance
        return 0.09 + self._crate().depth / 2 if self.straddle else self._before_toes()

    def _before_toes(self) -> float:
        """Return the distance of a box close to the toes, in its direction, m."""
        body = self.manikin.anthropometry
        aside = self._half_width() or abs(self.manikin.skeleton["right_ankle"][1])
        ahead = body["foot_length"] - body["heel_to_ankle"]
        corner = aside + body["foot_breadth"] / 2
        toes = ahead * np.cos(self.turn) + corner * abs(np.sin(self.turn))
        room = 0.035
        if self.origin_height >= STAND_ABOVE:  # for the knees, and for the corners of a turned one
            room = 0.09 if self.turn else 0.055
        return float(toes + room + self._crate().depth / 2)

    def _half_width(self) -> float | None:
        """Return half the distance of the ankles, m; None: as people stand."""
        if self.stance_width is not None:
            return self.stance_width / 2
        if not self.straddle:
            usual = abs(float(self.manikin.skeleton["right_ankle"][1]))
            thick = thickness(self.manikin)
            return usual + thick * (WIDE_STANCE - usual) if thick > 0 else None
        return self._crate().width / 2 + self.manikin.anthropometry["foot_breadth"] / 2 + 0.075

    def _stand(self, aside: float) -> Table | None:
        """Return what the box stands on at first, None for the floor."""
        if self.origin_height < STAND_ABOVE:
            return None
        depth, width, _ = self._crate().box.size
        return Table(
            self.origin_height,
            near=self._ahead() - float(depth) / 2,
            depth=float(depth) + 0.05,
            width=float(width) + 0.04,
            middle=aside,
            yaw=self.turn,
            name="stand",
        )


def bring(
    person: Performer,
    box: Load,
    *,
    at: Array,
    to: Table,
    yaw: float = 0.0,
    stand: Table | None = None,
    pace: float = 1.0,
) -> BodyAction:
    """Lift a box from the floor or a stand, walk to a table and place it there.

    The height of the table changes nothing before the box is held.
    """
    half = float(box.box.size[2]) / 2
    yield from wait(person, 0.2)
    height = max(HOLD_HEIGHT_RATIO * person.stature - box.grip_height, half)
    if stand is not None:
        height = max(height, stand.height + half + STAND_CLEARANCE)
        _mind(person, stand)
    yield from pick_up(person, box, at=at, to=height, yaw=yaw, pace=pace)
    person.avoid({})
    high = to.height > HOLD_HEIGHT_RATIO * person.stature
    over_table = to.height + half + (STAND_CLEARANCE if high or stand else TABLE_CLEARANCE)
    if over_table > height:
        held = hold_position(person, box, height=over_table)
        seconds = 0.5 + 1.5 * (over_table - height)
        yield from move_box(person, box, through=[held], seconds=seconds / pace)
    yield from wait(person, 0.3)
    if _is_wide(person):
        far = translated(hold_position(person, box, height=max(height, over_table)), x=ARMS_OUT)
        yield from move_box(person, box, through=[far], seconds=0.6 / pace)
        yield from close_stance(person, pace=pace)
    if stand is not None:
        yield from step_aside(person, by=to.middle, pace=pace)
    yield from walk_on(person, to=to.near - TABLE_AHEAD_RATIO * person.stature, pace=pace)
    _mind(person, to)
    yield from put_down(person, box, on=to, aside=side_of(person, box), pace=pace)
    yield from wait(person, 0.3)


def _mind(person: Performer, table: Table) -> None:
    """Keep the forearms off a high table; lower ones they do not meet."""
    if table.height > HIGH_TABLE_RATIO * person.stature:
        person.avoid({table.name: table.solids[table.name]}, distance=0.005)


def walk_on(person: Performer, *, to: float, pace: float = 1.0) -> BodyAction:
    """Walk straight ahead until the ankles are at x = `to`."""
    feet = [person.goal(f"{side}_foot").position for side in SIDES]
    start = np.mean(feet, axis=0)
    distance = to - float(start[0])
    if distance < 0.02:
        return
    prints = footprints_along(
        lambda s: (translated(start, x=s), 0.0),
        length=distance,
        step_length=LADEN_STEP_RATIO * person.stature,
        half_width=_usual_half_width(person),
    )
    yield from walk(person, prints, gait=Gait().at_pace(pace))


def close_stance(person: Performer, *, pace: float = 1.0) -> BodyAction:
    """Bring feet that stand wide below the hips."""
    middle = np.mean([person.goal(f"{side}_foot").position for side in SIDES], axis=0)
    half = _usual_half_width(person)
    prints = [Footprint(side, translated(middle, y=sign * half)) for side, sign in SIDES.items()]
    yield from walk(person, prints, gait=SIDE_STEPPING.at_pace(pace))


def _is_wide(person: Performer) -> bool:
    right, left = (person.goal(f"{side}_foot").position[1] for side in SIDES)
    return bool(abs(left - right) > 2 * _usual_half_width(person) + 0.02)


def _usual_half_width(person: Performer) -> float:
    return abs(float(person.manikin.skeleton["right_ankle"][1]))


def step_aside(person: Performer, *, by: float, pace: float = 1.0) -> BodyAction:
    """Step to the left by a distance, m, or to the right when it is negative."""
    half = _usual_half_width(person)
    start = np.mean([person.goal(f"{side}_foot").position for side in SIDES], axis=0)
    count = max(int(np.ceil(abs(by) / (SIDE_STEP_RATIO * person.stature))), 1)
    order: tuple[Side, Side] = ("left", "right") if by > 0 else ("right", "left")
    prints = []
    for index in range(1, count + 1):
        middle = translated(start, y=by * index / count)
        prints += [Footprint(side, translated(middle, y=SIDES[side] * half)) for side in order]
    yield from walk(person, prints, gait=SIDE_STEPPING.at_pace(pace))
