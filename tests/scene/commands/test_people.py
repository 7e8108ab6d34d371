"""People in a room: they perform, stop, start where they stand, carry things, and can be drawn."""

from __future__ import annotations

import numpy as np
import pytest
from support.people import manikin

from robotix.errors import UnknownName
from robotix.geometry import Box, Cylinder, Halfspace, Pose
from robotix.human.evaluation.report import measure
from robotix.human.skin.skin_kernels import face_normals
from robotix.inputs.problem import Problem
from robotix.scene import Event, Recorder, Scene, Signal, replay
from robotix.scene.commands.basic import InTurn, Say
from robotix.scene.commands.people import Perform
from robotix.scene.events.messages import Announcement
from robotix.scene.people.person import Person
from robotix.scene.people.task_steps import (
    AvoidStep,
    GraspStep,
    MoveHandStep,
    PickUpStep,
    PutDownStep,
    ReachStep,
    ReleaseStep,
    StandStep,
    TogetherStep,
    TurnStep,
    WaitStep,
    WalkStep,
)
from robotix.scene.recording.recorder import Header
from robotix.scene.recording.state import Digest

GO = Event(Signal("go"), True)
FEET = ("right_foot", "left_foot")


def room(**pose: float) -> tuple[Scene, Person]:
    scene = Scene(dt=1 / 60)
    scene.graph.add("floor", solids=[Halfspace()])
    at = Pose.at(pose.get("x", 0.0), pose.get("y", 0.0), 0.0, rpy=(0, 0, pose.get("yaw", 0.0)))
    return scene, scene.add_person("anna", manikin("f"), pose=at)


def run(scene: Scene, seconds: float) -> list[str]:
    """Let time pass; return what was said."""
    said: list[str] = []
    for _ in range(round(seconds / scene.dt)):
        scene.step()
        assert not [each for each in scene.messages if isinstance(each, Problem)], scene.messages
        said += [each.text for each in scene.messages if isinstance(each, Announcement)]
    return said


def perform(scene: Scene, command: Perform) -> float:
    """Let somebody perform to the end; return how long it took."""
    start = scene.time
    action = command(scene, GO)
    assert action is not None
    running = scene.start(action)
    while not running.is_done:
        run(scene, scene.dt)
    return scene.time - start


def feet_of(person: Person) -> np.ndarray:
    graph = person.robot.context.graph
    return np.array([graph[f"anna/{foot}"].world_position for foot in FEET])


def test_a_lift_is_played_and_the_box_goes_with_the_hands() -> None:
    scene, anna = room(x=1.0, y=2.0, yaw=np.pi / 2)
    lift = Perform("anna", "lift", load=6.0, style="squat")
    lift.prepare(scene)
    box, table = scene.graph["anna/lift/box"], scene.graph["anna/lift/table"]
    low = box.world_position
    assert low[2] < 0.2 and low[1] > 2.2 and abs(low[0] - 1.0) < 0.01  # ahead of her: along y
    action = lift(scene, GO)
    assert action is not None
    scene.start(action)
    away = []
    while scene.time < 8:
        run(scene, scene.dt)
        hands = [scene.graph[f"anna/{s}_hand"].world_position for s in ("right", "left")]
        if 3 < scene.time < 7:
            away.append(np.linalg.norm(np.mean(hands, axis=0) - box.world_position))
            assert anna.balance().margin > 0  # of the mass centre; the zero-moment point is planned
    assert max(away) < 0.005
    assert anna.act is not None
    report = measure(anna.act.performance)
    assert report.zmp_outside == 0 and report.cop_margin is not None and report.cop_margin > 0
    run(scene, 6)
    size = anna.manikin.anthropometry.stature * 0.16
    top = table.world_position[2] + 0.015
    assert box.world_position[2] == pytest.approx(top + size / 2, abs=2e-3)


def test_a_person_without_task_costs_nothing_and_stands() -> None:
    scene, anna = room()
    run(scene, 0.5)
    assert scene.robots["anna"] is anna.robot and not anna.robot.is_moving
    balance = anna.balance()
    assert balance.margin > 0.05 and balance.polygon.shape[1] == 3
    assert "skin" not in anna.__dict__  # nobody has looked


def test_what_follows_begins_where_the_person_stands() -> None:
    scene, anna = room(yaw=np.pi)
    walk = Perform("anna", "walk", with_={"distance": 0.6})
    perform(scene, walk)
    run(scene, 0.1)
    before = feet_of(anna)
    assert before[:, 0] == pytest.approx(-0.6, abs=5e-3)
    second = walk(scene, GO)
    assert second is not None
    scene.start(second)
    run(scene, 0.2)  # she waits before she goes
    assert abs(feet_of(anna) - before).max() < 2e-3
    run(scene, 10)
    assert feet_of(anna)[:, 0] == pytest.approx(-1.2, abs=1e-2)


