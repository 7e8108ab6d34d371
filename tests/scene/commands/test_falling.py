"""Gravity: the laws of falling and bouncing, and what may happen on the way."""

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.hands import hand, place_of, problems, thing

from robotix.geometry import Box, Halfspace, Mesh, Pose, Sphere
from robotix.scene.commands.falling import Fall
from robotix.scene.commands.grabbing import Grab
from robotix.scene.events.events import Button, Signal
from robotix.scene.scene import Scene

G = 9.81
R = 0.1  # of the ball


def room(
    height: float, *, fall: Fall | None = None, thickness: float = 0.1, dt: float = 1 / 120
) -> Scene:
    """Return a room with a ball so high above a floor whose top is at 0."""
    scene = Scene(dt=dt)
    thing(scene, "ball", at=(0, 0, height + R), solid=Sphere(R))
    slab = Box(np.array([50.0, 50.0, thickness]))
    thing(scene, "floor", at=(0, 0, -thickness / 2), solid=slab)
    scene.on(Signal("drop"), fall or Fall("ball", ("floor",)), mode="reflect")
    scene.emit("drop")
    scene.step()
    return scene


def height(scene: Scene) -> float:
    return float(place_of(scene, "ball")[2]) - R


def signals(scene: Scene, name: str) -> list[bool]:
    return [event.state for event in scene.events if event.source == Signal(name)]


def test_it_falls_as_in_the_textbook() -> None:
    scene = room(2.0)
    for tick in range(1, 70):
        scene.step()
        assert height(scene) == pytest.approx(2.0 - G * (tick / 120) ** 2 / 2, abs=1e-9)


@settings(max_examples=10)
@given(drop=st.floats(0.05, 5), rate=st.sampled_from([60, 120, 500]))
def test_the_time_of_the_fall_is_right_to_a_tick(drop: float, rate: int) -> None:
    scene = room(drop, fall=Fall("ball", ("floor",), 0.0, at_rest="down"), dt=1 / rate)
    expected = math.sqrt(2 * drop / G)
    for tick in range(1, round(expected * rate) + 3):
        scene.step()
        if signals(scene, "down"):
            assert abs(tick / rate - expected) <= 1 / rate + 1e-9
            assert height(scene) == pytest.approx(0.0, abs=2e-6)
            return
    pytest.fail("it never came down")


@settings(max_examples=6)
@given(drop=st.floats(0.5, 3), e=st.floats(0.5, 1.0))
def test_each_bounce_keeps_its_share_of_the_height(drop: float, e: float) -> None:
    scene = room(drop, fall=Fall("ball", ("floor",), e, on_bounce="bump"))
    tops, top = list[float](), 0.0
    for _ in range(500):
        scene.step()
        top = max(top, height(scene))
        if signals(scene, "bump"):
            tops.append(top)
            top = 0.0
    for bounce, found in enumerate(tops):
        expected = e ** (2 * bounce) * drop
        # a tick may miss the top by half its length
        assert found == pytest.approx(expected, rel=0.01, abs=G * scene.dt**2)
    assert len(tops) >= 2


def test_it_keeps_its_energy_when_nothing_is_lost() -> None:
    scene = room(1.0, fall=Fall("ball", ("floor",), 1.0))
    tops = list[float]()
    for _ in range(20):
        tops.append(max(_heights(scene, 109)))
    assert max(tops) == pytest.approx(1.0, rel=1e-3)
    assert tops[-1] == pytest.approx(1.0, rel=1e-3)


def _heights(scene: Scene, ticks: int) -> list[float]:
    heights = []
    for _ in range(ticks):
        scene.step()
        heights.append(height(scene))
    return heights


@pytest.mark.parametrize("e", [0.0, 0.3, 0.9])
def test_it_comes_to_rest_and_stays(e: float) -> None:
    scene = room(1.0, fall=Fall("ball", ("floor",), e, on_bounce="bump", at_rest="still"))
    seen = list[bool]()
    for _ in range(1500):
        scene.step()
        seen += signals(scene, "still")
    assert seen == [True]
    moves = scene.graph.moves
    for z in _heights(scene, 10):
        assert z == pytest.approx(0.0, abs=2e-6)
    assert scene.graph.moves == moves
    assert not signals(scene, "bump")


@pytest.mark.parametrize("thickness", [0.1, 0.001])
@pytest.mark.parametrize("speed", [50.0, 130.0])
def test_it_does_not_pass_through_a_thin_floor(speed: float, thickness: float) -> None:
    drop = speed**2 / (2 * G)
    scene = room(drop, thickness=thickness, fall=Fall("ball", ("floor",), 0.5, on_bounce="bump"))
    for _ in range(round(speed / G * 120) + 2):
        scene.step()
        assert height(scene) >= -2e-6
    assert max(_heights(scene, round(speed / G * 70))) == pytest.approx(drop / 4, rel=0.01)


