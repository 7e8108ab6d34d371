"""A channel between devices and a room that delays readings or loses them.

What is lost is not repeated: the room keeps the last reading that arrived. After `TIMEOUT` without
any it is no longer live, as for a real device that went silent, and followers stop.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from robotix.inputs.readings import Inputs, Reading
from robotix.safety.faults import Fault

__all__ = ["LossyChannel"]

TIMEOUT = 0.1  # s without a reading after which a device is silent


class LossyChannel:
    """Delays or loses the readings of devices, from a seed."""

    def __init__(self, fault: Fault, *, dt: float, rng: np.random.Generator) -> None:
        self._fault, self._dt, self._rng = fault, dt, rng
        ticks = round(fault.delay / dt) if fault.kind == "delay" else 0
        self._late: deque[Mapping[str, Reading]] = deque(maxlen=ticks + 1)
        self._last: dict[str, Reading] = {}
        self._silent: dict[str, float] = {}
        self.lost = 0  # readings
        self.passed = 0

    def transmit(self, inputs: Inputs) -> Inputs:
        """Return the inputs of a tick as they arrive."""
        sent = dict(inputs.devices)
        mine = {name: each for name, each in sent.items() if self._fault.device in ("", name)}
        if not mine:
            return inputs
        self._late.append(mine)
        is_filled = len(self._late) == self._late.maxlen
        arrived = self._late[0] if is_filled else {}
        for name, reading in mine.items():
            sent[name] = self._receive(name, arrived.get(name), reading)
        return replace(inputs, devices=sent)

    def _receive(self, name: str, reading: Reading | None, now: Reading) -> Reading:
        is_lost = self._fault.kind == "packet_loss" and self._rng.random() < self._fault.loss
        if reading is not None and not is_lost:
            self.passed += 1
            self._last[name], self._silent[name] = reading, 0.0
            return reading
        self.lost += is_lost
        self._silent[name] = self._silent.get(name, 0.0) + self._dt
        last = self._last.get(name) or Reading(
            (0.0,) * len(now.axes), frozenset(), now.position, now.quaternion
        )
        return replace(last, live=last.live and self._silent[name] <= TIMEOUT)