def test_things_of_another_task_come_and_go() -> None:
    scene, _ = room()
    sit, rise = Perform("anna", "sit_down"), Perform("anna", "stand_up_at_table")
    sit.prepare(scene)
    rise.prepare(scene)
    chair, table = scene.graph["anna/sit_down"], scene.graph["anna/stand_up_at_table"]
    assert chair.attributes.visible and not table.attributes.visible
    assert not scene.graph["anna/stand_up_at_table/table"].attributes.collidable
    perform(scene, sit)
    perform(scene, rise)
    assert table.attributes.visible and not chair.attributes.visible
    assert scene.graph["anna/stand_up_at_table/table"].attributes.collidable


def test_a_stopped_person_stays_and_can_go_on_with_something_else() -> None:
    scene, anna = room()
    action = Perform("anna", "walk")(scene, GO)
    assert action is not None
    running = scene.start(action)
    run(scene, 2.5)
    scene.actions.stop(running)
    run(scene, 0.1)
    q = anna.robot.q.copy()
    run(scene, 0.5)
    assert np.array_equal(q, anna.robot.q)
    perform(scene, Perform("anna", "sit_down"))
    assert anna.robot.model.name == "human" and anna.balance().margin > 0


def test_a_new_performance_takes_over() -> None:
    scene, anna = room()
    first, second = Perform("anna", "walk"), Perform("anna", "lift")
    for command in (first, second):
        command.prepare(scene)
    started = []
    for command in (first, second):
        action = command(scene, GO)
        assert action is not None
        started.append(scene.start(action))
        run(scene, 0.2)
    assert started[0].is_done and not started[1].is_done
    assert anna.act is not None and anna.act.performance.task == "lift"


def test_what_cannot_be_done_is_told_with_how_much_is_missing() -> None:
    scene, anna = room()
    reach = Perform("anna", "reach", with_={"distance": 2.0})
    scene.on(Signal("go"), InTurn((reach, Say("over"))))
    scene.emit("go")
    said = run(scene, 8)
    assert said[0].startswith("anna: reach: right_hand falls short by") and said[1] == "over"
    assert anna.balance().margin > 0


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (Perform("anna", "fly"), "no task 'fly'"),
        (Perform("bert", "lift"), "no person 'bert'"),
        (Perform("anna", "walk", load=3.0), "no parameter of walk 'load'"),
        (Perform("anna", "lift", with_={"table": 1.0}), "no parameter of lift 'table'"),
        (Perform("anna", "lift", load=-1.0), "from 0 to 1000"),
    ],
)
def test_wrong_requests_are_refused(command: Perform, message: str) -> None:
    with pytest.raises((UnknownName, ValueError), match=message):
        command.check(room()[0])


# -- recorded -------------------------------------------------------------------------------


def performing(header: Header | None = None) -> Scene:
    scene, _ = room(x=0.3, yaw=0.4)
    scene.assets.tasks["wave"] = (MoveHandStep((0.3, -0.4, 1.4)), StandStep(), WaitStep(0.2))
    lift = Perform("anna", "lift", load=4.0)
    scene.on(Signal("go"), InTurn((lift, Perform("anna", "wave"), Perform("anna", "sit_down"))))
    scene.emit("go")
    return scene


def test_replay_gives_the_same_digests(tmp_path) -> None:  # type: ignore[no-untyped-def]
    scene = performing()
    with Recorder(tmp_path / "room.mcap", scene) as recorder:
        for _ in range(round(20 / scene.dt)):
            scene.step()
            recorder(scene)
    report = replay(tmp_path / "room.mcap", load=performing)
    assert report.digest_ok and report.ticks == report.recorded == scene.tick
    other = performing()
    digests = []
    for each in (performing(), other):
        digest = Digest(each)
        for _ in range(200):
            each.step()
            digest.update()
        digests.append(digest.value)
    assert digests[0] == digests[1]


# -- tasks made of steps --------------------------------------------------------------------


def kitchen() -> tuple[Scene, Person]:
    scene, anna = room(x=0.5)
    scene.graph.add("desk", pose=Pose.at(1.8, 0, 0.7), solids=[Box(np.array([0.7, 1.4, 0.03]))])
    cup = scene.graph.add("cup", parent="desk", pose=Pose.at(-0.2, -0.1, 0.065))
    cup.solids = (Cylinder(0.035, 0.1),)
    crate = np.array([0.28, 0.32, 0.26])
    scene.graph.add("crate", pose=Pose.at(0.85, 0, 0.13), solids=[Box(crate)])
    scene.graph.add("bench", pose=Pose.at(1.75, 0, 0.35), solids=[Box(np.array([0.6, 1.0, 0.7]))])
    return scene, anna


