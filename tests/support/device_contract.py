"""What every device must do, whatever it is: call `check_device` with one and a way to touch it."""

import math
from collections.abc import Callable
from pathlib import Path

from robotix.devices import Device, Sample, Watchdog, load_samples, record_samples

Touch = Callable[[Device, float], None]  # makes something happen at the given time

TIMES = [1.0 + 0.01 * i for i in range(20)]


def check_device(device: Device, touch: Touch, folder: Path) -> None:
    """Try all that the protocol promises; the device is closed afterwards."""
    check_names(device)
    samples = check_samples(device, touch, folder / "samples.jsonl")
    check_twin(device, samples, folder / "samples.jsonl")
    check_close(device)


def check_names(device: Device) -> None:
    assert device.name and device.kind
    for names in (device.axes, device.buttons):
        assert isinstance(names, tuple)
        assert all(names) and len(set(names)) == len(names)


def check_samples(device: Device, touch: Touch, path: Path) -> list[Sample | None]:
    """Return one sample a time; every one is recorded, and none is a fault."""
    watchdog = Watchdog(device)
    samples = []
    with record_samples(path) as log:
        recorded = log.of(device)
        for now in TIMES:
            touch(device, now)
            sample = recorded.read(now)
            samples.append(sample)
            assert sample is not None, f"{device.name} says nothing when it is touched"
            assert len(sample.axes) == len(device.axes)
            assert sample.buttons <= set(device.buttons)
            assert sample.time <= now and math.isfinite(sample.time)
            watchdog.update(sample, now)
    assert watchdog.faults == {}
    return samples


def check_twin(device: Device, samples: list[Sample | None], path: Path) -> None:
    """The recording is as good as the device."""
    twin = load_samples(path)[device.name]
    assert (twin.name, twin.kind) == (device.name, device.kind)
    assert (twin.axes, twin.buttons) == (device.axes, device.buttons)
    assert [twin.read(now) for now in TIMES] == samples
    assert twin.read(TIMES[-1] + 10.0) is None
    check_close(twin)


def check_close(device: Device) -> None:
    device.close()
    device.close()
    assert device.read(TIMES[-1] + 1.0) is None
