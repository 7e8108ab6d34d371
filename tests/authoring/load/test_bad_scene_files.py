"""Whatever a scene file says, it is read or refused with a place, and what is read runs."""

import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from robotix.authoring import check_scene, load_scene
from robotix.errors import BadFile
from robotix.inputs.problem import Problem

SCENES = Path(__file__).parents[3] / "examples" / "scenes"
COUNT = 1_010  # mutated files
HEAD = "robotix: 1\n"

BAD = [
    ("", "1:1", "empty"),
    ("a list", "1:1", "keys with values"),
    ("name: x\n", "1:1", "robotix: 1"),
    ("robotix: 2\n", "1:10", "the version this program reads"),
    ("robotix: true\n", "1:10", "the version"),
    (HEAD + "objekts: {}\n", "2:1", "did you mean 'objects'?"),
    (HEAD + "rate: 0\n", "2:7", "from 1 to 10000"),
    (HEAD + "rate: .inf\n", "2:7", "a finite number"),
    (HEAD + "seed: 1.5\n", "2:7", "a whole number"),
    (HEAD + "objects:\n\ta: {}\n", "3:1", "a tab"),
    (HEAD + "objects:\n  a: {}\n b: {}\n", "4:2", "same column"),
    (HEAD + "objects: {a: {box: [1, 1, 1}}\n", "2:28", "']'"),
    (HEAD + "objects: {a: {box: [1, 1, 1]}\n", "2:", "'}'"),
    (HEAD + 'name: "open\n', "2:", "quote"),
    (HEAD + "name: a: b\n", "2:8", "':'"),
    (HEAD + "name: x\nname: y\n", "3:1", "first in line 2"),
    (HEAD + "name: !!python/object:os.system x\n", "2:7", "a tag"),
    (HEAD + "name: &a x\n", "2:7", "an anchor"),
    (HEAD + "name: *a\n", "2:7", "alias"),
    ("%YAML 1.1\n---\nrobotix: 1\n", "1:1", "directive"),
    (HEAD + "---\nrobotix: 1\n", "2:1", "second document"),
    (HEAD + "objects: " + "[" * 60 + "]" * 60 + "\n", "2:", "nested too deeply"),
    (HEAD + "? [a, b]\n: c\n", "2:3", "a key"),
    (HEAD + "name: \x07\n", "2:7", "U+0007"),
    (HEAD + "objects: {a: {box: [1, 2]}}\n", "2:20", "3 values"),
    (HEAD + "objects: {a: {box: [1, 2, -3]}}\n", "2:20", "positive"),
    (HEAD + 'objects: {a: {sphere: "1"}}\n', "2:23", "a number without quotes"),
    (HEAD + "objects: {a: {sphere: 1, box: [1, 1, 1]}}\n", "2:23", "one shape"),
    (HEAD + "objects: {a: {spere: 1}}\n", "2:15", "did you mean 'sphere'?"),
    (HEAD + "objects: {a: {visible: off}}\n", "2:24", "true or false; did you mean false?"),
    (HEAD + "objects: {a: {visible: Yes}}\n", "2:24", "did you mean true?"),
    (HEAD + "objects: {a: {at: [60cm, 0, 0]}}\n", "2:20", "in m, without a unit: 0.6"),
    (HEAD + "objects: {a: {rpy: [90°, 0, 0]}}\n", "2:21", "ends in _deg"),
    (HEAD + "objects: {a: {sphere: 0}}\n", "2:23", "0; expected positive and finite"),
    (HEAD + "objects: {a: {box: [1, 1, -1]}}\n", "2:20", "1, 1, -1; expected positive and finite"),
    (HEAD + "objects: {a: {material: {colour: #ff0000}}}\nname: x\n", "3:", 'quotes, "#ff0000"'),
    (HEAD + "objects: {a: {material: {colour: #ff0000}}}\n", "2:", 'quotes, "#ff0000"'),
    (HEAD + "physics: {gravity: [0, 0]}\n", "2:20", "3 values"),
    (HEAD + "physics: {gravity: [0, 0, -1e5]}\n", "2:10", "1000 m/s²"),
    (HEAD + "physics: {time_step: 1}\n", "2:22", "from 0.0001 to 0.01"),
    (HEAD + "physics: {friktion: 1}\n", "2:11", "did you mean 'friction'?"),
    (HEAD + "objects: {a: {sphere: 1, body: loose}}\n", "2:32", "free, moved"),
    (HEAD + "objects: {a: {sphere: 1, body: {mass: 0}}}\n", "2:39", "a number from"),
    (HEAD + "objects: {a: {sphere: 1, body: {mass: 1, density: 2}}}\n", "2:51", "left out"),
    (HEAD + "objects: {a: {sphere: 1, body: {restitution: 2}}}\n", "2:46", "from 0 to 1"),
    (HEAD + "objects: {a: {plane: true, body: free}}\n", "2:34", "that can fall"),
    (HEAD + "objects: {a: {body: free}}\n", "2:21", "no shape"),
    (HEAD + "objects: {a: {sphere: 1, collidable: false, body: free}}\n", "2:51", "no shape"),
    (
        HEAD + "objects: {a: {sphere: 1, body: free}, b: {on: a, sphere: 1, body: free}}\n",
        "2:67",
        "stands on 'a', which is free",
    ),
    (
        HEAD + "objects: {a: {sphere: 1, body: free}}\nrobots: {r: {model: scara, on: a}}\n",
        "2:32",
        "carries a robot",
    ),
    (HEAD + "objects: {a: {sphere: 1}}\nstart: [{push: [a, [1, 0, 0]]}]\n", "3:", "no physics"),
    (
        HEAD + "physics: true\nobjects: {a: {sphere: 1}}\nstart: [{connect: [a, b]}]\n",
        "4:",
        "'b'",
    ),
    (HEAD + "objects: {a: {on: b}, b: {on: a}}\n", "2:", "stands on itself"),
    (HEAD + "objects: {a: {on: a}}\n", "2:19", "stands on itself"),
    (HEAD + "objects: {table: {}, cup: {on: tabel}}\n", "2:32", "did you mean 'table'?"),
    (HEAD + "objects: {a: {material: okk}}\nmaterials: {oak: {}}\n", "2:25", "'oak'?"),
    (HEAD + "objects: {a: {material: {colour: gren}}}\n", "2:34", "did you mean 'green'?"),
    (HEAD + "objects: {a: {material: {colour: #ff0000\n}}}\n", "2:33", "in quotes"),
    (HEAD + "objects: {a: {rpy: [0, 0, 0], rpy_deg: [0, 0, 0]}}\n", "2:31", "one of the two"),
    (HEAD + "objects: {a: {scale: [1, 1, 1], sphere: 1}}\n", "2:22", "box or a mesh"),
    (HEAD + "objects: {a: {scale: 0, sphere: 1}}\n", "2:22", "sizes from"),
    (HEAD + "objects: {a: {quaternion: [0, 0, 0, 0]}}\n", "2:27", "quaternion"),
    (HEAD + "objects: {a: {region: true}}\n", "2:23", "a shape"),
    (HEAD + "objects: {a: {mesh: gone.glb}}\n", "2:21", "no file 'gone.glb'"),
    (HEAD + "objects: {a: {mesh: ../x.glb}}\n", "2:21", "outside"),
    (HEAD + "objects: {a: {mesh: /etc/passwd}}\n", "2:21", "relative"),
    (HEAD + "objects: {world: {}}\n", "2:11", "another name"),
    (HEAD + "objects: {a: {}}\nrobots: {a: {model: ur5}}\n", "", "second time"),
    (HEAD + "robots: {a: {model: ur55}}\n", "2:21", "did you mean 'ur5'?"),
    (HEAD + "robots: {a: {model: ur5, options: {x: 1}}}\n", "2:35", "options"),
    (HEAD + "robots: {a: {model: ur5, q_deg: [1]}}\n", "2:33", "6, one each"),
    (HEAD + "objects: {a: {scale: 2}}\nrobots: {b: {model: ur5, on: a}}\n", "3:13", "of scale 1"),
    (HEAD + "include: gone.yaml\n", "2:10", "no file"),
    (HEAD + "include: scene.yaml\n", "2:10", "circle"),
    (HEAD + "rules: {when: x}\n", "2:8", "a list of rules"),
    (HEAD + "rules: [{when: {key: a}}]\n", "2:9", "no 'do'"),
    (HEAD + "rules: [{when: {kye: a}, do: {say: x}}]\n", "2:17", "did you mean 'key'?"),
    (HEAD + "rules: [{when: {key: 1}, do: {say: x}}]\n", "2:22", 'in quotes it is one: "1"'),
    (HEAD + "rules: [{when: {key: a}, do: {sai: x}}]\n", "2:31", "did you mean 'say'?"),
    (HEAD + "rules: [{when: {key: a}, do: {say: x, wait: 1}}]\n", "2:30", "one command"),
    (HEAD + "rules: [{when: {key: a}, do: {wait: {second: 1}}}]\n", "2:38", "'seconds'?"),
    (HEAD + "rules: [{when: {key: a}, do: {hide: gone}}]\n", "2:37", "no node 'gone'"),
    (HEAD + "rules: [{when: {key: a}, do: {stop: gone}}]\n", "2:37", "no robot 'gone'"),
    (HEAD + "rules: [{when: {button: [x, y]}, do: {say: x}}]\n", "2:26", "no device 'x'"),
    (HEAD + "objects: {a: {}}\ndevices: {x: hand}\nrules: [{when: {region: [a, x]}, do: stop}]\n",
     "4:29", "'x', which is a device; expected the name of a node"),
    (HEAD + "rules: [{when: {axis: [keyboard, 0, 0]}, do: {say: x}}]\n", "2:37", "whose sign is"),
    (HEAD + "rules: [{when: {key: a}, do: {call: [x, y]}}]\n", "2:38", "no plug-in 'x'"),
    (HEAD + "objects: {a: {}}\nrules: [{when: {key: a}, do: {set: {node: a, material: oak}}}]\n",
     "3:56", "no material 'oak'"),
    (HEAD + "objects: {a: {}}\nrules: [{when: {key: a}, do: {colour: [a, redd]}}]\n",
     "3:43", "did you mean 'red'?"),
    (HEAD + "rules: [{when: {key: a}, do: {play_sound: x.wav}}]\n", "2:43", "no file 'x.wav'"),
    (HEAD + "rules: [{when: {key: a}, do: {play: x.csv}}]\n", "2:37", "no file 'x.csv'"),
    (HEAD + "devices: {stick: joystick}\n", "2:18", "one of these"),
    (HEAD + "plugins: {blink: {module: no_such_module}}\n", "2:27", "no plug-in"),
    (HEAD + "plugins: {blink: {module: shutil}}\n", "2:27", "no plug-in 'shutil'"),
    (HEAD + 'name: "a\\ud800"\n', "2:11", "double-quoted"),
    (HEAD + 'start: [{say: "\\ud800"}]\n', "2:18", "double-quoted"),
    (HEAD + 'objects: {"\\udfff": {sphere: 1}}\n', "2:14", "double-quoted"),
    (HEAD + 'rules: [{when: {event: "\\ud800"}, do: {say: a}}]\n', "2:27", "double-quoted"),
    (HEAD + "plugins: {blink: {module: ../blink.py}}\n", "2:27", "outside"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "place", "words"), BAD, ids=[text[-40:] for text, _, _ in BAD])
