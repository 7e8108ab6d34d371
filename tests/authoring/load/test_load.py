"""Scene files become rooms that do what they say."""

import math
import shutil
from pathlib import Path

import numpy as np
import pytest

from robotix.authoring import check_scene, load_scene
from robotix.errors import BadFile
from robotix.geometry import Box, Capsule, Cylinder, Halfspace, Mesh, Sphere
from robotix.inputs.problem import Problem
from robotix.inputs.readings import Inputs, Reading
from robotix.scene.events.events import Button, ClientConnected
from robotix.scene.events.messages import Announcement
from robotix.scene.graph.content import Light, Region, Sound, Viewpoint
from robotix.scene.scene import Scene

SCENES = Path(__file__).parents[3] / "examples" / "scenes"
EXAMPLES = sorted(SCENES.rglob("*.yaml"))


def write(folder: Path, text: str, *, name: str = "scene.yaml") -> Path:
    path = folder / name
    path.write_text("robotix: 1\n" + text, encoding="utf-8")
    return path


def load(folder: Path, text: str) -> Scene:
    return load_scene(write(folder, text), trust=True)


def said(scene: Scene, ticks: int, inputs: Inputs | None = None) -> list[str]:
    """Run, and return all that was said; nothing may go wrong."""
    words = []
    for _ in range(ticks):
        scene.step(inputs)
        assert not [message for message in scene.messages if isinstance(message, Problem)]
        words += [message.text for message in scene.messages if isinstance(message, Announcement)]
    return words


# -- examples -------------------------------------------------------------------------------