@pytest.mark.parametrize("direction", [(1.0, 0.0, 0.0), (0.0, -3.0, 0.0), (1.0, 1.0, -1.0)])
def test_it_falls_in_any_direction(direction: tuple[float, float, float]) -> None:
    scene = Scene()
    down = np.array(direction) / np.linalg.norm(direction)
    ball = thing(scene, "ball", at=(0, 0, 0), solid=Sphere(R))
    z = -down
    x = np.cross((0.3, 0.5, 0.8), z)
    x /= np.linalg.norm(x)
    wall = Pose(np.column_stack([x, np.cross(z, x), z]), 2.0 * down)
    scene.graph.add("wall", pose=wall, solids=[Halfspace()])
    scene.on(Signal("drop"), Fall("ball", ("wall",), 0.0, direction, 2.0))
    scene.emit("drop")
    scene.step()
    for _ in range(60):
        scene.step()
    np.testing.assert_allclose(ball.world_position, 0.25 * down, atol=1e-9)
    for _ in range(300):
        scene.step()
    np.testing.assert_allclose(ball.world_position, (2.0 - R) * down, atol=2e-6)


def test_a_slope_stops_it_where_it_touches() -> None:
    scene = Scene()
    thing(scene, "ball", at=(0, 0, 1), solid=Sphere(R))
    scene.graph.add("ramp", pose=Pose.at(0, 0, 0, rpy=(0.8, 0, 0)), solids=[Halfspace()])
    scene.on(Signal("drop"), Fall("ball", ("ramp",), 0.4))
    scene.emit("drop")
    for _ in range(400):
        scene.step()
    np.testing.assert_allclose(place_of(scene, "ball"), (0, 0, R / math.cos(0.8)), atol=1e-5)


def test_a_wall_beside_it_does_not_stop_it() -> None:
    scene = room_with_wall(gap=0.0)
    for _ in range(60):
        scene.step()
    assert height(scene) == pytest.approx(0.0, abs=1e-5)


def room_with_wall(*, gap: float) -> Scene:
    scene = Scene()
    thing(scene, "ball", at=(0, 0, 1 + R), solid=Sphere(R))
    room = scene.graph.add("room", solids=[Halfspace()])
    wall = Box(np.array([0.1, 1.0, 10.0]), Pose.at(R + 0.05 + gap, 0, 0))
    scene.graph.add("wall", parent=room, solids=[wall])
    scene.on(Signal("drop"), Fall("ball", ("room",), 0.0))
    scene.emit("drop")
    return scene


@pytest.mark.parametrize("gap", [1e-7, 1e-4, 0.01])
def test_a_wall_of_the_same_branch_hides_no_floor(gap: float) -> None:
    scene = room_with_wall(gap=gap)
    for tick in range(70):
        scene.step()
        assert height(scene) == pytest.approx(max(1 - G * (tick / 120) ** 2 / 2, 0), abs=2e-3)
    assert height(scene) == pytest.approx(0.0, abs=1e-5)


def test_a_box_lands_on_a_box() -> None:
    scene = room(1.0)
    thing(scene, "crate", at=(0.3, 0.2, 2.0), solid=Box(np.array([0.4, 0.4, 0.4])))
    scene.on(Signal("crate"), Fall("crate", ("floor",), 0.2))
    scene.emit("crate")
    for _ in range(300):
        scene.step()
    np.testing.assert_allclose(place_of(scene, "crate"), (0.3, 0.2, 0.2), atol=1e-5)


