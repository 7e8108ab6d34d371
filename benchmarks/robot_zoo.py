"""What becomes of the robot files that people have: a sweep over folders and installed packages.

    python benchmarks/robot_zoo.py                       # what installed packages bring along
    python benchmarks/robot_zoo.py ~/robots ~/ros/src    # and these folders
    python benchmarks/robot_zoo.py --only ~/robots --sample 50 --seed 3 --out results/zoo.json

Every file is examined in a worker process with limits on time and memory (`zoo_worker.py`): read,
drawn as a room would, given an obstacle, and compared with Pinocchio (URDF, xacro) or MuJoCo (MJCF)
in random postures. A table goes to standard output, all figures to a JSON file. The exit status is
1 if a goal is missed.
"""

import argparse
import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import Any

from robotix.files.sandbox import IsolatedWorker, WorkerCrashed, WorkerTimeout

WORKER = Path(__file__).parent / "zoo_worker.py"
SECONDS = 120.0  # for one file
MEMORY = 12 * 2**30  # bytes of address space; compiled kernels and two references take much of it
PACKAGES = ("example-robot-data", "gymnasium", "robot_descriptions", "mujoco_menagerie")
CACHES = (".cache/robot_descriptions",)  # below the home folder
SUFFIXES = (".urdf", ".xacro", ".xml", ".mjcf", ".sdf")
ROOT_TAGS = {b"robot", b"mujoco", b"sdf"}
HEAD_BYTES = 20_000  # of an XML file, in which its outermost element is looked for
# Largest differences that are rounding: poses in m and 1, mass as a ratio, centre of mass in m.
TOLERANCES = {"pose": 1e-9, "mass": 1e-9, "com": 1e-7}

Row = dict[str, Any]


# -- which files --------------------------------------------------------------------------------


def installed_files() -> list[Path]:
    """Return the robot files of installed packages and of the caches of robot_descriptions."""
    found: list[Path] = []
    for package in PACKAGES:
        try:
            listed = files(package) or []
        except PackageNotFoundError:
            continue
        found += [Path(str(file.locate())) for file in listed if str(file).endswith(SUFFIXES)]
    for cache in CACHES:
        found += files_below(Path.home() / cache)
    return sorted({path.resolve() for path in found if is_robot(path)})


def files_below(folder: Path) -> list[Path]:
    """Return the robot files in a folder and all folders below it."""
    folder = folder.resolve()
    if folder.is_file():
        return [folder]
    paths = (Path(at, name) for at, _, names in os.walk(folder) for name in names)
    return sorted(path for path in paths if is_robot(path))


def is_robot(path: Path) -> bool:
    """Return whether a file looks like a whole robot: its outermost element says so.

    Of xacro files only those that others do not include: they hold more than macros.
    """
    if not path.name.lower().endswith(SUFFIXES) or not path.is_file():
        return False
    head = path.read_bytes()[:HEAD_BYTES]
    if path.suffix.lower() == ".xacro":
        return path.name.endswith(".urdf.xacro") or b"<link" in head
    return any(b"<" + tag in head for tag in ROOT_TAGS)


# -- the sweep ----------------------------------------------------------------------------------


def sweep(paths: Iterable[Path], *, seconds: float = SECONDS) -> Iterator[Row]:
    """Examine files one after the other; what kills or stalls the worker is a finding, too."""
    with IsolatedWorker(WORKER, memory=MEMORY, cpu_seconds=int(seconds)) as worker:
        for path in paths:
            row: Row = {"file": str(path), "format": format_of(path)}
            started = time.monotonic()
            row |= _ask(worker, path, seconds, reads=True)
            if row["outcome"] == "refused":
                row |= {"reference": "crashes or stalls"}
                row |= _ask(worker, path, seconds, reads=False)
            row["seconds"] = round(time.monotonic() - started, 2)
            yield row | {"verdict": verdict_of(row)}


def _ask(worker: IsolatedWorker, path: Path, seconds: float, *, reads: bool) -> Row:
    try:
        return worker.ask({"path": str(path), "reads": reads}, timeout=2 * seconds)[0]
    except (WorkerCrashed, WorkerTimeout) as error:
        outcome = "crashed" if isinstance(error, WorkerCrashed) else "too slow"
        return {"outcome": outcome, "reason": str(error)} if reads else {}


def format_of(path: Path) -> str:
    """Return the format of a robot file, by its suffix and outermost element."""
    suffix = path.suffix.lower()
    if suffix != ".xml":
        return {".mjcf": "MJCF", ".sdf": "SDF", ".xacro": "xacro"}.get(suffix, "URDF")
    return "MJCF" if b"<mujoco" in path.read_bytes() else "URDF"


