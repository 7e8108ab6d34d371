"""The safety monitor of a robot: it limits the robot's speed by where people are.

It sees people with a delay, and brakes no faster than the robot can.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import replace

from robotix.geometry import Array
from robotix.safety.body_limits import BodyRegion, region_of_segment
from robotix.safety.contact import (
    ContactForce,
    assess_contact,
    mass_at_contact,
    moving_mass,
    peak_force,
    permitted_speed,
    reduced_mass,
    simplified_mass,
)
from robotix.safety.protection import ProtectionSettings
from robotix.safety.separation import protective_separation, speed_for_separation
from robotix.scene.robots.driven import Drive, DrivenRobot
from robotix.scene.robots.follow_check import FollowCheck
from robotix.scene.robots.path_follower import PathFollower
from robotix.scene.robots.person_sensor import RANGE, PersonSensor, Proximity
from robotix.scene.robots.safety_log import NEVER, RobotContact, SafetyLog

__all__ = ["SafetyMonitor"]

REST_SPEED = 1e-3  # m/s; slower counts as standing
PART_DISTANCE = 0.01  # m, from which a contact has ended
LASTING = 0.5  # s after which a contact counts as quasi-static (assumed)
TRAIL_STEP = 0.02  # rad or m between two postures to which it can retreat
MAX_TRAIL = 500  # postures
EXTRA_TICKS = 2  # people may move before or after the robot in a tick, and are then seen


class SafetyMonitor:
    """Protects people from one robot; see `DrivenRobot.monitor`."""

    def __init__(
        self, robot: DrivenRobot, people: Sequence[DrivenRobot], settings: ProtectionSettings
    ) -> None:
        self.settings, self.robot = settings, robot
        self.log = SafetyLog(robot.dt)
        self.is_stopped = False
        self.is_reacting = False  # a person is too near, or a joint has failed
        self.sensor = PersonSensor(robot, people)
        self.follow_check = FollowCheck(robot, settings.follow_error)
        delay = round(settings.separation.reaction_time / robot.dt)
        self._seen: deque[tuple[tuple[Proximity, ...], float]] = deque(maxlen=delay + 1)
        self._speeds: deque[float] = deque(
            [0.0] * (delay + EXTRA_TICKS), maxlen=delay + EXTRA_TICKS
        )
        self._delayed = replace(settings.separation, reaction_time=(delay + EXTRA_TICKS) * robot.dt)
        self.path = PathFollower(robot)
        self._trail: deque[Array] = deque(maxlen=MAX_TRAIL)
        self._regions: dict[str, tuple[BodyRegion, float, float]] = {}  # by segment
        self._touching: dict[tuple[str, str], tuple[int, float]] = {}  # ticks, m pushed
        self._has_mass = moving_mass(robot.model) > 0
        if settings.strategy in ("pfl", "both"):
            simplified_mass(robot.model, payload=settings.payload)  # raises without masses
        if settings.reaction == "avoid":
            for person in people:
                robot.add_obstacle(person.node, settings.separation.margin)

    # -- called by the robot ----------------------------------------------------------------

    def ask(self, drive: Drive) -> Array | None:
        """Return what a drive asks for; it advances only as fast as the robot moves."""
        return self.path.ask(drive)

    def limit(self, desired: Array) -> Array:
        """Return joint positions towards the desired ones, as far as the strategy permits."""
        robot, a = self.robot, self.settings.separation.deceleration
        now = self.sensor.measure()
        self._seen.append((now, self.sensor.person_speed))
        asked = self._speed(desired)
        permitted, is_triggered = self._permitted(self._seen[0])
        if self.path.is_returning and permitted < self.settings.reduced_speed:
            is_triggered = True  # it retreats until it may go on at a fair speed
        is_triggered |= self.follow_check.has_failed
        self.is_reacting = is_triggered and (self.settings.reaction != "none" or permitted < asked)
        if self.path.is_returning:
            permitted = min(permitted, self.settings.reduced_speed)
        wanted, asked_first = desired, asked
        if is_triggered:
            desired, permitted = self._react(desired, permitted)
            asked = asked_first if desired is wanted else self._speed(desired)
        speed = min(asked, max(permitted, self._speeds[-1] - a * robot.dt, 0.0))
        part = speed / asked if asked > 1e-12 else 1.0
        if desired is wanted:
            self.path.advance(part)
        else:
            self.path.is_returning = True
        self._note(now, asked=asked_first, speed=speed, permitted=permitted)
        self._speeds.append(speed)
        self._remember()
        return robot.q + part * (desired - robot.q)

    def check(self, asked: Array, *, measured: Array) -> None:
        """Compare what was asked of the joints with what their encoders report."""
        self.follow_check.update(asked, measured)

    def idle(self) -> None:
        """Log a tick in which the robot has nothing to do."""
        now = self.sensor.measure()
        self._seen.append((now, self.sensor.person_speed))
        self._note(now, asked=0.0, speed=0.0, permitted=math.inf)
        self._speeds.append(0.0)

    # -- the strategies ---------------------------------------------------------------------

    def _speed(self, desired: Array) -> float:
        """Return the speed of the fastest point on the way to joint positions, m/s."""
        return self.sensor.speed_between(self.robot.q, desired)

    def _permitted(self, seen: tuple[tuple[Proximity, ...], float]) -> tuple[float, bool]:
        """Return the permitted speed, and whether the robot has to react."""
        strategy, (near, measured) = self.settings.strategy, seen
        if strategy == "none" or not near:
            return math.inf, False
        given = self.settings.separation.person_speed
        by_separation = speed_for_separation(
            self._delayed,
            near[0].distance,
            person_speed=measured if given is None else given,
            travelled=sum(self._speeds) * self.robot.dt,
        )
        if strategy == "ssm":
            return by_separation, by_separation == 0.0
        by_force = self._by_force(near)
        has_touched = near[0].distance <= 0.0
        if has_touched:
            by_force = 0.0
        permitted = by_force if strategy == "pfl" else max(by_separation, by_force)
        return permitted, has_touched or permitted == 0.0

    def _by_force(self, near: Sequence[Proximity]) -> float:
        """Return the speed at which no part of the body bears too much.

        The nearest part counts, and all that the robot could touch before it is slower.
        """
        settings, last = self._delayed, self._speeds[-1]
        fastest = max((each.person_speed for each in near), default=0.0)
        reach = (last + max(fastest, 0.0)) * settings.reaction_time
        reach += last**2 / (2 * settings.deceleration) + settings.margin
        speeds = [
            self._region_of(each)[1] - max(each.person_speed, 0.0)
            for each in near
            if each is near[0] or each.distance <= reach
        ]
        return max(min(speeds), 0.0)

    def _region_of(self, near: Proximity) -> tuple[BodyRegion, float, float]:
        """Return the most sensitive region of a segment, its permitted speed, the robot's mass."""
        is_fixed = self.settings.robot_mass == "simplified"  # the same in all postures
        if is_fixed and near.segment in self._regions:
            return self._regions[near.segment]
        mass, area = self._mass(near), self.settings.contact_area
        found = [
            (permitted_speed(region, mass, area=area), region)
            for region in region_of_segment(near.segment)
        ]
        speed, region = min(found, key=lambda each: each[0])
        if is_fixed:
            self._regions[near.segment] = region, speed, mass
        return region, speed, mass

    def _mass(self, near: Proximity) -> float:
        settings, model = self.settings, self.robot.model
        if not self._has_mass:
            return math.inf  # unknown: the worst
        if settings.robot_mass == "simplified":
            return simplified_mass(model, payload=settings.payload)
        mass = mass_at_contact(
            self.robot.posture,
            near.body,
            point=near.point,
            normal=near.normal,
            payload=settings.payload,
        )
        return min(mass, 1e6)  # stiff directions: as heavy as the building

    # -- the reactions ----------------------------------------------------------------------

    def _react(self, desired: Array, permitted: float) -> tuple[Array, float]:
        """Return what to do instead, and how fast."""
        reaction, slow = self.settings.reaction, self.settings.reduced_speed
        if reaction == "none":
            return desired, permitted if not self.follow_check.has_failed else math.inf
        if self.follow_check.has_failed or reaction == "stop":
            return desired, 0.0
        if reaction == "avoid":
            return desired, slow
        back = self._way_back()
        return (desired, 0.0) if back is None else (back, slow)

    def _way_back(self) -> Array | None:
        """Return the next posture of a retreat; None unless it leads away from people."""
        robot = self.robot
        while self._trail and abs(self._trail[-1] - robot.q).max() < TRAIL_STEP / 2:
            self._trail.pop()
        if not self._trail:
            return None
        back = self._trail[-1]
        small = robot.q + min(1.0, TRAIL_STEP / max(abs(back - robot.q).max(), 1e-9)) * (
            back - robot.q
        )
        return small if self.sensor.distance_at(small) >= self.sensor.distance_at(robot.q) else None

    def _remember(self) -> None:
        """Keep postures to which the robot can retreat."""
        q = self.robot.q
        if self.settings.reaction == "retreat" and not self.is_stopped:
            if not self._trail or abs(self._trail[-1] - q).max() >= TRAIL_STEP:
                self._trail.append(q)

    # -- the log ----------------------------------------------------------------------------

    def _note(
        self, near: Sequence[Proximity], *, asked: float, speed: float, permitted: float
    ) -> None:
        robot, separation = self.robot, self.settings.separation
        is_waiting = speed < min(REST_SPEED, 0.999 * asked)
        if is_waiting and not self.is_stopped:
            self.log.stops += 1
            robot.say(f"waits for {near[0].person}" if near else "waits")
        if self.is_stopped and speed > REST_SPEED:
            robot.say("goes on")
        self.is_stopped = is_waiting or (self.is_stopped and speed <= REST_SPEED and asked > 0)
        first = near[0] if near else None
        given = separation.person_speed
        required = protective_separation(
            separation,
            robot_speed=speed,
            person_speed=self.sensor.person_speed if given is None else given,
        ).total
        meet = math.inf if first is None else first.time_to_contact
        ratio = self._note_contacts(near)
        self.log.rows.append(
            (
                robot.context.tick * robot.dt,
                RANGE if first is None else first.distance,
                speed,
                self.sensor.person_speed,
                0.0 if first is None else first.closing_speed,
                NEVER if math.isinf(meet) else meet,
                required if speed > REST_SPEED else 0.0,
                NEVER if math.isinf(permitted) else permitted,
                float(is_waiting),
                ratio,
            )
        )

    def _note_contacts(self, near: Sequence[Proximity]) -> float:
        """Log contacts that begin or last; return the worst ratio to a limit in this tick."""
        worst = 0.0
        parts: dict[tuple[str, str], Proximity] = {}
        for each in near:
            parts.setdefault((each.person, each.segment), each)
        for key, each in parts.items():
            if each.distance > PART_DISTANCE:
                self._touching.pop(key, None)
            if each.distance > 0.0:
                continue
            ticks, pushed = self._touching.get(key, (0, 0.0))
            pushed = max(pushed + each.robot_speed * self.robot.dt, 0.0) if ticks else 0.0
            self._touching[key] = ticks + 1, pushed
            force = self._contact_force(each, ticks, pushed)
            if force is not None:
                worst = max(worst, force.ratio)
        return worst

    def _contact_force(self, near: Proximity, ticks: int, pushed: float) -> ContactForce | None:
        """Log the force of a contact when it begins, and again once it lasts.

        Who walks into a robot that stands is not clamped by it: only what the robot itself has
        `pushed` (m) counts for the quasi-static force.
        """
        region, _, mass = self._region_of(near)
        area, time = self.settings.contact_area, self.robot.context.tick * self.robot.dt
        if ticks == 0:
            speed = max(near.closing_speed, 0.0)
            size = peak_force(speed, reduced_mass(mass, region.mass), region.stiffness)
            force = assess_contact(region, size, area=area)
        elif ticks == round(LASTING / self.robot.dt):
            speed, size = 0.0, region.stiffness * min(-near.distance, pushed)
            force = assess_contact(region, size, kind="quasi-static", area=area)
        else:
            return None
        where = (near.person, near.segment, near.body)
        own = max(near.robot_speed, 0.0)
        self.log.contacts.append(RobotContact(time, *where, speed, own, mass, force))
        return force
