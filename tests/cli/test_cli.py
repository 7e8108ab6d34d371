"""Every command: what it says, in words and in JSON, and how it refuses."""

import csv
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from support.command_line import CommandLine, every_command

import robotix as rx
from robotix.cli.arguments import split_list_options
from robotix.cli.main import EXTRAS
from robotix.kernels.compile_events import CompileNotice
from robotix.kernels.compiled_groups import is_compiled
from robotix.model.urdf.writer import save_urdf

Q = [0.1, -0.5, 0.2, 1.2, -0.3, 0.4, 0.5]
HEAVY = {"PIL", "mujoco", "numba", "numpy", "rich", "scipy"}


# -- robots ---------------------------------------------------------------------------------


def test_robots_lists_the_library(robotix: CommandLine) -> None:
    out = robotix.text("robots")
    for name in rx.robot_names():
        assert name in out
    for column in ("DoF", "reach", "mass", "confidence", "source"):
        assert column in out


def test_robots_as_json(robotix: CommandLine) -> None:
    listed = robotix.json("robots")
    assert [info["name"] for info in listed] == list(rx.robot_names())
    lwr = next(info for info in listed if info["name"] == "kuka_lwr")
    assert lwr["dof"] == 7
    assert lwr["reach"] == pytest.approx(0.868)
    assert {"mass", "source", "confidence", "provenance"} <= lwr.keys()


# -- fk -------------------------------------------------------------------------------------


def test_fk_gives_the_pose_of_the_flange(robotix: CommandLine) -> None:
    answer = robotix.json("fk", "kuka_lwr", "--q", *Q)
    pose = rx.Posture(rx.load("kuka_lwr"), Q).pose()
    np.testing.assert_allclose(answer["position"], pose.translation, atol=1e-15)
    np.testing.assert_allclose(answer["rotation"], pose.rotation, atol=1e-15)
    assert answer["q"] == Q
    assert answer["point"] == "flange"
    assert answer["beyond_limits"] == []


def test_fk_without_joint_positions_takes_zeros(robotix: CommandLine) -> None:
    zeros = robotix.json("fk", "kuka_lwr", "--q", *["0"] * 7)
    assert robotix.json("fk", "kuka_lwr") == zeros


def test_fk_of_another_point_in_degrees(robotix: CommandLine) -> None:
    degrees = np.rad2deg(Q)
    answer = robotix.json("fk", "kuka_lwr_rail", "--point", "elbow", "--q-deg", 0.7, *degrees)
    posture = rx.Posture(rx.load("kuka_lwr_rail"), [0.7, *Q])  # the rail's metres stay metres
    np.testing.assert_allclose(answer["position"], posture.position("elbow"), atol=1e-12)


def test_fk_in_words_tells_what_is_beyond_its_limits(robotix: CommandLine) -> None:
    out = robotix.text("fk", "planar_3r", "--q", 0, 0, 99)
    assert "flange of planar_3r" in out and "position" in out
    assert "beyond its limits: " in out


def test_fk_reads_files(robotix: CommandLine, tmp_path: Path) -> None:
    save_urdf(rx.load("scara"), tmp_path / "mine.urdf")
    answer = robotix.json("fk", tmp_path / "mine.urdf", "--q", 0.1, 0.2, 0.03, -0.4)
    expected = rx.Posture(rx.load("scara"), [0.1, 0.2, 0.03, -0.4]).position()
    np.testing.assert_allclose(answer["position"], expected, atol=1e-12)


@pytest.mark.parametrize(
    "given, read",
    [
        ("--q 0 -0.5 1e-3 --json", "--q=0 --q=-0.5 --q=1e-3 --json"),
        ("--json --q -1 -2", "--json --q=-1 --q=-2"),
        ("--q 1 --q-deg 2 3", "--q=1 --q-deg=2 --q-deg=3"),
        ("--q --json", "--q --json"),
        ("--q", "--q"),
        ("--q left", "--q left"),
        ("--q=1 2", "--q=1 2"),
        ("--xyz 1 -2 3", "--xyz 1 -2 3"),
    ],
)
def test_lists_of_numbers_are_options_that_repeat(given: str, read: str) -> None:
    assert split_list_options(given.split()) == read.split()


