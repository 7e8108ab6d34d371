"""Sweeping: traces of motion, as copies, lines and surfaces, and never too much of them."""

import math
from typing import Any

import numpy as np
import pytest
from support.hands import problems

from robotix.geometry import Box, Pose, Sphere
from robotix.model import Visual
from robotix.scene.commands.sweeping import ClearSweep, Sweep
from robotix.scene.events.events import Signal
from robotix.scene.graph.content import Trace
from robotix.scene.graph.graph import Node
from robotix.scene.scene import Scene


def room(sweep: Sweep) -> Scene:
    scene = Scene()
    node = scene.graph.add("tool", visuals=[Visual(Sphere(0.1))], scale=2.0)
    scene.graph.add("tip", parent=node, pose=Pose.at(0, 0, 0.5), visuals=[Visual(Sphere(0.05))])
    scene.on(Signal("sweep"), sweep, mode="reflect")
    scene.on(Signal("clear"), ClearSweep("tool"))
    scene.emit("sweep")
    return scene


def push(scene: Scene, *, ticks: int, by: float = 0.01) -> None:
    node = scene.graph["tool"]
    for _ in range(ticks):
        scene.step()
        x, y, z = node.pose.translation
        node.pose = Pose.at(x + by, y, z)


def trace(scene: Scene) -> Node:
    return scene.graph["trace of tool"]


def content(scene: Scene) -> Trace:
    found = trace(scene).content
    assert isinstance(found, Trace)
    return found


def test_copies_of_the_whole_branch_stand_where_it_was() -> None:
    scene = room(Sweep("tool", every=0.05))
    push(scene, ticks=21)
    copies = trace(scene).children
    assert len(copies) == 2 * 5
    places = [copy.world_position for copy in copies]
    np.testing.assert_allclose(places[::2], [(0.05 * i, 0, 0) for i in range(5)], atol=1e-12)
    np.testing.assert_allclose(places[1::2], [(0.05 * i, 0, 1) for i in range(5)], atol=1e-12)
    assert all(copy.world_scale == 2.0 for copy in copies)
    assert not any(copy.attributes.collidable or copy.attributes.pickable for copy in copies)
    assert not any(copy.solids for copy in copies)


def test_the_oldest_copies_give_way() -> None:
    scene = room(Sweep("tool", every=0.01, limit=4))
    push(scene, ticks=50)
    copies = [copy for copy in trace(scene).children if copy.name.endswith("tool")]
    assert len(copies) == 4
    xs = sorted(copy.world_position[0] for copy in copies)
    np.testing.assert_allclose(xs, np.arange(46, 50) * 0.01, atol=0.011)


def test_no_row_comes_or_goes_once_the_trace_is_full() -> None:
    scene = room(Sweep("tool", every=0.01, limit=4))
    push(scene, ticks=20)
    structure = scene.graph.structure
    push(scene, ticks=20)
    assert scene.graph.structure == structure


def test_a_line_joins_the_places() -> None:
    scene = room(Sweep("tool", "line", every=0.02, limit=10, width=0.01))
    push(scene, ticks=9)
    expected = [(0.02 * i, 0, 0) for i in range(5)]
    np.testing.assert_allclose(content(scene).points, expected, atol=1e-12)
    assert (content(scene).kind, content(scene).width) == ("line", 0.01)
    push(scene, ticks=100)
    assert len(content(scene).points) == 10


def test_a_surface_is_what_an_edge_sweeps_over() -> None:
    scene = room(Sweep("tool", "surface", every=0.02, limit=3, edge=(0.0, 0.5, 0.0)))
    push(scene, ticks=30)
    points = np.array(content(scene).points)
    assert len(points) == 6
    np.testing.assert_allclose(points[1::2] - points[::2], [(0, 1, 0)] * 3, atol=1e-12)


def test_a_change_of_the_trace_is_told() -> None:
    scene = room(Sweep("tool", "line", every=0.02))
    push(scene, ticks=2)
    before = scene.graph["trace of tool"].revision
    push(scene, ticks=4)
    assert scene.graph["trace of tool"].revision > before


def test_by_the_clock_it_does_not_have_to_move() -> None:
    scene = room(Sweep("tool", "line", seconds=0.1))
    push(scene, ticks=61, by=0.0)
    assert len(content(scene).points) == 6


def test_what_does_not_move_leaves_one_mark() -> None:
    scene = room(Sweep("tool", "line"))
    push(scene, ticks=20, by=0.0)
    assert len(content(scene).points) == 1


def test_off_stops_and_on_goes_on() -> None:
    scene = room(Sweep("tool", "line", every=0.02))
    push(scene, ticks=9)
    scene.emit("sweep", state=False)
    push(scene, ticks=9)
    assert len(content(scene).points) == 5
    scene.emit("sweep")
    push(scene, ticks=2)
    assert len(content(scene).points) == 6


def test_clear_takes_it_away() -> None:
    scene = room(Sweep("tool"))
    push(scene, ticks=20)
    scene.emit("sweep", state=False)
    scene.emit("clear")
    scene.step()
    assert set(scene.graph.names) == {"world", "tool", "tip"}
    scene.emit("clear")
    scene.step()
    assert not problems(scene)


def test_clear_while_sweeping_starts_afresh() -> None:
    scene = room(Sweep("tool", every=0.01))
    push(scene, ticks=20)
    scene.emit("clear")
    push(scene, ticks=10)
    assert not problems(scene)
    assert len(trace(scene).children) == 2 * 10


def test_a_node_that_is_removed_is_a_problem_and_no_more() -> None:
    scene = room(Sweep("tool"))
    push(scene, ticks=3)
    scene.graph.remove("tool")
    scene.step()
    assert "'tool' was removed" in problems(scene)[0]
    scene.step()
    assert not problems(scene)


def test_a_full_graph_ends_the_trace_and_no_more() -> None:
    scene = room(Sweep("tool", every=0.01, limit=10_000))
    for i in range(19_990):
        scene.graph.add(f"n{i}", solids=[Box(np.ones(3))] if i == 0 else ())
    push(scene, ticks=10)
    assert len(scene.graph) == 20_000
    assert len(scene.actions) == 0


@pytest.mark.parametrize(
    "options",
    [
        {"every": 0.0},
        {"every": math.nan},
        {"seconds": -1.0},
        {"limit": 0},
        {"limit": 10**9},
        {"edge": (0.0, math.inf, 0.0)},
        {"width": 0.0},
    ],
    ids=str,
)
def test_what_leaves_no_trace_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(options))} must be"):
        Sweep("tool", **options)
