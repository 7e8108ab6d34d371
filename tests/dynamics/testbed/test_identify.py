"""Logs against simulations: files, error figures, and hidden servos that are found again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robotix.dynamics.testbed import (
    JointResponse,
    LogPlayback,
    RobotLog,
    compare_log,
    identify_joints,
    load_log,
    save_log,
)
from robotix.dynamics.testbed.compare import signal_error
from robotix.errors import BadField, BadFile
from robotix.model import Model
from robotix.model.robots import load
from robotix.motion import Motion, save_motion
from robotix.motion.coordinates import Dof

NOISE = 1e-4  # rad


def commanded(model: Model, q: np.ndarray, *, seconds: float = 1.5, joints: slice) -> RobotLog:
    """A log without measurements: some joints are to swing, with different frequencies."""
    times = np.arange(0.0, seconds, 0.01)
    names = model.dof_names[joints]
    fade = np.minimum(1.0, 4 * times)
    commands = {
        name: q[model.dof_index(name)] + 0.25 * fade * np.sin(2 * np.pi * (0.7 + 0.2 * k) * times)
        for k, name in enumerate(names)
    }
    still = {name: np.full_like(times, q[model.dof_index(name)]) for name in names}
    return RobotLog(times, commands, still)


def hidden(nominal: dict[str, JointResponse], rng: np.random.Generator) -> dict[str, JointResponse]:
    return {
        name: JointResponse(
            rng.uniform(0.005, 0.04),
            each.stiffness * rng.uniform(0.5, 2.0),
            each.damping * rng.uniform(0.6, 1.8),
        )
        for name, each in nominal.items()
    }


def made_log(model: Model, log: RobotLog, responses: dict[str, JointResponse]) -> RobotLog:
    rng = np.random.default_rng(1)
    playback = LogPlayback(model, log)
    signals = {
        name: values + rng.normal(0.0, NOISE, len(values))
        for name, values in playback.play([responses])[0].items()
    }
    return RobotLog(log.times, log.commands, signals | playback.forces(responses))


def test_hidden_delays_and_servos_of_an_arm_are_found() -> None:
    model, rng = load("panda"), np.random.default_rng(0)
    q = np.clip([0, 0.3, 0, -1.5, 0, 1.8, 0], model.lower, model.upper)
    log = commanded(model, q, joints=slice(0, 7))
    secret = hidden(LogPlayback(model, log).nominal(), rng)
    recorded = made_log(model, log, secret)
    found = identify_joints(model, recorded)
    for name, true in secret.items():
        each = found.responses[name]
        assert each.delay == pytest.approx(true.delay, abs=1e-3)
        assert each.stiffness == pytest.approx(true.stiffness, rel=0.03)
        assert each.damping == pytest.approx(true.damping, rel=0.03)
        assert found.rms[name] < 1.5 * NOISE < 0.1 * found.rms_before[name]
    before = {each.name: each for each in compare_log(model, recorded).errors}
    after = {each.name: each for each in compare_log(model, recorded, found.responses).errors}
    for name, error in after.items():
        assert error.rms < 1.5 * NOISE < before[name].rms
        assert abs(error.delay) < 1e-3


def test_a_standing_humanoid_is_laid_over_with_attitude_and_foot_forces(tmp_path: Path) -> None:
    model = load("vhrp26")
    arms = slice(model.dof_index("left_shoulder_pitch"), model.dof_index("left_shoulder_pitch") + 2)
    log = commanded(model, model.neutral, seconds=0.4, joints=arms)
    still = np.zeros_like(log.times)
    extra = {"roll": still, "pitch": still, "left_foot_force": still, "right_foot_force": still}
    log = RobotLog(log.times, log.commands, {**log.signals, **extra})
    recorded = made_log(model, log, {})
    save_log(tmp_path / "log.csv", recorded)
    errors = {e.name: e for e in compare_log(model, load_log(tmp_path / "log.csv")).errors}
    assert set(errors) == {*log.signals}
    assert errors["left_foot_force"].max < 0.05  # N; the start is read with noise
    assert errors["pitch"].rms < 2 * NOISE
    weight = recorded.signals["left_foot_force"] + recorded.signals["right_foot_force"]
    assert weight[-1] == pytest.approx(8.0 * 9.81, rel=0.2)


def test_error_figures_of_a_shifted_signal() -> None:
    times = np.arange(0.0, 2.0, 0.01)
    first, late = np.sin(5 * times), np.sin(5 * (times - 0.03))
    found = signal_error("knee", times, late, first)
    assert found.delay == pytest.approx(0.03, abs=1e-3)
    assert found.rms == pytest.approx(np.sqrt(((late - first) ** 2).mean()))
    assert found.max == pytest.approx(abs(late - first).max())
    assert np.isnan(signal_error("knee", times, 0 * times, first).delay)


def test_files_come_back(tmp_path: Path) -> None:
    log = RobotLog(
        np.array([0.0, 0.1]), {"knee": np.array([0.0, 0.5])}, {"knee": np.array([0.0, 0.3])}
    )
    save_log(tmp_path / "log.csv", log)
    found = load_log(tmp_path / "log.csv")
    np.testing.assert_array_equal(found.commands["knee"], log.commands["knee"])
    np.testing.assert_array_equal(found.signals["knee"], log.signals["knee"])
    columns = np.stack([log.commands["knee"], log.signals["knee"]], axis=1)
    motion = Motion((Dof("knee_command"), Dof("knee")), log.times, columns)
    save_motion(tmp_path / "log.mcap", motion)
    np.testing.assert_array_equal(load_log(tmp_path / "log.mcap").signals["knee"], [0.0, 0.3])


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("time,knee_command,knee\n0,1,2\n", "at least two samples"),
        ("knee_command,knee\n0,1\n1,2\n", "time and names"),
        ("time,knee_command,knee\n0,1,2\n0,1,2\n", "increasing"),
        ("time,knee_command,knee\n0,1,2\n1,x,2\n", "3 numbers"),
        ("time,knee_command,knee\n0,1\n1,2\n", "3 numbers"),
        ("time,knee_command,knee\n0,1,2\n1,nan,2\n", "not a number"),
        ("time,knee\n0,1\n1,2\n", "JOINT_command"),
    ],
)
def test_broken_logs_are_refused(tmp_path: Path, text: str, what: str) -> None:
    (tmp_path / "log.csv").write_text(text)
    with pytest.raises(BadFile, match=what):
        load_log(tmp_path / "log.csv")


def test_columns_of_another_robot_are_refused() -> None:
    times, row = np.array([0.0, 0.1]), np.zeros(2)
    model = load("planar_3r")
    joint = model.dof_names[0]
    with pytest.raises(ValueError, match="no joint 'knee'"):
        LogPlayback(model, RobotLog(times, {"knee": row}, {joint: row}))
    with pytest.raises(ValueError, match="'yaw' is no joint"):
        LogPlayback(model, RobotLog(times, {joint: row}, {"yaw": row}))
    with pytest.raises(ValueError, match="moves"):
        identify_joints(model, RobotLog(times, {joint: row}, {joint: row}))
    with pytest.raises(BadField, match="delay"):
        JointResponse(-1.0)