# -- solve ----------------------------------------------------------------------------------


def test_solve_meets_a_place(robotix: CommandLine) -> None:
    answer = robotix.json("solve", "kuka_lwr", "--xyz", -0.4, 0.2, 0.6)
    assert answer["converged"] is True
    assert answer["error"] <= 1e-6
    np.testing.assert_allclose(answer["position"], [-0.4, 0.2, 0.6], atol=1e-6)
    model = rx.load("kuka_lwr")
    found = rx.Posture(model, answer["q"])
    np.testing.assert_allclose(found.pose().rotation, answer["rotation"], atol=1e-12)
    assert (found.q >= model.lower).all() and (found.q <= model.upper).all()


@pytest.mark.parametrize("option, scale", [("--rpy", 1.0), ("--rpy-deg", 180 / np.pi)])
def test_solve_meets_an_orientation(robotix: CommandLine, option: str, scale: float) -> None:
    rpy = [0.3, -2.8, 0.4]
    angles = [angle * scale for angle in rpy]
    answer = robotix.json("solve", "panda", "--xyz", 0.4, -0.1, 0.4, option, *angles)
    assert answer["converged"]
    np.testing.assert_allclose(answer["rotation"], rx.Pose.at(0, 0, 0, rpy=rpy).rotation, atol=2e-6)


def test_solve_says_what_it_cannot_reach(robotix: CommandLine) -> None:
    answer = robotix.json("solve", "kuka_lwr", "--xyz", 3, 0, 0.5)
    assert answer["converged"] is False
    missing = np.linalg.norm(np.array([3, 0, 0.5]) - answer["position"])
    assert answer["error"] == pytest.approx(missing)
    assert "NOT converged" in robotix.text("solve", "kuka_lwr", "--xyz", 3, 0, 0.5)


def test_solve_in_words_names_the_joints(robotix: CommandLine) -> None:
    out = robotix.text("solve", "kuka_lwr_rail", "--xyz", 0.9, 0.5, 0.9, "--point", "wrist")
    assert out.startswith("converged")
    for name in rx.load("kuka_lwr_rail").dof_names:
        assert f"  {name}" in out


def test_solve_repeats_itself(robotix: CommandLine) -> None:
    question = ("solve", "panda", "--xyz", 0.3, 0.3, 0.3, "--seed", 7)
    assert robotix.json(*question) == robotix.json(*question)


# -- workspace ------------------------------------------------------------------------------


def test_workspace_tells_reach_and_volume(robotix: CommandLine) -> None:
    answer = robotix.json("workspace", "planar_3r", "--samples", 3000, "--voxel", 0.1)
    assert 0.9 < answer["reach"] <= 1.2
    assert answer["volume"] == pytest.approx(answer["voxels"] * 1e-3)
    assert 0 < answer["isotropy"]["mean"] < answer["isotropy"]["best"] <= 1
    assert "reach" in robotix.text("workspace", "planar_3r", "--samples", 100)


