"""Plug-ins: they take part, they may fail in any way, and the room goes on."""

import os
import py_compile
import sys
from hashlib import sha256
from importlib.metadata import EntryPoint
from importlib.util import cache_from_source
from pathlib import Path

import pytest
from support.hands import problems

from robotix.errors import BadFile, UnknownName
from robotix.inputs.problem import Problem
from robotix.scene.commands.plugins import CallPlugin
from robotix.scene.events.events import Signal
from robotix.scene.events.messages import Announcement, Message
from robotix.scene.plugins import (
    Plugin,
    PluginRequest,
    PluginSource,
    find_plugin,
    plugin_names,
    source,
)
from robotix.scene.scene import Scene

GO = Signal("go")
BLINK = """
from __future__ import annotations
from dataclasses import dataclass
from os import getcwd

calls = []

@dataclass
class Lamp:
    on: bool = False

lamp = Lamp()

def setup(scene):
    global room
    room = scene
    calls.append("setup")

def init(args): calls.append(f"init {args}")
def loop(dt): calls.append(f"loop {dt:.3f}")
def exit():
    calls.append("exit")
    room.say(", ".join(calls))
def blink(state, args):
    lamp.on = state
    room.say(f"blink {state} {args}")
def _secret(state, args): pass
"""
TURNS = {
    "import": "raise ValueError('bad')",
    "setup": "def setup(scene): raise ValueError('bad')",
    "init": "def init(args): raise ValueError('bad')",
    "loop": "def loop(dt): raise ValueError('bad')",
    "blink": "def blink(state, args): raise ValueError('bad')",
}


def room(folder: Path, code: str = BLINK, *, args: str = "") -> tuple[Scene, Plugin]:
    (folder / "lights.py").write_text(code)
    scene = Scene()
    scene.files.source = folder / "room.yaml"
    return scene, scene.plugins.add("blink", "lights.py", args=args)


def said(scene: Scene) -> list[str]:
    return [each.text for each in scene.messages if isinstance(each, Announcement)]


def test_a_plug_in_has_its_turns(tmp_path: Path) -> None:
    scene, plugin = room(tmp_path, args="0.5")
    scene.on(GO, CallPlugin("blink", "blink", "twice"), mode="change")
    scene.emit("go")
    scene.step()
    assert said(scene) == ["blink True twice"]
    scene.emit("go", state=False)
    scene.step()
    assert said(scene) == ["blink False twice"]
    scene.plugins.close()
    assert said(scene)[-1] == "setup, init 0.5, loop 0.008, loop 0.008, exit"
    assert len(scene.plugins) == 0
    assert not plugin.problem


def test_closing_twice_says_goodbye_once(tmp_path: Path) -> None:
    scene, _ = room(tmp_path)
    scene.plugins.close()
    scene.plugins.close()
    assert len(said(scene)) == 1


@pytest.mark.parametrize("where", TURNS)
def test_one_that_raises_is_named_and_disabled(where: str, tmp_path: Path) -> None:
    goodbye = "\nbyes = []\ndef exit(): byes.append(1)\ndef fine(state, args): 1 / 0\n"
    code = goodbye + TURNS[where] if where == "import" else TURNS[where] + goodbye
    scene, plugin = room(tmp_path, code)
    heard = list[Message]()
    scene.on(GO, CallPlugin("blink", "blink" if where == "blink" else "fine"))
    for _ in range(3):
        if where == "blink" or not plugin.is_on:
            scene.emit("go")
        scene.step()
        heard += scene.messages
    assert [each for each in heard if isinstance(each, Problem)] == [
        Problem(f"plug-in 'blink', {where}", "bad")
    ]
    assert not plugin.is_on
    assert plugin.problem == f"{where}: ValueError: bad"
    scene.plugins.close()
    if where != "import":  # there, nothing was defined yet
        assert plugin.functions["exit"].__globals__["byes"] == [1]


def test_the_others_go_on(tmp_path: Path) -> None:
    scene, _ = room(tmp_path, TURNS["loop"])
    (tmp_path / "good.py").write_text("count = 0\ndef loop(dt):\n    global count; count += 1\n")
    good = scene.plugins.add("good")
    for _ in range(5):
        scene.step()
    assert good.functions["loop"].__globals__["count"] == 5


@pytest.mark.parametrize("end", ["import sys\nsys.exit(3)", "raise GeneratorExit"])
def test_it_cannot_end_the_program(end: str, tmp_path: Path) -> None:
    code = f"def loop(dt):\n    {end.replace(chr(10), chr(10) + '    ')}"
    scene, plugin = room(tmp_path, code)
    scene.step()
    assert "tried to end the program" in problems(scene)[0]
    assert not plugin.is_on


