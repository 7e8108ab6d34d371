"""The loop keeps its pace, falls behind gracefully, and does as it is told."""

import gc
import math
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.slow_clock import SlowClock

from robotix.inputs.problem import Problem
from robotix.inputs.readings import Inputs, Reading
from robotix.scene.events.events import Button
from robotix.scene.loop import Loop
from robotix.scene.scene import Scene
from robotix.scene.timing import MIN_DURATION, Durations, SystemClock

DT = 0.01


@pytest.fixture(autouse=True, scope="module")
def quick() -> Iterator[None]:
    """A full collection at the start of every run is all that would take time here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gc, "collect", lambda: 0)
        yield


class Work:
    """Takes so long at every tick, and notes when it was called."""

    def __init__(self, clock: SlowClock, *seconds: float) -> None:
        self.clock, self.seconds = clock, seconds
        self.starts: list[float] = []
        self.problems: list[str] = []

    def __call__(self, scene: Scene) -> None:
        self.starts.append(self.clock.now())
        told = [each for each in scene.messages if isinstance(each, Problem)]
        self.problems += [f"{each.who}: {each.what}" for each in told]
        self.clock.work(self.seconds[(scene.tick - 1) % len(self.seconds)])


def make(*seconds: float, speed: float = 1.0) -> tuple[Loop, Work]:
    clock = SlowClock()
    work = Work(clock, *seconds or (0.001,))
    return Loop(Scene(dt=DT), clock=clock, on_tick=[work], speed=speed), work


def gaps(work: Work) -> list[float]:
    return [b - a for a, b in zip(work.starts, work.starts[1:], strict=False)]


# -- pace -----------------------------------------------------------------------------------


def test_ticks_come_at_the_rate_of_the_scene() -> None:
    loop, work = make(0.004)
    report = loop.run(ticks=50)
    assert gaps(work) == pytest.approx([DT] * 49)
    assert (report.ticks, report.overruns, report.lost) == (50, 0, 0)
    assert report.time == pytest.approx(0.5)
    assert report.elapsed == pytest.approx(49 * DT + 0.004)
    assert report.load == pytest.approx(0.4, rel=0.02)


@pytest.mark.parametrize("speed", [0.1, 0.5, 3.0, 10.0])
def test_speed_stretches_time(speed: float) -> None:
    loop, work = make(0.0, speed=speed)
    report = loop.run(ticks=10)
    assert gaps(work) == pytest.approx([DT / speed] * 9)
    assert report.overruns == 0


def test_without_pacing_nobody_sleeps() -> None:
    loop, work = make(0.02, speed=math.inf)
    report = loop.run(ticks=30)
    assert work.clock.slept == 0
    assert (report.overruns, report.lost) == (0, 0)
    assert report.load == pytest.approx(1)


@pytest.mark.parametrize("speed", [0, 0.09, 10.1, -1, math.nan, -math.inf])
def test_speeds_that_make_no_sense_are_refused(speed: float) -> None:
    loop, _ = make()
    with pytest.raises(ValueError, match="speed is"):
        loop.set_speed(speed)


# -- falling behind -------------------------------------------------------------------------


def test_a_late_tick_is_made_up_for() -> None:
    loop, work = make(0.017, *[0.002] * 9)
    report = loop.run(ticks=10)
    assert report.overruns == 1
    assert report.lost == 0
    assert work.starts[-1] == pytest.approx(100 + 9 * DT)  # as if nothing had been
    assert work.problems == []


def test_a_long_stall_is_not_made_up_for() -> None:
    loop, work = make(1.0, *[0.002] * 99)
    report = loop.run(ticks=100)
    assert report.overruns == 1
    assert report.lost == pytest.approx(0.99)
    assert gaps(work)[1:] == pytest.approx([DT] * 98)  # no hurry afterwards
    assert work.problems == ["loop: slower than real time"]


@given(st.lists(st.floats(0, 0.05), min_size=1, max_size=20), st.integers(1, 60))
def test_ticks_never_pile_up(seconds: list[float], ticks: int) -> None:
    """The loop is never further behind than one tick when a tick begins."""
    loop, work = make(*seconds)
    report = loop.run(ticks=ticks)
    assert report.ticks == ticks
    for number, start in enumerate(work.starts):
        behind = start - 100 - number * DT  # against a clock that never stalls
        assert -1e-9 <= behind <= report.lost + DT + 1e-9
    assert len(work.problems) <= report.elapsed + 1  # told at most once a second


def test_a_loop_that_is_always_too_slow_slows_the_room() -> None:
    loop, work = make(0.03)
    report = loop.run(ticks=100)
    assert report.overruns == 100
    assert report.elapsed == pytest.approx(3.0)
    assert report.lost == pytest.approx(2.0)
    assert report.load == pytest.approx(1)
    assert 2 <= len(work.problems) <= 4
    assert len(set(work.problems)) == 1  # so that it is listed once, however often it is told


def test_a_tick_that_hangs_is_told_once_with_its_duration() -> None:
    loop, work = make(0.001, 2.5, 0.001, 1.5)
    loop.run(ticks=8)
    told = [each for each in work.problems if "slower" not in each]
    assert told == [
        "loop: tick 2 took 2.5 s: a plug-in or a command waits there, or kernels compile"
    ]


def test_a_tick_that_fails_is_told_and_the_room_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    loop, work = make()
    step = loop.scene.step

    def fail_at_three(inputs: Inputs | None = None) -> None:
        step(inputs)
        if loop.scene.tick == 3:
            raise ArithmeticError("out of numbers")

    monkeypatch.setattr(loop.scene, "step", fail_at_three)
    assert loop.run(ticks=6).ticks == 6
    assert work.problems == ["loop: a tick was not finished: ArithmeticError: out of numbers"]


# -- steering -------------------------------------------------------------------------------


def test_a_paused_room_stands_still_until_told() -> None:
    loop, work = make()
    naps = 0

    def on_sleep(moment: float) -> None:
        nonlocal naps
        naps += 1
        work.clock.time = max(work.clock.time, moment)
        if naps == 5:
            loop.step(3)
        if naps == 20:
            loop.resume()

    work.clock.sleep_until = on_sleep  # type: ignore[method-assign]
    loop.pause()
    report = loop.run(ticks=10)
    assert report.ticks == 10
    assert gaps(work)[:2] == pytest.approx([DT, DT])
    assert gaps(work)[2] > 3 * DT  # stood still again after three
    assert report.overruns == 0
    assert report.elapsed < 0.12  # pauses do not count


def test_the_tick_that_was_waited_for_when_the_pause_came_is_no_step() -> None:
    loop, work = make()
    naps = 0

    def on_sleep(moment: float) -> None:
        nonlocal naps
        naps += 1
        work.clock.time = max(work.clock.time, moment)
        match naps:
            case 3:  # while the loop waits for a tick, which is still made
                loop.pause()
            case 10:
                assert loop.report().ticks == 4
                loop.step()
            case 20:
                assert loop.report().ticks == 5
                loop.stop()

    work.clock.sleep_until = on_sleep  # type: ignore[method-assign]
    assert loop.run().ticks == 5


def test_stop_ends_the_run_and_it_can_go_on() -> None:
    loop, work = make()
    stopper = Loop(loop.scene, clock=work.clock, on_tick=[lambda _: stopper.stop()])
    assert stopper.run().ticks == 1
    assert stopper.run(ticks=5).ticks == 2
    loop.stop()
    assert loop.run().ticks == 0
    assert loop.run(ticks=3).ticks == 3


def test_the_report_says_whether_a_run_was_stopped() -> None:
    loop, work = make()
    stopper = Loop(loop.scene, clock=work.clock, on_tick=[lambda _: stopper.stop()])
    assert stopper.run(ticks=1).was_stopped  # though it would have ended anyway
    assert not loop.run(ticks=2).was_stopped


def test_a_stop_is_heard_in_a_long_sleep() -> None:
    clock = SlowClock()
    loop = Loop(Scene(dt=1.0), clock=clock, on_tick=[], speed=0.1)
    loop.run(ticks=1)
    sleep, naps = clock.sleep_until, 0

    def nap(moment: float) -> None:
        nonlocal naps
        naps += 1
        sleep(moment)
        if naps == 3:
            loop.stop()

    clock.sleep_until = nap  # type: ignore[method-assign]
    clock.time += 0.5
    assert loop.run().ticks == 2  # due at once; the one after that is 10 s away
    assert clock.time < 110


def test_a_step_is_at_least_one_tick() -> None:
    with pytest.raises(ValueError, match="one tick or more"):
        make()[0].step(0)


# -- inputs and consumers -------------------------------------------------------------------


def test_the_source_feeds_every_tick() -> None:
    clock, asked = SlowClock(), list[float]()

    def source(now: float) -> Inputs:
        asked.append(now)
        down = frozenset({"go"}) if len(asked) == 2 else frozenset[str]()
        return Inputs({"stick": Reading(buttons=down)})

    heard: list[bool] = []
    scene = Scene(dt=DT)
    scene.on(Button("stick", "go"), lambda _, event: heard.append(event.state), mode="change")
    Loop(scene, source=source, clock=clock).run(ticks=4)
    assert asked == pytest.approx([100, 100 + DT, 100 + 2 * DT, 100 + 3 * DT])
    assert heard == [True, False]


def test_a_source_that_fails_gives_empty_inputs() -> None:
    clock = SlowClock()
    work = Work(clock, 0.001)

    def source(now: float) -> Inputs:
        raise OSError("unplugged")

    loop = Loop(Scene(dt=DT), source=source, clock=clock, on_tick=[work])
    assert loop.run(ticks=250).ticks == 250
    assert loop.scene.inputs == Inputs()
    assert 2 <= len(work.problems) <= 3
    assert set(work.problems) == {"loop: inputs cannot be read: OSError: unplugged"}


def test_a_consumer_that_fails_is_left_out_for_longer_and_longer() -> None:
    clock, calls = SlowClock(), list[float]()
    work = Work(clock, 0.001)

    def broken(scene: Scene) -> None:
        calls.append(clock.now())
        raise RuntimeError("no more paper")

    Loop(Scene(dt=DT), clock=clock, on_tick=[broken, work]).run(ticks=round(8 / DT))
    rests = np.diff(calls)
    np.testing.assert_allclose(rests, [0.5, 1.0, 2.0, 4.0], atol=2 * DT)
    assert len(work.starts) == round(8 / DT)


def test_a_consumer_that_failed_once_comes_back() -> None:
    clock, seen = SlowClock(), list[int]()
    work = Work(clock, 0.001)

    def flaky(scene: Scene) -> None:
        seen.append(scene.tick)
        if len(seen) == 1:
            raise RuntimeError("no more paper")

    Loop(Scene(dt=DT), clock=clock, on_tick=[flaky, work]).run(ticks=200)
    assert seen[0] == 1 and seen[1:] == list(range(seen[1], 201))
    assert (seen[1] - 1) * DT == pytest.approx(0.5, abs=2 * DT)
    assert len(work.problems) == 1
    assert "flaky failed" in work.problems[0] and "no more paper" in work.problems[0]


def test_the_collector_is_as_before_afterwards() -> None:
    frozen: list[int] = []
    loop = Loop(
        Scene(), clock=SlowClock(), on_tick=[lambda _: frozen.append(gc.get_freeze_count())]
    )
    loop.run(ticks=1)
    assert frozen[0] > 0
    assert gc.get_freeze_count() == 0


# -- measuring ------------------------------------------------------------------------------


@given(st.lists(st.floats(1e-6, 10.0), min_size=1, max_size=300), st.floats(0, 1))
def test_quantiles_are_right_to_a_few_percent(values: list[float], share: float) -> None:
    durations = Durations()
    for value in values:
        durations.add(value)
    exact = sorted(values)[max(0, math.ceil(share * len(values)) - 1)]
    assert exact * (1 - 1e-9) <= durations.quantile(share) <= exact * 1.045
    assert durations.worst == max(values)
    assert durations.mean == pytest.approx(sum(values) / len(values))


def test_durations_beyond_all_buckets_are_counted() -> None:
    durations = Durations()
    assert (durations.quantile(0.5), durations.mean) == (0, 0)
    for value in (0.0, 1e4):
        durations.add(value)
    assert durations.quantile(1) == 1e4
    assert durations.quantile(0) <= 2 * MIN_DURATION
    with pytest.raises(ValueError, match="fraction"):
        durations.quantile(1.1)


def test_the_computers_clock_never_wakes_early() -> None:
    clock = SystemClock()
    for wait in (0.0, 1e-5, 0.0005, 0.002):
        moment = clock.now() + wait
        clock.sleep_until(moment)
        assert clock.now() >= moment