@pytest.fixture
def scenes(tmp_path: Path) -> Path:
    """A copy of the examples: what they write stays there."""
    return Path(shutil.copytree(SCENES, tmp_path / "scenes"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_sound_and_runs(path: Path, scenes: Path) -> None:
    copy = scenes / path.relative_to(SCENES)
    assert check_scene(copy) == []
    scene = load_scene(copy, trust=True)
    said(scene, 120)
    assert np.isfinite(scene.graph.world).all()


def test_the_ball_bounces_and_comes_to_rest_on_the_step(scenes: Path) -> None:
    scene = load_scene(scenes / "falling_ball.yaml")
    words = said(scene, 400)
    assert words.count("boing") >= 3 and words[-1] == "The ball lies still."
    assert scene.graph["ball"].world_position == pytest.approx([0, 0, 0.3], abs=1e-3)


def test_the_door_opens_for_the_cart_and_closes_behind_it(scenes: Path) -> None:
    scene = load_scene(scenes / "door.yaml")
    turned = []
    for _ in range(700):
        said(scene, 1)
        turned.append(math.degrees(scene.graph["hinge"].pose.rpy[2]))
    assert min(turned) == pytest.approx(-80) and turned[0] == turned[-1] == 0


def test_the_door_follows_a_hand(scenes: Path) -> None:
    scene = load_scene(scenes / "door.yaml")
    pinch = frozenset({"pinch"})
    for tick in range(120):
        angle = -0.5 * tick / 120
        x, y = -0.96 * math.sin(angle), -0.5 + 0.96 * math.cos(angle)
        hand = Reading(buttons=pinch, position=(x, y, 1.0))
        scene.step(Inputs(devices={"glove": hand}))
    assert scene.graph["door"].pose.rpy[2] == pytest.approx(-0.5, abs=0.05)


def test_postures_are_taught_and_played(scenes: Path) -> None:
    scene = load_scene(scenes / "teach_and_play.yaml")
    arm = scene.robots["arm"]
    assert "The arm moves." in said(scene, 240)
    assert "trace of pen" in scene.graph

    def press(key: str, ticks: int) -> list[str]:
        keys = Inputs(devices={"keyboard": Reading(buttons=frozenset({key}))})
        return said(scene, ticks, keys) + said(scene, 1)

    press("x", 1)
    taught = []
    for key in ("Left", "Up", "Right"):
        press(key, 30)
        assert "Kept." in press("s", 1)
        taught.append(arm.q.copy())
    assert (scenes / "taught.csv").is_file()
    press("p", 1)
    passed = [arm.q.copy()]
    for _ in range(600):
        scene.step()
        passed.append(arm.q.copy())
    for posture in taught:
        assert min(np.abs(np.array(passed) - posture).max(axis=1)) < 0.02


def test_the_arm_keeps_clear_of_the_post(scenes: Path) -> None:
    scene = load_scene(scenes / "obstacle.yaml")
    turns, gaps, words = [], [], []
    for _ in range(500):
        words += said(scene, 1)
        turns.append(math.degrees(scene.robots["arm"].q[0]))
        gaps.append(scene.contacts.distance("arm", "post").distance)
    assert min(turns) < -45 and turns[-1] > 40  # it went there and back
    assert min(gaps) > 0.079
    assert not any("Touched" in word for word in words)


# -- what files can say ---------------------------------------------------------------------


def test_objects_have_shapes(tmp_path: Path) -> None:
    (tmp_path / "cube.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n")
    scene = load(
        tmp_path,
        """
objects:
  a: {box: [1, 2, 3], scale: [2, 1, 1]}
  b: {sphere: 0.5, scale: 2}
  c: {cylinder: [0.1, 2]}
  d: {capsule: {radius: 0.1, length: 2}}
  e: {plane: true}
  f: {mesh: cube.obj, scale: [1, 2, 3]}
  g: {mesh: {file: cube.obj, scale: 0.01}, scale: 2}
  h: {parts: [{box: [1, 1, 1]}, {sphere: 1, at: [0, 0, 1]}]}
  i:
""",
    )
    a, b, c, d, e, f, g, h = (scene.graph[name].solids for name in "abcdefgh")
    assert isinstance(a[0], Box) and a[0].size.tolist() == [2, 2, 3]
    assert isinstance(b[0], Sphere) and scene.graph["b"].scale == 2
    assert isinstance(c[0], Cylinder) and isinstance(d[0], Capsule)
    assert isinstance(e[0], Halfspace)
    assert isinstance(f[0], Mesh) and f[0].scale == (1, 2, 3) and Path(f[0].uri).is_file()
    assert isinstance(g[0], Mesh) and g[0].scale == (0.01, 0.01, 0.01)
    assert len(h) == 2 and h[1].pose.translation.tolist() == [0, 0, 1]
    assert scene.graph["i"].solids == ()
    assert [visual.shape for visual in scene.graph["h"].visuals] == list(h)


def test_objects_hold_lights_cameras_sounds_regions(tmp_path: Path) -> None:
    (tmp_path / "ding.wav").write_bytes(b"RIFF")
    scene = load(
        tmp_path,
        """
objects:
  lamp: {light: {kind: sun, colour: yellow, strength: 2}}
  sky: {light: ambient}
  eye: {viewpoint: {field_of_view_deg: 90}}
  bell: {sound: [ding.wav, true]}
  zone: {box: [1, 1, 1], region: true}
""",
    )
    graph = scene.graph
    assert graph["lamp"].content == Light("sun", (240 / 255, 208 / 255, 48 / 255), 2.0)
    assert graph["sky"].content == Light("ambient")
    assert graph["eye"].content == Viewpoint(math.pi / 2)
    assert graph["bell"].content == Sound("ding.wav", loop=True)
    assert graph["zone"].content == Region() and graph["zone"].visuals == ()


def test_places_and_looks(tmp_path: Path) -> None:
    scene = load(
        tmp_path,
        """
materials: {oak: {colour: "#ff8000", roughness: 0.8}}
objects:
  top: {on: leg, at: [0, 0, 1], rpy_deg: [0, 0, 90], material: oak}
  leg: {at: [1, 0, 0], rpy: [0, 0, 1.5], wireframe: true, visible: false}
  ball: {quaternion: [0, 0, 0, 1], material: {colour: [0, 0.5, 1], opacity: 0.5}, pickable: false}
""",
    )
    top, leg, ball = (scene.graph[name] for name in ("top", "leg", "ball"))
    assert top.parent is leg and top.world_position == pytest.approx([1, 0, 1])
    assert top.pose.rpy == pytest.approx([0, 0, math.pi / 2])
    assert leg.pose.rpy == pytest.approx([0, 0, 1.5])
    assert ball.pose.rpy[2] == pytest.approx(math.pi)
    assert top.attributes.material is scene.assets.materials["oak"]
    assert ball.attributes.material is not None and ball.attributes.material.opacity == 0.5
    assert leg.attributes.wireframe and not leg.attributes.visible
    assert not ball.attributes.pickable and ball.attributes.collidable


def test_robots_stand_on_things_and_things_on_robots(tmp_path: Path) -> None:
    scene = load(
        tmp_path,
        """
objects:
  tool: {box: [0.1, 0.1, 0.1], on: arm/flange}
  table: {box: [1, 1, 0.1]}
robots:
  arm: {model: scara, on: table, at: [0, 0, 0.05], q_deg: [90, 0, 0.1, 0]}
  other: planar_3r
""",
    )
    assert list(scene.robots) == ["arm", "other"]
    assert scene.robots["arm"].q == pytest.approx([math.pi / 2, 0, 0.1, 0])  # the third slides
    assert scene.robots["arm"].node.parent is scene.graph["table"]
    assert scene.graph["tool"].world_position[1] > 0.3  # at the end of the turned arm


def test_robots_come_from_files_too(tmp_path: Path) -> None:
    (tmp_path / "arms").mkdir()
    (tmp_path / "arms" / "one.urdf").write_text(
        '<robot name="one"><link name="a"/><link name="b"/><joint name="j" type="revolute">'
        '<parent link="a"/><child link="b"/><axis xyz="0 0 1"/>'
        '<limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>'
    )
    scene = load(tmp_path, "robots: {one: arms/one.urdf}\n")
    assert scene.robots["one"].model.n_dof == 1


def test_rules_follow_their_sources(tmp_path: Path) -> None:
    scene = load(
        tmp_path,
        """
devices: {stick: translate3}
rules:
  - {when: {key: Left}, mode: change, do: {emit: arrow}}
  - {when: {event: arrow}, do: {say: pressed}}
  - {when: {event: arrow}, mode: off, do: {say: released}}
  - {when: {button: [stick, fire]}, do: {say: fire}, name: shoot}
  - {when: {client: any}, do: {say: welcome}}
  - {when: {timer: egg}, do: [{say: ready}, {wait: 0.5}, {say: cold}]}
start: [{start_timer: [egg, 1]}, {say: go}]
""",
    )
    assert {rule.source for rule in scene.rules} >= {Button("keyboard", "Left"), ClientConnected()}
    assert "shoot" in [rule.name for rule in scene.rules]
    assert said(scene, 1) == ["go"]
    left = Inputs(devices={"keyboard": Reading(buttons=frozenset({"Left"}))})
    assert said(scene, 1, left) == ["pressed"]
    assert said(scene, 1) == ["released"]
    fire = Inputs(
        devices={"stick": Reading(buttons=frozenset({"fire"}))}, clients=frozenset({"me"})
    )
    assert said(scene, 1, fire) == ["fire", "welcome"]
    assert said(scene, 200, fire) == ["ready", "cold"]


def test_at_the_start_nothing_waits_for_anything_else(tmp_path: Path) -> None:
    scene = load(
        tmp_path,
        """
start:
  - repeat: [{wait: 0.1}]
  - say: at once
  - {in_turn: [{wait: 0.1}, {say: later}]}
""",
    )
    assert said(scene, 1) == ["at once"]
    assert said(scene, 20) == ["later"]


def test_robots_by_number_are_those_of_that_name(tmp_path: Path) -> None:
    scene = load(
        tmp_path,
        """
robots: {one: scara, two: scara}
rules: [{when: {moves: "2"}, do: {say: it moves}}]
start: {step: {by: [0.1, 0, 0, 0], robot: "2"}}
""",
    )
    assert said(scene, 3) == ["it moves"]


def test_the_console_is_there(tmp_path: Path) -> None:
    scene = load(tmp_path, "robots: {arm: scara}\n")
    assert any("arm" in text for text in said(scene, 1, Inputs(commands=("printvar",))))


def test_robots_can_be_added_later(tmp_path: Path) -> None:
    shutil.copy(Path(__file__).parents[3] / "src/robotix/model/data/scara.toml", tmp_path)
    scene = load(tmp_path, "start: [{init: scara.toml}, {init: scara.toml}]\n")
    said(scene, 1)
    assert len(scene.robots) == 2


def test_plugins_start_when_loaded_not_when_checked(tmp_path: Path) -> None:
    (tmp_path / "mark.py").write_text(
        "from pathlib import Path\n"
        "def init(args): Path(args).write_text('started')\n"
        "def beep(state, args): pass\n"
    )
    mark = tmp_path / "mark.txt"
    path = write(
        tmp_path,
        f"plugins: {{mark: {{module: mark, args: '{mark}'}}}}\n"
        "rules: [{when: {key: a}, do: {call: [mark, beep]}}]\n",
    )
    assert check_scene(path) == [] and not mark.exists()
    load_scene(path)
    assert not mark.exists()  # nobody said that it may
    load_scene(path, trust=True)
    assert mark.read_text() == "started"


def test_a_plug_in_may_bring_another_but_not_one_that_the_file_has(tmp_path: Path) -> None:
    (tmp_path / "first.py").write_text("def setup(scene): scene.plugins.add('second')\n")
    (tmp_path / "second.py").write_text("")
    assert len(load(tmp_path, "plugins: {first: {module: first}}\n").plugins) == 2
    with pytest.raises(BadFile, match="'second' already"):
        load(tmp_path, "plugins: {first: {module: first}, second: {module: second}}\n")


# -- includes -------------------------------------------------------------------------------


def test_included_files_come_first_and_once(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    write(tmp_path, "objects: {leg: {}}\n", name="parts/leg.yaml")
    write(tmp_path, "include: leg.yaml\nobjects: {a: {on: leg}}\n", name="parts/a.yaml")
    write(tmp_path, "include: [leg.yaml]\nobjects: {b: {on: leg}}\n", name="parts/b.yaml")
    scene = load(tmp_path, "include: [parts/a.yaml, parts/b.yaml]\nobjects: {c: {on: a}}\n")
    assert scene.graph.names == ("world", "leg", "a", "b", "c")


def test_files_are_named_from_where_they_stand(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "ding.wav").write_bytes(b"RIFF")
    write(tmp_path, "objects: {bell: {sound: ding.wav}}\n", name="parts/bell.yaml")
    scene = load(tmp_path, "include: parts/bell.yaml\n")
    assert scene.graph["bell"].content == Sound("parts/ding.wav")


@pytest.mark.parametrize(
    ("included", "where", "words"),
    [
        ("objects: {a: {}}\n", "scene.yaml:3", "first in"),
        ("include: scene.yaml\n", "part.yaml:2", "circle"),
        ("objects: {b: {sphere: x}}\n", "part.yaml:2:23", "a number"),
        ("objects: [a\n", "part.yaml:2", "not closed"),
    ],
)
def test_an_error_names_the_file_it_is_in(
    included: str, where: str, words: str, tmp_path: Path
) -> None:
    write(tmp_path, included, name="part.yaml")
    path = write(tmp_path, "include: part.yaml\nobjects: {a: {}}\n")
    (problem,) = check_scene(path)
    assert where in str(problem) and words in str(problem)


def test_links_do_not_lead_out_of_the_folder(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    write(tmp_path, "objects: {a: {}}\n", name="secret.yaml")
    (inner / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    with pytest.raises(BadFile, match="outside"):
        load(inner, "include: link.yaml\n")


def test_the_user_may_allow_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A robot outside of the scene's folder is refused with what to do, and read when allowed."""
    workspace, rooms = tmp_path / "workspace", tmp_path / "rooms"
    workspace.mkdir()
    rooms.mkdir()
    robot = workspace / "arm.urdf"
    robot.write_text('<robot name="arm"><link name="base"/></robot>')
    scene = rooms / "room.yaml"
    for name in ("../workspace/arm.urdf", str(robot)):
        scene.write_text(f"robotix: 1\nrobots: {{arm: {{model: {name}}}}}\n")
        monkeypatch.delenv("ROBOTIX_FOLDERS", raising=False)
        with pytest.raises(BadFile, match="ROBOTIX_FOLDERS"):
            load_scene(scene)
        monkeypatch.setenv("ROBOTIX_FOLDERS", f"{tmp_path / 'other'}:{workspace}")
        assert load_scene(scene).robots["arm"].model.name == "arm"
