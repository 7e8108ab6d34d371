"""Shapes, lamps, cameras and places, from what a file says of them."""

from __future__ import annotations

from collections.abc import Iterator

from robotix.authoring.load.files import SceneFolder
from robotix.authoring.schema.format import (
    SHAPES,
    ObjectEntry,
    PartEntry,
    PlacedEntry,
    RoundEntry,
    ShapeEntry,
)
from robotix.errors import BadFile
from robotix.files.typed.reader import refuse_error
from robotix.files.yaml.text import YamlMapping, YamlSequence, YamlValue
from robotix.geometry import Box, Capsule, Cylinder, Halfspace, Mesh, Pose, Shape, Sphere
from robotix.scene.graph.content import Content, Light, Region, Sound, Viewpoint

__all__ = ["make_content", "make_pose", "make_scale", "make_shapes"]

MIN_SCALE, MAX_SCALE = 1e-6, 1e6  # scales
CONTENTS = ("light", "viewpoint", "sound", "region")


def _near(value: YamlValue, key: str) -> YamlValue:
    return value.near(key) if isinstance(value, YamlMapping) else value


def make_pose(text: PlacedEntry | PartEntry, value: YamlValue) -> Pose:
    """Return the place in the parent."""
    if text.rpy is not None and text.quaternion is not None:
        _near(value, "quaternion").refuse("'quaternion' besides 'rpy'", "one of the two")
    try:
        if text.quaternion is not None:
            return Pose.from_quaternion(text.at, text.quaternion)
        return Pose.at(*text.at, rpy=text.rpy or (0.0, 0.0, 0.0))
    except ValueError as error:
        refuse_error(_near(value, "rpy" if text.quaternion is None else "quaternion"), error)


def make_scale(text: ObjectEntry, value: YamlValue) -> float:
    """Return the size of the branch; a size along each axis belongs to the shape alone."""
    if isinstance(text.scale, tuple):
        if text.box is None and text.mesh is None:
            expected = "one number; three are for a box or a mesh"
            _near(value, "scale").refuse("three numbers", expected)
        scales = text.scale
    else:
        scales = (text.scale,) * 3
    if not all(MIN_SCALE <= abs(scale) <= MAX_SCALE for scale in scales):
        expected = f"sizes from {MIN_SCALE:g} to {MAX_SCALE:g}"
        _near(value, "scale").refuse(str(text.scale), expected)
    return 1.0 if isinstance(text.scale, tuple) else text.scale


def make_shapes(text: ObjectEntry, value: YamlValue, home: SceneFolder) -> tuple[Shape, ...]:
    """Return the shapes of an object, in its frame."""
    stretch = text.scale if isinstance(text.scale, tuple) else (1.0, 1.0, 1.0)
    shape = _shape(text, value, home, pose=Pose(), stretch=stretch)
    if shape is None:
        return tuple(_parts(text, value, home))
    if text.parts:
        _near(value, "parts").refuse("parts besides a shape", "one of the two")
    return (shape,)


def _parts(text: ObjectEntry, value: YamlValue, home: SceneFolder) -> Iterator[Shape]:
    places = _near(value, "parts")
    items = places.items if isinstance(places, YamlSequence) else (places,) * len(text.parts)
    for part, place in zip(text.parts, items, strict=True):
        shape = _shape(part, place, home, pose=make_pose(part, place), stretch=(1.0, 1.0, 1.0))
        if shape is None:
            place.refuse("a part without shape", f"one of {', '.join(SHAPES)}")
        yield shape


def _shape(
    text: ShapeEntry, value: YamlValue, home: SceneFolder, *, pose: Pose, stretch: tuple[float, ...]
) -> Shape | None:
    given = [
        kind for kind in SHAPES if (one := getattr(text, kind)) is not None and one is not False
    ]
    if len(given) > 1:
        _near(value, given[1]).refuse(f"{given[1]!r} besides {given[0]!r}", "one shape, or parts")
    if not given:
        return None
    x, y, z = stretch
    try:
        match text:
            case ShapeEntry(box=(a, b, c)):
                return Box((x * a, y * b, z * c), pose)  # type: ignore[arg-type]
            case ShapeEntry(sphere=float(radius)):
                return Sphere(radius, pose)
            case ShapeEntry(plane=True):
                return Halfspace(pose)
            case ShapeEntry(mesh=mesh) if mesh is not None:
                own = mesh.scale if isinstance(mesh.scale, tuple) else (mesh.scale,) * 3
                scale = (x * own[0], y * own[1], z * own[2])
                file = home.folder.resolve() / mesh.file
                _check_mesh(file, _near(value, "mesh"))
                return Mesh(str(file), scale, pose)
        if text.cylinder is not None:
            return Cylinder(text.cylinder.radius, text.cylinder.length, pose)
        assert text.capsule is not None
        return Capsule(text.capsule.radius, text.capsule.length, pose)
    except BadFile:
        raise
    except ValueError as error:
        refuse_error(_near(value, given[0]), error, cls=RoundEntry)


def _check_mesh(path: object, place: YamlValue) -> None:
    from robotix.meshes.asset import load_mesh

    try:
        load_mesh(str(path))
    except BadFile as error:
        place.refuse(f"a mesh that was refused ({error})", "a file that can be read")


def make_content(text: ObjectEntry, value: YamlValue, *, has_shape: bool) -> Content | None:
    """Return what an object holds besides shapes."""
    given = [kind for kind in CONTENTS if getattr(text, kind) not in (None, False)]
    if len(given) > 1:
        expected = "one of them; hang the other on an object of its own"
        _near(value, given[1]).refuse(f"{given[1]!r} besides {given[0]!r}", expected)
    if text.region:
        if not has_shape:
            _near(value, "region").refuse("a region without shape", "a shape, such as box")
        return Region()
    if text.light is not None:
        return Light(text.light.kind, text.light.colour, text.light.strength)
    if text.viewpoint is not None:
        return Viewpoint(text.viewpoint.field_of_view)
    if text.sound is not None:
        return Sound(text.sound.file, text.sound.loop, text.sound.volume)
    return None
