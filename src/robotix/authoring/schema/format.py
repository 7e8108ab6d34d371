"""The format of native scene files, as dataclasses. The JSON Schema is generated from them, too.

Files are written by people, so nearly everything is optional; angles are in degrees where the
key ends in `_deg`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Annotated, Any, Literal, TypeAlias

from robotix.authoring.schema.copies import GridEntry, RepeatEntry
from robotix.authoring.schema.guides import HingeEntry, SlideEntry
from robotix.authoring.schema.words import SOURCE
from robotix.files.typed.markers import Description, Within
from robotix.geometry.arrays import Quaternion
from robotix.inputs.device_kinds import DeviceKind
from robotix.meshes.material import Pattern
from robotix.scene.events.events import Mode
from robotix.scene.graph.body import BodyKind, BodyProperties
from robotix.scene.graph.content import Light, Material, Viewpoint
from robotix.scene.graph.field_types import Angle, Angles, Colour, FileName, TaskStepValue, Vector
from robotix.scene.physics.settings import PhysicsSettings
from robotix.scene.scene import Command
from robotix.visuals.appearance import Appearance

__all__ = [
    "SHAPES",
    "VERSION",
    "BodyEntry",
    "GridEntry",
    "IncludeEntry",
    "LightEntry",
    "MaterialEntry",
    "MeshEntry",
    "ObjectEntry",
    "PartEntry",
    "PersonEntry",
    "PhysicsEntry",
    "PlacedEntry",
    "PluginEntry",
    "RepeatEntry",
    "RobotEntry",
    "RoundEntry",
    "RuleEntry",
    "SceneEntry",
    "ShapeEntry",
    "SoundEntry",
    "ViewpointEntry",
]

VERSION = 1

Joints: TypeAlias = tuple[float, ...] | Mapping[str, float]  # of all joints, or some by name
Fraction: TypeAlias = Annotated[float, Within(0, 1)]
Amount: TypeAlias = Annotated[float, Within(0, 1000)]
Friction: TypeAlias = Annotated[
    float, Within(0, 100), Description("Coefficient of sliding; in a contact the larger one holds.")
]
Restitution: TypeAlias = Annotated[
    float, Within(0, 1), Description("Speed after a bounce per speed before it.")
]
Density: TypeAlias = Annotated[float, Within(1e-3, 1e5), Description("In kg/m³.")]


@dataclass(frozen=True)
class MaterialEntry:
    """How a surface looks; numbers in 0..1."""

    colour: Colour = Material.colour
    opacity: Fraction = Material.opacity
    metalness: Fraction = Material.metalness
    roughness: Fraction = Material.roughness
    pattern: Annotated[
        Pattern, Description("Varies the colour over the surface, true to size.")
    ] = Material.pattern

    def named(self, name: str = "") -> Material:
        """Return the material."""
        return Material(
            self.colour, self.opacity, self.metalness, self.roughness, name, self.pattern
        )


@dataclass(frozen=True)
class LightEntry:
    """A lamp; a `sun` shines along the node's -z axis, a `point` all round, `ambient` anywhere."""

    kind: Literal["sun", "point", "ambient"] = Light.kind
    colour: Colour = Light.colour
    strength: Amount = Light.strength


@dataclass(frozen=True)
class ViewpointEntry:
    """A camera that looks along the node's x axis, with z up."""

    field_of_view: Annotated[Angle, Description("From the lower to the upper edge.")] = (
        Viewpoint.field_of_view
    )


@dataclass(frozen=True)
class SoundEntry:
    """A sound that comes from the node."""

    file: FileName
    loop: bool = False
    volume: Amount = 1.0


@dataclass(frozen=True)
class RoundEntry:
    """Radius and length, in m, along z."""

    radius: float
    length: float


@dataclass(frozen=True)
class MeshEntry:
    """Triangles from a file (.glb, .gltf, .obj, .stl), stretched by a scale."""

    file: FileName
    scale: float | Vector = 1.0


@dataclass(frozen=True, kw_only=True)
class ShapeEntry:
    """At most one shape."""

    box: Annotated[Vector | None, Description("Edge lengths along x, y and z, in m.")] = None
    sphere: Annotated[float | None, Description("Radius, in m.")] = None
    cylinder: Annotated[RoundEntry | None, Description("[radius, length], in m, along z.")] = None
    capsule: Annotated[
        RoundEntry | None, Description("[radius, length without the round ends], in m, along z.")
    ] = None
    plane: Annotated[bool, Description("All below the xy plane is solid: a floor, a wall.")] = False
    mesh: Annotated[MeshEntry | None, Description("Triangles from a file beside the scene.")] = None


SHAPES = ("box", "sphere", "cylinder", "capsule", "plane", "mesh")


