"""Forward kinematics in plain NumPy: the common ruler that every contestant is measured with.

It is slow, small and independent of all contestants, ours included; batched over `n` postures.
"""

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Edge:
    """A joint of the tree, with the link it carries."""

    name: str
    parent: str
    child: str
    parent_from_joint: Array  # (4, 4)
    axis: Array | None  # (3,), None for a fixed joint
    lower: float  # rad
    upper: float  # rad
    speed: float  # rad/s


@dataclass(frozen=True, eq=False)
class Ruler:
    """A robot read from a URDF file: edges in an order where parents come first."""

    root: str
    edges: tuple[Edge, ...]
    masses: dict[str, tuple[float, Array]]  # link: mass in kg, centre (3,) in the link's frame

    @property
    def moving(self) -> tuple[Edge, ...]:
        """The joints that move, in the order in which `q` lists them."""
        return tuple(edge for edge in self.edges if edge.axis is not None)

    def link_poses(self, q: Array, *, world_from_base: Array) -> dict[str, Array]:
        """Return `world_from_link`, (n, 4, 4), of every link for `q` of shape (n, n_joints)."""
        angles = dict(zip((edge.name for edge in self.moving), q.T, strict=True))
        poses = {self.root: world_from_base}
        for edge in self.edges:
            pose = poses[edge.parent] @ edge.parent_from_joint
            if edge.axis is not None:
                pose = pose @ rotations_about(edge.axis, angles[edge.name])
            poses[edge.child] = pose
        return poses

    def centre_of_mass(self, poses: dict[str, Array]) -> Array:
        """Return the centre of mass, (n, 3), from the poses of all links."""
        total = sum(mass for mass, _ in self.masses.values())
        moment: Array = np.zeros(3)
        for link, (mass, centre) in self.masses.items():
            moment = moment + mass * (poses[link][:, :3, :3] @ centre + poses[link][:, :3, 3])
        return moment / total


def load_ruler(path: Path) -> Ruler:
    """Read a URDF file of revolute and fixed joints."""
    robot = ET.parse(path).getroot()
    edges = {edge.child: edge for edge in map(_read_joint, robot.findall("joint"))}
    links = [link.attrib["name"] for link in robot.findall("link")]
    (root,) = (link for link in links if link not in edges)
    masses = {
        link.attrib["name"]: _read_mass(inertial)
        for link in robot.findall("link")
        if (inertial := link.find("inertial")) is not None
    }
    return Ruler(root, tuple(_parents_first(root, edges)), masses)


def rotations_about(axis: Array, angles: Array) -> Array:
    """Return homogeneous rotations, (n, 4, 4), by `angles` (n,) about one unit axis (Rodrigues)."""
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    sine, versine = np.sin(angles)[:, None, None], (1 - np.cos(angles))[:, None, None]
    poses = np.tile(np.eye(4), (len(angles), 1, 1))
    poses[:, :3, :3] += sine * cross + versine * (cross @ cross)
    return poses


def rotation_angles(rotations: Array) -> Array:
    """Return the angle, in rad, of each rotation (..., 3, 3); exact near 0 and near π."""
    r = rotations
    doubled_sine = np.stack(
        [
            r[..., 2, 1] - r[..., 1, 2],
            r[..., 0, 2] - r[..., 2, 0],
            r[..., 1, 0] - r[..., 0, 1],
        ],
        axis=-1,
    )
    trace = np.trace(r, axis1=-2, axis2=-1)
    angles: Array = np.arctan2(np.linalg.norm(doubled_sine, axis=-1), trace - 1)
    return angles


def base_poses(q: Array) -> Array:
    """Turn rows of position and quaternion (w, x, y, z), (n, 7), into (n, 4, 4)."""
    w, x, y, z = (q[:, 3:7] / np.linalg.norm(q[:, 3:7], axis=1, keepdims=True)).T
    poses = np.tile(np.eye(4), (len(q), 1, 1))
    poses[:, :3, 3] = q[:, :3]
    poses[:, 0, :3] = np.stack(
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], axis=1
    )
    poses[:, 1, :3] = np.stack(
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], axis=1
    )
    poses[:, 2, :3] = np.stack(
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=1
    )
    return poses


def _parents_first(root: str, edges: dict[str, Edge]) -> list[Edge]:
    """Order the edges depth first, children in the order of the file."""
    ordered: list[Edge] = []
    todo = [root]
    while todo:
        children = [edge for edge in edges.values() if edge.parent == todo[0]]
        ordered += [edges[todo[0]]] if todo[0] in edges else []
        todo[:1] = [edge.child for edge in children]
    return ordered


def _read_joint(joint: ET.Element) -> Edge:
    limit = joint.find("limit")
    bounds = {} if limit is None else limit.attrib
    return Edge(
        name=joint.attrib["name"],
        parent=_need(joint, "parent").attrib["link"],
        child=_need(joint, "child").attrib["link"],
        parent_from_joint=_read_origin(joint.find("origin")),
        axis=None if joint.attrib["type"] == "fixed" else _read_axis(joint),
        lower=float(bounds.get("lower", 0)),
        upper=float(bounds.get("upper", 0)),
        speed=float(bounds.get("velocity", 0)),
    )


def _read_axis(joint: ET.Element) -> Array:
    if joint.attrib["type"] != "revolute":
        raise ValueError(
            f"joint {joint.attrib['name']!r}: the yardstick knows revolute joints only"
        )
    axis = _numbers(_need(joint, "axis").attrib["xyz"])
    return axis / float(np.linalg.norm(axis))


def _read_mass(inertial: ET.Element) -> tuple[float, Array]:
    mass = float(_need(inertial, "mass").attrib["value"])
    return mass, _read_origin(inertial.find("origin"))[:3, 3]


def _read_origin(origin: ET.Element | None) -> Array:
    """Return the pose of an `origin` element; its angles are about fixed axes x, y, z."""
    if origin is None:
        return np.eye(4)
    pose = np.eye(4)
    for axis, angle in zip(np.eye(3), _numbers(origin.get("rpy", "0 0 0")), strict=True):
        pose = rotations_about(axis, np.array([angle]))[0] @ pose
    pose[:3, 3] = _numbers(origin.get("xyz", "0 0 0"))
    return pose


def _numbers(text: str) -> Array:
    return np.array([float(word) for word in text.split()])


def _need(element: ET.Element, tag: str) -> ET.Element:
    found = element.find(tag)
    if found is None:
        raise ValueError(f"{element.tag} {element.get('name')!r} has no <{tag}>")
    return found


def select(poses: dict[str, Array], frames: Sequence[str]) -> Array:
    """Stack the poses of some links: (n, len(frames), 4, 4)."""
    return np.stack([poses[frame] for frame in frames], axis=1)
