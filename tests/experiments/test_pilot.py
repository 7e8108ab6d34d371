from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support import stand_in_trials
from support.stand_in_trials import die, fail, run_trial

from robotix.experiments.pilot import TrialFailed, count_pilot_trials, run_pilot
from robotix.experiments.store.store import StudyStore

STUDY = """robotix: 1
study: Small
factors:
  arm: {levels: [a, b]}
tasks: [shelf, chess]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "study.yaml").write_text(STUDY)
    return tmp_path


def test_all_trials_of_all_operators_are_run_once(folder: Path) -> None:
    counted = []
    with StudyStore(folder) as store:
        assert count_pilot_trials(store, 3) == 12
        report = run_pilot(store, run_trial, operators=3, advance=lambda: counted.append(1))
        assert (report.trials, report.finished, report.run, len(counted)) == (12, 12, 12, 12)
        assert {each.name for each in store.participants()} == {"S001", "S002", "S003"}
        again = run_pilot(store, run_trial, operators=3)
        assert (again.run, again.finished) == (0, 12)
        more = run_pilot(store, run_trial, operators=4)
        assert (more.run, more.trials) == (4, 16)
        cells = {(t.participant, t.task, t.levels["arm"]) for t in store.trials()}
        assert len(cells) == 16
        assert all((folder / (t.recording or "")).is_file() for t in store.trials())


def test_processes_and_one_process_give_the_same(tmp_path: Path) -> None:
    results = []
    for jobs in (1, 2):
        folder = tmp_path / str(jobs)
        folder.mkdir()
        (folder / "study.yaml").write_text(STUDY)
        with StudyStore(folder) as store:
            run_pilot(store, run_trial, operators=2, seed=5, jobs=jobs)
            results.append({(t.participant, t.step): t.duration for t in store.trials()})
    assert results[0] == results[1]


def test_another_seed_gives_other_operators_and_is_kept(folder: Path) -> None:
    with StudyStore(folder) as store:
        run_pilot(store, run_trial, operators=1, seed=5)
        with pytest.raises(ValueError, match="pilot seed was 5, not 6"):
            run_pilot(store, run_trial, operators=2, seed=6)
        with pytest.raises(ValueError, match="one operator"):
            run_pilot(store, run_trial, operators=0)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_runner_that_fails_is_named_and_leaves_no_running_trial(folder: Path, jobs: int) -> None:
    with StudyStore(folder) as store:
        with pytest.raises(TrialFailed, match=r"trial \d+ \(S001, (shelf|chess), (a|b)\): no task"):
            run_pilot(store, fail, operators=1, jobs=jobs)
        assert {trial.status for trial in store.trials()} == {"interrupted"}
        report = run_pilot(store, run_trial, operators=1)
        assert report.finished == 4 and report.interrupted >= 1


def test_a_worker_that_dies_is_reported(folder: Path) -> None:
    with StudyStore(folder) as store:
        with pytest.raises(TrialFailed, match="worker process ended"):
            run_pilot(store, die, operators=1, jobs=2)
        assert {trial.status for trial in store.trials()} == {"interrupted"}


# -- kill -9 -----------------------------------------------------------------------------------

CHILD = """
import sys
from {module} import run_trial
from robotix.experiments.pilot import run_pilot
from robotix.experiments.store.store import StudyStore

class Told(StudyStore):
    def finish_trial(self, number, outcome, *, step):
        super().finish_trial(number, outcome, step=step)
        print(number, repr(outcome.duration), flush=True)  # from now on it must never be lost

with Told(sys.argv[1]) as store:
    print("open", flush=True)
    run_pilot(store, run_trial, operators=int(sys.argv[2]), jobs=int(sys.argv[3]))
print("end", flush=True)
"""


STAND_IN, REAL = "support.stand_in_trials", "robotix.experiments.runner"


def killed_pilot(
    folder: Path, rng: random.Random, *, operators: int, jobs: int, module: str = STAND_IN
) -> dict[int, str]:
    """Run a pilot, kill it at a random moment, and return the trials that it called finished."""
    program = CHILD.replace("{module}", module)
    command = [sys.executable, "-c", program, str(folder), str(operators), str(jobs)]
    tests = str(Path(stand_in_trials.__file__).parent.parent)
    path = os.pathsep.join([tests, os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"PYTHONPATH": path, "STAND_IN_SECONDS": "0.002"}
    child = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True)
    assert child.stdout is not None
    lines = []
    for _ in range(rng.randint(1, 12 if module == STAND_IN else 3)):
        lines.append(child.stdout.readline())
    if module == STAND_IN:  # some more instructions, until the kill arrives
        for _ in range(rng.randint(0, 200_000)):
            pass
    else:
        time.sleep(rng.uniform(0.0, 3.0))
    child.send_signal(signal.SIGKILL)
    lines += child.stdout.readlines()
    child.stdout.close()
    child.wait()
    rows = [line.split() for line in lines if line[:1].isdigit() and line.endswith("\n")]
    return {int(number): duration for number, duration in rows}


def kill_campaign(folder: Path, kills: int, *, seed: int, module: str = STAND_IN) -> None:
    rng = random.Random(seed)
    told: dict[int, str] = {}
    operators = 1
    for kill in range(kills):
        operators += 3  # there is always something left to do
        jobs = 1 + kill % 2
        told |= killed_pilot(folder, rng, operators=operators, jobs=jobs, module=module)
        with StudyStore(folder) as store:
            assert store.check_integrity() == []
            trials = store.trials()
            finished = {t.id: repr(t.duration) for t in trials if t.status == "finished"}
            assert {number: finished.get(number) for number in told} == told
            assert all(t.status in ("finished", "interrupted") for t in trials)
            assert store.interrupted <= 2  # as many as there were jobs
            for trial in trials:
                if trial.status == "finished":
                    content = (folder / (trial.recording or "")).read_bytes()
                    assert content.startswith(b"motion" if module == STAND_IN else b"\x89MCAP0")
    if module == REAL:
        return
    with StudyStore(folder) as store:
        run_pilot(store, run_trial, operators=operators)
        counted = [t for t in store.trials() if t.status == "finished"]
        assert len({(t.participant, t.step) for t in counted}) == len(counted) == 4 * operators


def test_killed_pilots_lose_no_finished_trial(folder: Path) -> None:
    kill_campaign(folder, 3, seed=1)


@pytest.mark.soak
def test_two_hundred_killed_pilots_lose_no_finished_trial(folder: Path) -> None:
    kill_campaign(folder, 200, seed=2)


REAL_STUDY = """robotix: 1
study: Real trials
factors:
  arm: {levels: [kuka_lwr, mitsubishi_pa10]}
tasks: [chess]
"""


@pytest.mark.soak
def test_two_hundred_killed_pilots_of_simulated_operators_lose_nothing(tmp_path: Path) -> None:
    (tmp_path / "study.yaml").write_text(REAL_STUDY)
    kill_campaign(tmp_path, 200, seed=3, module=REAL)