def verdict_of(row: Row) -> str:
    """Return what is wrong with a row, or `fine`; a refusal is wrong if the reference reads it."""
    if row["outcome"] in ("crashed", "too slow"):
        return str(row["outcome"])
    if row["outcome"] == "refused":
        return "wrong refusal?" if row["reference"].endswith("reads it") else "rightly refused"
    gaps = row.get("differences", {})
    if any(not gaps[what] <= TOLERANCES[what] for what in gaps):
        return "wrong number"
    is_empty = row["drawn"] == "nothing" and row["dof"]  # without joints it may be a fragment
    if is_empty or row["drawn"].startswith("failed"):
        return "not visible"
    if row["obstacle"].startswith("failed"):
        return "no obstacle"
    return "fine"


# -- the report ---------------------------------------------------------------------------------


def table(rows: Sequence[Row]) -> str:
    """Return one line per format: how many files, and what became of them."""
    formats = sorted({row["format"] for row in rows})
    heads = ["", *formats, "all"]
    groups = [[row for row in rows if row["format"] == each] for each in formats] + [list(rows)]
    lines = [heads]
    for head, test in _LINES:
        lines.append([head, *(str(sum(map(test, group))) for group in groups)])
    worst = ["largest difference of a pose", *(f"{_worst(group):.0e}" for group in groups)]
    widths = [max(len(line[i]) for line in [*lines, worst]) for i in range(len(heads))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in [*lines, worst]
    )


def _is_loaded(row: Row) -> bool:
    return bool(row["outcome"] == "loaded")


_LINES = [
    ("files", lambda row: True),
    ("loaded", _is_loaded),
    ("  drawn with meshes", lambda row: _is_loaded(row) and row["drawn"] == "meshes"),
    ("  drawn with shapes", lambda row: _is_loaded(row) and row["drawn"] == "shapes"),
    ("  drawn with stand-ins", lambda row: _is_loaded(row) and row["drawn"] == "stand-ins"),
    ("  given an obstacle", lambda row: row.get("obstacle") == "kept clear"),
    ("  without joints", lambda row: row.get("obstacle") == "fixed"),
    ("  compared", lambda row: "differences" in row),
    ("rightly refused", lambda row: row["verdict"] == "rightly refused"),
    ("refused, read by the reference", lambda row: row["verdict"] == "wrong refusal?"),
    ("wrong number", lambda row: row["verdict"] == "wrong number"),
    ("not visible", lambda row: row["verdict"] == "not visible"),
    ("takes no obstacle", lambda row: row["verdict"] == "no obstacle"),
    ("crashed or too slow", lambda row: row["verdict"] in ("crashed", "too slow")),
]


def _worst(rows: Iterable[Row]) -> float:
    return max((row["differences"]["pose"] for row in rows if "differences" in row), default=0.0)


def findings(rows: Iterable[Row]) -> Iterator[str]:
    """Yield a line for every file that is not fine."""
    for row in rows:
        if row["verdict"] == "fine":
            continue
        why = row.get("reason") or ""
        if row["verdict"] == "wrong number":
            why = json.dumps(row["differences"])
        elif row["verdict"] == "not visible":
            why = row["drawn"]
        elif row["verdict"] == "no obstacle":
            why = row["obstacle"]
        yield f"{row['verdict']:<16} {row['file']}: {why}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Sweep, print the table and the findings, write the JSON file."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folders", nargs="*", type=Path, help="folders or files of robots")
    parser.add_argument("--only", action="store_true", help="no installed packages")
    parser.add_argument("--sample", type=int, help="examine at most so many, chosen at random")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="processor time for a file")
    parser.add_argument("--out", type=Path, default=Path("results/robot_zoo.json"))
    options = parser.parse_args(arguments)
    paths = [] if options.only else installed_files()
    paths += [path for folder in options.folders for path in files_below(folder)]
    if options.sample is not None and len(paths) > options.sample:
        paths = sorted(random.Random(options.seed).sample(paths, options.sample))
    if not paths:
        parser.error("no robot files; name a folder, or install example-robot-data")
    rows = []
    for row in sweep(paths, seconds=options.seconds):
        rows.append(row)
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{len(rows)}/{len(paths)} {Path(row['file']).name[:50]}\x1b[K")
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(rows, indent=1))
    print(table(rows))
    print(*findings(rows), sep="\n")
    print(f"all figures: {options.out}")
    wrong = Counter(row["verdict"] for row in rows if row["verdict"] not in FINE)
    return 1 if wrong else 0


FINE = ("fine", "rightly refused")

if __name__ == "__main__":
    sys.exit(main())
