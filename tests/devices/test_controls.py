"""All devices together: who leads, who is dropped, and what scenes see of it."""

import math

import pytest

from robotix.devices import Controls, DeviceFeed, DeviceMap, Logical, Program, Sample
from robotix.errors import UnknownName
from robotix.inputs.problem import Problem
from robotix.inputs.readings import Reading

DT = 0.01
REST = Reading((0.0, 0.0), live=False)


class Bench:
    """Controls, their devices and a clock."""

    def __init__(
        self, feeds: tuple[DeviceFeed, ...], *devices: Program, kind: str = "drive2"
    ) -> None:
        logical = Logical(kind, feeds)  # type: ignore[arg-type]
        self.controls = Controls(DeviceMap({"wheels": logical}), devices)
        self.now = 5.0

    def read(self) -> Reading:
        self.now += DT
        return self.controls.read(self.now)["wheels"]


def program(name: str) -> Program:
    return Program(name, axes=("x", "y"), buttons=("grip", "fire"))


def use(device: Program, bench: Bench, axes: tuple[float, float] = (1.0, 0.0)) -> Reading:
    """Let go, then push."""
    device.send()
    bench.read()
    device.send(axes=axes)
    return bench.read()


def test_axes_and_buttons_get_their_meaning() -> None:
    pad = program("pad")
    feed = DeviceFeed("pad", ("-y", "x"), dead_zone=0.2, scale=0.5, buttons={"horn": "fire"})
    bench = Bench((feed,), pad)
    pad.send()
    assert bench.read() == REST
    pad.send(axes=(0.1, 0.6), buttons={"fire", "grip"})
    reading = bench.read()
    assert reading.axes == pytest.approx((-0.25, 0.0))
    assert reading.buttons == {"horn"} and reading.live


def test_buttons_keep_their_names_when_none_are_given() -> None:
    pad = program("pad")
    bench = Bench((DeviceFeed("pad"),), pad, kind="buttons")
    pad.send()
    bench.read()
    pad.send(buttons={"fire"})
    assert bench.read() == Reading(buttons=frozenset({"fire"}))


def test_the_first_live_device_leads() -> None:
    first, second = program("first"), program("second")
    bench = Bench(
        (DeviceFeed("first", ("x", "y")), DeviceFeed("second", ("x", "y"))), first, second
    )
    assert use(second, bench).axes == (1.0, 0.0)
    assert use(first, bench, (0.0, 1.0)) == Reading((0.0, 0.0))  # a tick at rest,
    first.send(axes=(0.0, 1.0))
    second.send(axes=(1.0, 0.0))
    assert bench.read().axes == (0.0, 1.0)  # and then the first leads
    second.send(axes=(1.0, 0.0))
    assert bench.read().axes == (0.0, 1.0)


def test_a_device_at_rest_does_not_silence_another_that_is_pushed() -> None:
    pad, keys = program("pad"), program("keys")
    bench = Bench((DeviceFeed("pad", ("x", "y")), DeviceFeed("keys", ("x", "y"))), pad, keys)
    pad.send()
    keys.send()
    use(pad, bench)
    readings = []
    for pushed in [pad] * 3 + [None] * 3 + [keys] * 3 + [None] * 3 + [pad] * 3:
        for device in (pad, keys):
            device.send(axes=(0.0, 1.0) if device is pushed else (0.0, 0.0))
        readings.append(bench.read())
    assert all(reading.live for reading in readings)  # who follows goes on following
    assert [reading.axes[1] for reading in readings] == [1, 1, 1, *[0] * 4, 1, 1, *[0] * 4, 1, 1]


