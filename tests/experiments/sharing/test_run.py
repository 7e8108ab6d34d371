"""Shared work from beginning to end, by strategy."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from robotix.devices import record_samples
from robotix.devices.standard import make_standard_devices
from robotix.experiments.sharing.rooms import SHARED_TASKS, SharedSetup
from robotix.experiments.sharing.run import SharedRun, run_shared
from robotix.human import make_anthropometry, make_manikin, perform
from robotix.motion import save_motion
from robotix.safety.faults import Fault
from robotix.safety.protection import ProtectionSettings, SafetyStrategy


@cache
def run(task: str, strategy: SafetyStrategy) -> SharedRun:
    with_load = strategy == "both"
    return run_shared(task, ProtectionSettings(strategy=strategy), with_load=with_load)


@pytest.mark.parametrize("task", SHARED_TASKS)
def test_every_task_is_done_and_measured(task: str) -> None:
    done = run(task, "both")
    assert done.is_done
    figures = done.figures
    assert 500 < figures["max_compression"] < 6400  # N
    assert 1 <= figures["mean_rula"] <= figures["max_rula"] <= 7
    lengths = {len(column) for column in done.series.values()}
    assert len(lengths) == 1 or max(lengths) - min(lengths) <= 1
    assert figures["min_distance"] > 0
    assert ("carry_gap" in figures) == (task == "carry_together")


def test_strategies_differ_at_one_bench() -> None:
    free, separated, both = (run("one_bench", each) for each in ("none", "ssm", "both"))
    assert free.duration < both.duration < separated.duration
    assert free.figures["waiting_time"] == 0
    assert separated.figures["waiting_time"] > 1.0
    assert separated.figures["min_distance"] > free.figures["min_distance"]
    moving = separated.series["robot_speed"] > 0.05
    assert separated.series["distance"][moving].min() > ProtectionSettings().separation.margin


def test_the_same_run_twice_is_the_same() -> None:
    again = run_shared("handover_to_robot", ProtectionSettings(strategy="both"))
    assert again.figures == run("handover_to_robot", "both").figures


def test_a_recorded_person_is_replayed(tmp_path: Path) -> None:
    body = make_manikin(make_anthropometry(sex="f", percentile=50))
    motion = perform("walk", body, parameters={"distance": 2.0}).motion
    save_motion(tmp_path / "walk.csv", motion)
    setup = SharedSetup(motion=str(tmp_path / "walk.csv"))
    done = run_shared("walk_past", ProtectionSettings(strategy="ssm"), setup=setup)
    assert done.is_done
    assert done.figures["max_person_speed"] > 0.5
    assert np.isfinite(done.series["compression"]).all()


def test_a_fault_on_the_way_is_scored() -> None:
    fault = Fault("joint_lock", joint=1, start=3.0, seconds=1.5)  # while the arm moves
    settings = ProtectionSettings(strategy="none", reaction="stop")
    done = run_shared("one_bench", settings, fault=fault, with_load=False)
    assert done.figures["fault_reacted"] == 1.0
    assert 0 < done.figures["fault_time_to_react"] < 1.5
    assert done.duration > run("one_bench", "none").duration


def test_a_time_limit_ends_it() -> None:
    short = run_shared("one_bench", ProtectionSettings(), time_limit=1.0, with_load=False)
    assert not short.is_done
    assert short.duration == pytest.approx(1.0, abs=0.05)


def record_wearer(path: Path, *, seconds: float, reach: float) -> None:
    """Record what headset and controllers say of somebody who reaches forwards, and stands up."""
    devices = make_standard_devices()
    with record_samples(path) as log:
        kept = {name: log.of(device) for name, device in devices.items()}
        for now in np.arange(0.0, seconds, 1 / 72):
            ahead = reach * 0.5 * (1 - np.cos(np.pi * min(now / 2, 1)))
            for name, at in (
                ("headset", [0.0, 1.53, -0.05 - 0.3 * ahead]),
                ("right_controller", [0.2, 1.0, -0.2 - ahead]),
                ("left_controller", [-0.2, 0.95, -0.2]),
            ):
                pose = {"position": at, "orientation": [0, 0, 0, 1]}
                more: dict[str, Any] = {} if name == "headset" else {"axes": [], "buttons": []}
                devices[name].feed(pose | more, now)
                kept[name].read(now)


def test_the_robot_protects_who_wears_a_headset(tmp_path: Path) -> None:
    runs = {}
    for name, reach in (("reaching", 0.35), ("standing", 0.0)):
        record_wearer(tmp_path / name, seconds=8.0, reach=reach)
        setup = SharedSetup(
            is_tracked=True, samples=str(tmp_path / name), sex="f", stature=1.64, seed=3
        )
        runs[name] = [
            run_shared("one_bench", ProtectionSettings(strategy="ssm"), setup=setup, time_limit=8.0)
            for _ in range(2)
        ]
    first, again = runs["reaching"]
    assert first.figures == again.figures  # the same samples, the same run
    standing = runs["standing"][0].figures
    assert first.figures["min_distance"] < standing["min_distance"] - 0.1
    assert first.figures["waiting_time"] > standing["waiting_time"]
    assert first.figures["moving_contacts"] == 0
    compression = first.series["compression"]
    assert np.isfinite(compression).all() and len(compression) == round(8.0 * 60)
    assert compression[240:].mean() > compression[:30].mean()  # who reaches leans


def test_what_a_tracked_person_cannot_do_is_refused() -> None:
    tracked, settings = SharedSetup(is_tracked=True), ProtectionSettings()
    with pytest.raises(ValueError, match="samples"):
        run_shared("one_bench", settings, setup=tracked)
