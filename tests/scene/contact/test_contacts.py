"""Distances and collisions between branches: who counts for what, and when."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.contact_rooms import cuboid, random_pose, room
from support.solids import KINDS, depth_in, make_solid

from robotix.errors import UnknownName
from robotix.geometry import Capsule, Cylinder, Halfspace, Pose, Sphere
from robotix.scene.contact.contacts import MAX_IDLE_ROUNDS, Contacts
from robotix.scene.graph.content import Attributes, Region
from robotix.scene.graph.graph import Graph

BALL = Sphere(0.5)


# -- who counts for what ----------------------------------------------------------------------


def kitchen() -> tuple[Graph, Contacts]:
    """Return a robot of three links on a table, a cup on the table, and a lamp far away."""
    graph = Graph()
    graph.add("table", solids=[cuboid(2, 2, 0.1, Pose.at(0, 0, -0.05))])
    graph.add("robot", parent="table", robot="robot")
    graph.add(
        "robot/foot", parent="robot", solids=[Cylinder(0.2, 0.4, Pose.at(0, 0, 0.2))], robot="robot"
    )
    graph.add(
        "robot/arm",
        parent="robot/foot",
        pose=Pose.at(0, 0, 0.4),
        solids=[Capsule(0.1, 0.5)],
        robot="robot",
    )
    graph.add(
        "robot/hand",
        parent="robot/arm",
        pose=Pose.at(0.5, 0, 0),
        solids=[Sphere(0.1)],
        robot="robot",
    )
    graph.add("cup", parent="table", pose=Pose.at(0.8, 0, 0.1), solids=[Cylinder(0.05, 0.2)])
    graph.add("lamp", pose=Pose.at(0, 0, 3), solids=[Sphere(0.1)])
    return graph, Contacts(graph)


def test_a_name_means_the_whole_branch() -> None:
    graph, contacts = kitchen()
    graph["lamp"].pose = Pose.at(0.5, 0, 0.45)
    assert contacts.touching("robot", "lamp") and contacts.touching("lamp", "table")
    assert contacts.touching("robot/arm", "lamp") and not contacts.touching("robot/foot", "cup")
    assert contacts.distance("robot", "lamp").distance == pytest.approx(-0.15)


def test_everything_leaves_out_the_own_branch_and_the_mount() -> None:
    graph, contacts = kitchen()
    assert not contacts.touching("robot", "*") and not contacts.touching("*", "cup")
    graph["robot/hand"].pose = Pose.at(0.5, 0, -0.4)  # down on the table
    assert contacts.touching("robot", "*") and contacts.touching("robot", "table")
    graph["robot/hand"].pose = Pose.at(0.8, 0, -0.15)
    assert contacts.touching("robot", "cup") and contacts.touching("cup", "*")


def test_a_node_and_its_mount_touch_when_asked_for_by_name() -> None:
    _, contacts = kitchen()
    assert contacts.touching("cup", "table") and contacts.touching("table", "cup")
    assert contacts.touching("table", "robot/foot") and not contacts.touching("table", "robot")
    assert contacts.distance("cup", "table").distance == pytest.approx(0.0, abs=1e-12)


def test_a_branch_does_not_touch_itself() -> None:
    _, contacts = kitchen()
    assert contacts.touching("robot", "robot") is False
    assert contacts.touching("robot/foot", "robot/arm") is True  # each is its own, asked by name
    assert contacts.pairs() == [] and not contacts.touching("*", "*")


def test_what_is_held_is_part_of_the_holder() -> None:
    graph, contacts = kitchen()
    graph.attach("cup", "robot/hand")
    graph["cup"].pose = Pose.at(0.0, 0, 0.0)
    assert not contacts.touching("robot", "*")
    graph["cup"].pose = Pose.at(0.0, 0, -0.35)
    assert contacts.touching("robot", "*") and contacts.touching("robot", "table")


def test_only_collidable_nodes_touch_but_all_have_a_distance() -> None:
    graph, contacts = room(a=BALL, b=BALL)
    assert contacts.touching("a", "b")
    graph["b"].set(collidable=False)
    assert not contacts.touching("a", "b") and not contacts.touching("a", "*")
    assert contacts.distance("a", "b").distance == pytest.approx(-1.0)
    with pytest.raises(ValueError, match="no solids"):
        contacts.distance("a", "*")
    graph["b"].set(collidable=True)
    assert contacts.touching("a", "b")


def test_regions_touch_nothing() -> None:
    graph, contacts = room(a=BALL)
    graph.add("zone", solids=[cuboid(1, 1, 1)], content=Region())
    graph.add("thing", parent="zone", pose=Pose.at(3, 0, 0), solids=[BALL])
    assert not contacts.touching("a", "zone") and not contacts.touching("a", "*")
    assert contacts.distance("a", "thing").distance == pytest.approx(2.0)
    assert contacts.distance("a", "zone").distance < 0  # named, it has a distance


def test_pairs_names_all_nodes_that_touch() -> None:
    graph, contacts = kitchen()
    graph["lamp"].pose = Pose.at(0.8, 0, 0.3)
    graph["robot/hand"].pose = Pose.at(0.7, 0, 0)
    assert set(contacts.pairs()) == {("robot/hand", "lamp"), ("cup", "lamp")}
    assert contacts.touching("*", "*")


def test_things_just_put_down_touch() -> None:
    graph, contacts = room(floor=Halfspace(), box=cuboid(0.1, 0.1, 0.3), top=cuboid(0.1, 0.1, 0.7))
    graph["box"].pose = Pose.at(0, 0, 0.15)
    graph["top"].pose = Pose.at(0, 0, 0.1 + 0.2 + 0.35)  # 0.30000000000000004 and a half
    assert contacts.touching("floor", "box") and contacts.touching("box", "top")
    assert not contacts.touching("floor", "top")


# -- keeping up -------------------------------------------------------------------------------


def test_answers_follow_the_room() -> None:
    graph, contacts = room(a=BALL, b=BALL)
    assert contacts.touching("a", "b")
    graph["b"].pose = Pose.at(3, 0, 0)
    assert not contacts.touching("a", "b")
    before = contacts.distance("a", "b")
    assert contacts.distance("a", "b") is before
    graph.local[graph["b"].row, 12] = 6.0
    graph.mark_moved()
    assert contacts.touching("a", "b")
    graph.add("c", pose=Pose.at(0, 0, 0.9), solids=[BALL])
    assert contacts.touching("a", "c")
    graph["c"].solids = (Sphere(0.1),)
    graph["c"].touch()
    assert not contacts.touching("a", "c")
    graph.remove("b")
    assert not contacts.touching("a", "*")


def test_unknown_names_are_refused_and_gone_ones_too() -> None:
    graph, contacts = room(a=BALL, b=BALL)
    for ask in (contacts.touching, contacts.distance, contacts.is_inside):
        with pytest.raises(UnknownName, match="'x'"):
            ask("a", "x")
    assert contacts.touching("a", "b")
    graph.remove("b")
    with pytest.raises(UnknownName):
        contacts.touching("a", "b")
    assert not contacts.touching("a", "*")


def test_pairs_nobody_asks_for_any_more_are_forgotten() -> None:
    graph, contacts = room(a=BALL, b=BALL, c=BALL)
    contacts.touching("a", "c")
    for _ in range(3 * MAX_IDLE_ROUNDS):
        graph.mark_moved()
        assert contacts.touching("a", "b")
    assert list(contacts._watched) == [("a", "b")]
    assert contacts.touching("a", "c")


def test_no_solids_no_distance() -> None:
    graph, contacts = room(a=BALL)
    graph.add("empty")
    with pytest.raises(ValueError, match="'empty' has no solids"):
        contacts.distance("a", "empty")
    assert not contacts.touching("a", "empty")
    assert not Contacts(Graph()).touching("world", "*")


@settings(max_examples=40)
@given(st.integers(0, 10**6))
def test_everything_is_the_sum_of_all_others(seed: int) -> None:
    rng = np.random.default_rng(seed)
    graph = Graph()
    for k in range(9):
        solid = make_solid(KINDS[k % 4], rng, spread=0.1, aligned=False)
        graph.add(
            f"n{k}", pose=random_pose(rng, 0.8), scale=float(rng.uniform(0.3, 1.0)), solids=[solid]
        )
    contacts = Contacts(graph)
    names = [f"n{k}" for k in range(9)]
    hit = {pair for pair in combinations(names, 2) if contacts.touching(*pair)}
    assert hit == {
        pair for pair in combinations(names, 2) if contacts.distance(*pair).distance <= 0
    }
    assert hit == set(contacts.pairs())
    for name in names:
        assert contacts.touching(name, "*") == any(name in pair for pair in hit)
        others = [contacts.distance(name, other).distance for other in names if other != name]
        assert contacts.distance(name, "*").distance == min(others)


@given(st.floats(-5, 5), st.integers(0, 1000))
def test_distances_grow_with_the_room(exponent: float, seed: int) -> None:
    rng, scale = np.random.default_rng(seed), 10.0**exponent
    graph = Graph()
    graph.add("all", scale=scale)
    for name, kind in (("a", "box"), ("b", "cylinder")):
        solid = make_solid(kind, rng, spread=0.2, aligned=False)
        graph.add(name, parent="all", pose=random_pose(rng, 1.0), solids=[solid])
    large = Contacts(graph).distance("a", "b").distance
    graph.local[graph["all"].row, 12] = 1.0
    graph.mark_moved()
    assert large == pytest.approx(
        scale * Contacts(graph).distance("a", "b").distance, rel=1e-8, abs=1e-9 * scale
    )


# -- regions ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_point_is_inside_where_it_has_depth(kind: str) -> None:
    rng = np.random.default_rng(3)
    for _ in range(30):
        solid = make_solid(kind, rng, spread=0.3, aligned=False)
        graph, contacts = room(zone=solid)
        graph.add("thing")
        for _ in range(10):
            point = rng.uniform(-0.7, 0.7, 3)
            graph["thing"].pose = Pose.at(*point)
            assert contacts.is_inside("zone", "thing") == (depth_in(solid, point) >= 0)


def test_a_region_needs_solids() -> None:
    graph, contacts = room(a=BALL)
    graph.add("zone", content=Region(), attributes=Attributes())
    with pytest.raises(ValueError, match="'zone' has no solids"):
        contacts.is_inside("zone", "a")