def test_the_next_device_takes_over_after_a_moment_of_rest() -> None:
    first, second = program("first"), program("second")
    bench = Bench(
        (DeviceFeed("first", ("x", "y")), DeviceFeed("second", ("x", "y"))), first, second
    )
    use(second, bench)
    use(first, bench, (0.0, 1.0))
    bench.read()
    readings = []
    for _ in range(70):  # the first is silent
        second.send(axes=(1.0, 0.0))
        readings.append(bench.read())
    axes = [reading.axes for reading in readings]
    assert axes[0] == (0.0, 1.0) and axes[-1] == (1.0, 0.0)
    gap = [reading.live for reading in readings].index(False)
    assert [reading.live for reading in readings].count(False) == 1
    assert axes[gap - 1] == (0.0, 0.0)


def test_a_clutch_holds_back_axes() -> None:
    pad = program("pad")
    bench = Bench((DeviceFeed("pad", ("x", "y"), clutch="grip"),), pad)
    pad.send()
    bench.read()
    pad.send(axes=(1.0, 0.0), buttons={"grip"})
    assert bench.read().axes == (1.0, 0.0)
    pad.send(axes=(1.0, 0.0))
    assert bench.read() == Reading((0.0, 0.0))


def test_a_clutch_moves_a_pose_only_while_held() -> None:
    wand = program("wand")
    feed = DeviceFeed("wand", clutch="grip", scale=2.0)
    bench = Bench((feed,), wand, kind="hand")
    places = []
    for i in range(60):
        held = 10 <= i < 20 or 40 <= i < 50
        wand.send(buttons={"grip"} if held else (), position=(0.01 * i, 0.0, 1.0))
        reading = bench.read()
        assert reading.live == (i >= 10)
        places.append(reading.position[0] if reading.position else None)
    assert places[:10] == [None] * 10
    start = places[10]
    assert start is not None and start == pytest.approx(0.1)
    ends = [start + 0.02 * 9, start + 0.02 * 18]
    assert places[19:41] == [pytest.approx(ends[0])] * 22  # never a jump when gripped again
    assert places[49:] == [pytest.approx(ends[1])] * 11


def test_a_hand_takes_over_from_keys_that_nobody_presses() -> None:
    wand, keys = program("wand"), program("keys")
    hand = DeviceFeed("wand", clutch="grip", buttons={"a": "fire"})
    feeds = (hand, DeviceFeed("keys", ("x", "y", *[""] * 4)))
    bench = Bench(feeds, wand, keys, kind="move6")
    use(keys, bench)  # they were used before, and are at rest now
    positions = []
    for i in range(40):
        keys.send(axes=(0.0, 0.0))
        wand.send(buttons={"grip"} if i >= 10 else (), position=(0.01 * i, 0.0, 1.0))
        reading = bench.read()
        assert reading.live
        positions.append(reading.position)
    assert positions[:10] == [None] * 10
    assert None not in positions[12:]


def test_a_clutch_that_was_lost_moves_on_from_where_it_was() -> None:
    wand = program("wand")
    bench = Bench((DeviceFeed("wand", clutch="grip"),), wand, kind="hand")
    wand.send(position=(0.0, 0.0, 1.0))
    bench.read()
    wand.send(position=(0.0, 0.0, 1.0), buttons={"grip"})
    assert bench.read().position == (0.0, 0.0, 1.0)
    wand.send(position=(3.0, 0.0, 1.0), buttons={"grip"})  # a jump
    assert not bench.read().live
    for buttons in [set[str](), {"grip"}]:
        wand.send(position=(3.0, 0.0, 1.0), buttons=buttons)
        reading = bench.read()
    assert reading == Reading((0.0, 0.0), frozenset({"grip"}), (0.0, 0.0, 1.0))


# -- coming and going -----------------------------------------------------------------------


def test_a_detached_device_is_dead_at_once() -> None:
    pad = program("pad")
    bench = Bench((DeviceFeed("pad", ("x", "y")),), pad)
    assert use(pad, bench).live
    bench.controls.detach("pad")
    assert bench.read() == REST
    bench.controls.attach(again := program("pad"))
    again.send(axes=(1.0, 0.0))
    assert bench.read() == REST
    assert use(again, bench).live


