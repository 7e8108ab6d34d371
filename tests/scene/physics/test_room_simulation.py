"""Physics of a room: holding and releasing, things that come and go, replays and faults."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.hands import hand, place_of, problems
from support.physics_rooms import TABLE_TOP, free, glass, room, run
from support.ropes import rope

from robotix.errors import BadField
from robotix.geometry import Array, Box, Capsule, Cylinder, Halfspace, Pose, Sphere
from robotix.inputs.readings import Inputs
from robotix.scene.commands.attaching import Attach
from robotix.scene.commands.grabbing import Grab
from robotix.scene.events.events import Button
from robotix.scene.events.messages import Announcement
from robotix.scene.graph.body import BodyProperties
from robotix.scene.physics.rebuilding import LATENCY
from robotix.scene.physics.settings import PhysicsSettings
from robotix.scene.recording.recorder import Recorder
from robotix.scene.recording.replay import replay
from robotix.scene.recording.state import Digest
from robotix.scene.scene import Scene

GRIP = Button("hand", "grip")


# -- holding --------------------------------------------------------------------------------


def test_what_a_hand_holds_follows_it_and_flies_on_when_released() -> None:
    scene = room()
    glass(scene)
    scene.on(GRIP, Grab("glass", "hand"), mode="reflect")
    speed, n = 1.0, 60
    for k in range(n):
        scene.step(hand((0.0, speed * k * scene.dt, 0.01 * k), held=True))
        assert not problems(scene)
    at = place_of(scene, "glass")
    np.testing.assert_allclose(at[1], speed * (n - 1) * scene.dt, atol=1e-9)
    for _ in range(12):
        scene.step(hand((0.0, 5.0, 5.0)))
    moved = place_of(scene, "glass") - at
    assert moved[1] == pytest.approx(12 * speed * scene.dt, rel=0.1)  # the speed of the hand
    assert moved[2] < 12 * 1.2 * scene.dt  # and gravity again


def test_what_is_carried_pushes_what_is_free() -> None:
    scene = room()
    glass(scene)
    free(scene, "cup", Cylinder(0.04, 0.09), 0.3, 0.2, TABLE_TOP + 0.045)
    scene.on(GRIP, Grab("glass", "hand"), mode="reflect")
    for k in range(120):
        scene.step(hand((0.0, 0.3 * k * scene.dt, 0.002), held=True))
    assert place_of(scene, "cup")[1] > 0.3
    np.testing.assert_allclose(place_of(scene, "glass")[1], 0.3 * 119 * scene.dt, atol=1e-9)


def test_what_is_attached_is_held() -> None:
    scene = room()
    glass(scene)
    scene.graph.add("gripper", pose=Pose.at(0.3, 0, 1.2))
    scene.on(GRIP, Attach("glass", "gripper"), mode="reflect")
    scene.step(hand())
    for k in range(60):
        scene.graph["gripper"].pose = Pose.at(0.3, 0, 1.2 + 0.005 * k)
        scene.step(hand(held=True))
    top = place_of(scene, "glass")[2]
    assert top > TABLE_TOP + 0.3
    scene.step(hand())
    run(scene, 2.0)
    assert place_of(scene, "glass")[2] < top - 0.2


def test_what_cannot_be_free_is_reported_and_stays() -> None:
    scene = room()
    scene.graph.add("void", body=BodyProperties())
    scene.graph.add("plane", solids=[Halfspace()], body=BodyProperties(), pose=Pose.at(0, 0, -1))
    scene.step()
    assert len(problems(scene)) == 1 and "'plane' cannot be free" in problems(scene)[0]
    scene.step()
    assert not problems(scene)


# -- changes of the room --------------------------------------------------------------------


def test_things_come_and_go_while_it_runs() -> None:
    scene = room()
    glass(scene)
    run(scene, 0.2)
    before = place_of(scene, "glass")
    free(scene, "ball", Sphere(0.05), 2, 0, 1)
    run(scene, LATENCY + 0.6)
    assert place_of(scene, "ball")[2] == pytest.approx(0.05, abs=2e-3)
    np.testing.assert_allclose(place_of(scene, "glass"), before, atol=1e-4)
    scene.graph.remove("table")
    run(scene, LATENCY + 1.0)
    assert place_of(scene, "glass")[2] < 0.1
    scene.graph.remove("glass")
    run(scene, LATENCY + 0.2)
    scene.graph["ball"].set(collidable=False)
    run(scene, LATENCY + 0.2)


def test_a_new_simulation_takes_over_at_a_fixed_tick_with_the_same_velocities() -> None:
    scene = room()
    free(scene, "ball", Sphere(0.05), 2, 0, 5)
    run(scene, 0.3)
    former = scene.physics.mirror
    scene.graph.add("post", solids=[Box(np.array([0.1, 0.1, 0.1]))], pose=Pose.at(5, 0, 0))
    ticks = 0
    while scene.physics.mirror is former:
        scene.step()
        ticks += 1
    assert ticks == round(LATENCY / scene.dt) + 1
    run(scene, 0.2)
    time = scene.time
    assert 5 - place_of(scene, "ball")[2] == pytest.approx(9.81 * time**2 / 2, rel=0.02)


def test_what_is_asked_before_the_first_tick_compiles_once() -> None:
    scene = room()
    free(scene, "ball", Sphere(0.05), 2, 0, 5)
    robot = scene.add_robot("chain", rope(3), pose=Pose.at(0.5, 0.2, 2.0))
    scene.physics.simulate_robot(robot.name)
    scene.physics.connect("ball", "world", "weld")
    former = scene.physics.mirror
    run(scene, 2 * LATENCY)
    assert scene.physics.mirror is former


def test_a_node_that_replaces_another_of_its_name_is_another() -> None:
    scene = room()
    free(scene, "thing", Sphere(0.05), 2, 0, 1)
    run(scene, 0.1)
    for radius in np.linspace(0.1, 0.3, 5).tolist():
        scene.graph.remove("thing")
        free(scene, "thing", Sphere(radius), 2, 0, 1)
        run(scene, 1.5)
        assert place_of(scene, "thing")[2] == pytest.approx(radius, abs=2e-3)


def test_a_process_may_end_while_a_simulation_is_compiled() -> None:
    """A thread that compiles while the interpreter is taken apart would crash."""
    script = """
