"""Pages that ask see what people carry; nobody asks, nothing is worked out."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any

import msgspec
import numpy as np
import pytest
from support.people import manikin
from support.served_room import PATIENCE, Page, ServedRoom, served

from robotix.ergonomics import assess
from robotix.geometry import Pose
from robotix.human.body.skeleton import SIDES
from robotix.scene.commands.people import Perform
from robotix.scene.scene import Scene
from robotix.server.live.hub import Client, ControlLease, Hub
from robotix.server.live.observer import Observer
from robotix.server.live.people_publisher import PeoplePublisher
from robotix.server.live.people_worker import PostureQuery, evaluate, register_subject
from robotix.server.live.person_states import in_world
from robotix.server.live.room_state import RoomState
from robotix.server.live.snapshot import PersonSnapshot, snapshot_person
from robotix.server.wire.people import PersonState

SITTING = {"hip_flexion": 78, "knee_flexion": 75, "elbow_flexion": 70}


def make_room(*, task: str = "") -> Scene:
    scene = Scene(name="people")
    scene.add_person("ann", manikin("f"), pose=Pose.at(1, 2, 0, rpy=(0, 0, 0.5)))
    if task:
        Perform("ann", task, load=10 if task == "lift" else None).prepare(scene)
    return scene


def worked_out(now: PersonSnapshot) -> PersonState:
    register_subject(0, now.subject)
    (state,) = evaluate([PostureQuery(0, now.q, now.act_time)])
    return in_world(state, name=now.name, base=now.base)


def noted(scene: Scene) -> PersonSnapshot:
    scene.graph.update()
    return snapshot_person(scene, scene.people["ann"])


def assert_sound(state: PersonState) -> None:
    """Nothing in it is infinite or no number; a page can read it back."""
    told = json.loads(msgspec.json.encode(state), parse_constant=pytest.fail)

    def walk(value: Any) -> Iterator[float]:
        if isinstance(value, dict | list):
            for each in value.values() if isinstance(value, dict) else value:
                yield from walk(each)
        elif isinstance(value, float):
            yield value

    assert all(np.isfinite(value) for value in walk(msgspec.to_builtins(state)))
    assert msgspec.convert(told, PersonState) == state


# -- figures ----------------------------------------------------------------------------------


def test_figures_of_a_lift_are_those_of_its_assessment() -> None:
    scene = make_room(task="lift")
    person = scene.people["ann"]
    assert person.act is not None
    performance = person.act.performance
    whole, times = assess(performance), performance.motion.times
    for row in range(5, len(times) - 5, len(times) // 6):
        person.act_time = float(times[row])
        person.robot.set_q(performance.motion.q[row])
        state = worked_out(noted(scene))
        assert_sound(state)
        assert state.back is not None and state.is_dynamic and state.task == "lift"
        assert state.back.compression == pytest.approx(whole.back.compression[row], rel=1e-9)
        assert state.back.shear == pytest.approx(whole.back.shear[row], rel=1e-9)
        assert state.back.moment == pytest.approx(whole.back.moment[row], rel=1e-9)
        assert state.back.level == whole.back.compression_level[row]
        assert state.back.low <= state.back.compression <= state.back.high
        scores = {each.method: each.score for each in state.scores}
        assert scores["RULA"] == max(whole.scores.rula[side][row] for side in SIDES)
        assert scores["REBA"] == max(whole.scores.reba[side][row] for side in SIDES)
        assert scores["OWAS"] == whole.scores.owas[row]
        balance = person.balance()
        np.testing.assert_allclose(np.array(state.com), balance.com, atol=1e-9)
        gaps = np.array(state.polygon)[:, None] - balance.polygon  # they begin elsewhere
        assert len(state.polygon) == len(balance.polygon)
        assert np.linalg.norm(gaps, axis=2).min(axis=0).max() < 1e-6
        assert state.margin == pytest.approx(balance.margin, abs=1e-6)


def test_who_sits_is_said_to_and_the_seat_bears() -> None:
    scene = make_room()
    person = scene.people["ann"]
    q = person.robot.q.copy()
    for name, angle in SITTING.items():
        for side in SIDES:
            q[person.manikin.model.dof_index(f"{side}_{name}")] = np.radians(angle)
    person.robot.set_q(q)
    state = worked_out(noted(scene))
    assert_sound(state)
    assert state.bears == ["feet", "seat"] and "Assumed to sit" in state.note
    assert state.back is not None and 100 < state.back.compression < 1500
    assert [each.method for each in state.scores] == ["RULA", "REBA", "OWAS"]


def test_what_is_not_known_is_not_told() -> None:
    scene = make_room()
    person = scene.people["ann"]
    q = person.robot.q.copy()
    q[4] = np.radians(40)  # leans over
    person.robot.set_q(q)
    falling = worked_out(noted(scene))
    assert_sound(falling)
    assert falling.cop is None and not falling.is_supported and falling.note
    assert falling.margin is not None and falling.margin < 0 and falling.back is not None
    person.robot.node.pose = Pose.at(0, 0, 0, rpy=(0.1, 0, 0))
    slanted = worked_out(noted(scene))
    assert_sound(slanted)
    assert slanted.back is None and slanted.com is None and "sloped" in slanted.note
    bad = noted(scene)
    register_subject(0, bad.subject)
    (nonsense,) = evaluate([PostureQuery(0, np.full_like(bad.q, np.nan), 0.0)])
    assert_sound(nonsense)
    assert nonsense.back is None and nonsense.note.startswith("Cannot be assessed")


# -- only what is asked for, and only what changed ---------------------------------------------


def test_nothing_is_noted_unless_somebody_watches() -> None:
    scene = make_room()
    now = [0.0]
    observer = Observer(lambda: None, clock=lambda: now[0])
    observer(scene)
    observer.update_paused(scene)
    assert observer.pop().people is None
    observer.watches_people = True
    observer(scene)
    people = observer.pop().people
    assert people is not None and [now.name for now in people] == ["ann"]
    now[0] = 0.05
    observer(scene)  # too soon
    assert observer.pop().people is None
    now[0] = 0.1
    observer(scene)
    assert observer.pop().people is not None


class Counted(ThreadPoolExecutor):
    """Works in this process, and counts."""

    def __init__(self, *, fails: bool = False) -> None:
        super().__init__(1)
        self.asked = 0
        self.fails = fails

    def submit(self, work: Callable[..., Any], /, *args: Any, **more: Any) -> Future[Any]:
        if self.fails:
            raise OSError("no more processes")
        self.asked += work is evaluate
        return super().submit(work, *args, **more)


def run_feed(pool: Executor, *rounds: tuple[PersonSnapshot, ...]) -> tuple[list[str], Client]:
    """Feed what was noted, round by round; return what a page that watches is told of people."""
    told: list[str] = []

    async def go() -> Client:
        room = RoomState()
        hub = Hub(room, ControlLease(lambda: None))
        client = hub.add()
        feed = PeoplePublisher(hub, start=lambda: pool)
        for number, people in enumerate(rounds):
            before = room.people
            feed.update(people, number / 10)
            assert feed._task is not None
            await feed._task
            if room.people != before:
                told.append(room.people_text())
        feed.close()
        return client

    return told, asyncio.run(go())


def test_only_who_moved_is_worked_out_anew() -> None:
    scene = make_room()
    first, same = noted(scene), noted(scene)
    scene.people["ann"].robot.node.pose = Pose.at(3, 0, 0)
    elsewhere = noted(scene)
    q = elsewhere.q.copy()
    q[4] += 0.05
    scene.people["ann"].robot.set_q(q)
    bent = noted(scene)
    pool = Counted()
    told, _ = run_feed(pool, (first,), (same,), (elsewhere,), (bent,))
    assert (len(told), pool.asked) == (3, 2)  # the same twice is told once
    (a,), (b,), (c,) = (json.loads(text)["people"] for text in told)
    assert a["back"] == b["back"] and a["com"] != b["com"]
    assert b["back"] != c["back"]


def test_without_a_process_pages_go_on_and_hear_why() -> None:
    now = noted(make_room())
    told, client = run_feed(Counted(fails=True), (now,))
    assert told == []
    client.is_welcomed = True
    words = next(client.outgoing(RoomState(), ControlLease(lambda: None)))
    assert "no more processes" in words


class Hanging(Counted):
    """Never answers."""

    def submit(self, work: Callable[..., Any], /, *args: Any, **more: Any) -> Future[Any]:
        return Future()


@pytest.mark.parametrize("broken", [Counted(fails=True), Hanging()], ids=["fails", "hangs"])
def test_after_a_failure_another_process_is_started(broken: Executor) -> None:
    now = noted(make_room())
    worked_out(now)  # what is imported and compiled for it is there
    pools, clock = [broken, broken, Counted()], [0.0]

    async def go() -> tuple[list[str], list[int]]:
        room = RoomState()
        hub = Hub(room, ControlLease(lambda: None))
        client = hub.add()
        client.is_welcomed = True
        feed = PeoplePublisher(hub, start=lambda: pools.pop(0), clock=lambda: clock[0], timeout=1.0)
        left = []
        for clock[0] in (0.0, 0.5, 1.0, 2.5, 3.0):  # s; waits of one second, then of two
            feed.update((now,), clock[0])
            assert feed._task is not None
            await feed._task
            left.append(len(pools))
        feed.close()
        assert room.people == 1
        heard = [text for text in client.outgoing(room, hub.lease) if isinstance(text, str)]
        return [text for text in heard if "figures of people" in text], left

    told, left = asyncio.run(go())
    assert left == [2, 2, 1, 1, 0]
    assert len(told) == 1  # the same failure twice


# -- over the wire ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def room() -> Iterator[ServedRoom]:
    with served(make_room()) as room:
        yield room


def test_a_page_that_watches_is_told_and_others_are_not(room: ServedRoom) -> None:
    with room.page() as idle:
        idle.until("robots")
        assert room.service.room.people == 0
        with room.page() as page:
            page.send("watch_people", is_on=True)
            told = first_figures(page)
            (ann,) = told["people"]
            assert told["limits"] == {"compression": [3400, 6400], "shear": [700, 1000]}
            assert ann["name"] == "ann" and ann["is_supported"] and ann["bears"] == ["feet"]
            state = worked_out(noted(room.scene))
            assert state.back is not None and state.cop is not None
            assert ann["back"]["compression"] == pytest.approx(state.back.compression, rel=1e-9)
            assert ann["cop"] == pytest.approx(state.cop, abs=1e-9)
            page.send("watch_people", is_on=False)
            page.send("watch_people", is_on=True)
            assert page.until("people")["people"] == [ann]  # it may have forgotten
        for _ in range(3):
            idle.until("robots")
        assert not [message for message in idle.heard if message["kind"] == "people"]
    assert wait_for(lambda: not room.service.hub.watches_people)


def first_figures(page: Page) -> dict[str, Any]:
    """Wait until the new process has worked out the first: on a busy machine it starts slowly."""
    end = time.monotonic() + 4 * PATIENCE
    while not any(message["kind"] == "people" for message in page.heard):
        assert time.monotonic() < end, "no figures of people"
        page.read()
    return page.until("people")


def wait_for(is_so: Callable[[], bool]) -> bool:
    """Give the server's thread the time it needs."""
    end = time.monotonic() + 20
    tick = threading.Event()
    while not is_so() and time.monotonic() < end:
        tick.wait(0.01)
    return is_so()