def test_a_device_that_raises_is_dropped_and_named() -> None:
    class Broken(Program):
        def read(self, now: float) -> Sample | None:
            raise OSError("no such device")

        def close(self) -> None:
            raise RuntimeError("gone")

    pad = program("pad")
    bench = Bench((DeviceFeed("broken", ("x", "y")), DeviceFeed("pad", ("x", "y"))), pad)
    bench.controls.attach(Broken("broken", axes=("x", "y")))
    assert use(pad, bench).live
    assert bench.controls.devices == ("pad",)
    assert list(bench.controls.problems) == [
        Problem("broken", "was dropped: OSError: no such device"),
        Problem("broken", "could not be closed: RuntimeError: gone"),
    ]


def test_a_fault_is_reported_once() -> None:
    pad = program("pad")
    bench = Bench((DeviceFeed("pad", ("x", "y")), DeviceFeed("pad", ("y", "x"))), pad)
    for _ in range(100):
        pad.send(axes=(math.nan, 0.0))
        assert bench.read() == REST
    assert list(bench.controls.problems) == [Problem("pad", "gave numbers that are not finite")]


def test_names_that_a_device_has_not_got_are_refused() -> None:
    bench = Bench((DeviceFeed("pad", ("x", "why")),))
    with pytest.raises(UnknownName, match="no axis of device 'pad' called 'why'"):
        bench.controls.attach(program("pad"))
    assert bench.controls.devices == ()
    bench = Bench((DeviceFeed("pad", ("x", "y"), clutch="gripp"),))
    with pytest.raises(UnknownName, match="did you mean 'grip'"):
        bench.controls.attach(program("pad"))


def test_devices_are_told_apart_by_their_names() -> None:
    bench = Bench((), program("pad"))
    with pytest.raises(ValueError, match="attached already"):
        bench.controls.attach(program("pad"))
    with pytest.raises(UnknownName, match="did you mean 'pad'"):
        bench.controls.detach("pads")


def test_leaving_closes_all_devices() -> None:
    pad = program("pad")
    with Controls(DeviceMap(), [pad]) as controls:
        pad.send()
    assert controls.devices == ()
    assert pad.read(1.0) is None


@pytest.mark.parametrize("now", [math.nan, math.inf])
def test_a_time_that_is_none_is_refused(now: float) -> None:
    with pytest.raises(ValueError, match="now"):
        Controls(DeviceMap()).read(now)


def walk(tracker: Program, bench: Bench, *, ticks: int, start: float = 0.0) -> list[Reading]:
    """Move at 1 m/s: never at rest."""
    readings = []
    for k in range(ticks):
        tracker.send(position=(start + DT * k, 0.0, 1.7))
        readings.append(bench.read())
    return readings


def test_a_head_is_where_it_is_seen_at_once_and_after_an_occlusion_but_drives_nothing() -> None:
    tracker = Program("tracker")
    bench = Bench((DeviceFeed("tracker"),), tracker, kind="head")
    seen = walk(tracker, bench, ticks=30)
    assert [reading.position[0] for reading in seen if reading.position] == pytest.approx(
        [DT * k for k in range(30)]
    )
    assert not any(reading.live for reading in seen)  # followers wait until it is held still
    assert [bench.read() for _ in range(80)][-1].position == pytest.approx((0.29, 0.0, 1.7))
    again = walk(tracker, bench, ticks=5, start=2.0)
    assert again[0].position == pytest.approx((0.29, 0.0, 1.7))  # the leap itself is not believed
    assert again[1].position == pytest.approx((2.0 + DT, 0.0, 1.7))
    assert not any(reading.live for reading in again)


def test_a_hand_stays_where_it_was_lost_until_it_is_engaged() -> None:
    tracker = Program("tracker")
    bench = Bench((DeviceFeed("tracker"),), tracker, kind="hand")
    assert not any(reading.position for reading in walk(tracker, bench, ticks=30))
