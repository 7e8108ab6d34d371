"""Models that an SDF file includes: files in other folders, found as meshes are."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from robotix.errors import BadFile
from robotix.files.source_file import read_source
from robotix.files.xml_tree import Element, parse_xml
from robotix.model.mesh_files import MODEL_PATHS, MeshFinder
from robotix.model.sdf.values import text_of

__all__ = ["Includes", "check_root", "model_in"]

MAX_INCLUDED = 200  # models, so that files that include each other come to an end


@dataclass
class Includes:
    """Finds and reads included models."""

    packages: tuple[Path, ...] = ()
    _count: int = field(default=0)

    def __call__(self, include: Element) -> Element:
        """Return the `<model>` that an `<include>` names."""
        self._count += 1
        if self._count > MAX_INCLUDED:
            raise include.bad(f"more than {MAX_INCLUDED} included models", "fewer of them")
        uri = text_of(include, "uri")
        if uri.startswith(("http://", "https://")):
            expected = "a model of this computer; download it, and name its folder"
            raise include.bad(f"<include> of {uri}", expected)
        finder = MeshFinder(Path(include.path).parent, self.packages)
        for path in finder.candidates(uri):
            file = _model_file(path)
            if file is not None:
                return model_in(_read(file))
        expected = f"a model that is here: name the folder that holds it in {MODEL_PATHS[0]}"
        raise include.bad(f"<include> of {uri}, which was not found", expected)


def _read(file: Path) -> Element:
    data = read_source(file, what="an SDF robot description")
    return parse_xml(data, path=os.fspath(file), keep_text=True)


def check_root(root: Element) -> None:
    """Raise BadFile unless it is SDF, whose outermost element was <gazebo> in version 1.2."""
    if root.tag not in ("sdf", "gazebo"):
        raise root.bad(f"<{root.tag}>", "<sdf> as the outermost element")


def model_in(root: Element) -> Element:
    """Return the only model of an SDF file."""
    check_root(root)
    return root.need("model")


def _model_file(path: Path) -> Path | None:
    """Return the SDF file at a path: itself, or what `model.config` in a folder names."""
    try:
        if path.is_file():
            return path
        if not path.is_dir():
            return None
        config = path / "model.config"
        names = _configured(config) if config.is_file() else []
        found = [path / name for name in (*names, "model.sdf") if (path / name).is_file()]
    except (OSError, ValueError, BadFile):
        return None
    return found[0] if found else None


def _configured(config: Path) -> list[str]:
    """Return the SDF files that a `model.config` names, the newest version first."""
    root = parse_xml(read_source(config, what="a model.config"), path=str(config), keep_text=True)
    listed = [
        (each.attributes.get("version", "0"), each.content.strip()) for each in root.all("sdf")
    ]
    listed = [(version, name) for version, name in listed if name and "/" not in name]
    return [name for _, name in sorted(listed, key=lambda item: _version(item[0]), reverse=True)]


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".") if part.isdigit())