@dataclass(frozen=True, kw_only=True)
class PartEntry(ShapeEntry):
    """One shape of several that belong together."""

    at: Annotated[Vector, Description("Place in the object, in m.")] = (0.0, 0.0, 0.0)
    rpy: Annotated[Angles | None, Description("Roll, pitch, yaw about the fixed axes.")] = None
    quaternion: Annotated[Quaternion | None, Description("[w, x, y, z], instead of rpy.")] = None


@dataclass(frozen=True, kw_only=True)
class PlacedEntry:
    """Where a thing is, and how it looks."""

    on: Annotated[
        str, Description("What it stands on and moves with: an object, robot or link.")
    ] = ""
    at: Annotated[Vector, Description("Place on what it stands on, in m.")] = (0.0, 0.0, 0.0)
    rpy: Annotated[Angles | None, Description("Roll, pitch, yaw about the fixed axes.")] = None
    quaternion: Annotated[Quaternion | None, Description("[w, x, y, z], instead of rpy.")] = None
    material: Annotated[
        str | MaterialEntry | None, Description("One of the materials by name, or its own.")
    ] = None
    visible: Annotated[bool, Description("A hidden thing hides all that stands on it.")] = True
    wireframe: Annotated[bool, Description("Lines only, also for all that stands on it.")] = False
    pickable: bool = True
    collidable: bool = True
    repeat: Annotated[RepeatEntry | None, Description("Several of these in a row.")] = None
    grid: Annotated[GridEntry | None, Description("Several of these, along x, y and z.")] = None


@dataclass(frozen=True)
class RobotEntry(PlacedEntry):
    """A robot: a model of the library or from a file, and where it stands."""

    model: Annotated[
        str,
        Description(
            "A name from `robotix robots`, or a file: .urdf, .xml (MJCF), .toml (DH), .cfg."
        ),
    ]
    _: KW_ONLY
    options: Annotated[
        Mapping[str, float | bool | str], Description("What the library's robot can be given.")
    ] = field(default_factory=dict)
    q: Annotated[
        Joints | None, Description("Posture at the start; rad or m, of all joints or some by name.")
    ] = None
    q_deg: Annotated[
        Joints | None, Description("The same with angles in degrees; sliders stay in m.")
    ] = None
    postures_deg: Annotated[
        Mapping[str, Joints], Description("Postures to go to, by name; each as `q_deg`.")
    ] = field(default_factory=dict)
    simulated: Annotated[
        bool, Description("With physics: servos move it, and weight and contacts act on it.")
    ] = False
    tip: Annotated[
        str, Description("Control point or body that moves to targets; the model's own if empty.")
    ] = ""
    floating: Annotated[
        bool, Description("The root floats on a joint of six coordinates; for robots from a file.")
    ] = False
    appearance: Annotated[
        Appearance, Description("Its own look, neutral grey, coloured, or technical: no covers.")
    ] = "own"


@dataclass(frozen=True, kw_only=True)
class PersonEntry(PlacedEntry):
    """Somebody: a body of 39 joints, and where it stands; the ankles over `at`, facing x."""

    sex: Literal["f", "m"] = "m"
    stature: Annotated[float | None, Description("In m; of the percentile when left out.")] = None
    mass: Annotated[float | None, Description("In kg; as goes with the stature when left out.")] = (
        None
    )
    percentile: Annotated[
        float | None, Description("Of stature and mass, 1 to 99, instead of giving them.")
    ] = None
    pose: Annotated[
        Mapping[str, Angle],
        Description(
            "Joint angles at the start that are not at ease; without a side, those of both."
        ),
    ] = field(default_factory=dict)


@dataclass(frozen=True)
class BodyEntry:
    """How a thing takes part in physics; it is free when only its mass or the like is given."""

    kind: Annotated[
        BodyKind,
        Description(
            "free: falls, slides, can be pushed; moved: only commands and hands move it; static."
        ),
    ] = "free"
    mass: Annotated[
        Annotated[float, Within(1e-6, 1e6)] | None,
        Description("In kg; by volume and density if left out."),
    ] = None
    density: Density | None = None
    friction: Friction | None = None
    restitution: Restitution | None = None

    def properties(self) -> BodyProperties:
        """Return them as a node has them."""
        return BodyProperties(self.kind, self.mass, self.density, self.friction, self.restitution)


