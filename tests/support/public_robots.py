"""Robot descriptions that other packages of the development environment bring along."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, files
from pathlib import Path


def package_files(package: str, suffix: str) -> dict[str, Path]:
    """Return a package's files with a suffix, by the last two parts of their path."""
    try:
        listed = files(package) or []
    except PackageNotFoundError:
        return {}
    paths = [Path(str(file.locate())) for file in listed if str(file).endswith(suffix)]
    return {"/".join(path.parts[-2:]): path for path in sorted(paths)}


def public_urdfs() -> dict[str, Path]:
    """Return the URDF files of example-robot-data, by their path below `robots`."""
    paths = package_files("example-robot-data", ".urdf").values()
    return {path.as_posix().split("/example-robot-data/robots/", 1)[1]: path for path in paths}


def public_mjcfs() -> dict[str, Path]:
    """Return the MJCF files of gymnasium, by name."""
    paths = package_files("gymnasium", ".xml").values()
    return {path.stem: path for path in paths if "mujoco/assets" in path.as_posix()}