import numpy as np
from robotix.geometry import Box, Pose
from robotix.scene.graph.body import BodyProperties
from robotix.scene.scene import Scene
scene = Scene()
scene.physics.start()
for k in range(150):
    at = Pose.at(k, 0, 1)
    scene.graph.add(f"{k}", solids=[Box(np.ones(3))], pose=at, body=BodyProperties(mass=1.0))
scene.step()
scene.graph.remove("0")
scene.step()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_watching_for_touches_leaves_everything_where_it_is() -> None:
    heights = []
    for is_watched in (False, True):
        scene = room()
        glass(scene)
        scene.graph.add("probe", solids=[Sphere(0.02)], pose=Pose.at(0.3, 0, TABLE_TOP + 0.1409))
        scene.step()
        assert not scene.physics.has_touched("glass", "table")  # not asked before
        if not is_watched:
            scene.physics.start()
        run(scene, 1.0)
        heights.append(place_of(scene, "glass")[2])
    assert heights[0] == pytest.approx(TABLE_TOP + 0.06, abs=1e-4)
    assert heights[1] == pytest.approx(heights[0], abs=1e-6)
    assert scene.physics.has_touched("glass", "table")
    assert scene.physics.has_touched("probe", "glass")  # 0.9 mm above
    scene.graph["probe"].pose = Pose.at(0.3, 0, TABLE_TOP + 0.1415)
    run(scene, 0.3)
    assert not scene.physics.has_touched("probe", "glass")


def test_names_and_colours_compile_nothing() -> None:
    scene = room()
    glass(scene)
    run(scene, 0.2)
    former = scene.physics.mirror
    scene.graph["table"].set(visible=False)
    run(scene, 2 * LATENCY)
    assert scene.physics.mirror is former


# -- reproducible ---------------------------------------------------------------------------


def lively(seed: int = 0, dt: float = 1 / 120) -> Scene:
    """Return a room in which things fall, are pushed, carried, added and removed."""
    scene = Scene(seed=seed, dt=dt)
    scene.graph.add("floor", solids=[Halfspace()])
    for k in range(5):
        free(scene, f"box_{k}", Box(np.array([0.1, 0.1, 0.1])), 0.02 * k, 0.0, 0.2 + 0.15 * k)
    scene.on(GRIP, Grab("box_2", "hand"), mode="reflect")
    scene.physics.start()

    def meddle(dt: float) -> None:
        if scene.tick == 60:
            free(scene, "late", Capsule(0.03, 0.1), 0.0, 0.0, 2.0)
        if scene.tick == 130:
            scene.graph.remove("box_0")

    scene.add_hook("meddle", meddle)
    return scene