def test_it_bounces_off_a_mesh(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.obj"
    sheet.write_text("v -2 -2 0\nv 2 -2 0\nv 2 2 0\nv -2 2 0\nf 1 2 3\nf 1 3 4\n")
    scene = Scene()
    thing(scene, "ball", at=(0.1, 0.2, 1 + R), solid=Sphere(R))
    scene.graph.add("sheet", solids=[Mesh(str(sheet))])
    scene.on(Signal("drop"), Fall("ball", ("sheet",), 0.6))
    scene.emit("drop")
    heights = _heights(scene, 400)
    assert min(heights) >= -2e-6
    assert max(heights[60:]) == pytest.approx(0.36, rel=0.01)
    assert heights[-1] == pytest.approx(0.0, abs=1e-5)


def test_it_bounces_off_a_ceiling_too() -> None:
    scene = Scene()
    thing(scene, "ball", at=(0, 0, 1 + R), solid=Sphere(R))
    scene.graph.add("floor", solids=[Halfspace()])
    thing(scene, "shelf", at=(0, 0, 9), solid=Box(np.array([1.0, 1.0, 0.1])))
    scene.on(Signal("drop"), Fall("ball", ("floor", "shelf"), 1.0))
    scene.emit("drop")
    for _ in range(60):  # on its way up
        scene.step()
    scene.graph["shelf"].pose = Pose.at(0, 0, 0.8 + 2 * R)
    tops = _heights(scene, 500)
    assert max(tops) <= 0.75 + 2e-6
    assert max(tops) == pytest.approx(0.75, abs=0.05)
    assert min(tops) >= -2e-6


# -- other hands ----------------------------------------------------------------------------


def test_it_can_be_caught_and_let_fall_again() -> None:
    scene = room(3.0, fall=Fall("ball", ("floor",), 0.0))
    scene.on(Button("hand", "grip"), Grab("ball", "hand"), mode="reflect")
    for _ in range(30):
        scene.step(hand())
    caught = height(scene)
    for _ in range(30):
        scene.step(hand((0.2, 0, 0), held=True))
    assert height(scene) == pytest.approx(caught, abs=1e-9)
    scene.step(hand((0.2, 0, 0)))
    for tick in range(1, 10):
        scene.step(hand((0.2, 0, 0)))
        fallen = G * ((tick + 1) / 120) ** 2 / 2
        assert height(scene) == pytest.approx(caught - fallen, abs=1e-9)


def test_it_falls_when_its_support_goes_away() -> None:
    scene = Scene()
    thing(scene, "ball", at=(0, 0, 2 + R), solid=Sphere(R))
    scene.graph.add("floor", solids=[Halfspace()])
    thing(scene, "shelf", at=(0, 0, 1), solid=Box(np.array([1.0, 1.0, 0.2])))
    scene.on(Signal("drop"), Fall("ball", ("floor", "shelf"), 0.0, at_rest="still"))
    scene.emit("drop")
    _heights(scene, 120)
    assert height(scene) == pytest.approx(1.1, abs=1e-5)
    scene.graph.remove("shelf")
    scene.step()
    assert signals(scene, "still") == [False]
    _heights(scene, 120)
    assert height(scene) == pytest.approx(0.0, abs=1e-5)
    assert not problems(scene)


def test_a_lift_carries_it() -> None:
    scene = room(0.0, fall=Fall("ball", ("floor",), 0.0))
    _heights(scene, 3)
    floor = scene.graph["floor"]
    for _ in range(120):
        x, y, z = floor.pose.translation
        floor.pose = Pose.at(x, y, z + 0.5 / 120)
        scene.step()
    assert height(scene) == pytest.approx(0.5, abs=1e-3)
    for _ in range(120):
        x, y, z = floor.pose.translation
        floor.pose = Pose.at(x, y, z - 0.3 / 120)
        scene.step()
    assert height(scene) == pytest.approx(0.2, abs=0.02)


def test_what_starts_inside_a_floor_rises_gently() -> None:
    scene = room(-0.12)
    before = height(scene)
    for z in _heights(scene, 60):
        assert z - before <= 1.0 / 120 + 1e-9
        before = z
    assert before == pytest.approx(0.0, abs=2e-4)


def test_stopped_in_the_air_it_stays_there() -> None:
    scene = room(2.0)
    _heights(scene, 30)
    scene.emit("drop", state=False)
    heights = _heights(scene, 5)
    assert heights == [heights[0]] * 5
    assert len(scene.actions) == 0


def test_the_same_room_falls_the_same_way_to_the_last_bit() -> None:
    first, second = (_heights(room(2.3), 300) for _ in range(2))
    assert first == second


# -- what can go wrong ----------------------------------------------------------------------


def test_a_ball_that_is_removed_is_a_problem_and_no_more() -> None:
    scene = room(2.0)
    scene.graph.remove("ball")
    scene.step()
    assert "'ball' was removed" in problems(scene)[0]
    scene.step()
    assert not problems(scene)


def test_without_a_floor_it_falls_out_of_the_room() -> None:
    scene = room(2.0, fall=Fall("ball"), dt=1 / 60)
    told = list[str]()
    for _ in range(1000):
        scene.step()
        told += problems(scene)
    assert len(told) == 1 and "met no floor" in told[0]
    assert np.isfinite(place_of(scene, "ball")).all()


def test_nothing_bounces_off_itself() -> None:
    scene = room(2.0)
    scene.graph.add("dot", parent="ball", solids=[Sphere(0.01)])
    scene.on(Signal("again"), Fall("ball", ("dot",)))
    scene.emit("again")
    scene.step()
    assert "part of it" in problems(scene)[0]


REFUSED: dict[str, Callable[[], object]] = {
    "gains": lambda: Fall("ball", restitution=1.1),
    "no restitution": lambda: Fall("ball", restitution=math.nan),
    "no direction": lambda: Fall("ball", direction=(0, 0, 0)),
    "endless direction": lambda: Fall("ball", direction=(0, 0, -math.inf)),
    "weightless": lambda: Fall("ball", acceleration=0.0),
    "endless": lambda: Fall("ball", acceleration=math.inf),
}


@pytest.mark.parametrize("make", REFUSED.values(), ids=REFUSED)
def test_what_nature_does_not_do_is_refused(make: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"restitution|direction|acceleration"):
        make()
