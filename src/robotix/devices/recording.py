"""Recording of device samples, and replay in place of the devices.

A recording is a text file with one JSON object per line: the version, each device before its first
sample, and every sample in the order of reading. Lines are written at once, so a truncated
recording is readable up to its end.
"""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from robotix.devices.device import Device
from robotix.devices.sample import Mailbox, Sample
from robotix.errors import BadFile
from robotix.files.closing import Closing

__all__ = ["Recorded", "Replay", "SampleLog", "Track", "load_samples", "record_samples"]

LOG = logging.getLogger(__name__)
VERSION = 1
KEY = "robotix_samples"
NON_FINITE = {
    "nan": math.nan,
    "inf": math.inf,
    "-inf": -math.inf,
}  # as texts, since JSON has no non-finite numbers


class SampleLog(Closing):
    """Writes samples to a new file; use it in a `with` block."""

    def __init__(self, path: str | Path) -> None:
        # "x": never overwrite an older recording
        self._file = Path(path).open("x", encoding="utf-8", buffering=1)
        self._known: set[str] = set()
        self._write({KEY: VERSION})

    def of(self, device: Device) -> Recorded:
        """Return a device that passes on the samples of another one and records them."""
        return Recorded(device, self)

    def add(self, device: Device, sample: Sample, *, now: float) -> None:
        """Record a sample that was read from a device at the time `now`."""
        if device.name not in self._known:
            self._known.add(device.name)
            axes, buttons = list(device.axes), list(device.buttons)
            self._write(
                {"device": device.name, "kind": device.kind, "axes": axes, "buttons": buttons}
            )
        line: dict[str, object] = {"of": device.name, "now": now, "time": _plain(sample.time)}
        if sample.axes:
            line["axes"] = [_plain(value) for value in sample.axes]
        if sample.buttons:
            line["down"] = sorted(sample.buttons)
        if sample.position is not None:
            line["position"] = [_plain(value) for value in sample.position]
            line["quaternion"] = [_plain(value) for value in sample.quaternion]
        self._write(line)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _write(self, line: Mapping[str, object]) -> None:
        self._file.write(json.dumps(line, allow_nan=False, separators=(",", ":")) + "\n")


def record_samples(path: str | Path) -> SampleLog:
    """Start a recording; use `log.of(device)` in place of `device`."""
    return SampleLog(path)


class Recorded:
    """A device that passes on the samples of another one and records them."""

    def __init__(self, device: Device, log: SampleLog) -> None:
        self.name = device.name
        self.kind = device.kind
        self.axes = device.axes
        self.buttons = device.buttons
        self._device = device
        self._log = log

    def read(self, now: float) -> Sample | None:
        """Record and return the latest sample."""
        sample = self._device.read(now)
        if sample is not None:
            self._log.add(self, sample, now=now)
        return sample

    def close(self) -> None:
        """Close the device; the recording stays open for the others."""
        self._device.close()


@dataclass(frozen=True)
class Track:
    """The recorded samples of one device, each with the time of reading."""

    name: str
    kind: str
    axes: tuple[str, ...]
    buttons: tuple[str, ...]
    samples: list[tuple[float, Sample]] = field(default_factory=list)


class Replay:
    """A device that replays a recorded one: the same samples at the same times.

    Its clock starts at the first reading: a sample read `t` seconds after the `beginning` of the
    recording is returned `t` seconds later. After the last sample it is silent.
    """

    def __init__(self, track: Track, *, beginning: float) -> None:
        self.name, self.kind = track.name, track.kind
        self.axes, self.buttons = track.axes, track.buttons
        self._samples = track.samples
        self._beginning = beginning
        self._offset: float | None = None  # from the clock of the recording to ours
        self._next = 0
        self._mail = Mailbox()

    def read(self, now: float) -> Sample | None:
        """Return the recorded sample of this time; None when there was no new one."""
        if self._offset is None:
            self._offset = now - self._beginning
        while self._next < len(self._samples):
            moment, sample = self._samples[self._next]
            if moment + self._offset > now:
                break
            self._next += 1
            self._mail.put(replace(sample, time=sample.time + self._offset))
        return self._mail.pop()

    def close(self) -> None:
        """Stop."""
        self._mail.close()


def load_samples(path: str | Path) -> dict[str, Replay]:
    """Return replays of all devices in a recording, by name.

    A truncated recording is read up to its end.
    """
    tracks: dict[str, Track] = {}
    for number, line in _lines(Path(path)):
        try:
            _read_line(line, tracks)
        except (KeyError, TypeError, ValueError, OverflowError):
            found, expected = f"{line!s:.60}", "a device, or a sample of one named above"
            raise BadFile(str(path), found, expected, line=number) from None
    moments = [track.samples[0][0] for track in tracks.values() if track.samples]
    beginning = min(moments, default=0.0)
    return {name: Replay(track, beginning=beginning) for name, track in tracks.items()}


def _lines(path: Path) -> Iterator[tuple[int, Mapping[str, object]]]:
    """Yield the objects after the first line, with their line numbers."""
    try:
        lines = path.read_bytes().splitlines(keepends=True)
    except OSError as error:
        raise BadFile(str(path), error.strerror or "no file", "a recording of devices") from None
    for number, line in enumerate(lines, 1):
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            if number == len(lines) > 1 and not line.endswith(b"\n"):
                LOG.warning("%s:%d: cut short; what is before is used", path, number)
                return
            found = None
        if number == 1 and (not isinstance(found, dict) or found.get(KEY) != VERSION):
            raise BadFile(str(path), "another file", f'{{"{KEY}":{VERSION}}} first', line=1)
        if not isinstance(found, dict):
            raise BadFile(str(path), "what is no JSON object", "one a line", line=number)
        if number > 1:
            yield number, found
    if not lines:
        raise BadFile(str(path), "an empty file", "a recording of devices")


def _read_line(line: Mapping[str, Any], tracks: dict[str, Track]) -> None:
    """Process a line; any exception means that it is malformed."""
    if "device" in line:
        name, kind = str(line["device"]), str(line["kind"])
        tracks[name] = Track(name, kind, _names(line["axes"]), _names(line["buttons"]))
        return
    sample = Sample(
        _number(line["time"]),
        _numbers(line.get("axes", ())),
        frozenset(_names(line.get("down", ()))),
    )
    if "position" in line:
        (x, y, z), (qw, qx, qy, qz) = _numbers(line["position"]), _numbers(line["quaternion"])
        sample = replace(sample, position=(x, y, z), quaternion=(qw, qx, qy, qz))
    samples = tracks[line["of"]].samples
    now = float(line["now"])
    if not math.isfinite(now) or (samples and now < samples[-1][0]):
        raise ValueError("time goes back")
    samples.append((now, sample))


def _names(values: Iterable[object]) -> tuple[str, ...]:
    if isinstance(values, str):
        raise ValueError("a text is no list")
    return tuple(map(str, values))


def _numbers(values: Iterable[object]) -> tuple[float, ...]:
    return tuple(map(_number, values))


def _number(value: object) -> float:
    if isinstance(value, str):
        return NON_FINITE[value]
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("no number")
    return float(value)


def _plain(value: float) -> float | str:
    """Return a number as a JSON value."""
    number = float(value)
    return number if math.isfinite(number) else str(number)
