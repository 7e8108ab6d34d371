"""Recording and playback of motions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robotix.model import Model
from robotix.motion import (
    Dof,
    Ended,
    Looped,
    Marker,
    Motion,
    MotionRecorder,
    Passed,
    Player,
)

RAMP = Motion(
    (Dof("a"),),
    np.array([1.0, 3.0]),
    np.array([[0.0], [2.0]]),
    (Marker(1.0, "go"), Marker(2.0, "half")),
)


def test_what_is_recorded_comes_back(arm: Model) -> None:
    recorder, q = MotionRecorder(arm), np.zeros(3)
    for tick in range(5):
        recorder.add(0.1 * tick, q)
        q += 0.01  # the recorder keeps its own copy
    recorder.mark("end")
    motion = recorder.motion()
    np.testing.assert_allclose(motion.q[:, 0], 0.01 * np.arange(5))
    assert motion.names == arm.dof_names and motion.markers == ((0.4, "end"),)
    recorder.clear()
    assert len(recorder) == 0


def test_a_bounded_recorder_keeps_the_newest(arm: Model) -> None:
    recorder = MotionRecorder(arm, capacity=3)
    for tick in range(10):
        recorder.add(float(tick), np.full(3, tick))
        if tick in (2, 8):
            recorder.mark(f"at {tick}")
    assert recorder.motion().times.tolist() == [7, 8, 9]
    assert recorder.motion().markers == ((8.0, "at 8"),)


def test_a_recorder_refuses_nonsense(arm: Model) -> None:
    recorder = MotionRecorder(arm)
    with pytest.raises(ValueError, match="nothing recorded"):
        recorder.motion()
    with pytest.raises(ValueError, match="needs a posture"):
        recorder.mark("too early")
    recorder.add(1.0, np.zeros(3))
    for t, q in [(1.0, [0, 0, 0]), (math.nan, [0, 0, 0]), (2.0, [0, 0]), (2.0, [0, 0, math.inf])]:
        with pytest.raises(ValueError, match=r"time|posture"):
            recorder.add(t, np.array(q))
    assert len(recorder) == 1
    with pytest.raises(ValueError, match="capacity"):
        MotionRecorder(arm, capacity=0)


def test_plays_to_the_end_and_says_so() -> None:
    player = Player(RAMP, speed=2.0)
    assert player.advance(0.1) is None
    player.play()
    heard, seen = [], []
    while (q := player.advance(0.25)) is not None:
        seen.append(float(q[0]))
        heard.append(player.events)
    assert seen == [0.5, 1.0, 1.5, 2.0]
    assert heard == [(Passed("go"),), (Passed("half"),), (), (Ended(),)]
    assert not player.playing and not player.events
    player.play()  # from the start again
    assert player.advance(0.25) == 0.5
    assert list(player.events) == [Passed("go")]


def test_stops_at_once_and_goes_on_from_there() -> None:
    player = Player(RAMP)
    player.play()
    player.advance(0.5)
    player.stop()
    assert player.advance(9.0) is None
    player.play()
    assert player.advance(0.25) == 0.75
    player.rewind()
    assert player.advance(0.0) == 0.0


@given(dts=st.lists(st.floats(0, 5), max_size=30), speed=st.floats(0.1, 10))
def test_a_loop_never_ends_and_stays_in_the_motion(dts: list[float], speed: float) -> None:
    player, gone = Player(RAMP, speed=speed, loop=True), 0.0
    player.play()
    for dt in dts:
        gone += speed * dt
        q = player.advance(dt)
        assert q is not None and 0 <= q[0] <= 2 and player.playing
        assert Ended() not in player.events
        wrapped = abs((gone - q[0] + 1) % 2 - 1)  # a ramp of slope one: q is the time in the loop
        assert wrapped == pytest.approx(0, abs=1e-9)


def test_a_loop_tells_its_turn() -> None:
    player = Player(RAMP, loop=True)
    player.play()
    player.advance(1.5)
    player.advance(1.0)
    assert player.events == (Looped(), Passed("go"))
    still = Player(Motion((Dof("a"),), np.ones(1), np.array([[2.0]])), loop=True)
    still.play()
    assert still.advance(1.0) == 2.0 and still.playing


@pytest.mark.parametrize("value", [0.0, -1.0, math.nan, math.inf])
def test_a_player_refuses_bad_speeds_and_steps(value: float) -> None:
    with pytest.raises(ValueError, match="speed"):
        Player(RAMP, speed=value)
    with pytest.raises(ValueError, match="dt"):
        Player(RAMP).advance(value or math.nan)
