"""The sandboxed process that runs xacro."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from robotix.files.sandbox import serve_requests
from robotix.model.mesh_files import package_name

MAX_MESSAGE = 500  # characters of an error
MAX_ARGUMENTS = 20  # named in an error
XACRO_ARG = re.compile(r"\{[^}]*xacro[^}]*\}arg")  # its namespace has had several addresses


def load() -> Callable[[dict[str, Any]], tuple[dict[str, Any], bytes]]:
    """Import xacro and return the function that expands the file of a request."""
    import xacro
    from xacro import substitution_args

    def answer(request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
        path = Path(request["path"])
        find = partial(find_package, path=path, packages=[Path(p) for p in request["packages"]])
        substitution_args._eval_find = substitution_args._eval_dict["find"] = find
        declared = declared_arguments(path)
        plain = {name: value for name, value in declared.items() if value and "$" not in value}
        try:
            document = xacro.process_file(str(path), mappings={**plain, **request["arguments"]})
            return {}, document.toprettyxml(indent="  ").encode()
        except Exception as error:  # the caller turns every failure into one kind of error
            message = plain_message(error)[:MAX_MESSAGE] or type(error).__name__
            return {"error": message, "arguments": list(declared)[:MAX_ARGUMENTS]}, b""

    return answer


def plain_message(error: Exception) -> str:
    """Return what xacro reports, without the class of the error and without repetition."""
    words = re.sub(r"<class '[\w.]+'>: ", "", str(error))
    twice = re.fullmatch(r"(.+) \1", words, re.DOTALL)
    return twice[1] if twice else words


def declared_arguments(path: Path) -> dict[str, str]:
    """Return the arguments that a file declares, with their defaults; empty where it has none."""
    try:
        root = ElementTree.parse(path).getroot()
    except (ElementTree.ParseError, OSError, ValueError):
        return {}
    return {
        each.attrib["name"]: each.attrib.get("default", "")
        for each in root.iter()
        if XACRO_ARG.fullmatch(str(each.tag)) and "name" in each.attrib
    }


def find_package(package: str, path: Path, packages: Iterable[Path] = ()) -> str:
    """Return the folder of a ROS package: above or beside the file, or in a ROS workspace."""
    for folder in _candidates(package, path, packages):
        if folder.is_dir():
            return str(folder)
    raise LookupError(f"no package {package!r}; set ROS_PACKAGE_PATH to the folder that holds it")


def _candidates(package: str, path: Path, packages: Iterable[Path]) -> Iterator[Path]:
    for above in (*packages, *path.parents):
        if above.name == package or package_name(above) == package:
            yield above
        yield above / package
    for entry in os.environ.get("ROS_PACKAGE_PATH", "").split(os.pathsep):
        if entry:
            if Path(entry).name == package or package_name(Path(entry)) == package:
                yield Path(entry)
            yield Path(entry) / package
    for entry in os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep):
        if entry:
            yield Path(entry) / "share" / package


if __name__ == "__main__":
    serve_requests(load)
