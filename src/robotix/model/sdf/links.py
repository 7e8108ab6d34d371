"""The links of an SDF model: mass, what collides, what is drawn, and in which colour."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from robotix.errors import BadFile
from robotix.files.typed.colours import COLOURS
from robotix.files.xml_tree import Element
from robotix.geometry import Array, Box, Capsule, Cylinder, Halfspace, Mesh, Pose, Shape, Sphere
from robotix.geometry.arrays import Rgba
from robotix.model.body import Visual
from robotix.model.flaws import Flaws, sound_inertia
from robotix.model.sdf.values import number_of, pose_of, text_of, vector_of

__all__ = ["read_collision", "read_inertial", "read_visuals"]

SHAPES = ("box", "sphere", "cylinder", "capsule", "plane", "mesh")
UNIT = (1.0, 1.0, 1.0)
UP = np.array([0.0, 0.0, 1.0])


def read_inertial(link: Element, flaws: Flaws) -> tuple[float, Array, Array]:
    """Return mass, centre of mass and inertia; 1 kg and 1 kg m² are the standard's defaults."""
    found = link.all("inertial")
    if not found:
        return 1.0, np.zeros(3), np.eye(3)
    inertial = found[0]
    if inertial.attributes.get("auto") in ("true", "1"):
        fault = inertial.bad('<inertial auto="true">', "<mass> and <inertia>")
        flaws.note(fault, "it is read as what it says besides, or 1 kg")
    mass = number_of(inertial, "mass", 1.0)
    if not 0 <= mass < np.inf:
        raise inertial.bad(f"mass {mass:g}", "a mass of at least 0")
    frame = pose_of(inertial)
    elements = inertial.all("inertia")
    tensor = np.eye(3)
    if elements:
        xx, yy, zz = (number_of(elements[0], tag, 1.0) for tag in ("ixx", "iyy", "izz"))
        xy, xz, yz = (number_of(elements[0], tag, 0.0) for tag in ("ixy", "ixz", "iyz"))
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        tensor = sound_inertia(tensor, elements[0], flaws)
    rotated = frame.rotation @ tensor @ frame.rotation.T
    return mass, frame.translation, (rotated + rotated.T) / 2


def read_collision(link: Element, flaws: Flaws) -> tuple[Shape, ...]:
    """Return what collides; what cannot be read is left out."""
    found = (_try_shape(element, flaws) for element in link.all("collision"))
    return tuple(shape for shape in found if shape is not None)


def read_visuals(link: Element, flaws: Flaws) -> tuple[Visual, ...]:
    """Return what is drawn; what cannot be read is left out."""
    visuals = []
    for element in link.all("visual"):
        shape = _try_shape(element, flaws)
        if shape is None or isinstance(shape, Halfspace):
            continue
        colour = _colour(element)
        visuals.append(Visual(shape) if colour is None else Visual(shape, colour))
    return tuple(visuals)


def _colour(visual: Element) -> Rgba | None:
    for material in visual.all("material"):
        for tag in ("diffuse", "ambient"):
            words = text_of(material, tag, "").split()
            if len(words) in (3, 4):
                try:
                    r, g, b, *a = (min(max(float(word), 0.0), 1.0) for word in words)
                except ValueError:
                    continue
                return r, g, b, a[0] if a else 1.0
        for script in material.all("script"):  # such as Gazebo/Red
            code = COLOURS.get(text_of(script, "name", "").rpartition("/")[2].lower())
            if code is not None:
                r, g, b = (int(code[i : i + 2], 16) / 255 for i in (1, 3, 5))
                return r, g, b, 1.0
    return None


def _try_shape(holder: Element, flaws: Flaws) -> Shape | None:
    try:
        return _read_shape(holder, flaws)
    except BadFile as fault:
        flaws.note(fault, f"this <{holder.tag}> is left out")
        return None


def _read_shape(holder: Element, flaws: Flaws) -> Shape | None:
    geometry = holder.need("geometry")
    known = [child for child in geometry.children if child.tag in SHAPES]
    if not known:
        if not geometry.children or geometry.all("empty"):
            return None
        wrong = geometry.children[0]
        raise wrong.bad(f"<{wrong.tag}>", f"one of {', '.join(SHAPES)} in <geometry>")
    with known[0].blame():
        return _make_shape(known[0], pose_of(holder), flaws)


def _make_shape(element: Element, pose: Pose, flaws: Flaws) -> Shape:
    match element.tag:
        case "box":
            return Box(np.array(vector_of(element, "size")), pose)
        case "sphere":
            return Sphere(number_of(element, "radius"), pose)
        case "cylinder":
            return Cylinder(number_of(element, "radius"), number_of(element, "length"), pose)
        case "capsule":
            return Capsule(number_of(element, "radius"), number_of(element, "length"), pose)
        case "plane":
            normal = np.array(vector_of(element, "normal", default=(0.0, 0.0, 1.0)))
            return Halfspace(pose @ Pose(_rotation_to(normal / np.linalg.norm(normal))))
    x, y, z = vector_of(element, "scale", default=UNIT)
    if not x * y * z:
        raise element.bad(f"mesh scale {x:g} {y:g} {z:g}", "no zero")
    if element.all("submesh"):
        fault = element.all("submesh")[0].bad("<submesh>", "a file for each mesh")
        flaws.note(fault, "the whole mesh is used")
    return Mesh(_address(element), (x, y, z), pose)


def _rotation_to(direction: Array) -> Array:
    """Return a rotation that takes z to a unit vector."""
    axis, cosine = np.cross(UP, direction), float(direction[2])
    if cosine < -1 + 1e-12:
        return np.diag([1.0, -1.0, -1.0])
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.asarray(np.eye(3) + cross + cross @ cross / (1 + cosine))


def _address(mesh: Element) -> str:
    """Return the address of a mesh; a relative one is relative to the file that names it."""
    uri = text_of(mesh, "uri")
    if "://" in uri or uri.startswith("/"):
        return uri
    return str(Path(mesh.path).parent / uri)
