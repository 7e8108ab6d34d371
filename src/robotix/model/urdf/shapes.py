"""The solids of a URDF link: what collides, what is drawn, and in which colour."""

from __future__ import annotations

from collections.abc import Mapping

from robotix.files.xml_tree import Element
from robotix.geometry import Box, Capsule, Cylinder, Mesh, Pose, Shape, Sphere
from robotix.geometry.arrays import Rgba
from robotix.model.body import Visual

__all__ = ["Rgba", "read_colours", "read_pose", "read_shapes", "read_visuals"]


_SHAPES = ("box", "cylinder", "capsule", "sphere", "mesh")


def read_pose(holder: Element) -> Pose:
    """Return the pose in the `<origin>` of an element: the identity without one."""
    origin = holder.only("origin")
    if origin is None:
        return Pose()
    x, y, z = origin.numbers("xyz", 3, default=(0.0, 0.0, 0.0))
    return Pose.at(x, y, z, rpy=origin.numbers("rpy", 3, default=(0.0, 0.0, 0.0)))


def read_colours(robot: Element) -> dict[str, Rgba]:
    """Return every named colour, given at the top or in the first visual that has it."""
    colours: dict[str, Rgba] = {}
    inside = [
        material
        for link in robot.all("link")
        for visual in link.all("visual")
        for material in visual.all("material")
    ]
    for material in [*robot.all("material"), *inside]:
        colour = _read_colour(material)
        if colour is not None:
            colours.setdefault(material.attributes.get("name", ""), colour)
    return colours


def read_shapes(link: Element) -> tuple[Shape, ...]:
    """Return what collides."""
    return tuple(_read_shape(collision) for collision in link.all("collision"))


def read_visuals(link: Element, colours: Mapping[str, Rgba]) -> tuple[Visual, ...]:
    """Return what is drawn."""
    return tuple(_read_visual(visual, colours) for visual in link.all("visual"))


def _read_visual(element: Element, colours: Mapping[str, Rgba]) -> Visual:
    shape, material = _read_shape(element), element.only("material")
    colour = None
    if material is not None:
        colour = _read_colour(material) or colours.get(material.attributes.get("name", ""))
    return Visual(shape) if colour is None else Visual(shape, colour)


def _read_colour(material: Element) -> Rgba | None:
    element = material.only("color")
    if element is None:
        return None
    r, g, b, a = (min(max(value, 0.0), 1.0) for value in element.numbers("rgba", 4))
    return r, g, b, a


def _read_shape(holder: Element) -> Shape:
    geometry, pose = holder.need("geometry"), read_pose(holder)
    known = [child for child in geometry.children if child.tag in _SHAPES]
    if len(known) != 1:
        wrong = (known[1:] or geometry.children or [geometry])[0]
        found = f"<{wrong.tag}>" if geometry.children else "an empty <geometry>"
        raise wrong.bad(found, f"exactly one of {', '.join(_SHAPES)} in <geometry>")
    (element,) = known
    with element.blame():
        return _make_shape(element, pose)


def _make_shape(element: Element, pose: Pose) -> Shape:
    match element.tag:
        case "box":
            return Box(element.numbers("size", 3), pose)  # type: ignore[arg-type]
        case "sphere":
            return Sphere(element.number("radius"), pose)
        case "cylinder":
            return Cylinder(element.number("radius"), element.number("length"), pose)
        case "capsule":
            return Capsule(element.number("radius"), element.number("length"), pose)
    x, y, z = element.numbers("scale", 3, default=(1.0, 1.0, 1.0))
    if not x * y * z:
        raise element.bad(f"mesh scale {x:g} {y:g} {z:g}", "no zero", attribute="scale")
    return Mesh(element.text("filename"), (x, y, z), pose)
