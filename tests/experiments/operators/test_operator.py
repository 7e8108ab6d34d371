"""Simulated operators: their movements, and tasks that they finish."""

from __future__ import annotations

import numpy as np
import pytest

from robotix.errors import BadField
from robotix.experiments.operators.operator import SimulatedOperator
from robotix.experiments.operators.submovement import plan_submovement
from robotix.experiments.operators.traits import IDEAL, TYPICAL, OperatorTraits, draw_traits
from robotix.experiments.tasks.library import TASKS, load_task
from robotix.experiments.tasks.room import RoomSetup, TaskRoom, open_task_room

ARMS = ("kuka_lwr", "amtec_ulwr", "mitsubishi_pa10")


def run(name: str, arm: str, traits: OperatorTraits, *, limit: float, seed: int = 0) -> TaskRoom:
    """Let an operator do a task; return the room."""
    room = open_task_room(load_task(name), RoomSetup(arm=arm))
    operator = SimulatedOperator(room, traits, np.random.default_rng(seed))
    while not room.watcher.is_finished and room.scene.time < limit:
        room.scene.step(operator.act())
    room.close()
    return room


def test_a_submovement_covers_its_way_with_a_bell_shaped_speed() -> None:
    rng = np.random.default_rng(0)
    way = np.array([0.3, -0.1, 0.2])
    move = plan_submovement(way, width=0.02, speed=0.25, traits=IDEAL, rng=rng)
    times = np.linspace(0, move.duration, 20_001)
    speed = np.array([move.velocity(t) for t in times])
    covered = np.trapezoid(speed, times, axis=0)
    np.testing.assert_allclose(covered, way, atol=1e-6)
    assert np.linalg.norm(speed, axis=1).max() == pytest.approx(0.25, rel=1e-4)  # full deflection
    assert not move.velocity(0.0).any()
    assert not move.velocity(move.duration).any()


def test_smaller_targets_take_longer_and_noise_grows_with_the_way() -> None:
    rng = np.random.default_rng(0)

    def duration(width: float) -> float:
        way = np.array([0.02, 0.0, 0.0])
        return plan_submovement(way, width=width, speed=1.0, traits=TYPICAL, rng=rng).duration

    assert duration(0.002) > duration(0.02) > duration(0.2)
    ends = {
        distance: np.std(
            [
                plan_submovement(
                    np.array([distance, 0, 0]), width=0.02, speed=0.25, traits=TYPICAL, rng=rng
                ).way[0]
                for _ in range(4000)
            ]
        )
        for distance in (0.1, 0.4)
    }
    assert ends[0.4] / ends[0.1] == pytest.approx(4.0, rel=0.1)
    assert ends[0.4] == pytest.approx(0.4 * TYPICAL.aiming_noise, rel=0.1)


def test_an_operator_is_the_same_whenever_it_is_drawn() -> None:
    assert draw_traits("P07") == draw_traits("P07")
    assert draw_traits("P07") != draw_traits("P08")
    drawn = [draw_traits(f"P{k:03}") for k in range(300)]
    logs = np.log([each.reaction_time / TYPICAL.reaction_time for each in drawn])
    assert np.mean(logs) == pytest.approx(0.0, abs=0.04)
    assert np.std(logs) == pytest.approx(0.2, abs=0.03)


def test_practice_follows_a_power_law() -> None:
    later = TYPICAL.practised(99)
    assert later.aiming_noise == pytest.approx(TYPICAL.aiming_noise * 100**-TYPICAL.learning)
    assert later.pace == TYPICAL.pace


@pytest.mark.parametrize(
    "change", [{"pace": 0.0}, {"one_axis": 1.5}, {"reaction_time": -1.0}, {"learning": np.nan}]
)
def test_traits_are_checked(change: dict[str, float]) -> None:
    with pytest.raises(BadField, match=next(iter(change))):
        OperatorTraits(**change)


def test_the_ideal_operator_finishes_chess_without_an_error() -> None:
    room = run("chess", "kuka_lwr", IDEAL, limit=15.0)
    assert room.watcher.is_finished
    assert room.watcher.errors == []
    assert room.watcher.duration < 6.0


def test_a_typical_operator_takes_longer_than_the_ideal_one() -> None:
    room = run("chess", "kuka_lwr", TYPICAL, limit=60.0)
    assert room.watcher.is_finished
    assert room.watcher.duration > 6.0


def test_the_ideal_operator_changes_sides_where_the_arm_is_too_short() -> None:
    room = run("shelf", "amtec_ulwr", IDEAL, limit=60.0)
    assert room.watcher.is_finished
    assert room.watcher.errors == []
    assert room.scene.robots["arm"].q[0] > 1.2  # it ended on the right


# At most s, with every arm: twice what they need.
LONGEST = {"books": 320.0, "shelf": 90.0, "chess": 9.0, "tables": 200.0}


@pytest.mark.soak
@pytest.mark.parametrize("arm", ARMS)
@pytest.mark.parametrize("name", TASKS)
def test_the_ideal_operator_finishes_every_task_with_every_arm(name: str, arm: str) -> None:
    room = run(name, arm, IDEAL, limit=LONGEST[name])
    assert room.watcher.is_finished, room.watcher.status
    assert room.watcher.errors == []


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("arm", ARMS)
@pytest.mark.parametrize("name", TASKS)
def test_typical_operators_finish_every_task_with_every_arm(name: str, arm: str, seed: int) -> None:
    room = run(name, arm, draw_traits(f"S{seed:03}"), limit=900.0, seed=seed)
    assert room.watcher.is_finished, room.watcher.status