def test_workspace_writes_a_table(robotix: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "map.csv"
    answer = robotix.json("workspace", "scara", "--samples", 1000, "--out", file)
    with file.open() as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == answer["voxels"]
    assert sum(int(row["samples"]) for row in rows) == 1000
    assert max(float(row["isotropy"]) for row in rows) == answer["isotropy"]["best"]


def test_workspace_draws_a_picture(robotix: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "map.png"
    out = robotix.text("workspace", "kuka_lwr", "--samples", 500, "--voxel", 0.2, "--out", file)
    assert str(file) in out
    with Image.open(file) as picture:
        image = np.asarray(picture.convert("RGB")).reshape(-1, 3)
    assert picture.format == "PNG"
    best, none = np.array([253, 231, 37]), np.array([68, 1, 84])  # at the ends of the legend
    for colour in (best, none):
        assert (abs(image - colour).max(axis=1) <= 3).any()


# -- compile ---------------------------------------------------------------------------------


def test_compile_leaves_nothing_to_compile(robotix: CommandLine) -> None:
    assert "kernels are ready" in robotix.text("compile")
    assert "all were in the cache" in robotix.text("compile")
    assert is_compiled("room") and is_compiled("all")
    assert "all were in the cache" in robotix.text("compile", "--for", "room")


def test_people_are_told_once_that_kernels_are_compiled(
    capsys: pytest.CaptureFixture[str],
) -> None:
    notice = CompileNotice()
    notice.on_start(None)
    notice.on_start(None)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1 and "compiling" in err


# -- refusing -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "nonsense",
        "fk",
        "fk kuka_lwr --q",
        "fk kuka_lwr --q left",
        "fk kuka_lwr --q 0 0 --q-deg 0",
        "fk kuka_lwr --que 0",
        "solve kuka_lwr",
        "solve kuka_lwr --xyz 1 2",
        "solve kuka_lwr --xyz 1 2 3 --rpy 0 0 0 --rpy-deg 0 0 0",
        "workspace kuka_lwr --samples 0",
        "workspace kuka_lwr --out map.pdf",
        "robots now",
    ],
)
def test_a_wrong_use_exits_with_2(robotix: CommandLine, line: str) -> None:
    status, out, err = robotix.run(*line.split())
    assert (status, out) == (2, "")
    assert err.count("Error: ") == 1
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "line, words",
    [
        ("fk kuka_lwr --q 0 0 left 0 0 0 0", "'--q': 'left' is not a number"),
        ("fk kuka_lwr --q 0 0 0 0 0 0 1x", "'--q': '1x' is not a number"),
        ("solve kuka_lwr --xyz 1 2 here", "'--xyz': 'here' is not a number"),
        ("workspace kuka_lwr --samples 2.5", "'--samples': '2.5' is not a whole number"),
        ("sim panda --seconds nan", "'--seconds': 'nan' is not a number"),
        ("sim panda --seconds -1", "'--seconds': -1 is less than 0.001"),
        ("sim panda --seconds 1e9", "'--seconds': 1e9 is greater than 3600"),
        ("sim balance squat --seed -1", "'--seed': -1 is less than 0"),
        ("sim balance dance", "'motion': 'dance' is not one of 'squat', 'kick', 'push'"),
        ("haptics device --mode touch", "'--mode': 'touch' is not one of admittance, "),
        ("haptics map --mode impedance", "--mode is for --device"),
    ],
)
def test_a_wrong_value_is_named(robotix: CommandLine, line: str, words: str) -> None:
    status, _, err = robotix.run(*line.split())
    assert status == 2
    assert words in err


@pytest.mark.parametrize(
    "command, usage",
    [
        ("fk", "robotix fk [OPTIONS] ROBOT\n"),
        ("run", "robotix run [OPTIONS] [SCENE|ROBOT]\n"),
        ("human audit", "robotix human audit [OPTIONS] [TASK]...\n"),
        ("convert", "robotix convert [OPTIONS] ROBOT OUT\n"),
    ],
)
def test_usage_lines_are_plain(robotix: CommandLine, command: str, usage: str) -> None:
    assert usage in robotix.text(*command.split(), "-h")


