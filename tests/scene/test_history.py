"""Undo: all that was done can be taken back, and done again, exactly."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import robotix as rx
from robotix.errors import UnknownName
from robotix.geometry import Pose, Sphere
from robotix.model import Visual
from robotix.scene.graph.content import Attributes, Light
from robotix.scene.graph.graph import Graph, Node
from robotix.scene.history import (
    AddNode,
    AttachNode,
    Edit,
    Edits,
    History,
    MoveNode,
    RemoveNode,
    RenameNode,
    SetAttributes,
)
from robotix.scene.scene import Scene

NAMES = "abcdefgh"


def state(graph: Graph) -> dict[str, Any]:
    """Return all that can be seen of a graph, the order of brothers and sisters included."""

    def seen(node: Node) -> tuple[object, ...]:
        return (
            node.parent.name if node.parent is not None else None,
            [child.name for child in node.children],
            np.round(graph.local[node.row], 9).tolist(),
            [id(solid) for solid in node.solids],
            [id(visual) for visual in node.visuals],
            node.content,
            node.attributes,
        )

    return {node.name: seen(node) for node in graph}


def start() -> Graph:
    graph = Graph()
    ball, look = Sphere(0.1), Visual(Sphere(0.1))
    for name, parent in (("a", "world"), ("b", "a"), ("c", "a"), ("d", "c"), ("e", "world")):
        graph.add(name, parent=parent, pose=Pose.at(1, 0, 0, rpy=(0, 0.5, 0)), solids=[ball])
    graph.add("f", parent="c", visuals=[look], content=Light(), scale=2.0)
    return graph


names = st.sampled_from(NAMES)
numbers = st.floats(-2, 2)
poses = st.builds(
    lambda x, y, z, r: Pose.at(x, y, z, rpy=(r, 0.0, 0.0)), numbers, numbers, numbers, numbers
)
edits: st.SearchStrategy[Edit] = st.one_of(
    st.builds(MoveNode, names, poses, st.none() | st.floats(0.5, 2)),
    st.builds(SetAttributes, names, st.builds(Attributes, visible=st.booleans())),
    st.builds(AddNode, names, parent=names, pose=poses),
    st.builds(RemoveNode, names),
    st.builds(RenameNode, names, names),
    st.builds(AttachNode, names, names),
)


@settings(max_examples=100)
@given(steps=st.lists(edits | st.builds(Edits, st.tuples(edits, edits)), max_size=15))
def test_all_can_be_taken_back_and_done_again(steps: list[Edit]) -> None:
    graph = start()
    history = History(graph)
    before = [state(graph)]
    for edit in steps:
        try:
            history.do(edit)
        except (ValueError, UnknownName):
            assert state(graph) == before[-1]  # what is refused changes nothing
        else:
            before.append(state(graph))
    end = before.pop()
    for expected in reversed(before):
        assert history.undo()
        assert state(graph) == expected
    assert not history.undo()
    while history.redo():
        pass
    assert state(graph) == end


def test_undone_and_redone_in_turn_it_flips() -> None:
    graph = start()
    history = History(graph)
    history.do(RemoveNode("c"))
    for _ in range(3):
        assert "d" not in graph
        history.undo()
        assert graph["d"].parent is graph["c"]
        history.redo()


def test_something_new_forgets_what_was_taken_back() -> None:
    history = History(start())
    history.do(MoveNode("a", Pose.at(1, 2, 3)))
    history.undo()
    assert history.can_redo
    history.do(MoveNode("a", Pose.at(4, 5, 6)))
    assert not history.can_redo
    assert not history.redo()


def test_the_oldest_are_forgotten() -> None:
    graph = start()
    history = History(graph, limit=3)
    for x in range(10):
        history.do(MoveNode("a", Pose.at(x, 0, 0)))
    while history.undo():
        pass
    assert graph["a"].pose.translation[0] == 6


def test_what_the_room_no_longer_allows_is_told_and_forgotten() -> None:
    graph = start()
    history = History(graph)
    history.do(MoveNode("a", Pose.at(9, 0, 0)))
    history.do(MoveNode("b", Pose.at(9, 0, 0)))
    graph.remove("b")
    with pytest.raises(UnknownName, match="'b'"):
        history.undo()
    assert history.undo()
    np.testing.assert_allclose(graph["a"].pose.translation, (1, 0, 0))


def test_several_are_all_made_or_none() -> None:
    graph = start()
    before = state(graph)
    with pytest.raises(UnknownName):
        History(graph).do(Edits((RemoveNode("b"), MoveNode("a", Pose()), RemoveNode("nobody"))))
    assert state(graph) == before


def test_attaching_keeps_the_place_in_the_world() -> None:
    graph = start()
    before = graph["f"].world_pose.matrix, graph["f"].world_scale
    History(graph).do(AttachNode("f", "b"))
    np.testing.assert_allclose(graph["f"].world_pose.matrix, before[0], atol=1e-12)
    assert graph["f"].world_scale == pytest.approx(before[1])


REFUSED: dict[str, Callable[[str], Edit]] = {
    "a removed link": RemoveNode,
    "a removed robot": lambda link: RemoveNode("arm"),
    "a moved link": lambda link: MoveNode(link, Pose()),
    "a renamed link": lambda link: RenameNode(link, "hand"),
    "a link elsewhere": lambda link: AttachNode(link, "world"),
    "no scale": lambda link: MoveNode("arm", Pose(), 0.0),
    "the root": lambda link: RemoveNode("world"),
}


@pytest.mark.parametrize("make", REFUSED.values(), ids=REFUSED)
def test_robots_stay_whole(make: Callable[[str], Edit]) -> None:
    scene = Scene()
    scene.add_robot("arm", rx.load("scara"))
    link = list(scene.robots["arm"].links.values())[-1].name
    before = state(scene.graph)
    with pytest.raises(ValueError, match=r"robot|root|scale"):
        History(scene.graph).do(make(link))
    assert state(scene.graph) == before


def test_a_history_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="limit must be 1 or more"):
        History(Graph(), limit=0)


@pytest.mark.parametrize("node", ["arm", "table"])
def test_a_robot_is_never_resized(node: str) -> None:
    scene = Scene()
    scene.graph.add("table")
    scene.graph.add("cup", parent="table")
    scene.add_robot("arm", rx.load("planar_3r"), parent="table")
    history = History(scene.graph)
    with pytest.raises(ValueError, match="'arm' is in metres"):
        history.do(MoveNode(node, Pose(), 2.0))
    history.do(MoveNode(node, Pose.at(1, 0, 0), 1.0))
    assert history.undo()
    history.do(MoveNode("cup", Pose(), 2.0))
