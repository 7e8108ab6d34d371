"""A hundred thousand samples, most of them bad: what comes out is finite, bounded and honest."""

import math
import random
from collections import Counter
from collections.abc import Mapping

import numpy as np
import pytest
from conftest import Figures

import robotix as rx
from robotix.devices import (
    Controls,
    Device,
    DeviceFeed,
    DeviceMap,
    Sample,
    default_device_map,
    make_standard_devices,
)
from robotix.devices.mapping import RATE_KINDS
from robotix.inputs.problem import Problem
from robotix.inputs.readings import Inputs, Reading
from robotix.model.rates import with_default_rates
from robotix.scene.commands.tracking import TrackInit, TrackToggle
from robotix.scene.events.events import Event, Signal
from robotix.scene.scene import Scene

DT = 1 / 90
TICKS = 11_000  # times eleven devices, of which some are silent
STRANGE = [math.nan, math.inf, -math.inf, 1e308, -1e308, 1e9, 2.0, -7.5]
JUMPS = 0.002  # of good samples
FOLLOWED = {"stick": "planar_3r", "mover": "ur5", "right_glove": "kuka_lwr"}  # robots, by device


class Mad:
    """A device with the names of another, that goes through good and bad times at random."""

    def __init__(self, device: Device, rng: random.Random) -> None:
        self.name, self.kind = device.name, device.kind
        self.axes, self.buttons = device.axes, device.buttons
        self.sent: Sample | None = None
        self.is_good = self.has_jumped = False
        self._rng = rng
        self._is_posed = device.kind not in ("keyboard", "gamepad", "joystick", "space mouse")
        self._mood, self._left = "silent", 0
        self._place, self._was_placed = (2.0, 0.0, 1.0), False

    def read(self, now: float) -> Sample | None:
        if self._left == 0:
            self._mood = self._rng.choice(["rest", "work", "work", "mixed", "bad", "silent"])
            self._left = self._rng.randrange(1, 80)
        self._left -= 1
        self.has_jumped = False
        is_bad = self._mood == "bad" or (self._mood == "mixed" and self._rng.random() < 0.5)
        if self._mood == "silent":
            self.sent = None
        else:
            self.sent = self._bad(now) if is_bad else self._good(now)
        self.is_good = self.sent is not None and not is_bad
        return self.sent

    def close(self) -> None:
        """Nothing to do."""

    def _good(self, now: float) -> Sample:
        rng, at_rest = self._rng, self._mood == "rest"
        axes = self._axes(0.05 if at_rest else 1.0)
        down = (
            frozenset()
            if at_rest
            else frozenset(rng.sample(self.buttons, k=(len(self.buttons) + 2) // 4))
        )
        if not self._is_posed:
            return Sample(now, axes, down)
        step = 0.0003 if at_rest else 0.01
        x, y, z = (value + rng.uniform(-step, step) for value in self._place)
        may_jump = self.kind not in ("mouse", "cursor")  # what these do is no jump
        if self._was_placed and may_jump and rng.random() < JUMPS:
            x, self.has_jumped = x - math.copysign(3.0, x), True  # m, wherever it is
        self._place, self._was_placed = (x, y, z), True
        return Sample(now, axes, down, self._place, (1.0, 0.001, 0.0, 0.0))

    def _axes(self, size: float) -> tuple[float, ...]:
        return tuple(self._rng.uniform(-size, size) for _ in self.axes)

    def _bad(self, now: float) -> Sample:
        rng = self._rng
        odd = rng.choice(STRANGE)
        axes = [*self._axes(1.0)]
        down = frozenset([*self.buttons[:2], "unheard of"])
        match rng.randrange(7):
            case 0 if axes:
                axes[rng.randrange(len(axes))] = odd
                return Sample(now, tuple(axes), down)
            case 1:
                return Sample(now, (*axes, 0.0), down)
            case 2:
                return Sample(now + odd, tuple(axes), down)
            case 3:
                return Sample(now - 600.0, tuple(axes), down)
            case 4:
                return Sample(now, tuple(axes), down, (odd * 100, 0.0, 0.0))
            case 5:
                return Sample(now, tuple(axes), down, (0.0, 0.0, 1.0), (odd * 1e6, 0.0, 0.0, 0.0))
        return "left"  # type: ignore[return-value]


class Oracle:
    """Says when a device must not be live for a use, by short rules of its own.

    Heard of within half a second; let go since it was lost, or since it jumped; gripped after that.
    """

    def __init__(self, device: Mad, feed: DeviceFeed, *, is_rate: bool) -> None:
        self.device, self.feed = device, feed
        parts = [part for text in feed.axes for part in text.lstrip("-").split("/")]
        self.used = {*parts, feed.clutch, *(feed.buttons.values() or device.buttons)}
        axes = {text.lstrip("-") for text in feed.axes if "/" not in text}  # others are buttons
        self.rates = axes if is_rate else set()
        self.heard, self.was_let_go, self.was_gripped = -math.inf, False, False

    def must_be_dead(self, now: float) -> bool:
        if self.device.has_jumped:
            self.was_let_go = self.was_gripped = False
        elif self.device.is_good and self.device.sent is not None:
            self.heard = now
            self._follow(self.device.sent)
        if now - self.heard > 0.5:
            self.was_let_go = self.was_gripped = False
        return not self.was_gripped

    def _follow(self, sample: Sample) -> None:
        down = sample.buttons & self.used
        names = zip(self.device.axes, sample.axes, strict=True)
        zone = max(self.feed.dead_zone, 0.1)
        if not down and all(abs(value) <= zone for name, value in names if name in self.rates):
            self.was_let_go = True
            self.was_gripped |= sample.position is not None and not self.feed.clutch
        elif self.was_let_go:
            self.was_gripped |= not self.feed.clutch or self.feed.clutch in down


def check_numbers(reading: Reading, n_axes: int) -> None:
    numbers = (*reading.axes, *(reading.position or ()), *reading.quaternion)
    assert all(map(math.isfinite, numbers))
    assert len(reading.axes) == n_axes
    assert max(map(abs, reading.axes), default=0.0) <= 1.0
    assert "unheard of" not in reading.buttons


class Arms:
    """Three arms that follow a device each; what they do is bounded, whatever the devices do."""

    def __init__(self, device_map: DeviceMap) -> None:
        self.scene = Scene(dt=DT)
        self.scene.devices = {name: one.kind for name, one in device_map.logical.items()}
        self.way = 0.0  # rad and m, of all joints
        self.worst_rate = 0.0  # of the limits
        self.n_problems = 0
        for device, name in FOLLOWED.items():
            robot = self.scene.add_robot(name, with_default_rates(rx.load(name)))
            robot.set_q(0.5 * (robot.model.lower + robot.model.upper))
            TrackInit(device, robot=name)(self.scene, Event(Signal("start"), True))

    def _engage(self) -> None:
        """Let those follow again that had lost their device, as an operator would."""
        for name, robot in self.scene.robots.items():
            if robot.drive is None:
                TrackToggle(robot=name)(self.scene, Event(Signal("start"), True))

    def step(self, readings: Mapping[str, Reading]) -> None:
        if self.scene.tick % 30 == 0:
            self._engage()
        before = {name: robot.q for name, robot in self.scene.robots.items()}
        self.scene.step(Inputs(dict(readings)))
        self.n_problems += sum(isinstance(each, Problem) for each in self.scene.messages)
        for name, robot in self.scene.robots.items():
            q, model = robot.q, robot.model
            assert np.isfinite(q).all() and (q >= model.lower).all() and (q <= model.upper).all()
            rate = np.abs(q - before[name]) / DT
            self.way += float(rate.sum() * DT)
            self.worst_rate = max(self.worst_rate, float((rate / model.velocity).max()))


def endure(ticks: int, seed: int, figures: Figures, *, followed: int) -> int:
    """Let all devices go mad; arms follow them for some ticks. Return the number of samples."""
    rng = random.Random(seed)
    devices = [Mad(device, rng) for device in make_standard_devices().values()]
    by_name = {device.name: device for device in devices}
    device_map = default_device_map()
    oracles = {
        name: [Oracle(by_name[f.device], f, is_rate=one.kind in RATE_KINDS) for f in one.from_]
        for name, one in device_map.logical.items()
    }
    controls, arms = Controls(device_map, devices), Arms(device_map)
    lived: Counter[str] = Counter()
    samples = 0
    for tick in range(ticks):
        now = tick * DT
        readings = controls.read(now)
        samples += sum(device.sent is not None for device in devices)
        for name, reading in readings.items():
            check_numbers(reading, device_map.logical[name].n_axes)
            if all([oracle.must_be_dead(now) for oracle in oracles[name]]):
                assert not reading.live, (tick, name)
            if not reading.live:
                assert not any(reading.axes) and not reading.buttons
            lived[name] += reading.live
        if tick < followed:
            arms.step(readings)
    assert controls.devices == tuple(by_name)  # none was dropped: none raised
    assert set(lived) == set(device_map.logical) and min(lived.values()) > 50, lived
    assert len(controls.problems) <= 9 * len(devices)
    assert arms.n_problems == 0 and arms.way > 0.0 and arms.worst_rate <= 1 + 1e-9
    figures(
        "bad devices move nothing beyond its limits",
        f"{samples} samples, most of them bad, in {ticks} ticks; three arms follow for {followed}",
        f"all finite, none beyond a limit, at most {arms.worst_rate:.6f} of a joint's speed; the "
        f"joints went {arms.way:.0f} rad",
    )
    return samples


def test_whatever_devices_do_readings_are_sound(figures: Figures) -> None:
    assert endure(TICKS, 7, figures, followed=1_000) >= 100_000


@pytest.mark.soak
def test_a_million_samples_most_of_them_bad(figures: Figures) -> None:
    assert endure(10 * TICKS, 8, figures, followed=10 * TICKS) >= 1_000_000
