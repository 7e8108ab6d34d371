"""Compare robotix with its peers on equal work: `python benchmarks/run.py`.

Every contestant gets an environment of its own under `.bench/` (made on first use), reads the same
workload files and is timed by the same loop, in rounds that take turns so that noise of the machine
hits all alike. Postures are judged by an independent yardstick. Tables go to standard output, all
figures to `benchmarks/results/`.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from environments import HERE, Environment, NotInstallable, is_ready, make_environment
from judge import judge
from peers import ENTRIES
from report import Row, merge_rounds, table, verdicts
from robots import fetch_robots
from workloads import WORKLOADS, load_work, write_workloads

ROOT = HERE.parent / ".bench"
RESULTS = HERE / "results"
RUN_TIMEOUT = 600  # s


def main() -> None:
    """Install, run, judge and print."""
    options = _parse(sys.argv[1:])
    machine = _machine()  # before we load it ourselves
    for folder in (ROOT, RESULTS):
        folder.mkdir(exist_ok=True)
        (folder / ".gitignore").write_text("*\n")
    environments, absent = prepare(options.only)
    _say("making the workloads")
    folder = ROOT / ("data_quick" if options.quick else "data")
    paths = write_workloads(folder, fetch_robots(ROOT / "robots"), quick=options.quick)
    results = compete(
        environments, {name: paths[name] for name in options.workload}, options.rounds
    )
    for workload, rows in results.items():
        rows |= {
            peer: {"failure": why} for peer, why in absent.items() if workload in ENTRIES[peer]
        }
        sys.stdout.write(f"\n{table(workload, rows)}\n")
    path = _save({"machine": machine, "results": results})
    sys.stdout.write("\n" + "\n".join([*verdicts(results), machine, f"written to {path}"]) + "\n")


def prepare(peers: Sequence[str]) -> tuple[dict[str, Environment], dict[str, str]]:
    """Make the environments; return those that are ready and why the others are not."""
    ready, absent = {}, {}
    for number, peer in enumerate(peers, 1):
        verb = "found" if is_ready(peer, ROOT) else "installing"
        _say(f"environment {number}/{len(peers)}: {verb} {peer}")
        try:
            ready[peer] = make_environment(peer, ROOT)
        except NotInstallable as error:
            absent[peer] = f"not installable: {error}"
            _say(f"{peer} {absent[peer]}")
    return ready, absent


def compete(
    environments: dict[str, Environment], works: dict[str, Path], rounds: int
) -> dict[str, dict[str, Row]]:
    """Run all rounds; each starts with another contestant, so that nobody always comes first."""
    rows: dict[tuple[str, str], list[Row]] = defaultdict(list)
    peers = list(environments)
    for turn in range(rounds):
        first = turn % max(len(peers), 1)
        for workload, path in works.items():
            for peer in peers[first:] + peers[:first]:
                if workload in ENTRIES[peer] and not _has_failed(rows[workload, peer]):
                    _say(f"round {turn + 1}/{rounds}: {workload}: {peer}")
                    rows[workload, peer].append(run_once(environments[peer], path))
    results: dict[str, dict[str, Row]] = {workload: {} for workload in works}
    for (workload, peer), found in rows.items():
        if found:
            results[workload][peer] = found[-1] if _has_failed(found) else merge_rounds(found)
    return results


def run_once(environment: Environment, path: Path) -> Row:
    """Run one contestant on one workload in a fresh process and judge what it did."""
    out = path.parent / f"{environment.peer}_{path.name}"
    try:
        done = environment.run("--work", str(path), "--out", str(out), timeout=RUN_TIMEOUT)
    except subprocess.TimeoutExpired:
        return {"failure": f"took longer than {RUN_TIMEOUT} s"}
    if done.returncode:
        words = done.stderr.strip().splitlines() or ["no words"]
        return {"failure": f"ended with {done.returncode}: {words[-1]}", "stderr": done.stderr}
    with np.load(out) as data:
        row: Row = json.loads(done.stdout)
        return row | judge(load_work(path), data["q"])


def _has_failed(rows: list[Row]) -> bool:
    return bool(rows) and "failure" in rows[-1]


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "--only", type=_chooser("contestant", tuple(ENTRIES)), default=tuple(ENTRIES)
    )
    parser.add_argument("--workload", type=_chooser("workload", WORKLOADS), default=WORKLOADS)
    parser.add_argument("--rounds", type=int, help="default 5, or 1 with --quick")
    parser.add_argument("--quick", action="store_true", help="a smoke run: little work, one round")
    options = parser.parse_args(arguments)
    options.rounds = options.rounds or (1 if options.quick else 5)
    return options


def _chooser(kind: str, known: tuple[str, ...]) -> Callable[[str], tuple[str, ...]]:
    """Read a comma-separated list of names or of their beginnings (`tick` means all ticks)."""

    def choose(text: str) -> tuple[str, ...]:
        words = text.split(",")
        for word in words:
            if not any(name.startswith(word) for name in known):
                raise argparse.ArgumentTypeError(f"no {kind} {word!r}; known: {', '.join(known)}")
        return tuple(name for name in known if name.startswith(tuple(words)))

    return choose


def _save(document: dict[str, object]) -> Path:
    path = RESULTS / time.strftime("%Y%m%dT%H%M%S.json")
    path.write_text(json.dumps(document, indent=1))
    return path.relative_to(HERE.parent)


def _machine() -> str:
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    busy = "; BUSY BEFORE THE START: do not quote these figures" if load > 0.7 else ""
    return (
        f"{platform.platform()}, {os.cpu_count()} cores, load {load:.1f}{busy}; best of the rounds"
    )


def _say(text: str) -> None:
    """Show progress on standard error: one changing line in a terminal, else a line each."""
    end = "\x1b[K\r" if sys.stderr.isatty() else "\n"
    sys.stderr.write(f"{text}{end}")
    sys.stderr.flush()


if __name__ == "__main__":
    main()
