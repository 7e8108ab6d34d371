"""The native scene file: what it can say, as dataclasses. The schema is made of them, too.

A file is written by people, so it may leave out nearly everything; angles are in degrees where the
key ends in `_deg`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Annotated, Any, Literal, TypeAlias

from robotix.authoring.schema.slots import Says, Within
from robotix.authoring.schema.words import SOURCE
from robotix.meshes.material import Pattern
from robotix.scene.events.events import Mode
from robotix.scene.events.rules import Deed
from robotix.scene.graph.field_types import (
    Angle,
    Angles,
    Colour,
    DeviceKind,
    FileName,
    TaskStep,
    Vector,
)
from robotix.scene.graph.node import Light, Material, Viewpoint

__all__ = [
    "SHAPES",
    "VERSION",
    "LightText",
    "MaterialText",
    "MeshText",
    "ObjectText",
    "PartText",
    "PersonText",
    "Placed",
    "PluginText",
    "RobotText",
    "RoundText",
    "RuleText",
    "SceneText",
    "Shaped",
    "SoundText",
    "ViewpointText",
]

VERSION = 1

Quaternion: TypeAlias = tuple[float, float, float, float]
Fraction: TypeAlias = Annotated[float, Within(0, 1)]
Amount: TypeAlias = Annotated[float, Within(0, 1000)]


@dataclass(frozen=True)
class MaterialText:
    """How a surface looks; numbers in 0..1."""

    colour: Colour = Material.colour
    opacity: Fraction = Material.opacity
    metalness: Fraction = Material.metalness
    roughness: Fraction = Material.roughness
    pattern: Annotated[Pattern, Says("Varies the colour over the surface, true to size.")] = (
        Material.pattern
    )

    def named(self, name: str = "") -> Material:
        """Return the material."""
        return Material(
            self.colour, self.opacity, self.metalness, self.roughness, name, self.pattern
        )


@dataclass(frozen=True)
class LightText:
    """A lamp; a `sun` shines along the node's -z axis, a `point` all round, `ambient` anywhere."""

    kind: Literal["sun", "point", "ambient"] = Light.kind
    colour: Colour = Light.colour
    strength: Amount = Light.strength


@dataclass(frozen=True)
class ViewpointText:
    """A camera that looks along the node's x axis, with z up."""

    field_of_view: Annotated[Angle, Says("From the lower to the upper edge.")] = (
        Viewpoint.field_of_view
    )


@dataclass(frozen=True)
class SoundText:
    """A sound that comes from the node."""

    file: FileName
    loop: bool = False
    volume: Amount = 1.0


@dataclass(frozen=True)
class RoundText:
    """Radius and length, in m, along z."""

    radius: float
    length: float


@dataclass(frozen=True)
class MeshText:
    """Triangles from a file (.glb, .gltf, .obj, .stl), stretched by a scale."""

    file: FileName
    scale: float | Vector = 1.0


@dataclass(frozen=True, kw_only=True)
class Shaped:
    """At most one shape."""

    box: Annotated[Vector | None, Says("Edge lengths along x, y and z, in m.")] = None
    sphere: Annotated[float | None, Says("Radius, in m.")] = None
    cylinder: Annotated[RoundText | None, Says("[radius, length], in m, along z.")] = None
    capsule: Annotated[
        RoundText | None, Says("[radius, length without the round ends], in m, along z.")
    ] = None
    plane: Annotated[bool, Says("All below the xy plane is solid: a floor, a wall.")] = False
    mesh: Annotated[MeshText | None, Says("Triangles from a file beside the scene.")] = None


SHAPES = ("box", "sphere", "cylinder", "capsule", "plane", "mesh")


@dataclass(frozen=True, kw_only=True)
class PartText(Shaped):
    """One shape of several that belong together."""

    at: Annotated[Vector, Says("Place in the object, in m.")] = (0.0, 0.0, 0.0)
    rpy: Annotated[Angles | None, Says("Roll, pitch, yaw about the fixed axes.")] = None
    quaternion: Annotated[Quaternion | None, Says("[w, x, y, z], instead of rpy.")] = None


