"""The dead man's switch: a device must be released, then used on purpose."""

from robotix.devices.engage_gate import EngageGate, UsedInputs
from robotix.devices.sample import Sample
from robotix.devices.watchdog import DeviceLimits, DeviceState

LIMITS = DeviceLimits()


def state(
    time: float, axis: float = 0.0, *down: str, lost: bool = False, rest: bool = False
) -> DeviceState:
    sample = Sample(time, (axis,), frozenset(down))
    return DeviceState((axis,), frozenset(down), sample, None, is_at_rest=rest, must_release=lost)


def gate(clutch: str = "") -> EngageGate:
    return EngageGate(UsedInputs({0: 0.05}, clutch=clutch), LIMITS)


def test_a_device_that_is_pushed_from_the_start_is_not_live() -> None:
    stick = gate()
    assert not any(stick.update(state(t / 10, 0.8)) for t in range(20))
    assert not stick.update(state(2.1, 0.0))
    assert stick.update(state(2.2, 0.8))


def test_a_clutch_engages_and_other_buttons_do_not() -> None:
    stick = gate("trigger")
    stick.update(state(0.0))
    assert not stick.update(state(0.1, 0.8, "menu"))
    assert stick.update(state(0.2, 0.0, "trigger"))


def test_after_a_loss_the_gesture_is_needed_again() -> None:
    stick = gate()
    stick.update(state(0.0))
    assert stick.update(state(0.1, 0.8))
    assert not stick.update(state(0.2, 0.8, lost=True))
    assert not stick.update(state(0.3, 0.8))
    stick.update(state(0.4))
    assert stick.update(state(0.5, 0.8))


def test_unused_inputs_do_not_keep_a_device_from_being_released() -> None:
    use = UsedInputs({0: 0.2}, buttons=frozenset({"go"}))
    assert use.is_neutral(Sample(0.0, (0.15,), frozenset({"menu"})), LIMITS.neutral)
    assert not use.is_neutral(Sample(0.0, (0.15,), frozenset({"go"})), LIMITS.neutral)
    assert not use.is_neutral(Sample(0.0, (0.25,)), LIMITS.neutral)
