"""Shared work from beginning to end, by strategy."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

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
    fault = Fault("joint_lock", joint=1, start=2.0, seconds=1.5)
    settings = ProtectionSettings(strategy="none", reaction="stop")
    done = run_shared("one_bench", settings, fault=fault, with_load=False)
    assert done.figures["fault_reacted"] == 1.0
    assert 0 < done.figures["fault_time_to_react"] < 1.5
    assert done.duration > run("one_bench", "none").duration


def test_a_time_limit_ends_it() -> None:
    short = run_shared("one_bench", ProtectionSettings(), time_limit=1.0, with_load=False)
    assert not short.is_done
    assert short.duration == pytest.approx(1.0, abs=0.05)