@dataclass(frozen=True, kw_only=True)
class Placed:
    """Where a thing is, and how it looks."""

    on: Annotated[str, Says("What it stands on and moves with: an object, robot or link.")] = ""
    at: Annotated[Vector, Says("Place on what it stands on, in m.")] = (0.0, 0.0, 0.0)
    rpy: Annotated[Angles | None, Says("Roll, pitch, yaw about the fixed axes.")] = None
    quaternion: Annotated[Quaternion | None, Says("[w, x, y, z], instead of rpy.")] = None
    material: Annotated[
        str | MaterialText | None, Says("One of the materials by name, or its own.")
    ] = None
    visible: Annotated[bool, Says("A hidden thing hides all that stands on it.")] = True
    wireframe: Annotated[bool, Says("Lines only, also for all that stands on it.")] = False
    pickable: bool = True
    collidable: bool = True


@dataclass(frozen=True)
class RobotText(Placed):
    """A robot: a model of the library or from a file, and where it stands."""

    model: Annotated[
        str,
        Says("A name from `robotix robots`, or a file: .urdf, .xml (MJCF), .toml (DH), .cfg."),
    ]
    _: KW_ONLY
    options: Annotated[
        Mapping[str, float | bool | str], Says("What the library's robot can be given.")
    ] = field(default_factory=dict)
    q: Annotated[
        tuple[float, ...] | None, Says("Posture at the start; rad or m, one number a joint.")
    ] = None
    q_deg: Annotated[
        tuple[float, ...] | None, Says("The same with angles in degrees; sliders stay in m.")
    ] = None


@dataclass(frozen=True, kw_only=True)
class PersonText(Placed):
    """Somebody: a body of 39 joints, and where it stands; the ankles over `at`, facing x."""

    sex: Literal["f", "m"] = "m"
    stature: Annotated[float | None, Says("In m; of the percentile when left out.")] = None
    mass: Annotated[float | None, Says("In kg; as goes with the stature when left out.")] = None
    percentile: Annotated[
        float | None, Says("Of stature and mass, 1 to 99, instead of giving them.")
    ] = None
    pose: Annotated[
        Mapping[str, Angle],
        Says("Joint angles at the start that are not at ease; without a side, those of both."),
    ] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class ObjectText(Shaped, Placed):
    """A thing: a shape or several, a lamp, a camera, a sound, a region, or a group without any."""

    parts: Annotated[tuple[PartText, ...], Says("Several shapes that make one thing.")] = ()
    scale: Annotated[float | Vector, Says("Size of it and all on it; [x, y, z] for box, mesh.")] = (
        1.0
    )
    light: LightText | None = None
    viewpoint: ViewpointText | None = None
    sound: SoundText | None = None
    region: Annotated[bool, Says("Its shape is a part of space to enter, not a thing.")] = False


@dataclass(frozen=True)
class PluginText:
    """A Python module that takes part in the scene."""

    module: Annotated[str, Says("Module or entry point, such as `my_blink`.")]
    args: Annotated[str, Says("Handed to its init.")] = ""


@dataclass(frozen=True)
class RuleText:
    """When this switches, do that."""

    when: Annotated[Any, SOURCE, Says("What switches on and off.")]
    do: Annotated[tuple[Deed, ...], Says("One deed, or a list of them, done in turn.")]
    mode: Annotated[Mode, Says("Act when it switches on, off, at each change, or follow it.")] = (
        "on"
    )
    name: str = ""


@dataclass(frozen=True, kw_only=True)
class SceneText:
    """A scene file."""

    robotix: Annotated[Literal[1], Says("Version of the format.")]
    name: Annotated[str, Says("Title, for people.")] = ""
    include: Annotated[
        tuple[str, ...], Says("Other scene files of this folder or below, read before this one.")
    ] = ()
    rate: Annotated[float, Within(1, 10_000), Says("Ticks a second.")] = 120.0
    seed: Annotated[int, Within(0, 1e9), Says("Starts all that is random.")] = 0
    materials: Mapping[str, MaterialText] = field(default_factory=dict)
    robots: Mapping[str, RobotText] = field(default_factory=dict)
    objects: Mapping[str, ObjectText] = field(default_factory=dict)
    people: Annotated[Mapping[str, PersonText], Says("Who is in the room.")] = field(
        default_factory=dict
    )
    tasks: Annotated[
        Mapping[str, tuple[Annotated[Any, TaskStep()], ...]],
        Says("What people can `perform` besides the tasks of the library: steps, in turn."),
    ] = field(default_factory=dict)
    devices: Annotated[
        Mapping[str, DeviceKind], Says("Logical devices that the scene uses, and their kinds.")
    ] = field(default_factory=dict)
    plugins: Mapping[str, PluginText] = field(default_factory=dict)
    rules: tuple[RuleText, ...] = ()
    start: Annotated[tuple[Deed, ...], Says("Begins with the first tick, each on its own.")] = ()