@dataclass(frozen=True)
class PhysicsEntry:
    """Physics of the room: things with a `body` that is free fall, collide and can be pushed."""

    on: bool = True
    gravity: Annotated[Vector, Description("In m/s².")] = PhysicsSettings.gravity
    time_step: Annotated[
        float, Within(1e-4, 0.01), Description("In s, at most; a tick is divided into such steps.")
    ] = PhysicsSettings.time_step
    density: Density = PhysicsSettings.density
    friction: Friction = PhysicsSettings.friction
    restitution: Restitution = PhysicsSettings.restitution
    exact: Annotated[
        bool,
        Description("Conserve energy and momentum in fast motions, at four times the cost."),
    ] = PhysicsSettings.exact

    def settings(self) -> PhysicsSettings | None:
        """Return the settings; None when off."""
        if not self.on:
            return None
        return PhysicsSettings(
            self.gravity,
            self.time_step,
            self.density,
            self.friction,
            self.restitution,
            self.exact,
        )


@dataclass(frozen=True, kw_only=True)
class ObjectEntry(ShapeEntry, PlacedEntry):
    """A thing: a shape or several, a lamp, a camera, a sound, a region, or a group without any."""

    parts: Annotated[tuple[PartEntry, ...], Description("Several shapes that make one thing.")] = ()
    scale: Annotated[
        float | Vector, Description("Size of it and all on it; [x, y, z] for box, mesh.")
    ] = 1.0
    light: LightEntry | None = None
    viewpoint: ViewpointEntry | None = None
    sound: SoundEntry | None = None
    region: Annotated[bool, Description("Its shape is a part of space to enter, not a thing.")] = (
        False
    )
    body: Annotated[
        BodyEntry | None, Description("How it takes part in physics; static if left out.")
    ] = None
    hinge: Annotated[HingeEntry | None, Description("Any hand turns it about this axis.")] = None
    slide: Annotated[SlideEntry | None, Description("Any hand moves it along this line.")] = None


@dataclass(frozen=True)
class PluginEntry:
    """A Python module that takes part in the scene."""

    module: Annotated[str, Description("Module or entry point, such as `my_blink`.")]
    args: Annotated[str, Description("Handed to its init.")] = ""


@dataclass(frozen=True)
class RuleEntry:
    """When this switches, do that."""

    when: Annotated[Any, SOURCE, Description("What switches on and off.")]
    do: Annotated[tuple[Command, ...], Description("One command, or a list of them, done in turn.")]
    mode: Annotated[
        Mode, Description("Act when it switches on, off, at each change, or follow it.")
    ] = "on"
    name: str = ""


@dataclass(frozen=True)
class IncludeEntry:
    """Another scene file, read before this one; under a prefix it may be included again."""

    file: Annotated[str, Description("A scene file of this folder or below.")]
    _: KW_ONLY
    prefix: Annotated[
        str, Description("Put before the names of its materials, objects, robots and people.")
    ] = ""
    at: Annotated[Vector, Description("Where its origin stands, in m.")] = (0.0, 0.0, 0.0)
    rpy: Annotated[Angles, Description("Roll, pitch, yaw about the fixed axes.")] = (0.0, 0.0, 0.0)
    variables: Annotated[
        Mapping[str, float | bool | str],
        Description("Values of its variables, other than its own."),
    ] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class SceneEntry:
    """A scene file."""

    robotix: Annotated[Literal[1], Description("Version of the format.")]
    name: Annotated[str, Description("Title, for people.")] = ""
    include: Annotated[
        tuple[IncludeEntry, ...],
        Description("Other scene files of this folder or below, read before this one."),
    ] = ()
    variables: Annotated[
        Mapping[str, float | bool | str],
        Description("Numbers and texts that `$name` stands for in this file."),
    ] = field(default_factory=dict)
    rate: Annotated[float, Within(1, 10_000), Description("Ticks a second.")] = 120.0
    seed: Annotated[int, Within(0, 1e9), Description("Starts all that is random.")] = 0
    stops_with_page: Annotated[
        bool, Description("Whether a move ends when the page that commanded it is lost.")
    ] = True
    physics: Annotated[
        PhysicsEntry | None, Description("Gravity and contacts; off if left out.")
    ] = None
    materials: Mapping[str, MaterialEntry] = field(default_factory=dict)
    robots: Mapping[str, RobotEntry] = field(default_factory=dict)
    objects: Mapping[str, ObjectEntry] = field(default_factory=dict)
    people: Annotated[Mapping[str, PersonEntry], Description("Who is in the room.")] = field(
        default_factory=dict
    )
    tasks: Annotated[
        Mapping[str, tuple[Annotated[Any, TaskStepValue()], ...]],
        Description("What people can `perform` besides the tasks of the library: steps, in turn."),
    ] = field(default_factory=dict)
    devices: Annotated[
        Mapping[str, DeviceKind],
        Description("Logical devices that the scene uses, and their kinds."),
    ] = field(default_factory=dict)
    plugins: Mapping[str, PluginEntry] = field(default_factory=dict)
    rules: tuple[RuleEntry, ...] = ()
    start: Annotated[
        tuple[Command, ...], Description("Begins with the first tick, each on its own.")
    ] = ()
