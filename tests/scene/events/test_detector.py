"""Watching: what switched since the last tick, told once, in an order that never varies."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.hands import thing

from robotix.geometry import Box, Pose
from robotix.inputs.readings import Inputs, Reading
from robotix.scene.events.events import (
    Axis,
    Button,
    ButtonHeld,
    ClientConnected,
    Collision,
    DeviceLink,
    Event,
    RegionEntry,
    Source,
    Timer,
)
from robotix.scene.events.timers import Timers
from robotix.scene.graph.content import Region
from robotix.scene.scene import Scene


def reading(*buttons: str, axes: tuple[float, ...] = (), live: bool = True) -> Inputs:
    return Inputs(devices={"stick": Reading(axes=axes, buttons=frozenset(buttons), live=live)})


def watched(*sources: Source) -> Scene:
    scene = Scene()
    for source in sources:
        scene.on(source, lambda scene, event: None)
    return scene


def events(scene: Scene, *inputs: Inputs) -> list[tuple[Source, bool]]:
    """Step through the inputs and return all that happened."""
    found = []
    for each in inputs:
        scene.step(each)
        found += [(event.source, event.state) for event in scene.events]
    return found


# -- buttons --------------------------------------------------------------------------------


@given(presses=st.lists(st.frozensets(st.sampled_from("abc")), max_size=12))
def test_every_press_and_release_is_told_once(presses: list[frozenset[str]]) -> None:
    scene, down = Scene(), frozenset[str]()
    for now in presses:
        told = events(scene, reading(*now))
        expected = [(Button("stick", each), False) for each in sorted(down - now)]
        expected += [(Button("stick", each), True) for each in sorted(now - down)]
        assert told == expected
        down = now


@pytest.mark.parametrize("lost", [reading("a", live=False), Inputs()], ids=["silent", "gone"])
def test_a_lost_device_releases_its_buttons(lost: Inputs) -> None:
    a = Button("stick", "a")
    assert events(Scene(), reading("a"), lost, lost) == [(a, True), (a, False)]


@pytest.mark.parametrize("seconds", [0.05, 0.1, 0.5])
def test_a_button_that_is_held_long_enough(seconds: float) -> None:
    hold = ButtonHeld("stick", "a", seconds)
    scene = watched(hold)
    told = list[tuple[int, bool]]()
    for tick in range(90):
        scene.step(reading("a") if tick < 80 else reading())
        told += [(tick, event.state) for event in scene.events if event.source == hold]
    assert told == [(round(seconds * 120), True), (80, False)]


def test_a_short_press_is_no_hold() -> None:
    scene = watched(ButtonHeld("stick", "a", 0.1))
    told = events(scene, *[reading("a")] * 5, reading(), *[reading("a")] * 10, reading())
    assert not [source for source, _ in told if isinstance(source, ButtonHeld)]


# -- axes -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("threshold", "values", "expected"),
    [
        (0.5, (0.0, 0.4, 0.5, 0.9, 0.4), [True, False]),
        (-0.5, (0.0, -0.4, -0.5, -0.9, 0.4), [True, False]),
        (0.5, (-1.0, -0.6), []),
    ],
)
def test_an_axis_beyond_its_threshold(
    threshold: float, values: tuple[float, ...], expected: list[bool]
) -> None:
    axis = Axis("stick", 1, threshold)
    told = events(watched(axis), *(reading(axes=(1.0, value)) for value in values))
    assert told == [(axis, state) for state in expected]


@pytest.mark.parametrize("threshold", [0.0, -0.0, float("nan"), float("inf")])
def test_a_threshold_has_a_side(threshold: float) -> None:
    with pytest.raises(ValueError, match="threshold must be a number above or below 0"):
        Axis("stick", 0, threshold)
    with pytest.raises(ValueError, match="axis must be 0 or more"):
        Axis("stick", -1, 0.5)


@pytest.mark.parametrize(
    "lost",
    [reading(axes=(1.0,), live=False), reading(axes=()), Inputs()],
    ids=["silent", "shorter", "gone"],
)
def test_a_lost_axis_is_off(lost: Inputs) -> None:
    axis = Axis("stick", 0, 0.5)
    assert events(watched(axis), reading(axes=(1.0,)), lost) == [(axis, True), (axis, False)]


def test_a_device_comes_and_goes() -> None:
    link = DeviceLink("stick")
    told = events(watched(link), Inputs(), reading(), reading(), reading(live=False), Inputs())
    assert told == [(link, True), (link, False)]


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_no_reading_holds_what_is_no_number(number: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        Reading(axes=(number,))
    with pytest.raises(ValueError, match="finite"):
        Reading(position=(0.0, number, 0.0))
    with pytest.raises(ValueError, match="finite"):
        Reading(quaternion=(number, 0.0, 0.0, 0.0))


# -- clients --------------------------------------------------------------------------------


def test_clients_come_and_go_and_any_is_one() -> None:
    def there(*names: str) -> Inputs:
        return Inputs(clients=frozenset(names))

    told = events(Scene(), there("ann"), there("ann", "bob"), there("bob"), there())
    assert told == [
        (ClientConnected("ann"), True),
        (ClientConnected(), True),
        (ClientConnected("bob"), True),
        (ClientConnected("ann"), False),
        (ClientConnected("bob"), False),
        (ClientConnected(), False),
    ]


# -- timers ---------------------------------------------------------------------------------


@given(ticks=st.integers(0, 40), again=st.booleans())
def test_a_timer_rings_after_its_time(ticks: int, again: bool) -> None:
    scene = Scene()
    scene.timers.start("beat", ticks * scene.dt, again=again)
    rang = list[int]()
    for _ in range(100):
        scene.step()
        rang += [scene.tick for event in scene.events if event == Event(Timer("beat"))]
    wait = max(ticks, 1)
    assert rang == (list(range(wait, 101, wait)) if again else [wait])
    assert ("beat" in scene.timers) == again


def test_a_timer_started_again_starts_anew() -> None:
    timers = Timers(0.1)
    timers.start("beat", 0.3)
    timers.advance()
    timers.start("beat", 0.3)
    assert [timers.advance() for _ in range(3)] == [[], [], ["beat"]]
    timers.stop("beat")
    assert timers.advance() == []


def test_timers_ring_in_the_order_they_were_started() -> None:
    timers = Timers(0.1)
    for name in ("c", "a", "b"):
        timers.start(name, 0.2)
    timers.advance()
    assert timers.advance() == ["c", "a", "b"]


@pytest.mark.parametrize("seconds", [-1.0, float("nan"), float("inf")])
def test_a_time_that_is_none_is_refused(seconds: float) -> None:
    with pytest.raises(ValueError, match="beat"):
        Timers(0.1).start("beat", seconds)


# -- places ---------------------------------------------------------------------------------


def test_collisions_begin_and_end() -> None:
    hit = Collision("cup", "table")
    scene = watched(hit)
    thing(scene, "table", at=(0, 0, 0), solid=Box(np.array([1.0, 1.0, 0.1])))
    cup = thing(scene, "cup", at=(0, 0, 1))
    told = list[bool]()
    for z in (1.0, 0.5, 0.09, 0.05, 0.2, 1.0):
        cup.pose = Pose.at(0, 0, z)
        scene.step()
        told += [event.state for event in scene.events if event.source == hit]
    assert told == [True, False]


def test_regions_are_entered_and_left() -> None:
    entry = RegionEntry("zone", "cup")
    scene = watched(entry)
    scene.graph.add("zone", solids=[Box(np.ones(3))], content=Region())
    cup = thing(scene, "cup", at=(5, 0, 0))
    told = list[bool]()
    for x in (5.0, 0.4, 0.2, 0.6):
        cup.pose = Pose.at(x, 0, 0)
        scene.step()
        told += [event.state for event in scene.events if event.source == entry]
    assert told == [True, False]


def test_what_nobody_waits_for_is_not_looked_at() -> None:
    scene = Scene()
    assert events(scene, reading(axes=(1.0,))) == []
    assert not scene.rules.polled
    rule = scene.on(Axis("stick", 0, 0.5), lambda scene, event: None)
    assert list(scene.rules.polled) == [rule.source]
    scene.rules.remove(rule)
    assert not scene.rules.polled


@given(seed=st.randoms(use_true_random=False))
def test_the_order_of_the_inputs_does_not_matter(seed: object) -> None:
    names = ["stick", "wheel", "glove"]
    seed.shuffle(names)  # type: ignore[attr-defined]
    devices = {name: Reading(buttons=frozenset({"b", "a"})) for name in names}
    told = events(Scene(), Inputs(devices=devices, clients=frozenset(names)))
    ordered = [(Button(name, button), True) for name in sorted(names) for button in "ab"]
    assert told[: len(ordered)] == ordered
