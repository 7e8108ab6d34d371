"""Plug-ins of a scene run only when they are known, or after a yes."""

from pathlib import Path

import pytest
from support.hands import problems

from robotix.authoring import check_scene, examine_scene, load_scene
from robotix.authoring.rooms import room_names, room_path, room_plugins
from robotix.authoring.trust import is_known, remember, remembered
from robotix.scene.plugins import PluginRequest, find_plugin

ROOM = "robotix: 1\nplugins: {mark: {module: mark, args: now}}\n"
MARK = "from pathlib import Path\nPath(__file__).with_name('ran').write_text('yes')\n"


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ROBOTIX_STATE", str(tmp_path / "state"))
    home = tmp_path / "room"
    home.mkdir()
    (home / "mark.py").write_text(MARK)
    (home / "room.yaml").write_text(ROOM)
    return home / "room.yaml"


def ran(path: Path) -> bool:
    mark = path.with_name("ran")
    found = mark.exists()
    mark.unlink(missing_ok=True)
    return found


def test_an_unknown_plug_in_does_not_run_unasked(path: Path) -> None:
    scene = load_scene(path)
    assert not ran(path)
    (problem,) = problems(scene)
    digest = find_plugin("mark", folder=path.parent).digest
    assert f"mark.py, SHA-256 {digest}, uses pathlib" in problem and "--trust" in problem
    assert not scene.plugins["mark"].is_on
    scene.step()


def test_whoever_is_asked_decides(path: Path) -> None:
    asked: list[PluginRequest] = []

    def ask(request: PluginRequest) -> bool:
        asked.append(request)
        return len(asked) == 2

    load_scene(path, trust=ask)
    assert not ran(path)
    load_scene(path, trust=ask)
    assert ran(path)
    assert [(each.name, each.file) for each in asked] == [("mark", "mark.py")] * 2
    load_scene(path, trust=True)
    assert ran(path) and not remembered()  # only a yes to a question is remembered


def test_a_yes_is_remembered_until_the_file_changes(path: Path) -> None:
    request = PluginRequest("mark", find_plugin("mark", folder=path.parent))
    remember(request)
    assert remembered() == {request.digest: "mark.py"}
    load_scene(path)
    assert ran(path)
    path.with_name("mark.py").write_text(MARK + "# changed\n")
    load_scene(path)
    assert not ran(path)


def test_answers_that_others_could_have_written_do_not_count(path: Path, tmp_path: Path) -> None:
    request = PluginRequest("mark", find_plugin("mark", folder=path.parent))
    remember(request)
    file = tmp_path / "state" / "trusted_plugins.json"
    file.chmod(0o666)
    assert not is_known(request)
    file.chmod(0o600)
    assert is_known(request)
    file.write_bytes(b"\xff{")
    assert not is_known(request)


def test_rooms_of_the_package_need_no_question() -> None:
    for file in room_plugins():
        assert is_known(PluginRequest(file.stem, find_plugin(file.name, folder=file.parent)))
    used = set()
    for name in room_names():
        problems, plugins = examine_scene(room_path(name))
        assert not problems
        used |= {each.file for each in plugins}
    used.add("access.py")  # of the laboratory's rooms, which no file describes
    assert used == {p.name for p in room_plugins()}


def test_a_scene_cannot_call_the_standard_library(path: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim.txt"
    victim.write_text("precious contents")
    path.write_text(
        "robotix: 1\nplugins: {files: {module: shutil}}\n"
        "rules: [{when: {key: a}, mode: change, "
        f"do: {{call: {{plugin: files, callback: copyfile, args: {victim}}}}}}}]\n"
    )
    (problem,) = check_scene(path)
    assert "no plug-in 'shutil'" in str(problem)


def test_checking_imports_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = path.with_name("pkg")
    package.mkdir()
    (package / "__init__.py").write_text(MARK)
    (package / "sub.py").write_text(MARK)
    monkeypatch.chdir(path.parent)
    monkeypatch.syspath_prepend(path.parent)  # as with `python -m robotix`
    for module in ("pkg.sub", "pkg/sub.py", "mark"):
        path.write_text(f"robotix: 1\nplugins: {{p: {{module: {module}}}}}\n")
        examine_scene(path)
    assert not ran(path) and not (package / "ran").exists()


def test_a_legacy_script_asks_too(path: Path) -> None:
    script = path.with_name("room.vd2")
    script.write_text('appl init mark.so:begin "now"\n')
    load_scene(script)
    assert not ran(path)
    assert [each.file for each in examine_scene(script)[1]] == ["mark.py"]
