"""Robot files for the benchmarks, taken from a public wheel and reduced to what kinematics needs.

Meshes go (no contestant may spend time on them, some cannot read them), and limits are written into
the file, so that every contestant reads the same ones.
"""

import subprocess
import sys
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

PACKAGE, VERSION = "example-robot-data", "6.0.0"
SOURCES = {
    "talos": "robots/talos_data/robots/talos_reduced.urdf",  # 32 joints and a free base: 38 DoF
    "panda": "robots/panda_description/urdf/panda.urdf",
}
KEPT = {"link": {"inertial"}, "joint": {"origin", "parent", "child", "axis", "limit"}}
Limits = Callable[..., tuple[float, float, float]]


def fetch_robots(folder: Path) -> dict[str, Path]:
    """Return the original URDF files by name; they come from the wheel, installed or fetched."""
    paths = {name: folder / f"{name}_original.urdf" for name in SOURCES}
    if not all(path.exists() for path in paths.values()):
        folder.mkdir(parents=True, exist_ok=True)
        read = _installed() or _fetched(folder)
        for name, path in paths.items():
            path.write_bytes(read(SOURCES[name]))
    return paths


def write_reduced(
    source: Path, target: Path, *, without: str = "", limits: Limits | None = None
) -> None:
    """Copy a URDF file without shapes, without the subtree at link `without`, with other limits.

    `limits` maps a joint's name, lower, upper and velocity limit to the three new limits.
    """
    robot = ET.parse(source).getroot()
    for element in list(robot):
        if element.tag not in KEPT:
            robot.remove(element)
            continue
        for child in list(element):
            if child.tag not in KEPT[element.tag]:
                element.remove(child)
    _prune(robot, without)
    for joint in robot.findall("joint"):
        limit = joint.find("limit")
        if limits is not None and limit is not None and joint.get("type") == "revolute":
            old = (float(limit.attrib[key]) for key in ("lower", "upper", "velocity"))
            new = limits(joint.attrib["name"], *old)
            limit.attrib.update(zip(("lower", "upper", "velocity"), map(repr, new), strict=True))
    ET.ElementTree(robot).write(target)


def _prune(robot: ET.Element, link: str) -> None:
    doomed: set[str | None] = {link}
    for _ in robot.findall("joint"):
        doomed |= {_end(j, "child") for j in robot.findall("joint") if _end(j, "parent") in doomed}
    for element in list(robot):
        name = element.get("name") if element.tag == "link" else _end(element, "child")
        if name in doomed:
            robot.remove(element)


def _end(joint: ET.Element, tag: str) -> str | None:
    end = joint.find(tag)
    return None if end is None else end.get("link")


def _installed() -> Callable[[str], bytes] | None:
    """Return a reader of the wheel's files, if this very version is installed here."""
    try:
        package = distribution(PACKAGE)
    except PackageNotFoundError:
        return None
    share = Path(str(package.locate_file("cmeel.prefix/share/example-robot-data")))
    if package.version != VERSION or not share.exists():
        return None
    return lambda name: (share / name).read_bytes()


def _fetched(folder: Path) -> Callable[[str], bytes]:
    """Return a reader of the wheel's files after downloading it: 130 MB for two small files."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--dest", str(folder)]
    pin = f"{PACKAGE}=={VERSION}"
    done = subprocess.run([*command, pin], capture_output=True, text=True, check=False)
    wheels = sorted(folder.glob("example_robot_data-*.whl"))
    if done.returncode or not wheels:
        raise SystemExit(f"cannot download {pin}, the robots of the benchmark:\n{done.stderr}")
    with zipfile.ZipFile(wheels[-1]) as archive:
        members = {
            ending: archive.read(name)
            for name in archive.namelist()
            for ending in SOURCES.values()
            if name.endswith(ending)
        }
    wheels[-1].unlink()
    return members.__getitem__