def test_a_fault_is_named_with_its_place(text: str, place: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text(text, encoding="utf-8")
    problems = check_scene(path)
    assert problems, "this should have been refused"
    said = [str(problem) for problem in problems]
    assert any(f"{path}:{place}" in line and words in line for line in said), said
    with pytest.raises(BadFile):
        load_scene(path)


def test_every_fault_is_found_not_only_the_first(tmp_path: Path) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text(
        HEAD
        + "objects: {a: {sphere: x}, b: {box: 1}}\n"
        + "rules: [{when: {key: a}, do: {hide: a}}, {when: {key: a}, do: {hide: c}}]\n"
    )
    assert [problem.line for problem in check_scene(path)] == [2, 2, 3]  # `a` is known, if spoilt
    with pytest.raises(BadFile, match="2 more faults"):
        load_scene(path)


@pytest.mark.parametrize("text", [
    "objcts: {a: {}}\nobjects: {b: {on: a}}\nstart: {hide: a}\n",
    "robot: {a: scara}\nobjects: {b: {on: a/flange}}\nstart: {stop: a}\n",
    "devise: {a: hand}\nobjects: {b: {}}\nstart: {grab: [b, a]}\n",
    "material: {a: {}}\nobjects: {b: {material: a}}\n",
])  # fmt: skip
def test_a_misspelt_section_brings_no_other_faults(text: str, tmp_path: Path) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text(HEAD + text)
    (problem,) = check_scene(path)
    assert problem.line == 2 and "did you mean" in str(problem)


def test_the_folder_of_a_file_without_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("scene.yaml").write_text(HEAD + "include: /etc/x.yaml\n")
    assert "within the folder of this file" in str(check_scene("scene.yaml")[0])


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "scene.yaml"
    path.write_bytes(b"robotix: 1\nname: \xff\n")
    with pytest.raises(BadFile, match=r"scene\.yaml:2:7: byte 0xff"):
        load_scene(path)
    path.write_bytes(b"robotix: 1\n# " + b"x" * 2**20)
    with pytest.raises(BadFile, match="at most"):
        load_scene(path)
    with pytest.raises(BadFile, match="no such file"):
        load_scene(tmp_path / "gone.yaml")
    (tmp_path / "scene.txt").write_text("x")
    with pytest.raises(BadFile, match=r"\.yaml"):
        load_scene(tmp_path / "scene.txt")


# -- mutations ------------------------------------------------------------------------------

WORDS = re.compile(r"[A-Za-z_]\w*")
NUMBERS = re.compile(r"-?\d+(\.\d+)?")
SWAPS = ("null", "true", "-1", "1e300", ".nan", "'x'", "[]", "{}", "[1, 2]", "{a: b}", "on", "~")
HUGE = ("1e9", "-1e9", "1e308", "1e-300", "99999999999999999999", "0", "-0.0", ".inf", "0x1F")


def flip(text: str, rng: random.Random) -> str:
    place = rng.randrange(len(text))
    return (
        text[:place]
        + chr(rng.choice((9, 10, 33, 34, 38, 42, 58, 91, 123, 0xE9, 0)))
        + text[place + 1 :]
    )


def delete(text: str, rng: random.Random) -> str:
    start = rng.randrange(len(text))
    return text[:start] + text[start + rng.randint(1, 12) :]


def double(text: str, rng: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    place = rng.randrange(len(lines))
    return "".join([*lines[: place + 1], *lines[place:]])


def drop_line(text: str, rng: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    del lines[rng.randrange(len(lines))]
    return "".join(lines)


def _replaced(text: str, pattern: re.Pattern[str], new: str, rng: random.Random) -> str:
    found = rng.choice(list(pattern.finditer(text)))
    return text[: found.start()] + new + text[found.end() :]


def swap_type(text: str, rng: random.Random) -> str:
    return _replaced(text, rng.choice((WORDS, NUMBERS)), rng.choice(SWAPS), rng)


def wrong_name(text: str, rng: random.Random) -> str:
    return _replaced(text, WORDS, rng.choice(WORDS.findall(text)), rng)


def huge_number(text: str, rng: random.Random) -> str:
    return _replaced(text, NUMBERS, rng.choice(HUGE), rng)


MUTATIONS: tuple[Callable[[str, random.Random], str], ...] = (
    flip, delete, double, drop_line, swap_type, wrong_name, huge_number,
)  # fmt: skip


# Short, so that few characters are left to mutate that do not matter.
SMALL = (
    """robotix: 1
rate: 60
materials: {oak: {colour: "#b08050", roughness: 0.8}}
objects:
  table: {box: [1.2, 0.8, 0.04], at: [1, 0, 0.7], material: oak}
  cup: {mesh: {file: parts/cup.obj, scale: 0.01}, on: table, scale: 2}
start: {set: {node: cup, colour: red, opacity: 0.5}}
""",
    """robotix: 1
include: parts/furniture.yaml
robots: {arm: {model: planar_3r, at: [0, 0, 0.7], on: table, q_deg: [0, 30, 60]}}
objects: {pen: {capsule: [0.01, 0.1], on: arm/flange}}
start: [{move: {to_deg: [20, -30, null], steps: 2}}, {step: {by_deg: [1, 0, 0], robot: arm}}]
""",
    """robotix: 1
seed: 3
devices: {stick: translate3}
objects:
  ball: {sphere: 0.1, at: [0, 0, 0.1]}
  zone: {box: [1, 1, 1], region: true}
rules:
  - {when: {region: [zone, ball]}, mode: reflect, do: {colour: [ball, [1, 0, 0]]}}
  - {when: {axis: [stick, 0, 0.5]}, do: {emit: pushed}}
start: {fall: [ball, [zone]]}
""",
    """robotix: 1
objects:
  door: {parts: [{box: [1, 0.04, 2], at: [0.5, 0, 1]}, {sphere: 0.03}], rpy_deg: [0, 0, 90]}
  sun: {light: {kind: sun, strength: 2}, quaternion: [1, 0, 0, 0]}
rules:
  - name: open
    when: {collision: [door, "*"]}
    do: [{say: Open.}, {wait: 0.1}]
""",
    """robotix: 1
name: Blink
objects: {eye: {viewpoint: {field_of_view_deg: 60}, wireframe: true}}
plugins: {blink: {module: parts/blink.py, args: eye}}
rules: [{when: {timer: beat}, do: {call: [blink, toggle]}}]
start:
  - {start_timer: {timer: beat, seconds: 0.02, again: true}}
  - {together: [{hide: eye}, {repeat: {do: [{say: tick}, {wait: 0.01}], times: 3}}]}
""",
)


def originals() -> list[str]:
    """Return the examples without comments, which would only make mutations harmless."""
    texts = [path.read_text() for path in sorted(SCENES.glob("*.yaml"))]
    return [re.sub(r"(^|\s)#( .*|$)", "", text, flags=re.MULTILINE) for text in texts]


@pytest.mark.parametrize("text", SMALL, ids=["table", "arm", "ball", "door", "blink"])
def test_what_is_mutated_is_sound_to_begin_with(text: str, tmp_path: Path) -> None:
    home = Path(shutil.copytree(SCENES, tmp_path / "scenes"))
    (home / "small.yaml").write_text(text)
    scene = load_scene(home / "small.yaml", trust=True)
    for _ in range(10):
        scene.step()
        assert not [message for message in scene.messages if isinstance(message, Problem)]


def test_mutated_files_are_read_or_refused(tmp_path: Path) -> None:
    home = tmp_path / "scenes"
    shutil.copytree(SCENES, home)
    path, rng = home / "mutated.yaml", random.Random(3)
    large, ran = originals(), 0
    for number in range(COUNT):
        text = rng.choice(SMALL if number % 10 else large)  # most time goes into reading YAML
        for _ in range(rng.choice((1, 1, 1, 2, 5))):
            text = MUTATIONS[number % len(MUTATIONS)](text, rng) or " "
        path.write_text(text, encoding="utf-8")
        try:
            scene = load_scene(path)
        except BadFile as error:
            assert error.line > 0 and error.column > 0, f"no place in {error}"
            continue
        for _ in range(3):
            scene.step()
        assert np.isfinite(scene.graph.world).all(), text
        assert all(np.isfinite(robot.q).all() for robot in scene.robots.values()), text
        ran += 1
    assert COUNT // 20 < ran < COUNT  # some mutations are harmless, most are not
