"""What can be plotted of a take: joints, devices, and what follows from recorded poses.

Joints and devices are read from the file as they were recorded. Positions, distances and loads
were not recorded: they are evaluated from recorded poses at some times of the range shown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from robotix.errors import RobotixError, UnknownName
from robotix.geometry import Array
from robotix.motion.mcap_index import Offsets
from robotix.server.replay.curves import Series

if TYPE_CHECKING:
    from robotix.human import Manikin
    from robotix.scene.recording.posing import TakePoser

__all__ = ["Channels", "PlotChannel"]

MAX_SAMPLES = 200  # evaluations of what is not recorded, in the range shown
MAX_ASSESSMENTS = 40  # of people, likewise: each takes some hundredths of a second
MAX_DEVICE_MESSAGES = 20_000  # that are read of a topic; more are thinned
MAX_LOOKED_AT = 300  # messages in which names of devices and buttons are looked for
MAX_OFFERED_NODES = 300
AXES = "xyz"
LEVEL = 0.9986  # cosine of 3 degrees: the tilt of a base up to which gravity is along its z axis


class _DeviceState(msgspec.Struct):
    axes: list[float] = []
    buttons: list[str] = []


class _RecordedInputs(msgspec.Struct):
    devices: dict[str, _DeviceState] = {}


@dataclass(frozen=True)
class PlotChannel:
    """Something that can be plotted; `id` is its kind and what it is about."""

    id: tuple[str, ...]
    label: str
    unit: str
    group: str


class Channels:
    """The channels of one take; `evaluate` runs a function while the scene shows a time."""

    def __init__(
        self, poser: TakePoser, evaluate: Callable[[Array, Callable[[], float]], Array]
    ) -> None:
        self._poser, self._take = poser, poser.take
        self._evaluate = evaluate
        self._recorded = lru_cache(maxsize=64)(self._read)  # of an hour each has 7 MB

    # -- what there is ----------------------------------------------------------------------

    @cached_property
    def offered(self) -> list[PlotChannel]:
        """All channels that need no further choice."""
        return [*self._joints(), *self._tips(), *self._loads(), *self._devices()]

    @cached_property
    def nodes(self) -> list[str]:
        """Names of robots and things between which distances can be plotted."""
        scene = self._poser.scene
        moved = [node.name for node in self._poser.moved]
        solid = [
            node.name
            for node in scene.graph
            if node.robot is None and any(each.solids for each in node.branch()) and node.parent
        ]
        return list(dict.fromkeys([*scene.robots, *moved, *solid]))[:MAX_OFFERED_NODES]

    def _joints(self) -> list[PlotChannel]:
        found = []
        for robot, track in self._take.robots.items():
            for name, unit in track.dofs:
                found.append(PlotChannel(("joint", robot, name), name, unit, f"{robot}: joints"))
            for name, unit in track.dofs:
                label = f"{name}, rate"
                found.append(
                    PlotChannel(("rate", robot, name), label, f"{unit}/s", f"{robot}: rates")
                )
        return found

    def _tips(self) -> list[PlotChannel]:
        names = [robot.name for robot, _ in self._poser.robots]
        names += [node.name for node in self._poser.moved][:MAX_OFFERED_NODES]
        return [
            PlotChannel(("position", name, axis), f"{name} {axis}", "m", "positions")
            for name in dict.fromkeys(names)
            for axis in AXES
        ]

    def _loads(self) -> list[PlotChannel]:
        scene, found = self._poser.scene, []
        for robot, track in self._poser.robots:
            if robot.name in scene.people:
                label = f"{robot.name}: compression at L5/S1"
                found.append(PlotChannel(("compression", robot.name), label, "N", "loads"))
            elif any(body.mass > 0 for body in robot.model.bodies):
                for name, unit in track.dofs:
                    effort = "N" if unit == "m" else "N m"
                    channel = ("effort", robot.name, name)
                    found.append(
                        PlotChannel(channel, f"{robot.name} {name}: holding", effort, "loads")
                    )
        return found

    def _devices(self) -> list[PlotChannel]:
        axes: dict[str, int] = {}
        buttons: dict[tuple[str, str], None] = {}
        offsets, _ = self._take.device_offsets
        for state in self._inputs(offsets, MAX_LOOKED_AT):
            for name, device in state.devices.items():
                axes[name] = max(axes.get(name, 0), len(device.axes))
                buttons |= {(name, button): None for button in sorted(device.buttons)}
        found = [
            PlotChannel(("axis", name, str(k)), f"{name}, axis {k + 1}", "", "devices")
            for name, count in axes.items()
            for k in range(count)
        ]
        return found + [
            PlotChannel(("button", name, button), f"{name}, {button}", "", "devices")
            for name, button in buttons
        ]

    # -- values -----------------------------------------------------------------------------

    def series(self, channel: Sequence[str], *, start: float, end: float) -> Series:
        """Return the values of a channel in a range; raise an error for an unknown channel."""
        kind, *about = channel or ("",)
        match kind, about:
            case (("joint" | "rate" | "axis" | "button"), [_, _]):
                return self._recorded(tuple(channel))
            case "position", [name, axis] if axis in AXES and len(axis) == 1:
                return self._sampled(self._position(name, AXES.index(axis)), "m", start, end)
            case "distance", [first, second]:
                return self._sampled(self._distance(first, second), "m", start, end)
            case "effort", [robot, joint]:
                return self._effort(robot, joint, start, end)
            case "compression", [person]:
                return self._compression(person, start, end)
        raise UnknownName("channel", " ".join(channel), [" ".join(c.id) for c in self.offered])

    def _read(self, channel: tuple[str, ...]) -> Series:
        kind, name, part = channel
        if kind in ("axis", "button"):
            return self._device_series(kind, name, part)
        track = self._track(name)
        names = [dof for dof, _ in track.dofs]
        if part not in names:
            raise UnknownName("joint", part, names)
        k = names.index(part)
        values, unit = track.joint(k), track.dofs[k][1]
        if kind == "rate":
            slope = np.gradient(values, track.times) if len(values) > 1 else np.zeros(len(values))
            return Series(track.times, slope, f"{unit}/s")
        return Series(track.times, values, unit)

    def _track(self, robot: str) -> Any:
        if robot not in self._take.robots:
            raise UnknownName("robot", robot, self._take.robots)
        return self._take.robots[robot]

    def _device_series(self, kind: str, name: str, part: str) -> Series:
        offsets, times = self._take.device_offsets
        which = _thinned(len(offsets), MAX_DEVICE_MESSAGES)
        values = np.full(len(which), np.nan)
        for k, state in enumerate(self._inputs(offsets[which], len(which))):
            device = state.devices.get(name)
            if device is None:
                continue
            if kind == "button":
                values[k] = part in device.buttons
            elif int(part) < len(device.axes):
                values[k] = device.axes[int(part)]
        end = np.append(times[which], self._take.end)
        last = values[-1:] if len(values) else np.full(1, np.nan)
        return Series(end, np.append(values, last), "", is_held=True)

    def _inputs(self, offsets: Offsets, limit: int) -> list[_RecordedInputs]:
        decoder, found = msgspec.json.Decoder(_RecordedInputs), []
        for offset in offsets[_thinned(len(offsets), limit)]:
            try:
                found.append(decoder.decode(self._take.index.data(int(offset))))
            except (msgspec.MsgspecError, ValueError, RecursionError):
                found.append(_RecordedInputs())
        return found

    # -- evaluated at some times ------------------------------------------------------------

    def _sampled(self, measure: Callable[[], float], unit: str, start: float, end: float) -> Series:
        times = self._sample_times(start, end)
        return Series(times, self._evaluate(times, measure), unit, is_sampled=True)

    def _sample_times(self, start: float, end: float) -> Array:
        low, high = max(start, self._take.start), min(end, self._take.end)
        ticks = self._take.tick_times
        inside = ticks[(ticks >= low - 1e-9) & (ticks <= high + 1e-9)]
        return np.asarray(inside[_thinned(len(inside), MAX_SAMPLES)])

    def _position(self, name: str, axis: int) -> Callable[[], float]:
        scene = self._poser.scene
        if name in scene.robots:
            return lambda: float(scene.robots[name].tip_position()[axis])
        node = scene.graph[name]
        return lambda: float(scene.graph.world[node.row, 9 + axis])

    def _distance(self, first: str, second: str) -> Callable[[], float]:
        scene = self._poser.scene
        for name in (first, second):
            _ = scene.graph[name]  # an unknown name is refused with those that are known
        return lambda: float(scene.contacts.distance(first, second).distance)

    def _effort(self, name: str, joint: str, start: float, end: float) -> Series:
        """Return the effort that holds the recorded posture against gravity."""
        from robotix.dynamics import inverse_dynamics

        track = self._track(name)
        names = [dof for dof, _ in track.dofs]
        if joint not in names:
            raise UnknownName("joint", joint, names)
        robot = self._poser.scene.robots[name]
        if robot.base_rotation()[2, 2] < LEVEL:
            raise ValueError(f"the base of {name} is tilted; efforts are known for level ones only")
        times = self._sample_times(start, end)
        rows = np.clip(np.searchsorted(track.times, times), 0, len(track.times) - 1)
        efforts = inverse_dynamics(robot.model, track.rows(rows))
        k = names.index(joint)
        unit = "N" if track.dofs[k][1] == "m" else "N m"
        return Series(times, efforts[:, k], unit, is_sampled=True)

    def _compression(self, name: str, start: float, end: float) -> Series:
        """Return the force at L5/S1 of recorded postures, each as if it were held."""
        person, track = self._poser.scene.person(name), self._track(name)
        times = self._sample_times(start, end)
        times = times[_thinned(len(times), MAX_ASSESSMENTS)]
        rows = np.clip(np.searchsorted(track.times, times), 0, len(track.times) - 1)
        known: dict[bytes, float] = {}  # people often stand still
        for q in track.rows(rows):
            if q.tobytes() not in known:
                known[q.tobytes()] = _compression(person.manikin, q)
        values = np.array([known[q.tobytes()] for q in track.rows(rows)])
        return Series(times, values, "N", is_sampled=True)


def _compression(manikin: Manikin, q: Array) -> float:
    from robotix.ergonomics.assessment.instant import assess_instant

    try:
        instant = assess_instant(manikin, q)
    except (RobotixError, ValueError, ArithmeticError):
        return float("nan")
    return float(instant.back.compression[instant.row])


def _thinned(count: int, limit: int) -> Any:
    """Return at most `limit` numbers below `count`, evenly spread, with the first and the last."""
    if count <= limit:
        return np.arange(count)
    return np.unique(np.linspace(0, count - 1, limit).astype(int))