def test_an_interrupt_is_not_for_the_plug_in(tmp_path: Path) -> None:
    scene, plugin = room(tmp_path, "def loop(dt): raise KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt):
        scene.step()
    assert plugin.is_on


def test_an_exit_that_raises_is_reported_once(tmp_path: Path) -> None:
    scene, _ = room(tmp_path, "def exit(): raise ValueError('bad')\ndef loop(dt): 1 / 0")
    scene.step()
    assert problems(scene) == ["ZeroDivisionError: division by zero", "bad"]
    scene.step()
    scene.plugins.close()
    assert not problems(scene)


def test_two_rooms_share_nothing(tmp_path: Path) -> None:
    (first, a), (second, b) = room(tmp_path), room(tmp_path)
    first.step()
    assert a.functions["loop"].__globals__["calls"] != b.functions["loop"].__globals__["calls"]
    assert not [name for name in sys.modules if "lights" in name]
    second.plugins.close()
    assert a.is_on


def test_a_module_that_others_imported_stays_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_blinker.py").write_text(BLINK)
    monkeypatch.syspath_prepend(tmp_path)
    theirs = __import__("my_blinker")
    scene = Scene()
    offer(monkeypatch, "my_blinker")
    plugin = scene.plugins.add("blink", "offered")
    assert sys.modules["my_blinker"] is theirs
    assert theirs.calls == []
    assert plugin.functions["blink"] is not theirs.blink
    monkeypatch.delitem(sys.modules, "my_blinker")


def test_only_its_own_public_functions_can_be_called(tmp_path: Path) -> None:
    scene, plugin = room(tmp_path)
    assert plugin.callbacks == ("blink",)
    for name in ("getcwd", "_secret", "Lamp", "lamp", "loop", "blinc"):
        with pytest.raises(UnknownName, match=f"{name}'"):
            plugin.call(name, True, "")
    assert plugin.is_on
    scene.on(GO, CallPlugin("blink", "blinc"))
    scene.emit("go")
    scene.step()
    assert "did you mean 'blink'" in problems(scene)[0]


def test_what_cannot_be_found_is_refused(tmp_path: Path) -> None:
    scene, _ = room(tmp_path)
    for name in (
        "no_such_module",
        "no.such",
        "nothing.py",
        "../x",
        "a b",
        "sys",
        ".x",
        "a\0b",
        "shutil",
    ):
        with pytest.raises(UnknownName, match="plug-in"):
            scene.plugins.add("other", name)
    with pytest.raises(ValueError, match="already"):
        scene.plugins.add("blink", "lights")
    with pytest.raises(UnknownName, match="did you mean 'blink'"):
        scene.plugins["blin"]


def test_a_file_that_is_no_python_is_reported(tmp_path: Path) -> None:
    _, plugin = room(tmp_path, "def loop(:")
    assert "SyntaxError" in plugin.problem
    _, plugin = room(tmp_path, "x = '\\0")
    assert not plugin.is_on


def offer(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    point = EntryPoint("offered", value, source.ENTRY_POINT_GROUP)

    def points(*, group: str, name: str = "offered") -> list[EntryPoint]:
        return [point] if (group, name) == (source.ENTRY_POINT_GROUP, "offered") else []

    monkeypatch.setattr(source, "entry_points", points)


@pytest.mark.parametrize("value", ["offered_lights", "offered_lights:setup"])
def test_installed_packages_offer_plug_ins(
    value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "offered_lights.py").write_text("def setup(scene): scene.say('here')")
    monkeypatch.syspath_prepend(tmp_path)
    offer(monkeypatch, value)
    assert plugin_names() == ("offered",)
    scene = Scene()
    scene.plugins.add("lights", "offered")
    assert said(scene) == ["here"]
    sys.modules.pop("offered_lights", None)


STATIC = """
from os import getcwd
raise_me = 1 / 0  # would fail if it were run
def init(args): pass
def plain(state, args):
    def inner(): pass
bound = lambda state, args: None
try:
    def tried(state, args): pass
except OSError:
    def other(state, args): pass
async def awaited(state, args): pass
class Lamp:
    def shine(self): pass
def _secret(state, args): pass
"""


def test_functions_are_known_without_running_anything(tmp_path: Path) -> None:
    (tmp_path / "lights.py").write_text(STATIC)
    names = find_plugin("lights", folder=tmp_path).callbacks
    assert names == ("raise_me", "plain", "bound", "tried", "other")
    (tmp_path / "lights.py").write_text("def plain(:")
    with pytest.raises(SyntaxError):
        _ = find_plugin("lights", folder=tmp_path).callbacks


def test_all_that_can_be_called_is_known_before(tmp_path: Path) -> None:
    _, plugin = room(tmp_path)
    names = find_plugin("lights", folder=tmp_path).callbacks
    assert names is not None and set(plugin.callbacks) <= set(names)
    assert PluginSource("offered", point=EntryPoint("a", "b:c", "d")).callbacks == ()


# -- where code may come from ---------------------------------------------------------------


def test_nothing_that_can_merely_be_imported_is_a_plug_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "importable.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path / "elsewhere")
    for name in ("shutil", "os.path", "importable", "robotix.scene.loop"):
        with pytest.raises(UnknownName, match="plug-in"):
            find_plugin(name, folder=tmp_path)


def test_a_plug_in_does_not_lie_outside(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "outside.py").write_text("def setup(scene): pass")
    (home / "link.py").symlink_to(tmp_path / "outside.py")
    (home / "folder").symlink_to(tmp_path)
    for name in ("link", "../outside.py", "folder/outside", str(tmp_path / "outside.py")):
        with pytest.raises(BadFile, match="outside of the scene's folder"):
            find_plugin(name, folder=home)
    (home / "own.py").write_text("def setup(scene): pass")
    (home / "other.py").symlink_to(home / "own.py")  # leads to a file that is inside
    assert find_plugin("other", folder=home).text == (home / "own.py").read_bytes()


def test_finding_and_reading_imports_no_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "offered_package"
    package.mkdir()
    (package / "__init__.py").write_text("raise SystemExit('imported')")
    (package / "lights.py").write_text("import os\ndef blink(state, args): pass")
    monkeypatch.syspath_prepend(tmp_path)
    offer(monkeypatch, "offered_package.lights")
    found = find_plugin("offered", folder=tmp_path / "nowhere")
    assert found.callbacks == ("blink",) and found.outline.imports == ("os",)
    assert "offered_package" not in sys.modules


def test_what_was_hashed_is_what_runs(tmp_path: Path) -> None:
    path = tmp_path / "lights.py"
    path.write_text("def setup(scene): scene.say('first')")
    found = find_plugin("lights", folder=tmp_path)
    assert found.digest == sha256(path.read_bytes()).hexdigest()
    path.write_text("def setup(scene): scene.say('later')")
    scene = Scene()
    scene.plugins.add("lights", source=found)
    assert said(scene) == ["first"]


def test_byte_code_beside_the_file_is_not_run(tmp_path: Path) -> None:
    path, other = tmp_path / "lights.py", tmp_path / "other.py"
    path.write_text("def setup(scene): scene.say('text')")
    other.write_text("def setup(scene): scene.say('evil')")
    os.utime(other, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns))
    py_compile.compile(str(other), cfile=cache_from_source(str(path)), dfile=str(path))
    scene = Scene()
    scene.files.source = tmp_path / "room.yaml"
    scene.plugins.add("lights")
    assert said(scene) == ["text"]


def test_a_plug_in_tells_what_it_uses(tmp_path: Path) -> None:
    code = "import os.path\ndef f(a, b):\n  from shutil import rmtree\n  open(a); __import__(b)\n"
    (tmp_path / "lights.py").write_text(code)
    request = PluginRequest("blink", find_plugin("lights", folder=tmp_path))
    assert request.file == "lights.py"
    assert request.needs == ("os.path", "shutil", "__import__()", "open()")


@pytest.mark.parametrize("code", ["x = " + "-" * 50_000 + "1", "(" * 5000, "x = '\\0", "\0"])
def test_a_text_that_overwhelms_the_parser_is_no_python(code: str, tmp_path: Path) -> None:
    (tmp_path / "lights.py").write_text(code)
    found = find_plugin("lights", folder=tmp_path)
    with pytest.raises(SyntaxError):
        _ = found.callbacks
    assert PluginRequest("blink", found).needs == ()


def test_one_that_may_not_run_is_there_but_off(tmp_path: Path) -> None:
    scene = Scene()
    scene.files.source = tmp_path / "room.yaml"
    plugin = scene.plugins.add_disabled("blink", "lights", why="not trusted")
    assert problems(scene) == ["not trusted"]
    plugin.call("anything", True, "")
    scene.step()
    scene.plugins.close()
    assert not plugin.is_on and not plugin.functions
