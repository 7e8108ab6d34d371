"""The scene graph: places multiply down the tree, whatever was done to it before."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robotix.errors import UnknownName
from robotix.geometry import Array, Pose
from robotix.scene.graph import graph as module
from robotix.scene.graph.content import Attributes, Material
from robotix.scene.graph.graph import Graph, Node

numbers = st.floats(-2, 2)
scales = st.floats(0.5, 2)
poses = st.builds(
    lambda x, y, z, r, p: Pose.at(x, y, z, rpy=(r, p, 1.0)),
    numbers, numbers, numbers, numbers, numbers,
)  # fmt: skip


def matrix(node: Node) -> Array:
    """Return the 4×4 matrix of a node in the world, from its parents only."""
    local = node.pose.matrix
    local[:3, :3] *= node.scale
    return local if node.parent is None else matrix(node.parent) @ local


def check(graph: Graph) -> None:
    """Check all that must hold for a graph at any time."""
    rows = list(graph)
    assert [node.row for node in rows] == list(range(len(rows)))
    assert {node.name for node in rows} == set(graph.names)
    assert len(graph) == len(rows) == len(graph.local) == len(graph.world)
    for node in rows:
        if node.parent is None:
            assert node is graph.root
        else:
            assert node.parent.row < node.row
            assert node.parent.children.count(node) == 1
        expected = matrix(node)
        found = node.world_pose.matrix
        found[:3, :3] *= node.world_scale
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


@st.composite
def trees(draw: st.DrawFn) -> Graph:
    graph = Graph()
    for i in range(draw(st.integers(1, 12))):
        parent = draw(st.sampled_from(graph.names))
        graph.add(f"n{i}", parent=parent, pose=draw(poses), scale=draw(scales))
    return graph


@settings(max_examples=50)
@given(graph=trees())
def test_the_world_is_the_product_of_the_places_above(graph: Graph) -> None:
    check(graph)


@settings(max_examples=40)
@given(graph=trees(), data=st.data())
def test_it_stays_whole_after_any_edits(graph: Graph, data: st.DataObject) -> None:
    for step in range(data.draw(st.integers(1, 15))):
        name = data.draw(st.sampled_from(graph.names))
        node = graph[name]
        match data.draw(st.sampled_from(["add", "remove", "attach", "move", "place", "rename"])):
            case "add":
                graph.add(f"new{step}", parent=node, pose=data.draw(poses))
            case "remove" if node.parent is not None:
                gone = [each.name for each in node.branch()]
                graph.remove(node)
                assert not any(each in graph for each in gone)
            case "attach" if node.parent is not None:
                outside = sorted(set(graph.names) - {each.name for each in node.branch()})
                graph.attach(node, data.draw(st.sampled_from(outside)))
            case "move":
                node.pose = data.draw(poses)
            case "place" if node.parent is not None:
                pose = data.draw(poses)
                graph.set_world_pose(node, pose)
                np.testing.assert_allclose(node.world_pose.matrix, pose.matrix, atol=1e-9)
            case "rename" if node.parent is not None:
                graph.rename(node, f"name{step}")
                assert graph[f"name{step}"] is node
        check(graph)


@given(graph=trees(), data=st.data())
def test_attaching_keeps_the_place_in_the_world(graph: Graph, data: st.DataObject) -> None:
    node = graph[data.draw(st.sampled_from(graph.names[1:]))]
    outside = sorted(set(graph.names) - {each.name for each in node.branch()})
    before = [(each.world_pose.matrix, each.world_scale) for each in node.branch()]
    parent = graph[data.draw(st.sampled_from(outside))]
    graph.attach(node, parent)
    assert node.parent is parent
    for each, (pose, scale) in zip(node.branch(), before, strict=True):
        np.testing.assert_allclose(each.world_pose.matrix, pose, atol=1e-9)
        assert each.world_scale == pytest.approx(scale)


def test_without_staying_it_keeps_its_place_in_the_parent() -> None:
    graph = Graph()
    graph.add("a", pose=Pose.at(1, 0, 0))
    node = graph.add("b", pose=Pose.at(0, 1, 0))
    graph.attach("b", "a", stay=False)
    np.testing.assert_allclose(node.pose.translation, (0, 1, 0))
    np.testing.assert_allclose(node.world_position, (1, 1, 0))


def test_nothing_hangs_on_itself() -> None:
    graph = Graph()
    graph.add("a")
    graph.add("b", parent="a")
    for parent in ("a", "b"):
        with pytest.raises(ValueError, match="hangs on it"):
            graph.attach("a", parent)
    check(graph)


@pytest.mark.parametrize("name", ["", "a\nb", "world", "there"])
def test_bad_names_are_refused(name: str) -> None:
    graph = Graph()
    graph.add("there")
    with pytest.raises(ValueError, match="name"):
        graph.add(name)
    graph.add("other")
    with pytest.raises(ValueError, match="name"):
        graph.rename("other", name)
    check(graph)


@pytest.mark.parametrize("scale", [0.0, -1.0, float("nan"), float("inf")])
def test_bad_scales_are_refused(scale: float) -> None:
    graph = Graph()
    with pytest.raises(ValueError, match="scale"):
        graph.add("a", scale=scale)
    assert len(graph) == 1


def test_the_root_stays() -> None:
    graph = Graph()
    graph.add("a")
    with pytest.raises(ValueError, match="root"):
        graph.remove("world")
    with pytest.raises(ValueError, match="root"):
        graph.attach("world", "a")
    with pytest.raises(ValueError, match="root"):
        graph.rename("world", "b")
    with pytest.raises(ValueError, match="root"):
        graph.set_world_pose(graph.root, Pose())


def test_unknown_names_come_with_the_nearest() -> None:
    graph = Graph()
    graph.add("table")
    with pytest.raises(UnknownName, match="did you mean 'table'"):
        graph["tabel"]
    with pytest.raises(UnknownName, match="no node 'chair'"):
        graph.add("cup", parent="chair")
    assert "cup" not in graph


def test_there_is_an_end_to_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_NODES", 10)
    graph = Graph()
    for i in range(9):
        graph.add(f"n{i}")
    with pytest.raises(ValueError, match="at most 10"):
        graph.add("one more")
    check(graph)


def test_counters_tell_of_every_change() -> None:
    graph = Graph()
    node = graph.add("a")
    moves, structure = graph.moves, graph.structure
    node.pose = Pose.at(1, 0, 0)
    assert (graph.moves > moves, graph.structure) == (True, structure)
    graph.add("b")
    assert graph.structure > structure


def test_changes_besides_places_are_counted() -> None:
    graph = Graph()
    for name in ("b", "a"):
        graph.add(name)
    before = graph.touches
    for name in ("a", "b", "a"):
        graph[name].set(visible=False)
    assert graph.touches == before + 3
    assert graph["a"].revision == 2


def test_attributes_are_changed_by_name() -> None:
    graph = Graph()
    node = graph.add("a", attributes=Attributes(wireframe=True))
    node.set(visible=False, material=Material((1.0, 0.0, 0.0)))
    assert node.attributes == Attributes(Material((1.0, 0.0, 0.0)), False, True)
    with pytest.raises(TypeError):
        node.set(colour="red")


@pytest.mark.parametrize("number", [-0.1, 1.1, float("nan")])
def test_materials_that_cannot_be_drawn_are_refused(number: float) -> None:
    with pytest.raises(ValueError, match=r"0\.\.1"):
        Material((0.5, number, 0.5))
    with pytest.raises(ValueError, match=r"0\.\.1"):
        Material(opacity=number)


def test_branches_and_ancestors_are_told_parents_first() -> None:
    graph = Graph()
    for name, parent in (("a", "world"), ("b", "a"), ("c", "b"), ("d", "a")):
        graph.add(name, parent=parent)
    assert [node.name for node in graph["a"].branch()] == ["a", "b", "c", "d"]
    assert [node.name for node in graph["c"].ancestors()] == ["b", "a", "world"]
