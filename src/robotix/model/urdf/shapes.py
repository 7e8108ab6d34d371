"""The solids of a URDF link: what collides, what is drawn, and in which colour."""

from __future__ import annotations

from collections.abc import Mapping

from robotix.errors import BadFile
from robotix.files.xml_tree import Element
from robotix.geometry import Box, Capsule, Cylinder, Mesh, Pose, Shape, Sphere
from robotix.geometry.arrays import Rgba
from robotix.model.body import Visual
from robotix.model.flaws import Flaws

__all__ = ["Rgba", "read_colours", "read_pose", "read_shapes", "read_visuals"]


_SHAPES = ("box", "cylinder", "capsule", "sphere", "mesh")


def read_pose(holder: Element, flaws: Flaws) -> Pose:
    """Return the pose in the `<origin>` of an element: the identity without one."""
    origin = flaws.first(holder, "origin")
    if origin is None:
        return Pose()
    x, y, z = flaws.vector(origin, "xyz", (0.0, 0.0, 0.0))
    return Pose.at(x, y, z, rpy=flaws.vector(origin, "rpy", (0.0, 0.0, 0.0)))


def read_colours(robot: Element, flaws: Flaws) -> dict[str, Rgba]:
    """Return every named colour, given at the top or in the first visual that has it."""
    colours: dict[str, Rgba] = {}
    inside = [
        material
        for link in robot.all("link")
        for visual in link.all("visual")
        for material in visual.all("material")
    ]
    for material in [*robot.all("material"), *inside]:
        colour = _read_colour(material, flaws)
        if colour is not None:
            colours.setdefault(material.attributes.get("name", ""), colour)
    return colours


def read_shapes(link: Element, flaws: Flaws) -> tuple[Shape, ...]:
    """Return what collides; what cannot be read is left out."""
    found = (_try_shape(collision, flaws) for collision in link.all("collision"))
    return tuple(shape for shape in found if shape is not None)


def read_visuals(link: Element, colours: Mapping[str, Rgba], flaws: Flaws) -> tuple[Visual, ...]:
    """Return what is drawn; what cannot be read is left out."""
    visuals = []
    for element in link.all("visual"):
        shape = _try_shape(element, flaws)
        material = flaws.first(element, "material")
        if shape is None:
            continue
        colour = None
        if material is not None:
            colour = _read_colour(material, flaws)
            colour = colour or colours.get(material.attributes.get("name", ""))
        visuals.append(Visual(shape) if colour is None else Visual(shape, colour))
    return tuple(visuals)


def _read_colour(material: Element, flaws: Flaws) -> Rgba | None:
    element = flaws.first(material, "color")
    if element is None:
        return None
    try:
        r, g, b, a = (min(max(value, 0.0), 1.0) for value in element.numbers("rgba", 4))
    except BadFile as fault:
        flaws.note(fault, "this colour is left out")
        return None
    return r, g, b, a


def _try_shape(holder: Element, flaws: Flaws) -> Shape | None:
    """Return the shape of a visual or collision; None if it cannot be read."""
    try:
        return _read_shape(holder, flaws)
    except BadFile as fault:
        flaws.note(fault, f"this <{holder.tag}> is left out")
        return None


def _read_shape(holder: Element, flaws: Flaws) -> Shape:
    geometry, pose = flaws.need(holder, "geometry"), read_pose(holder, flaws)
    known = [child for child in geometry.children if child.tag in _SHAPES]
    if len(known) != 1:
        wrong = (known[1:] or geometry.children or [geometry])[0]
        found = f"<{wrong.tag}>" if geometry.children else "an empty <geometry>"
        raise wrong.bad(found, f"exactly one of {', '.join(_SHAPES)} in <geometry>")
    (element,) = known
    with element.blame():
        return _make_shape(element, pose, flaws)


def _make_shape(element: Element, pose: Pose, flaws: Flaws) -> Shape:
    match element.tag:
        case "box":
            return Box(element.numbers("size", 3), pose)  # type: ignore[arg-type]
        case "sphere":
            return Sphere(element.number("radius"), pose)
        case "cylinder":
            return Cylinder(element.number("radius"), element.number("length"), pose)
        case "capsule":
            return Capsule(element.number("radius"), element.number("length"), pose)
    x, y, z = _read_scale(element, flaws)
    if not x * y * z:
        raise element.bad(f"mesh scale {x:g} {y:g} {z:g}", "no zero", attribute="scale")
    return Mesh(element.text("filename"), (x, y, z), pose)


def _read_scale(mesh: Element, flaws: Flaws) -> tuple[float, ...]:
    """Return the scale along x, y and z; a single number is a flaw, and counts for all three."""
    if len(mesh.attributes.get("scale", "").split()) != 1:
        return flaws.vector(mesh, "scale", (1.0, 1.0, 1.0))
    scale = mesh.number("scale")
    fault = mesh.bad(f"scale={mesh.text('scale')!r}", "3 finite numbers", attribute="scale")
    flaws.note(fault, f"read as {scale:g} along all axes")
    return scale, scale, scale
