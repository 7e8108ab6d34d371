"""Readings that come late, or never."""

import numpy as np
import pytest

from robotix.inputs.readings import Inputs, Reading
from robotix.safety.faults import Fault
from robotix.safety.lossy_channel import LossyChannel

DT = 0.01


def sent(value: float, **others: Reading) -> Inputs:
    return Inputs({"stick": Reading((value,)), **others})


def test_delay_shifts_readings_by_its_time() -> None:
    channel = LossyChannel(Fault("delay", delay=0.05), dt=DT, rng=np.random.default_rng(0))
    got = [channel.transmit(sent(k / 100)).devices["stick"].axes[0] for k in range(20)]
    assert got[5:] == [k / 100 for k in range(15)]
    assert got[:5] == [0.0] * 5


def test_all_lost_is_silence_after_a_tenth_of_a_second() -> None:
    channel = LossyChannel(Fault("packet_loss", loss=1.0), dt=DT, rng=np.random.default_rng(0))
    live = [channel.transmit(sent(0.5)).devices["stick"].live for _ in range(30)]
    assert live == [True] * 10 + [False] * 20
    assert channel.lost == 30


def test_loss_is_as_frequent_as_asked_for_and_seeded() -> None:
    def run(seed: int) -> list[float]:
        fault = Fault("packet_loss", loss=0.3)
        channel = LossyChannel(fault, dt=DT, rng=np.random.default_rng(seed))
        return [channel.transmit(sent(k / 2000)).devices["stick"].axes[0] for k in range(2000)]

    one = run(3)
    assert one == run(3) != run(4)
    kept = sum(value == k / 2000 for k, value in enumerate(one))
    assert kept / 2000 == pytest.approx(0.7, abs=0.05)


def test_other_devices_and_lines_pass() -> None:
    fault = Fault("packet_loss", loss=1.0, device="stick")
    channel = LossyChannel(fault, dt=DT, rng=np.random.default_rng(0))
    wheel = Reading((0.2,))
    inputs = Inputs({"stick": Reading((1.0,)), "wheel": wheel}, commands=("home",))
    got = channel.transmit(inputs)
    assert got.devices["wheel"] is wheel
    assert got.commands == ("home",)
    assert got.devices["stick"].axes == (0.0,)  # nothing has arrived yet
