"""Doors, drawers and trolleys: they follow the hand on their guide, and never leave it."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.hands import hand, problems, thing

from robotix.geometry import Pose, rotation_about
from robotix.inputs.readings import Inputs
from robotix.scene.commands.constraints import FollowPath, Hinge, Slide
from robotix.scene.events.events import Button, Event, Signal
from robotix.scene.scene import Command, Scene

GRIP = Button("hand", "grip")
DOOR = Hinge("door", "hand", origin=(-0.4, 0.0, 0.0), at_lower="shut", at_upper="open")
DRAWER = Slide("drawer", "hand", upper=0.3, at_lower="in", at_upper="out")
CORNER = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0))


def room(command: Command, name: str, *, at: tuple[float, float, float]) -> Scene:
    scene = Scene()
    thing(scene, name, at=at)
    scene.on(GRIP, command, mode="reflect")
    return scene


def door(command: Hinge = DOOR) -> Scene:
    """Return a room with a door 0.8 m wide, hinged at x = 0.6, and a hand on its far edge."""
    scene = room(command, "door", at=(1.0, 0.0, 1.0))
    scene.step(hand((1.4, 0, 1), held=True))
    return scene


def swing(scene: Scene, angle: float, *, start: float = 0.0, steps: int = 60) -> None:
    """Lead the hand round the hinge of the door."""
    for a in np.linspace(start, angle, steps):
        place = (0.6 + 0.8 * math.cos(a), 0.8 * math.sin(a), 1.0)
        scene.step(hand(place, held=True))


def value(scene: Scene, name: str) -> float:
    return scene.control.guides[name].value


def signals(scene: Scene) -> list[tuple[str, bool]]:
    return [
        (event.source.name, event.state)
        for event in scene.events
        if isinstance(event.source, Signal)
    ]


# -- hinges ---------------------------------------------------------------------------------


def test_a_door_turns_about_its_hinge() -> None:
    scene = door()
    swing(scene, 0.7)
    assert value(scene, "door") == pytest.approx(0.7, abs=1e-12)
    there = Pose.at(0.6 + 0.4 * math.cos(0.7), 0.4 * math.sin(0.7), 1, rpy=(0, 0, 0.7))
    np.testing.assert_allclose(scene.graph["door"].world_pose.matrix, there.matrix, atol=1e-12)


def test_a_hand_off_the_circle_leads_it_all_the_same() -> None:
    scene = door()
    for a in np.linspace(0, 0.5, 60):
        scene.step(hand((0.6 + 1.1 * math.cos(a), 1.1 * math.sin(a), 1 + a), held=True))
    assert value(scene, "door") == pytest.approx(0.5, abs=1e-12)
    assert scene.graph["door"].world_position[2] == 1.0


@settings(max_examples=40)
@given(
    way=st.lists(st.tuples(*[st.floats(-0.25, 0.25)] * 3), min_size=1, max_size=30),
    lower=st.floats(-3, 0),
    upper=st.floats(0, 3),
)
def test_no_hand_leads_it_off_its_guide_or_limits(
    way: list[tuple[float, float, float]], lower: float, upper: float
) -> None:
    scene = door(Hinge("door", "hand", origin=(-0.4, 0, 0), lower=lower, upper=upper))
    place, before = np.array([1.4, 0.0, 1.0]), 0.0
    for step in way:
        place = place + step
        scene.step(hand(place, held=True))
        now = value(scene, "door") if "door" in scene.control.guides else 0.0
        assert lower <= now <= upper
        assert abs(now - before) <= math.tau * scene.dt + 1e-12
        before, node = now, scene.graph["door"]
        np.testing.assert_allclose(node.world_pose.apply((-0.4, 0, 0)), (0.6, 0, 1), atol=1e-9)


@pytest.mark.parametrize(("angle", "end"), [(2.0, math.pi / 2), (-1.0, 0.0)])
def test_it_stops_exactly_at_its_ends(angle: float, end: float) -> None:
    scene = door()
    swing(scene, angle)
    assert value(scene, "door") == end


def test_a_hand_that_comes_round_the_back_does_not_throw_it_open() -> None:
    scene = door()
    swing(scene, -1.25 * math.pi, steps=120)
    assert value(scene, "door") == 0.0
    swing(scene, 0.3, start=-1.25 * math.pi, steps=120)
    assert value(scene, "door") == pytest.approx(0.3, abs=1e-12)


def test_a_hand_on_the_hinge_says_nothing() -> None:
    scene = room(DOOR, "door", at=(1.0, 0.0, 1.0))
    scene.step(hand((0.6, 0, 1), held=True))
    scene.step(hand((0.7, 0.1, 1), held=True))
    assert value(scene, "door") == 0.0


def test_signals_tell_of_the_ends() -> None:
    scene = door()
    seen = list[tuple[str, bool]]()
    for a in (*np.linspace(0, 1.7, 40), *np.linspace(1.7, -0.1, 40)):
        scene.step(hand((0.6 + 0.8 * math.cos(a), 0.8 * math.sin(a), 1), held=True))
        seen += signals(scene)
    assert seen == [("shut", False), ("open", True), ("open", False), ("shut", True)]


def test_angles_count_from_where_it_was_at_first_however_often_it_is_taken() -> None:
    scene = door()
    swing(scene, 1.0)
    scene.step(hand((1, 1, 1)))
    place = np.array([0.6 + 0.8 * math.cos(1.0), 0.8 * math.sin(1.0), 1])
    scene.step(hand(place, held=True))
    assert value(scene, "door") == pytest.approx(1.0, abs=1e-12)
    swing(scene, 1.9, start=1.0)
    assert value(scene, "door") == math.pi / 2


def test_a_door_that_was_carried_elsewhere_opens_there_from_nought() -> None:
    scene = door()
    swing(scene, 1.0)
    scene.step(hand((1, 1, 1)))
    scene.graph["door"].pose = Pose.at(5, 0, 1)
    scene.step(hand((5.4, 0, 1), held=True))
    np.testing.assert_array_equal(scene.graph["door"].world_position, (5, 0, 1))
    assert value(scene, "door") == 0.0


def test_a_wheel_counts_its_turns() -> None:
    scene = door(Hinge("door", "hand", origin=(-0.4, 0, 0), upper=20.0, speed=30.0))
    swing(scene, 9.0, steps=120)
    scene.step(hand((1, 1, 1)))
    scene.step(hand((0.6 + 0.8 * math.cos(9), 0.8 * math.sin(9), 1), held=True))
    assert value(scene, "door") == pytest.approx(9.0, abs=1e-9)


def test_a_hinge_in_a_turned_and_scaled_parent() -> None:
    scene = Scene()
    house = scene.graph.add("house", pose=Pose.at(1, 2, 3, rpy=(0.5, 0.2, 1)), scale=2.0)
    node = scene.graph.add("door", parent=house, pose=Pose.at(1, 0, 0), scale=0.5)
    scene.on(GRIP, DOOR, mode="reflect")
    hinge = node.world_pose.apply((-0.4, 0, 0))  # world scale is 1
    edge = node.world_pose.apply((0.4, 0, 0))
    axis = node.world_pose.rotation[:, 2]
    for a in np.linspace(0, 0.6, 40):
        turned = Pose(rotation=rotation_about(axis, a)).apply(edge - hinge) + hinge
        scene.step(hand(turned, held=True))
    assert value(scene, "door") == pytest.approx(0.6, abs=1e-9)
    np.testing.assert_allclose(node.world_pose.apply((-0.4, 0, 0)), hinge, atol=1e-9)
    np.testing.assert_allclose(node.world_pose.apply((0.4, 0, 0)), turned, atol=1e-9)


# -- slides ---------------------------------------------------------------------------------


@given(way=st.lists(st.tuples(*[st.floats(-0.2, 0.2)] * 3), min_size=1, max_size=20))
def test_a_drawer_moves_along_its_axis_only(way: list[tuple[float, float, float]]) -> None:
    scene = room(DRAWER, "drawer", at=(0, 2, 1))
    place = np.zeros(3)
    scene.step(hand(place, held=True))
    for step in way:
        place = place + step
        scene.step(hand(place, held=True))
        x, y, z = scene.graph["drawer"].world_position
        assert (y, z) == (2, 1)
        assert 0 <= x <= 0.3
        assert x == value(scene, "drawer")


def test_a_drawer_follows_and_keeps_its_speed() -> None:
    scene = room(Slide("drawer", "hand", upper=1.0, speed=1.2), "drawer", at=(0, 0, 0))
    scene.step(hand((0, 0, 0), held=True))
    scene.step(hand((0.4, 0, 0), held=True))
    assert value(scene, "drawer") == pytest.approx(0.01)
    for _ in range(60):
        scene.step(hand((0.4, 0, 0), held=True))
    assert value(scene, "drawer") == pytest.approx(0.4, abs=1e-12)


# -- paths ----------------------------------------------------------------------------------


def test_a_trolley_turns_the_corner_with_the_hand() -> None:
    scene = room(FollowPath("cart", "hand", CORNER, at_upper="end"), "cart", at=(0, 0, 0.1))
    seen = list[tuple[str, bool]]()
    for s in np.linspace(0, 2.2, 100):
        x, y = min(s, 1.0), max(s - 1.0, 0.0)
        scene.step(hand((x, y, 0.5), held=True))
        seen += signals(scene)
        np.testing.assert_allclose(
            scene.graph["cart"].world_position, (x, min(y, 1.0), 0.1), atol=1e-9
        )
    assert value(scene, "cart") == 2.0
    assert seen == [("end", True)]


def test_it_does_not_jump_across_a_hairpin() -> None:
    path = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 0.2, 0.0), (0.0, 0.2, 0.0))
    scene = room(FollowPath("cart", "hand", path), "cart", at=(0.2, 0, 0))
    scene.step(hand((0.2, 0, 0), held=True))
    for y in np.linspace(0, 0.3, 30):
        scene.step(hand((0.2, y, 0), held=True))
    np.testing.assert_allclose(scene.graph["cart"].world_position, (0.2, 0, 0), atol=1e-9)


def test_a_closed_path_has_no_end() -> None:
    ring = tuple((math.cos(a), math.sin(a), 0.0) for a in np.linspace(0, math.tau, 24)[:-1])
    scene = room(FollowPath("cart", "hand", ring, closed=True), "cart", at=(1, 0, 0))
    for a in np.linspace(0, 3 * math.tau, 600):
        scene.step(hand((math.cos(a), math.sin(a), 0), held=True))
        x, y, _ = scene.graph["cart"].world_position
        assert math.hypot(x - math.cos(a), y - math.sin(a)) < 0.05
    around = sum(np.linalg.norm(np.diff([*ring, ring[0]], axis=0), axis=1))
    assert value(scene, "cart") == pytest.approx(3 * around, rel=1e-6)


# -- letting go -----------------------------------------------------------------------------

COMMANDS = [
    DOOR,
    Slide("door", "hand", upper=1.0),
    FollowPath("door", "hand", ((1.0, 0.0, 1.0), (3.0, 0.0, 1.0))),
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: type(command).__name__)
@pytest.mark.parametrize(
    "lost",
    [hand((1.6, 0.2, 1), live=False, held=True), hand((9, 9, 9), held=True), Inputs(), hand()],
    ids=["silent", "jumps", "gone", "open"],
)
def test_it_stays_where_the_hand_is_lost(command: Command, lost: Inputs) -> None:
    scene = room(command, "door", at=(1, 0, 1))
    for s in np.linspace(0, 0.2, 20):
        scene.step(hand((1.4 + s, s, 1), held=True))
    before = scene.graph["door"].world_pose.matrix
    assert value(scene, "door") != 0
    scene.step(lost)
    scene.step(hand((1.7, 0.3, 1), held=bool(lost.devices) and lost.devices["hand"].live))
    np.testing.assert_array_equal(scene.graph["door"].world_pose.matrix, before)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: type(command).__name__)
def test_taking_hold_moves_nothing(command: Command) -> None:
    scene = room(command, "door", at=(1, 0, 1))
    before = scene.graph["door"].world_pose.matrix
    for _ in range(5):
        scene.step(hand((1.5, 0.7, 2), held=True))
    np.testing.assert_allclose(scene.graph["door"].world_pose.matrix, before, atol=1e-12)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: type(command).__name__)
def test_a_node_that_is_removed_is_a_problem_and_no_more(command: Command) -> None:
    scene = room(command, "door", at=(1, 0, 1))
    scene.step(hand((1.4, 0, 1), held=True))
    scene.graph.remove("door")
    scene.step(hand((1.5, 0.1, 1), held=True))
    assert "'door' was removed" in problems(scene)[0]
    scene.step(hand((1.6, 0.1, 1), held=True))
    assert not problems(scene)


REFUSED: dict[str, Callable[[], object]] = {
    "no axis": lambda: Hinge("door", "hand", axis=(0, 0, 0)),
    "no origin": lambda: Hinge("door", "hand", origin=(0, math.nan, 0)),
    "ajar": lambda: Hinge("door", "hand", lower=0.1),
    "endless": lambda: Hinge("door", "hand", upper=math.inf),
    "no speed": lambda: Hinge("door", "hand", speed=0),
    "endless axis": lambda: Slide("door", "hand", axis=(math.inf, 0, 0)),
    "below": lambda: Slide("door", "hand", upper=-0.1),
    "no reach": lambda: Slide("door", "hand", reach=-1),
    "one point": lambda: FollowPath("door", "hand", ((0, 0, 0),)),
    "there and back": lambda: FollowPath("door", "hand", ((0, 0, 0), (1, 0, 0)), closed=True),
    "point twice": lambda: FollowPath("door", "hand", ((0, 0, 0), (0, 0, 0))),
    "no point": lambda: FollowPath("door", "hand", ((0, 0, 0), (math.nan, 0, 0))),
}


@pytest.mark.parametrize("make", REFUSED.values(), ids=REFUSED)
def test_guides_that_lead_nowhere_are_refused(make: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"(axis|origin|lower|upper|speed|reach|points) must be"):
        make()


def test_off_alone_begins_nothing() -> None:
    scene = room(DOOR, "door", at=(1, 0, 1))
    assert DOOR(scene, Event(GRIP, False)) is None