def test_a_cup_is_fetched_and_put_back() -> None:
    scene, _ = kitchen()
    scene.graph.remove("bench")
    scene.graph.remove("crate")
    cup = scene.graph["cup"]
    start = cup.world_position
    scene.assets.tasks["fetch"] = (
        AvoidStep(("desk",)),
        WalkStep("cup", short_of=0.45),
        ReachStep("cup"),
        GraspStep("cup", mass=0.4),
        TogetherStep((StandStep(), MoveHandStep((0.95, -0.15, 1.1)))),
        WaitStep(0.2),
        ReachStep("cup", via=((0.95, -0.1, 0.95),)),
        ReleaseStep("cup"),
        StandStep(),
    )
    fetch = Perform("anna", "fetch")
    assert fetch.prepare(scene).faults() == ()
    highest = start[2]
    action = fetch(scene, GO)
    assert action is not None
    running = scene.start(action)
    while not running.is_done:
        run(scene, scene.dt)
        highest = max(highest, cup.world_position[2])
    assert highest > start[2] + 0.2
    assert np.linalg.norm(cup.world_position - start) < 5e-3
    assert cup.world_pose.rotation == pytest.approx(np.eye(3), abs=0.2)


def test_a_crate_of_the_room_is_put_onto_a_bench() -> None:
    scene, _ = kitchen()
    scene.graph.remove("desk")
    scene.assets.tasks["store"] = (
        AvoidStep(("bench",)),
        PickUpStep("crate", mass=5.0, height=0.9),
        WalkStep("bench", short_of=0.56),
        PutDownStep("crate", on="bench"),
    )
    store = Perform("anna", "store")
    assert store.prepare(scene).faults() == ()
    perform(scene, store)
    crate = scene.graph["crate"].world_position
    assert crate[2] == pytest.approx(0.7 + 0.13, abs=2e-3) and crate[0] > 1.5


def test_people_turn_and_walk_anywhere() -> None:
    scene, anna = room()
    scene.assets.tasks["round"] = (TurnStep(1.2), WalkStep((-0.6, -0.6, 0.0)), WaitStep(0.1))
    command = Perform("anna", "round")
    assert command.prepare(scene).faults() == ()
    perform(scene, command)
    stance = anna.stance()
    assert stance.translation[:2] == pytest.approx([-0.6, -0.6], abs=5e-3)
    assert np.arctan2(*stance.rotation[1::-1, 0]) == pytest.approx(-0.75 * np.pi, abs=0.02)


def test_a_thing_that_is_no_longer_there_is_told() -> None:
    scene, _ = kitchen()
    scene.assets.tasks["point"] = (ReachStep("cup"),)
    point = Perform("anna", "point")
    point.prepare(scene)
    scene.graph["desk"].pose = Pose.at(2.4, 0, 0.7)
    scene.on(Signal("go"), point)
    scene.emit("go")
    scene.step()
    problems = [each.what for each in scene.messages if isinstance(each, Problem)]
    assert "'cup' is 0.60 m from where it was prepared for" in problems[0]


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ((ReleaseStep("cup"),), "nobody has taken 'cup'"),
        ((TurnStep(1.0), PickUpStep("crate")), "facing the way the task begins"),
        ((PickUpStep("cup"),), "must be made of boxes"),
    ],
)
def test_steps_that_make_no_sense(steps: tuple[object, ...], message: str) -> None:
    scene, _ = kitchen()
    scene.assets.tasks["odd"] = steps  # type: ignore[assignment]
    with pytest.raises(ValueError, match=message):
        Perform("anna", "odd").check(scene)


def test_steps_refuse_times_and_masses() -> None:
    with pytest.raises(ValueError, match=r"0\.05 s to 120 s"):
        WaitStep(0.0)
    with pytest.raises(ValueError, match="mass must be"):
        GraspStep("cup", mass=-1.0)


# -- drawn ----------------------------------------------------------------------------------


def test_four_bones_a_vertex_draw_the_body_where_it_is() -> None:
    scene, anna = room(x=2.0, yaw=1.0)
    perform(scene, Perform("anna", "sit_down"))
    bound, bones = anna.binding, anna.bones()
    assert bones.shape == (len(bound.bone_names), 4, 4) and bound.parents[0] == -1
    assert bound.weights.sum(axis=1) == pytest.approx(1.0)
    rest = np.column_stack([bound.vertices, np.ones(len(bound.vertices))])
    blended = sum(
        bound.weights[:, k, None] * np.einsum("nij,nj->ni", bones[bound.bones[:, k]], rest)
        for k in range(4)
    )
    exact = anna.robot.node.world_pose.apply(anna.skin.at(anna.robot.posture).vertices)
    away = np.linalg.norm(np.asarray(blended)[:, :3] - exact, axis=1)
    assert np.median(away) < 2e-3 and away.max() < 0.05  # matrices against dual quaternions
    normals = np.empty_like(bound.vertices)
    face_normals(bound.vertices, anna.skin.faces, normals)
    assert np.array_equal(normals, bound.normals)


def test_removed_people_are_gone() -> None:
    scene, _ = room()
    scene.remove_robot("anna")
    assert not scene.people and "anna" not in scene.graph
    with pytest.raises(UnknownName, match="no person 'anna'"):
        scene.person("anna")
