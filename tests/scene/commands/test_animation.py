"""Clips: what was recorded is played again, at any speed, and can be stopped."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from support.hands import problems, thing

from robotix.geometry import Array, Pose
from robotix.scene.commands.animation import PlayClip, RecordClip, StopClip
from robotix.scene.events.events import Signal
from robotix.scene.graph.clip import Clip
from robotix.scene.scene import Scene

RATE = 120


def spiral(t: float) -> Pose:
    return Pose.at(math.cos(t), math.sin(t), 0.1 * t, rpy=(0.0, 0.0, 3 * t))


def recorded(*, seconds: float = 1.0) -> Scene:
    """Return a room with the clip `dance` of a cup and a plate that have gone back since."""
    scene = Scene()
    for name in ("cup", "plate"):
        thing(scene, name, at=(0, 0, 0))
    scene.on(Signal("record"), RecordClip("dance", ("cup", "plate")), mode="reflect")
    scene.emit("record")
    for tick in range(round(seconds * RATE) + 1):
        scene.graph["cup"].pose = spiral(tick / RATE)
        scene.graph["plate"].pose = Pose.at(tick / RATE, 0, 0)
        scene.step()
    scene.emit("record", state=False)
    scene.step()
    scene.graph["cup"].pose = scene.graph["plate"].pose = Pose()
    return scene


def played(scene: Scene, command: PlayClip, *, ticks: int) -> list[Array]:
    """Play a clip and return where the cup was at every tick."""
    scene.on(Signal("play"), command, mode="reflect")
    scene.emit("play")
    places = []
    for _ in range(ticks):
        scene.step()
        places.append(scene.graph["cup"].pose.matrix)
    return places


def test_a_recording_has_every_tick() -> None:
    clip = recorded().assets.clips["dance"]
    assert clip.nodes == ("cup", "plate")
    assert clip.duration == pytest.approx(1.0)
    for tick, (cup, plate) in enumerate(clip.at(tick / RATE) for tick in range(RATE + 1)):
        np.testing.assert_allclose(cup.matrix, spiral(tick / RATE).matrix, atol=1e-12)
        np.testing.assert_allclose(plate.translation, (tick / RATE, 0, 0), atol=1e-12)


@pytest.mark.parametrize("speed", [1.0, 2.0, 0.37, 3.3])
def test_it_is_played_at_any_speed(speed: float) -> None:
    scene = recorded()
    for tick, place in enumerate(played(scene, PlayClip("dance", speed), ticks=150)):
        there = spiral(min(tick * speed / RATE, 1.0))
        np.testing.assert_allclose(place, there.matrix, atol=1e-4)
    assert len(scene.actions) == (speed < 0.8)
    assert not problems(scene)


def test_backwards_it_ends_where_it_began() -> None:
    places = played(recorded(), PlayClip("dance", -1.0), ticks=121)
    np.testing.assert_allclose(places[0], spiral(1.0).matrix, atol=1e-12)
    np.testing.assert_allclose(places[-1], spiral(0.0).matrix, atol=1e-12)


def test_a_loop_begins_again_until_it_is_off() -> None:
    scene = recorded()
    places = played(scene, PlayClip("dance", loop=True), ticks=400)
    np.testing.assert_allclose(places[3 * RATE + 7], spiral(7 / RATE).matrix, atol=1e-9)
    scene.emit("play", state=False)
    scene.step()
    stopped = scene.graph["cup"].pose.matrix
    scene.step()
    np.testing.assert_array_equal(scene.graph["cup"].pose.matrix, stopped)
    assert len(scene.actions) == 0


def test_stop_leaves_everything_where_it_is() -> None:
    scene = recorded()
    scene.on(Signal("stop"), StopClip("dance"))
    places = played(scene, PlayClip("dance"), ticks=30)
    scene.emit("stop")
    scene.step()
    scene.step()
    np.testing.assert_array_equal(scene.graph["cup"].pose.matrix, places[-1])
    assert len(scene.actions) == 0


def test_places_and_speeds_change_without_a_jump() -> None:
    scene = recorded()
    clip, h = scene.assets.clips["dance"], 1e-6
    for tick in range(1, RATE):
        t = tick / RATE
        before, here, after = (clip.at(t + d)[0].matrix for d in (-h, 0.0, h))
        np.testing.assert_allclose((here - before) / h, (after - here) / h, atol=1e-4)


@given(
    places=arrays(float, (5, 1, 7), elements=st.floats(-2, 2)),
    time=st.floats(-1, 10),
)
def test_any_clip_is_a_pose_at_any_time(places: Array, time: float) -> None:
    places[..., 3] = np.where(np.linalg.norm(places[..., 3:], axis=-1) < 0.1, 1.0, places[..., 3])
    clip = Clip(("cup",), 0.5, places)
    pose = clip.at(time)[0]
    assert np.isfinite(pose.matrix).all()
    np.testing.assert_allclose(clip.at(0.5)[0].translation, places[1, 0, :3], atol=1e-12)


def test_a_clip_of_one_moment_rests() -> None:
    clip = Clip(("cup",), 0.1, np.array([[[1.0, 2, 3, 1, 0, 0, 0]]]))
    np.testing.assert_allclose(clip.at(7.0)[0].translation, (1, 2, 3))
    scene = Scene()
    thing(scene, "cup", at=(0, 0, 0))
    scene.assets.clips["pose"] = clip
    played(scene, PlayClip("pose", loop=True), ticks=3)
    np.testing.assert_allclose(scene.graph["cup"].world_position, (1, 2, 3))


def test_a_recording_ends_by_itself() -> None:
    scene = Scene()
    thing(scene, "cup", at=(0, 0, 0))
    scene.on(Signal("record"), RecordClip("still", ("cup",), seconds=0.1))
    scene.emit("record")
    for _ in range(30):
        scene.step()
    assert len(scene.actions) == 0
    assert scene.assets.clips["still"].duration == pytest.approx(0.1)


def test_a_node_removed_while_it_is_recorded_ends_the_recording() -> None:
    scene = Scene()
    thing(scene, "cup", at=(0, 0, 0))
    scene.on(Signal("record"), RecordClip("short", ("cup",)))
    scene.emit("record")
    scene.step()
    scene.graph.remove("cup")
    scene.step()
    assert "'cup' was removed" in problems(scene)[0]
    assert len(scene.assets.clips["short"].poses) == 1


def test_a_node_removed_while_it_is_played_ends_the_playing() -> None:
    scene = recorded()
    played(scene, PlayClip("dance"), ticks=5)
    scene.graph.remove("cup")
    scene.step()
    assert "'cup' was removed" in problems(scene)[0]
    assert len(scene.actions) == 0


def test_an_unknown_clip_is_named() -> None:
    scene = recorded()
    scene.on(Signal("play"), PlayClip("danse"))
    scene.emit("play")
    scene.step()
    assert "did you mean 'dance'" in problems(scene)[0]


REFUSED: dict[str, Callable[[], object]] = {
    "no name": lambda: RecordClip("", ("cup",)),
    "no nodes": lambda: RecordClip("dance", ()),
    "a node twice": lambda: RecordClip("dance", ("cup", "cup")),
    "no time": lambda: RecordClip("dance", ("cup",), seconds=math.nan),
    "no speed": lambda: PlayClip("dance", speed=0.0),
    "endless speed": lambda: PlayClip("dance", speed=math.inf),
    "empty": lambda: Clip(("cup",), 0.1, np.zeros((0, 1, 7))),
    "no turn": lambda: Clip(("cup",), 0.1, np.zeros((2, 1, 7))),
    "no number": lambda: Clip(("cup",), 0.1, np.full((2, 1, 7), np.nan)),
    "other nodes": lambda: Clip(("cup", "plate"), 0.1, np.ones((2, 1, 7))),
    "no dt": lambda: Clip(("cup",), 0.0, np.ones((2, 1, 7))),
}


@pytest.mark.parametrize("make", REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_played_is_refused(make: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"(clip|nodes|seconds|speed|poses) must be|positive dt"):
        make()
