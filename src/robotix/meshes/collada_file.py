"""COLLADA (.dae): triangles, places and plain colours, over the hardened XML reader.

Read are the surfaces of the scene with the places of their nodes, in metres (`<unit>`), and the
diffuse colours of their materials. Textures, skins' weights, animations, cameras and lights are
passed over. The `<up_axis>` is not applied: RViz and Gazebo do not either, so the meshes of robot
descriptions are placed without it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from robotix.errors import BadFile
from robotix.files.xml_tree import Element, parse_xml
from robotix.geometry import Array, Pose
from robotix.geometry.rotation import rotation_about
from robotix.meshes.collada_surface import ColladaSurface, read_surfaces
from robotix.meshes.material import Material
from robotix.meshes.part import MAX_TRIANGLES, MAX_VERTICES, MeshPart, make_part

__all__ = ["read_collada"]

MAX_XML_BYTES = 96 * 2**20
MAX_XML_ELEMENTS = 200_000
MAX_NODES = 10_000  # visited, since nodes may be used again
MAX_NESTING = 100  # nodes in nodes, with those that are used again
SHADERS = ("phong", "lambert", "blinn", "constant")


def read_collada(path: Path, data: bytes) -> list[MeshPart]:
    """Return one part for every surface of every node."""
    root = parse_xml(
        data, path=str(path), limit=MAX_XML_BYTES, max_elements=MAX_XML_ELEMENTS, keep_text=True
    )
    if _tag(root) != "COLLADA":
        raise root.bad(f"<{root.tag}>", "<COLLADA> as the outermost element")
    return _Document(path, root).parts()


def _tag(element: Element) -> str:
    return element.tag.rsplit(":", 1)[-1]


@dataclass
class _Document:
    """A COLLADA file while it is being read."""

    path: Path
    root: Element
    visits: int = 0
    room: int = MAX_VERTICES  # vertices or corners that may still come
    _by_id: dict[str, Element] = field(default_factory=dict)
    _surfaces: dict[int, list[ColladaSurface]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for element in self.root.walk():
            if "id" in element.attributes:
                self._by_id.setdefault(element.attributes["id"], element)

    def target(self, element: Element, attribute: str = "url") -> Element | None:
        """Return what an element refers to in this file; None when it is not there."""
        return self._by_id.get(element.attributes.get(attribute, "").removeprefix("#"))

    # -- the tree ---------------------------------------------------------------------------

    def parts(self) -> list[MeshPart]:
        """Return a part for every surface, placed."""
        place = np.diag([self._metre()] * 3 + [1.0])
        found: list[MeshPart] = []
        scenes = [scene for library in self.root.all("library_visual_scenes")
                  for scene in library.all("visual_scene")]  # fmt: skip
        wanted = [
            each
            for scene in self.root.all("scene")
            for instance in scene.all("instance_visual_scene")
            if (each := self.target(instance)) is not None
        ]
        for scene in wanted[:1] or scenes[:1]:
            for node in scene.all("node"):
                found.extend(self._node(node, place, depth=0))
        if not scenes:  # a bare library of shapes
            for library in self.root.all("library_geometries"):
                for geometry in library.all("geometry"):
                    found.extend(self._geometry(geometry, place, {}))
        return found

    def _metre(self) -> float:
        for asset in self.root.all("asset"):
            for unit in asset.all("unit"):
                metre = unit.number("meter", 1.0)
                if not 1e-6 <= metre <= 1e6:
                    raise unit.bad(f"a unit of {metre:g} m", "1e-6 to 1e6", attribute="meter")
                return metre
        return 1.0

    def _node(self, node: Element, above: Array, *, depth: int) -> Iterator[MeshPart]:
        self.visits += 1
        if depth > MAX_NESTING or self.visits > MAX_NODES:
            raise node.bad("too many nodes, or nodes in a circle", f"at most {MAX_NODES}")
        with np.errstate(over="ignore", invalid="ignore"):  # refused with the vertices
            place = above @ _local(node)
        for child in node.children:
            match child.tag:
                case "node":
                    yield from self._node(child, place, depth=depth + 1)
                case "instance_node":
                    target = self.target(child)
                    if target is not None:
                        yield from self._node(target, place, depth=depth + 1)
                case "instance_geometry" | "instance_controller":
                    geometry = self._shape_of(child)
                    if geometry is not None:
                        yield from self._geometry(geometry, place, self._bindings(child))

    def _shape_of(self, instance: Element) -> Element | None:
        """Return the geometry that is used, also through a skin."""
        target = self.target(instance)
        if target is not None and target.tag == "controller":
            skins = target.all("skin")
            target = self.target(skins[0], "source") if skins else None
        return target if target is not None and target.tag == "geometry" else None

    # -- surfaces ---------------------------------------------------------------------------

    def _geometry(
        self, geometry: Element, place: Array, bindings: dict[str, Material]
    ) -> Iterator[MeshPart]:
        known = self._surfaces.get(id(geometry))
        if known is None:
            meshes = [mesh for mesh in geometry.children if mesh.tag in ("mesh", "convex_mesh")]
            known = [surface for mesh in meshes for surface in read_surfaces(mesh, self.target)]
            self._surfaces[id(geometry)] = known
        with np.errstate(over="ignore", invalid="ignore"):
            is_mirrored = np.linalg.det(place[:3, :3]) < 0
        for surface in known:
            self.room -= max(len(surface.points), 3 * len(surface.faces))
            if self.room < 0:
                more = f"more than {MAX_TRIANGLES} triangles or {MAX_VERTICES} vertices"
                raise BadFile(str(self.path), more, "fewer; reduce the mesh in a 3D editor")
            with np.errstate(over="ignore", invalid="ignore"):
                points = surface.points @ place[:3, :3].T + place[:3, 3]
            faces: NDArray[np.int64] = surface.faces[:, ::-1] if is_mirrored else surface.faces
            material = bindings.get(surface.symbol)
            yield make_part(self.path, points, faces, material=material)

    # -- colours ----------------------------------------------------------------------------

    def _bindings(self, instance: Element) -> dict[str, Material]:
        """Return the materials that an instance gives to the symbols of its surfaces."""
        found: dict[str, Material] = {}
        for element in instance.walk():
            if element.tag != "instance_material":
                continue
            material = self._material(self.target(element, "target"))
            if material is not None:
                found[element.attributes.get("symbol", "")] = material
        return found

    def _material(self, element: Element | None) -> Material | None:
        effects = element.all("instance_effect") if element is not None else []
        effect = self.target(effects[0]) if effects else None
        if element is None or effect is None:
            return None
        shader = next((each for each in effect.walk() if each.tag in SHADERS), None)
        if shader is None:
            return None
        colour = _colour(shader, "diffuse")
        if colour is None:  # a texture, or nothing
            return None
        red, green, blue, _ = colour
        return Material(
            (red, green, blue),
            opacity=_opacity(shader),
            roughness=0.5,
            name=element.attributes.get("name", element.attributes.get("id", ""))[:100],
        )


def _opacity(shader: Element) -> float:
    """Return the opacity; as exporters disagree which end is which, all but a veil is opaque."""
    for holder in shader.all("transparency"):
        for number in holder.all("float"):
            values = _numbers(number, 1)
            if values is not None and 0.05 <= values[0] < 1.0:
                return float(values[0])
    return 1.0


def _colour(shader: Element, name: str) -> tuple[float, float, float, float] | None:
    for holder in shader.all(name):
        for colour in holder.all("color"):
            values = _numbers(colour, 4)
            if values is not None:
                red, green, blue, alpha = np.clip(values, 0.0, 1.0).tolist()
                return red, green, blue, alpha
    return None


# -- places ---------------------------------------------------------------------------------


def _numbers(element: Element, count: int) -> Array | None:
    """Return the finite numbers in an element; None unless it has as many as expected."""
    try:
        values = np.array(element.content.split(), dtype=float)
    except ValueError:
        return None
    return values if len(values) == count and np.isfinite(values).all() else None


def _local(node: Element) -> Array:
    """Return parent_from_node, (4, 4): the product of all its transformations, in order."""
    place = np.eye(4)
    counts = {"matrix": 16, "translate": 3, "rotate": 4, "scale": 3}
    for element in node.children:
        if element.tag not in counts:
            continue
        values = _numbers(element, counts[element.tag])
        if values is None:
            found = f"<{element.tag}> {element.content.strip()[:40]!r}"
            raise element.bad(found, f"{counts[element.tag]} finite numbers")
        with np.errstate(over="ignore", invalid="ignore"):
            place = place @ _transformation(element.tag, values)
    return place


def _transformation(tag: str, values: Array) -> Array:
    match tag:
        case "matrix":
            return values.reshape(4, 4)
        case "translate":
            return Pose(translation=values).matrix
        case "scale":
            return np.diag([*values, 1.0])
    axis, angle = values[:3], np.radians(values[3])
    length = float(np.linalg.norm(axis))
    if length < 1e-12:
        return np.eye(4)
    return Pose(rotation_about(axis / length, angle)).matrix
