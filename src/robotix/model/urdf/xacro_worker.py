"""The sandboxed process that runs xacro."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from robotix.files.sandbox import serve_requests

MAX_MESSAGE = 500  # characters of an error


def load() -> Callable[[dict[str, Any]], tuple[dict[str, Any], bytes]]:
    """Import xacro and return the function that expands the file of a request."""
    import xacro
    from xacro import substitution_args

    def answer(request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
        path = Path(request["path"])
        find = partial(find_package, path=path)
        substitution_args._eval_find = substitution_args._eval_dict["find"] = find
        try:
            document = xacro.process_file(str(path), mappings=request["arguments"])
            return {}, document.toprettyxml(indent="  ").encode()
        except Exception as error:  # the caller turns every failure into one kind of error
            return {"error": str(error)[:MAX_MESSAGE] or type(error).__name__}, b""

    return answer


def find_package(package: str, path: Path) -> str:
    """Return the folder of a ROS package: above or beside the file, or in a ROS workspace."""
    for folder in _candidates(package, path):
        if folder.is_dir():
            return str(folder)
    raise LookupError(f"no package {package!r}; set ROS_PACKAGE_PATH to the folder that holds it")


def _candidates(package: str, path: Path) -> Iterator[Path]:
    for above in path.parents:
        if above.name == package:
            yield above
        yield above / package
    for entry in os.environ.get("ROS_PACKAGE_PATH", "").split(os.pathsep):
        if entry:
            if Path(entry).name == package:
                yield Path(entry)
            yield Path(entry) / package
    for entry in os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep):
        if entry:
            yield Path(entry) / "share" / package


if __name__ == "__main__":
    serve_requests(load)
