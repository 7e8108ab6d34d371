"""The dead-man: silence, rubbish, jumps and wrong clocks stop all; only a hand restarts it."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robotix.devices import DeviceLimits, Program, Sample, Watchdog
from robotix.devices.engage_gate import EngageGate, UsedInputs
from robotix.errors import BadField
from robotix.inputs.readings import Reading

STICK = Program("stick", axes=("x", "y"), buttons=("grip", "fire"))
BOTH_AXES = {0: 0.1, 1: 0.1}
TICK = 0.01
HALF = (1.0, 0.5)
GRIP = frozenset({"grip"})
ORIGIN = (0.0, 0.0, 1.0)


class Bench:
    """A watchdog, a grip, a clock, and short ways to feed them."""

    def __init__(self, use: UsedInputs | None = None, trust: DeviceLimits | None = None) -> None:
        self.dog = Watchdog(STICK, trust)
        self.grip = EngageGate(use or UsedInputs(BOTH_AXES), self.dog.limits)
        self.now = 10.0

    def look(self, sample: object) -> Reading:
        sight = self.dog.update(sample, self.now)
        is_live = self.grip.update(sight)
        placed = self.grip.posed
        return Reading(
            sight.axes if is_live else (0.0, 0.0),
            sight.buttons if is_live else frozenset(),
            placed.position if placed else None,
            placed.quaternion if placed else (1.0, 0.0, 0.0, 0.0),
            live=is_live,
        )

    def give(self, axes: Any = (0.0, 0.0), buttons: Any = frozenset(), **pose: Any) -> Reading:
        """Pass a tick in which the device says this."""
        self.now += TICK
        return self.look(Sample(self.now, axes, buttons, **pose))

    def raw(self, sample: object) -> Reading:
        self.now += TICK
        return self.look(sample)

    def wait(self, seconds: float) -> Reading:
        """Pass a silence."""
        reading = self.look(None)
        for _ in range(round(seconds / TICK)):
            self.now += TICK
            reading = self.look(None)
        return reading

    def settle(self, place: tuple[float, float, float] = ORIGIN) -> Reading:
        """Hold it still for as long as it takes."""
        for _ in range(30):
            reading = self.give(position=place)
        return reading


def in_use() -> Bench:
    """A stick that is live and deflected."""
    bench = Bench()
    bench.give()
    assert bench.give(HALF, GRIP) == Reading(HALF, GRIP)
    return bench


# -- taking hold ----------------------------------------------------------------------------


def test_nothing_is_live_before_it_was_let_go_once() -> None:
    bench = Bench()
    assert bench.wait(0.05) == Reading((0.0, 0.0), live=False)
    assert not bench.give(HALF, GRIP).live  # plugged in while deflected
    assert not bench.give().live
    assert bench.give(HALF) == Reading(HALF)


def test_with_a_clutch_only_the_clutch_takes_hold() -> None:
    bench = Bench(UsedInputs(BOTH_AXES, clutch="grip"))
    bench.give()
    assert not bench.give(HALF).live
    assert not bench.give(HALF, {"fire"}).live
    assert bench.give(HALF, GRIP) == Reading(HALF, GRIP)


def test_what_is_not_used_cannot_keep_a_device_from_being_let_go() -> None:
    bench = Bench(UsedInputs({0: 0.1}, frozenset({"fire"})))
    bench.give((0.0, -1.0), GRIP)  # a throttle at its end, a switch that is always on
    assert bench.give((0.5, -1.0), GRIP).live


def test_a_worn_stick_rests_within_its_dead_zone() -> None:
    bench = Bench(UsedInputs({0: 0.3}))
    bench.give((0.25, 0.0))
    assert bench.give((0.5, 0.0)).live


def test_a_pose_without_clutch_takes_hold_when_held_still() -> None:
    bench = Bench()
    for i in range(50):
        assert not bench.give(position=(0.01 * i, 0.0, 0.0)).live  # 1 m/s
    assert bench.settle((0.49, 0.0, 0.0)) == Reading((0.0, 0.0), position=(0.49, 0.0, 0.0))


# -- silence --------------------------------------------------------------------------------


def test_silence_fades_axes_releases_buttons_and_holds_the_pose() -> None:
    bench = Bench()
    bench.settle()
    bench.give(HALF, GRIP, position=ORIGIN)
    assert bench.wait(0.10).axes == HALF
    sizes = []
    for _ in range(12):
        reading = bench.wait(TICK)
        sizes.append(reading.axes[0])
        assert reading.buttons == set() and reading.position == ORIGIN and reading.live
    assert sizes[:4] == pytest.approx([0.9, 0.8, 0.7, 0.6])
    assert sizes[-1] == 0.0
    assert sizes == sorted(sizes, reverse=True)


def test_long_silence_lets_go_and_coming_back_does_not_take_hold() -> None:
    bench = in_use()
    assert bench.wait(0.49).live
    assert bench.wait(0.03) == Reading((0.0, 0.0), live=False)
    for _ in range(100):
        assert bench.give(HALF, GRIP) == Reading((0.0, 0.0), live=False)
    bench.give()
    assert bench.give(HALF).live


def test_letting_go_and_taking_hold_again_in_silence_counts_for_nothing() -> None:
    bench = in_use()
    bench.wait(1.0)
    bench.give()  # let go,
    bench.wait(1.0)  # and lost again
    assert not bench.give(HALF).live


def test_a_button_that_silence_released_must_be_pressed_anew() -> None:
    bench = in_use()
    bench.wait(0.2)
    assert bench.give(HALF, GRIP).buttons == set()
    assert bench.give(HALF, GRIP | {"fire"}).buttons == {"fire"}
    bench.give(HALF)
    assert bench.give(HALF, GRIP).buttons == GRIP


def test_axes_come_back_as_smoothly_as_they_went() -> None:
    bench = in_use()
    bench.wait(0.3)
    sizes = [bench.give(HALF).axes[0] for _ in range(12)]
    assert sizes[:3] == pytest.approx([0.1, 0.2, 0.3])
    assert sizes[-1] == 1.0


@given(st.lists(st.tuples(st.floats(0, 0.3), st.booleans()), max_size=30))
def test_axes_never_jump_while_live(steps: list[tuple[float, bool]]) -> None:
    bench = in_use()
    before, was_live = 1.0, True
    for wait, speaks in steps:
        bench.now += wait
        reading = bench.look(Sample(bench.now, HALF) if speaks else None)
        if was_live and reading.live:
            assert abs(reading.axes[0] - before) <= wait / 0.1 + 1e-9
        before, was_live = reading.axes[0], reading.live


def test_an_old_stamp_is_silence() -> None:
    bench = in_use()
    for _ in range(60):  # it repeats itself, but was not heard of since
        reading = bench.raw(Sample(10.02, HALF, GRIP))
    assert not reading.live


# -- rubbish --------------------------------------------------------------------------------

BAD: dict[str, Callable[[Sample], object]] = {
    "nan axis": lambda s: replace(s, axes=(math.nan, 0.0)),
    "infinite axis": lambda s: replace(s, axes=(math.inf, 0.0)),
    "wild axis": lambda s: replace(s, axes=(1.6, 0.0)),
    "too few axes": lambda s: replace(s, axes=(0.5,)),
    "words for axes": lambda s: replace(s, axes=("left", "up")),  # type: ignore[arg-type]
    "nan position": lambda s: replace(s, position=(math.nan, 0.0, 0.0)),
    "far position": lambda s: replace(s, position=(1e300, 0.0, 0.0)),
    "flat position": lambda s: replace(s, position=(0.0, 0.0)),  # type: ignore[arg-type]
    "zero quaternion": lambda s: replace(s, quaternion=(0.0, 0.0, 0.0, 0.0)),
    "nan quaternion": lambda s: replace(s, quaternion=(math.nan, 0.0, 0.0, 0.0)),
    "nan time": lambda s: replace(s, time=math.nan),
    "tomorrow": lambda s: replace(s, time=s.time + 86400.0),
    "yesterday": lambda s: replace(s, time=s.time - 86400.0),
    "buttons that are none": lambda s: replace(s, buttons=3),  # type: ignore[arg-type]
    "no sample": lambda s: "left",
}


@pytest.mark.parametrize("spoil", BAD.values(), ids=BAD)
def test_rubbish_is_silence(spoil: Callable[[Sample], object]) -> None:
    bench = in_use()
    good = Sample(bench.now, HALF, GRIP)
    readings = []
    for _ in range(60):
        readings.append(bench.raw(spoil(replace(good, time=bench.now + TICK))))
    assert readings[0] == Reading(HALF, GRIP)  # a single one is overlooked,
    assert not readings[-1].live  # a stream of them is not
    assert sum(bench.dog.faults.values()) == 60
    assert len(bench.dog.faults) == 1


def test_a_little_too_much_is_clipped() -> None:
    bench = in_use()
    assert bench.give((1.2, -1.4)).axes == (1.0, -1.0)


def test_buttons_that_the_device_has_not_got_are_dropped() -> None:
    bench = in_use()
    assert bench.give(HALF, GRIP | {"eject"}).buttons == GRIP


# -- jumps and clocks -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "jump",
    [{"position": (0.2, 0.0, 1.0)}, {"position": ORIGIN, "quaternion": (0.8, 0.6, 0.0, 0.0)}],
    ids=["place", "turn"],
)
def test_a_jump_lets_go_and_holds(jump: dict[str, Any]) -> None:
    bench = Bench(UsedInputs(clutch="grip"))
    bench.give(position=ORIGIN)
    assert bench.give(buttons=GRIP, position=ORIGIN).live
    for _ in range(100):
        reading = bench.give(buttons=GRIP, **jump)
        assert not reading.live and reading.position == ORIGIN
    bench.give(**jump)
    reading = bench.give(buttons=GRIP, **jump)  # gripped again, where it is now
    assert reading.live and reading.position == jump["position"]
    assert sum(bench.dog.faults.values()) == 1


def test_a_device_found_elsewhere_after_a_silence_has_jumped() -> None:
    bench = Bench(UsedInputs(clutch="grip"))
    bench.give(position=ORIGIN)
    bench.give(buttons=GRIP, position=ORIGIN)
    bench.wait(0.4)
    assert not bench.give(buttons=GRIP, position=(0.8, 0.0, 1.0)).live


def test_a_fast_hand_does_not_jump() -> None:
    bench = Bench(UsedInputs(clutch="grip"))
    bench.give(position=ORIGIN)
    for i in range(50):
        place = (0.04 * i, 0.0, 1.0)  # 4 m/s
        assert bench.give(buttons=GRIP, position=place).position == place


def test_a_clock_that_is_set_back_lets_go() -> None:
    bench = in_use()
    bench.now -= 100.0
    assert not bench.give(HALF, GRIP).live
    bench.give()
    assert bench.give(HALF).live


def test_a_clock_that_leaps_ahead_lets_go() -> None:
    bench = in_use()
    bench.now += 100.0
    assert not bench.raw(None).live
    assert not bench.give(HALF, GRIP).live


@pytest.mark.parametrize("wrong", [{"quiet": 0.0}, {"speed": math.nan}, {"lost": 0.05}])
def test_trust_without_sense_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(BadField, match=f"{next(iter(wrong))} must be"):
        DeviceLimits(**wrong)
