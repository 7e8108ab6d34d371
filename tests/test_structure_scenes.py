"""The example scenes whose structure changes: what happens, with figures."""

from pathlib import Path

import numpy as np
import pytest
from support.hands import place_of, problems

from robotix.authoring import load_scene
from robotix.dynamics.simulation import Simulation
from robotix.inputs.readings import Inputs, Reading
from robotix.scene.console.console import run_command
from robotix.scene.scene import Scene

SCENES = Path(__file__).parent.parent / "examples" / "scenes"


def load(name: str) -> Scene:
    return load_scene(SCENES / f"{name}.yaml")


def run_until(scene: Scene, seconds: float) -> None:
    while scene.time < seconds - 1e-9:
        scene.step()
        assert not problems(scene)


def simulation_of(scene: Scene) -> Simulation:
    assert scene.physics.mirror is not None
    return scene.physics.mirror.room.simulation


def test_a_humanoid_takes_the_bar_swings_lets_go_and_lands() -> None:
    scene = load("bar_swing")
    run_until(scene, 0.1)
    assert not scene.physics.connections
    run_until(scene, 0.2)
    assert scene.physics.connections == ("left grip", "right grip")
    grip = np.linalg.norm(place_of(scene, "gymnast/left_hand_link")[[0, 2]] - (0.18, 0.97))
    behind = place_of(scene, "gymnast/pelvis")[0]
    run_until(scene, 0.7)
    now = np.linalg.norm(place_of(scene, "gymnast/left_hand_link")[[0, 2]] - (0.18, 0.97))
    assert now == pytest.approx(grip, abs=5e-4)  # the hand turns about the bar
    ahead = place_of(scene, "gymnast/pelvis")[0]
    assert behind < 0.05 and ahead > 0.3  # m; the bar is at 0.18 m
    assert run_command(scene, "cut left grip") + run_command(scene, "cut right grip") == ""
    run_until(scene, 1.6)
    assert place_of(scene, "gymnast/pelvis")[2] < 0.15  # on the mat
    assert place_of(scene, "gymnast/pelvis")[0] > 0.2


def test_a_foot_that_is_fixed_holds_the_humanoid_that_would_fall() -> None:
    scene = load("fixed_foot")
    run_until(scene, 1.5)
    np.testing.assert_allclose(place_of(scene, "fixed/pelvis"), (0, 0.3, 0.241), atol=2e-3)
    np.testing.assert_allclose(place_of(scene, "fixed/left_foot"), (0, 0.3304, 0.0203), atol=5e-4)
    assert place_of(scene, "loose/pelvis")[2] < 0.06  # it lies


def test_two_humanoids_hold_each_other_until_they_let_go() -> None:
    scene = load("holding_hands")
    start = place_of(scene, "ada/pelvis")
    run_until(scene, 1.5)
    np.testing.assert_allclose(place_of(scene, "ada/pelvis"), start, atol=3e-3)
    np.testing.assert_allclose(
        place_of(scene, "bob/pelvis"), start * (-1, -1, 1), atol=3e-3
    )  # the mirror image
    for line in ("cut one pair", "cut other pair"):
        assert run_command(scene, line) == ""
    run_until(scene, 2.5)
    assert place_of(scene, "ada/pelvis")[2] < 0.1
    assert place_of(scene, "bob/pelvis")[2] < 0.1


def test_a_chain_in_flight_is_caught() -> None:
    scene = load("caught_chain")
    run_until(scene, 0.2)
    thrown = simulation_of(scene).energy().total
    run_until(scene, 0.35)
    assert simulation_of(scene).energy().total == pytest.approx(thrown, rel=1e-6)
    run_until(scene, 0.4)
    assert scene.physics.connections == ("catch",)
    caught = simulation_of(scene).energy().total
    assert 0.8 * thrown < caught < thrown  # an impact, which is plastic
    rod = scene.graph["chain/rod_6"]
    hook = rod.world_pose.inverse().apply((0.8, 0, 1.5))
    lowest = np.inf
    while scene.time < 1.2:
        scene.step()
        assert not problems(scene)
        gap = np.linalg.norm(rod.world_pose.apply(hook) - (0.8, 0, 1.5))
        assert gap < 1e-4  # m
        lowest = min(lowest, place_of(scene, "chain/rod_1")[2])
    assert lowest < 0.6 and place_of(scene, "chain/rod_1")[0] > 1.2  # it swung through
    assert simulation_of(scene).energy().total == pytest.approx(caught, rel=1e-4)


def test_what_was_caught_is_cut_loose_by_its_key_and_not_caught_again() -> None:
    for name, key, seconds in (("caught_chain", "C", 0.8), ("bar_swing", "L", 0.6)):
        scene = load(name)
        run_until(scene, seconds)
        assert scene.physics.connections
        scene.step(Inputs(devices={"keyboard": Reading(buttons=frozenset({key}))}))
        run_until(scene, seconds + 0.3)
        assert scene.physics.connections == ()


def test_a_branch_is_cut_and_flies_along_a_parabola() -> None:
    scene = load("cut_branch")
    run_until(scene, 0.5)
    energy = simulation_of(scene).energy().total
    run_until(scene, 0.6)
    branch = [f"chain/rod_{k}" for k in (4, 5, 6)]
    assert simulation_of(scene).link_table().row("chain/rod_4").joint == "free"

    def middle() -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        places = [scene.graph[name].world_pose.apply((0.1, 0, 0)) for name in branch]
        return np.asarray(np.mean(places, axis=0))

    before = middle()
    run_until(scene, 0.7)
    halfway = middle()
    run_until(scene, 0.8)
    after = middle()
    acceleration = (after - 2 * halfway + before) / 0.1**2
    np.testing.assert_allclose(acceleration, (0, 0, -9.81), atol=1e-3)
    assert simulation_of(scene).energy().total == pytest.approx(energy, rel=1e-6)
    run_until(scene, 1.6)
    assert all(place_of(scene, name)[2] < 0.05 for name in branch)
    assert place_of(scene, "chain/rod_3")[2] > 1.4  # the rest still hangs
