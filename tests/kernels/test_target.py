"""Kernels are compiled for the same processor everywhere, so recordings replay elsewhere."""

import subprocess
import sys
from pathlib import Path

import pytest
from llvmlite.binding import get_host_cpu_features
from support.command_line import CommandLine
from support.room_files import ROOM, STL

from robotix.kernels import target
from robotix.kernels.target import config

is_v3 = all(get_host_cpu_features().get(name, False) for name in target.FEATURES)
needs_v3 = pytest.mark.skipif(not is_v3, reason="this machine is below x86-64-v3")

# Runs the command line as if on another processor, before anything asks which one it is.
ELSEWHERE = """
import sys
import llvmlite.binding as llvm
from llvmlite.binding.targets import FeatureMap

name, more, *arguments = sys.argv[1:]
features = FeatureMap(dict(llvm.get_host_cpu_features()))
features.update(dict.fromkeys(more.split(), True))
llvm.get_host_cpu_name = lambda: name
llvm.get_host_cpu_features = lambda: features
sys.argv = ["robotix", *arguments]
from robotix.cli.main import main
main()
"""


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Numba as it is before anything was compiled, on a machine of level x86-64-v4."""
    for name in target.CHOICES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(config, "CPU_NAME", None)
    monkeypatch.setattr(config, "CPU_FEATURES", None)
    monkeypatch.setattr(target, "has_target", lambda: False)
    features = dict.fromkeys((*target.FEATURES, "avx512f"), True)
    monkeypatch.setattr("llvmlite.binding.get_host_cpu_features", lambda: features)
    monkeypatch.setattr("llvmlite.binding.get_host_cpu_name", lambda: "sapphirerapids")
    return monkeypatch


def test_newer_machines_get_the_code_of_the_common_level(fresh: pytest.MonkeyPatch) -> None:
    assert target.target_name() == "sapphirerapids"
    target.choose_target()
    assert target.target_name() == "x86-64-v3"
    assert "+avx2" in config.CPU_FEATURES and "avx512" not in config.CPU_FEATURES


def test_what_the_user_chose_or_compiled_stays(fresh: pytest.MonkeyPatch) -> None:
    fresh.setenv("NUMBA_CPU_FEATURES", "+avx512f")
    target.choose_target()
    assert target.target_name() == "sapphirerapids"
    fresh.delenv("NUMBA_CPU_FEATURES")
    fresh.setattr(target, "has_target", lambda: True)
    target.choose_target()
    assert target.target_name() == "sapphirerapids"


def test_machines_below_keep_their_own(fresh: pytest.MonkeyPatch) -> None:
    fresh.setattr("llvmlite.binding.get_host_cpu_features", lambda: {"sse4.2": True})
    target.choose_target()
    assert config.CPU_NAME is None


@needs_v3
def test_a_recording_made_elsewhere_replays_to_the_last_bit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in target.CHOICES:
        monkeypatch.delenv(name, raising=False)
    Path("room.yaml").write_text(ROOM)
    Path("cup.stl").write_text(STL)
    robotix, digests = CommandLine(monkeypatch, capsys), set()
    elsewhere = {"haswell": "", "sapphirerapids": "avx512f avx512dq avx512vl avx512bw"}
    for name, more in elsewhere.items():
        run = ["run", "room.yaml", "--headless", "--fast", "--seconds", "0.5"]
        command = [sys.executable, "-c", ELSEWHERE, name, more, *run, "--record", f"{name}.mcap"]
        subprocess.run(command, check=True, capture_output=True)
        answer = robotix.json("replay", f"{name}.mcap", "--check")
        assert answer["digest_ok"] and answer["recorded_for"] == "x86-64-v3"
        digests.add(answer["digest"])
    assert len(digests) == 1
