"""Where the mesh files are that a robot description names.

- `package://name/…` and `model://name/…`, as ROS and Gazebo write them, and `$(find name)/…`: in
  the folders given (`packages`), in the folders above the description, in `ROS_PACKAGE_PATH`, in
  `share` of `AMENT_PREFIX_PATH`, and in the folders that Gazebo looks in (`GZ_SIM_RESOURCE_PATH`,
  `IGN_GAZEBO_RESOURCE_PATH`, `GAZEBO_MODEL_PATH`, `SDF_PATH`). A folder is the package if it has
  its name, or a `package.xml` with that name. A description that was copied out of its package is
  helped, too: at last its meshes are looked for in the folders next above it.
- `file://…`: that path.
- anything else: relative to the folder of the description.

Nothing is fetched, and no mesh is opened here: only files with the suffix of a mesh are looked for.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from robotix.errors import BadFile
from robotix.files.source_file import read_source
from robotix.files.xml_tree import parse_xml
from robotix.geometry import Mesh, Shape
from robotix.model.body import Body
from robotix.model.tree import Model

__all__ = [
    "MODEL_PATHS",
    "Folder",
    "MeshFinder",
    "address_from",
    "find_meshes",
    "package_name",
    "with_addresses",
]

Folder = str | os.PathLike[str]

MAX_ABOVE = 12  # folders above the description that may be, or hold, a package
MAX_LOOSE = 4  # folders above the description in which meshes are looked for without their package
MAX_MANIFEST_BYTES = 2**20
MAX_SHOWN = 3  # addresses in a note
MODEL_PATHS = (
    "GZ_SIM_RESOURCE_PATH",
    "IGN_GAZEBO_RESOURCE_PATH",
    "GAZEBO_MODEL_PATH",
    "SDF_PATH",
)  # variables with folders of models
MESH_SUFFIXES = frozenset(
    (".stl", ".dae", ".obj", ".glb", ".gltf", ".wrl", ".vrml", ".iv", ".ply", ".mesh", ".msh")
)

_FIND = re.compile(r"^(?:file://)?\$\(find ([^()/\s]+)\)/?")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/(/?.*)", re.DOTALL)  # not a drive of Windows


@dataclass
class MeshFinder:
    """Finds mesh files for one robot description."""

    folder: Path  # of the description
    packages: tuple[Path, ...] = ()  # folders that are, or hold, ROS packages
    _found: dict[str, str] = field(default_factory=dict)

    def find(self, uri: str) -> str:
        """Return the absolute path of a mesh; empty when there is none."""
        if uri not in self._found:
            self._found[uri] = next(self._files(uri), "")
        return self._found[uri]

    def _files(self, uri: str) -> Iterator[str]:
        for path in self.candidates(uri):
            try:
                if path.suffix.lower() in MESH_SUFFIXES and path.is_file():
                    yield os.path.abspath(path)
            except (OSError, ValueError):  # too long a name, or a zero byte in it
                continue

    def candidates(self, uri: str) -> Iterator[Path]:
        """Yield the places in which an address may be found, the likeliest first."""
        scheme, rest = _split(_FIND.sub(r"package://\1/", uri.replace("\\", "/")))
        match scheme:
            case "package" | "model":
                name, _, inside = unquote(rest).lstrip("/").partition("/")
                yield from self._in_package(name, PurePosixPath(inside))
            case "file":
                yield self.folder / unquote(rest)
            case "":
                yield self.folder / rest

    def _in_package(self, name: str, inside: PurePosixPath) -> Iterator[Path]:
        for folder in self._package_folders():
            if folder.name == name or package_name(folder) == name:
                yield folder / inside
            yield folder / name / inside
        if inside.parts:
            yield from (above / inside for above in self._above(MAX_LOOSE))

    def _package_folders(self) -> Iterator[Path]:
        yield from self.packages
        yield from self._above(MAX_ABOVE)
        yield from _listed("ROS_PACKAGE_PATH")
        for prefix in _listed("AMENT_PREFIX_PATH"):
            yield prefix / "share"
        for variable in MODEL_PATHS:
            yield from _listed(variable)

    def _above(self, count: int) -> list[Path]:
        folder = Path(os.path.abspath(self.folder))
        return [folder, *folder.parents][:count]


def _split(text: str) -> tuple[str, str]:
    """Return the scheme of an address, and what follows it."""
    match = _SCHEME.fullmatch(text)
    if match is None:
        return "", text
    scheme, rest = match[1].lower(), match[2]
    is_short = not rest.startswith("/")  # file:/path
    return scheme, f"/{rest}" if scheme == "file" and is_short else rest.removeprefix("/")


def _listed(variable: str) -> list[Path]:
    return [Path(each) for each in os.environ.get(variable, "").split(os.pathsep) if each]


@lru_cache(maxsize=1024)
def package_name(folder: Path) -> str:
    """Return the name in the `package.xml` of a folder; empty without one."""
    file = folder / "package.xml"
    try:
        if not file.is_file():
            return ""
        text = read_source(file, what="a package.xml", limit=MAX_MANIFEST_BYTES)
        root = parse_xml(text, path=str(file), keep_text=True)
    except (BadFile, OSError, ValueError):
        return ""
    name = root.all("name")
    return name[0].content.strip() if root.tag == "package" and name else ""


def address_from(folder: Path, mesh: Mesh) -> str:
    """Return how a description in a folder is to name a mesh, so that its file is found again.

    The mesh's own address is kept if it leads there; otherwise it is a path.
    """
    if not mesh.file or MeshFinder(folder).find(mesh.uri) == mesh.file:
        return mesh.uri
    try:
        return Path(mesh.file).relative_to(os.path.abspath(folder)).as_posix()
    except ValueError:
        return mesh.file


# -- models ---------------------------------------------------------------------------------


def find_meshes(
    model: Model, path: str | os.PathLike[str], *, packages: Iterable[Folder] = ()
) -> Model:
    """Return a model that was read from `path`, its meshes with the files they were found in.

    What is not found is said in the model's `notes`.
    """
    finder = MeshFinder(Path(path).parent, tuple(map(Path, packages)))
    missing: dict[str, None] = {}

    def locate(shape: Shape) -> Shape:
        if not isinstance(shape, Mesh):
            return shape
        file = finder.find(shape.uri)
        if not file:
            missing[shape.uri] = None
        return replace(shape, file=file)

    bodies = tuple(_with_meshes(body, locate) for body in model.bodies)
    if all(old is new for old, new in zip(model.bodies, bodies, strict=True)) and not missing:
        return model
    notes = (*model.notes, _note(list(missing))) if missing else model.notes
    return replace(model, bodies=bodies, notes=notes)


def with_addresses(model: Model, folder: Path) -> Model:
    """Return a model whose meshes are named as a description in a folder has to name them."""

    def readdress(shape: Shape) -> Shape:
        if not (isinstance(shape, Mesh) and shape.file):
            return shape
        return replace(shape, uri=address_from(folder, shape))

    return replace(model, bodies=tuple(_with_meshes(body, readdress) for body in model.bodies))


def _with_meshes(body: Body, change: Callable[[Shape], Shape]) -> Body:
    """Return a body with its meshes changed by a function."""
    shapes = [*body.collision, *(visual.shape for visual in body.visuals)]
    if not any(isinstance(shape, Mesh) for shape in shapes):
        return body
    return replace(
        body,
        collision=tuple(map(change, body.collision)),
        visuals=tuple(replace(visual, shape=change(visual.shape)) for visual in body.visuals),
    )


def _note(missing: list[str]) -> str:
    files = "mesh file was" if len(missing) == 1 else "mesh files were"
    names = ", ".join(missing[:MAX_SHOWN]) + (", …" if len(missing) > MAX_SHOWN else "")
    is_package = any(uri.startswith(("package:", "model:", "$(find")) for uri in missing)
    hint = " Name the folder of their packages: --packages, ROS_PACKAGE_PATH." if is_package else ""
    return f"{len(missing)} {files} not found: {names}.{hint}"