def grabbing(tick: int) -> Inputs:
    return hand((0.3 * np.sin(tick / 20), 0.0, 1.0), held=40 < tick < 120)


def test_a_replay_is_the_same_to_the_last_bit(tmp_path: Path) -> None:
    scene = lively()
    with Recorder(tmp_path / "room.mcap", scene) as recorder:
        for tick in range(1, 241):
            scene.step(grabbing(tick))
            recorder(scene)
    report = replay(tmp_path / "room.mcap", load=lambda head: lively(head.seed, head.dt))
    assert report.digest_ok and report.ticks == 240


def test_the_digest_sees_velocities() -> None:
    one, other = room(), room()
    for scene in (one, other):
        glass(scene)
        scene.step()
    first, second = Digest(one), Digest(other)
    assert first.update() == second.update()
    mirror = other.physics.mirror
    assert mirror is not None
    mirror.room.simulation.data.qvel[0] += 1e-12
    assert first.update() != second.update()


# -- faults ---------------------------------------------------------------------------------


def test_what_explodes_is_reported_and_frozen_and_the_room_goes_on() -> None:
    scene = room()
    glass(scene)
    free(scene, "ball", Sphere(0.05), 2, 0, 1)
    run(scene, 0.1)
    mirror = scene.physics.mirror
    assert mirror is not None
    k = mirror.room.names.index("ball")
    mirror.room.simulation.data.qvel[mirror.room._qvel[k]] = 1e9
    scene.step()
    assert "diverged" in problems(scene)[0] and "ball" in problems(scene)[0]
    at = place_of(scene, "ball")
    run(scene, 1.0)
    np.testing.assert_array_equal(place_of(scene, "ball"), at)
    assert place_of(scene, "glass")[2] == pytest.approx(0.80, abs=2e-3)


def test_what_slides_and_explodes_is_named_as_a_thing_of_the_room() -> None:
    scene = room()
    glass(scene)
    free(scene, "ball", Sphere(0.05), 2, 0, 1)
    scene.step()
    scene.physics.connect("ball", "world", "slider")
    mirror = scene.physics.mirror
    assert mirror is not None
    simulation = mirror.room.simulation
    simulation.data.qvel[simulation.model.joint("slider 0 carriage").dofadr[0]] = 1e9
    scene.step()
    assert "'ball'" in problems(scene)[0]
    assert mirror.frozen == {"ball"}
    said = [each.text for each in scene.messages if isinstance(each, Announcement)]
    assert any("Stopped" in text and "'ball'" in text for text in said)


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "loose"}, {"mass": 0.0}, {"mass": -1.0}, {"mass": float("nan")},
        {"density": 0.0}, {"friction": -1.0}, {"restitution": 2.0}, {"mass": 1.0, "density": 1.0},
    ],
)  # fmt: skip
def test_bad_bodies_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(BadField):
        BodyProperties(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong",
    [{"time_step": 0.0}, {"time_step": 1.0}, {"gravity": (0.0, 0.0, float("nan"))},
     {"density": -1.0}],
)  # fmt: skip
def test_bad_settings_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(BadField):
        PhysicsSettings(**wrong)  # type: ignore[arg-type]


numbers = st.floats(-0.3, 0.3)


@settings(max_examples=15)
@given(
    places=st.lists(st.tuples(numbers, numbers, numbers), min_size=1, max_size=6),
    sizes=st.lists(st.floats(1e-3, 0.5), min_size=6, max_size=6),
    masses=st.lists(st.sampled_from([1e-6, 1e-3, 1.0, 1e3, 1e6]), min_size=6, max_size=6),
)
def test_overlapping_starts_and_odd_masses_break_nothing(
    places: list[tuple[float, float, float]], sizes: list[float], masses: list[float]
) -> None:
    scene = room()
    for k, (place, size, mass) in enumerate(zip(places, sizes, masses, strict=False)):
        free(scene, f"box_{k}", Box(np.array([size, size, size / 2])), *place, mass=mass)
    for _ in range(40):
        scene.step()
        rows: Array = scene.graph.world
        assert np.isfinite(rows).all()
