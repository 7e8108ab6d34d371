"""The state's bytes: equal when, and only when, the room is."""

from collections.abc import Callable

import numpy as np
import pytest
from support.recorded_rooms import inputs_at, make_room

from robotix.geometry import Mesh, Pose
from robotix.model import Visual
from robotix.scene.events.events import Event, Signal
from robotix.scene.graph.content import Material, Sound
from robotix.scene.recording.state import SECTIONS, Digest, StateReader, state_bytes
from robotix.scene.scene import Scene


def run(scene: Scene, ticks: int) -> Scene:
    for _ in range(ticks):
        scene.step(inputs_at(scene.tick + 1))
    return scene


def test_same_start_and_same_inputs_give_the_same_bytes() -> None:
    assert state_bytes(run(make_room(), 80)) == state_bytes(run(make_room(), 80))
    assert state_bytes(run(make_room(), 80)) != state_bytes(run(make_room(seed=8), 80))


def test_what_is_remembered_is_never_stale() -> None:
    scene = make_room()
    reader = StateReader(scene)
    for _ in range(120):
        run(scene, 1)
        assert reader.read() == StateReader(scene).read()


def _rename(scene: Scene) -> None:
    scene.graph.rename("table", "desk")


def _sound(uri: str) -> Callable[[Scene], None]:
    def change(scene: Scene) -> None:
        scene.graph["cup"].content = Sound(uri)
        scene.graph["cup"].touch()

    return change


CHANGES: dict[str, tuple[str, Callable[[Scene], object]]] = {
    "place": ("places", lambda s: setattr(s.graph["cup"], "pose", Pose.at(0, 0, 1e-15))),
    "hidden": ("nodes", lambda s: s.graph["cup"].set(visible=False)),
    "colour": ("nodes", lambda s: s.graph["cup"].set(material=Material((1, 0, 0)))),
    "sound": ("nodes", _sound("a.ogg")),
    "new name": ("nodes", _rename),
    "new node": ("nodes", lambda s: s.graph.add("new")),
    "new parent": ("nodes", lambda s: s.graph.attach("cup", "world", stay=False)),
    "gone": ("nodes", lambda s: s.graph.remove("cup")),
    "q": ("robots", lambda s: s.robots["arm"].q.__setitem__(0, 1e-300)),
    "dq": ("robots", lambda s: s.robots["arm"].dq.__setitem__(2, -0.0)),
    "active": ("robots", lambda s: setattr(s, "active_robot", "arm")),
    "timer": ("timers", lambda s: s.timers.start("tea", 3)),
    "chance": ("random numbers", lambda s: s.rng.random()),
    "event": ("events", lambda s: s.events.append(Event(Signal("go")))),
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_shows_in_its_section(change: str) -> None:
    section, make = CHANGES[change]
    scene = run(make_room(), 3)
    scene.robots["arm"].q = scene.robots["arm"].q.copy()
    reader, before = StateReader(scene), state_bytes(scene)
    first = reader.read()
    make(scene)
    differing = {name for name, a, b in zip(SECTIONS, first, reader.read(), strict=True) if a != b}
    assert section in differing
    assert differing <= {section, "places"}  # nodes that come and go have places
    assert state_bytes(scene) != before


def test_children_know_when_their_parent_is_called_otherwise() -> None:
    scene = make_room()
    reader = StateReader(scene)
    reader.read()
    _rename(scene)
    assert reader.read() == StateReader(scene).read()


def test_of_a_file_only_the_name_counts() -> None:
    def room(folder: str, name: str) -> bytes:
        scene = Scene()
        scene.graph.add("cup", visuals=[Visual(Mesh(f"{folder}/{name}.glb"))])
        return state_bytes(scene)

    assert room("here", "cup") == room("there", "cup") != room("here", "mug")


def test_a_digest_stands_for_all_that_was() -> None:
    one, two = make_room(), make_room()
    first, second = Digest(one), Digest(two)
    one.rng.random()
    for scene, digest in ((one, first), (two, second)):
        digest.update()
        scene.rng = np.random.default_rng(0)
        digest.update()
    assert state_bytes(one) == state_bytes(two)
    assert first.sums == second.sums
    assert first.value != second.value