@pytest.mark.parametrize(
    "line, message",
    [
        ("fk kuka_lw --q 0", "did you mean 'kuka_lwr'?"),
        ("fk kuka_lwr --q 0 0", "has 7 joints, not 2"),
        ("fk kuka_lwr --q 0 0 0 0 0 0 nan", "finite"),
        ("fk kuka_lwr --q 0 0 0 0 0 0 0 --point flang", "did you mean 'flange'?"),
        ("fk missing.urdf --q 0", "missing.urdf: "),
        ("fk bad.urdf --q 0", "bad.urdf:2"),
        ("solve nobody --xyz 0 0 0", "no robot 'nobody'"),
        ("solve kuka_lwr --xyz 0 0 inf", "finite"),
        ("solve kuka_lwr --xyz 0 0 1 --tolerance -1", "tolerance"),
        ("workspace kuka_lwr --voxel 0", "voxel"),
        ("workspace kuka_lwr --part up", "part is"),
        ("workspace scara --samples 9 --out nowhere/map.csv", "nowhere/map.csv: "),
    ],
)
def test_a_refused_input_exits_with_1_and_one_line(
    robotix: CommandLine, line: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.urdf").write_text("<robot name='x'>\n<link/></robot>\n")
    status, out, err = robotix.run(*line.split())
    assert (status, out) == (1, "")
    assert err.startswith("Error: ") and err.count("\n") == 1
    assert message in err


# -- starting -------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [["--help"], ["fk", "--help"], ["--version"]], ids=" ".join)
def test_help_is_there_without_heavy_imports(arguments: list[str]) -> None:
    code = (
        "import sys\n"
        "from robotix.cli.main import main\n"
        f"sys.argv = ['robotix', *{arguments}]\n"
        "try: main()\n"
        "finally: print('\\nMODULES', *sorted({name.split('.')[0] for name in sys.modules}))\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "robotix" in run.stdout
    assert HEAVY & set(run.stdout.split("MODULES")[1].split()) == set()


@pytest.mark.parametrize(
    "arguments", [["lab", "stability"], ["haptics", "teleoperation", "--device", "vishard10"]]
)
def test_a_package_that_is_not_installed_is_named_with_its_extra(arguments: list[str]) -> None:
    code = (
        "import sys\n"
        "from robotix.cli.main import main\n"
        "sys.modules.update({'scipy': None, 'scipy.linalg': None, 'scipy.optimize': None})\n"
        f"sys.argv = ['robotix', *{arguments}]\n"
        "main()\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert run.stderr.endswith("needs scipy; install it by: pip install 'robotix[lab]'\n")
    assert "Traceback" not in run.stderr


def test_every_extra_that_the_command_line_names_exists() -> None:
    listed = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    extras = listed["project"]["optional-dependencies"]
    for package, extra in EXTRAS.items():
        assert any(each.startswith(package) for each in extras[extra])


def test_help_says_what_it_is_for(robotix: CommandLine) -> None:
    out = robotix.text("--help")
    words = " ".join(out.split())
    assert "Simulate people and robots in a shared virtual room" in words
    for command in ("run", "check", "replay", "robots", "solve", "human", "ergo", "compile"):
        assert re.search(rf"^  {command}\s+\S", out, re.MULTILINE), f"{command} is not explained"


def test_no_command_is_a_question_for_help(robotix: CommandLine) -> None:
    status, out, err = robotix.run()
    assert status == 2
    assert "Commands:" in out + err


@pytest.mark.parametrize("command", ["robots", "fk", "solve", "workspace", "compile"])
def test_every_command_has_help(robotix: CommandLine, command: str) -> None:
    out = robotix.text(command, "--help")
    assert f"robotix {command}" in out
    assert command == "compile" or "--json" in out


# -- help and completion --------------------------------------------------------------------


@pytest.mark.parametrize("command", ["", *every_command()])
def test_h_is_help(command: str, robotix: CommandLine) -> None:
    words = command.split()
    text = robotix.text(*words, "-h")
    assert text == robotix.text(*words, "--help")
    assert text.startswith(f"Usage: {' '.join(['robotix', *words])}")


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("robotix wor", ["workspace"]),
        ("robotix lab st", ["status", "stability"]),
        ("robotix human climb", ["climb_stairs", "climb_ladder"]),
        ("robotix ergo fam", ["family"]),
        ("robotix sim ba", ["balance"]),
        ("robotix workspace --vox", ["--voxel"]),
        ("robotix human lift --perc", ["--percentile"]),
        ("robotix ergo family --perc", ["--percentiles"]),
    ],
)
def test_shells_complete_commands_and_options(
    typed: str, offered: list[str], robotix: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("_ROBOTIX_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(typed.count(" ")))
    assert robotix.run()[1].split() == offered
