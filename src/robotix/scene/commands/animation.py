"""Animation: the motion of objects, recorded tick by tick and played again."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from robotix.errors import BadField, UnknownName
from robotix.geometry import Array, Pose
from robotix.scene.events.action import Action
from robotix.scene.events.claims import check_movable, is_there
from robotix.scene.events.events import Event
from robotix.scene.graph.field_types import NodeName
from robotix.scene.graph.node import Node

if TYPE_CHECKING:
    from robotix.scene.scene import Scene

__all__ = ["Clip", "PlayClip", "RecordClip", "StopClip"]

MAX_SECONDS = 3600.0


@dataclass(frozen=True, eq=False)
class Clip:
    """Places of some nodes in their parents, at even times.

    `places` has one row a time and one column a node: translation, then quaternion.
    """

    nodes: tuple[str, ...]
    dt: float  # s between two rows
    places: Array  # (n_times, n_nodes, 7)

    def __post_init__(self) -> None:
        places = np.array(self.places, dtype=float)
        if places.ndim != 3 or places.shape[1:] != (len(self.nodes), 7) or not len(places):
            raise BadField("places", f"of shape (times, {len(self.nodes)}, 7)", places.shape)
        if not (np.isfinite(places).all() and math.isfinite(self.dt) and self.dt > 0):
            raise BadField("", "finite places and a positive dt", f"dt {self.dt}")
        norms = np.linalg.norm(places[..., 3:], axis=-1)
        if not (norms > 1e-6).all():
            raise BadField("places", "with quaternions other than zero", "zeros")
        places[..., 3:] /= norms[..., None]
        # q and -q are the same turn; next to each other, the way between them is the short one.
        turns = np.einsum("ijk,ijk->ij", places[1:, :, 3:], places[:-1, :, 3:])
        signs = np.cumprod(np.where(turns < 0, -1.0, 1.0), axis=0)
        places[1:, :, 3:] *= signs[..., None]
        places.flags.writeable = False
        object.__setattr__(self, "places", places)

    @property
    def duration(self) -> float:
        """Seconds from the first to the last row."""
        return (len(self.places) - 1) * self.dt

    def at(self, time: float) -> tuple[Pose, ...]:
        """Return parent_from_node of every node; before the start and after the end it rests.

        Between rows it is a Catmull-Rom curve: places and speeds change without a jump.
        """
        rows, last = self.places, len(self.places) - 1
        if last == 0:
            rows, last = np.repeat(rows, 2, axis=0), 1
        x = min(max(time / self.dt, 0.0), float(last))
        i = min(int(x), last - 1)
        p1, p2 = rows[i], rows[i + 1]
        p0 = rows[i - 1] if i > 0 else 2 * p1 - p2
        p3 = rows[i + 2] if i + 2 <= last else 2 * p2 - p1
        s = x - i
        mixed = p1 + s * 0.5 * (
            p2 - p0 + s * (2 * p0 - 5 * p1 + 4 * p2 - p3 + s * (3 * (p1 - p2) + p3 - p0))
        )
        return tuple(Pose.from_quaternion(row[:3], row[3:]) for row in mixed)


@dataclass(frozen=True)
class RecordClip:
    """Record the motion of objects under a name, until this is off or the time is over."""

    clip: str
    nodes: tuple[NodeName, ...]
    seconds: float = 60.0  # at most

    def __post_init__(self) -> None:
        """Refuse what has no name, no objects or no end."""
        if not self.clip:
            raise BadField("clip", "a name for the recording", "an empty text")
        if not self.nodes:
            raise BadField("nodes", "at least one node", "none")
        if len(set(self.nodes)) < len(self.nodes):
            raise BadField("nodes", "nodes that differ", self.nodes)
        if not 0 < self.seconds <= MAX_SECONDS:
            raise BadField("seconds", f"a time up to {MAX_SECONDS:.0f} s", self.seconds)

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Begin when on."""
        nodes = tuple(scene.graph[name] for name in self.nodes)
        return _record(scene, nodes, self) if event.state else None


@dataclass(frozen=True)
class PlayClip:
    """Play a recorded motion; when off, the objects stay where they are.

    At a speed below 0 it is played backwards.
    """

    clip: str
    speed: float = 1.0
    loop: bool = False

    def __post_init__(self) -> None:
        """Refuse a speed at which nothing moves."""
        if not (math.isfinite(self.speed) and self.speed != 0):
            raise BadField("speed", "a number other than 0", self.speed)

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Begin when on."""
        return _play(scene, _clip(scene, self.clip), self) if event.state else None


@dataclass(frozen=True)
class StopClip:
    """Stop playing a clip; the objects stay where they are."""

    clip: str

    def __call__(self, scene: Scene, event: Event) -> None:
        """Stop it when on."""
        if not event.is_trigger:
            return
        for name in _clip(scene, self.clip).nodes:
            if name in scene.graph:
                scene.holds.drop_all(scene.graph[name], _player(self.clip))


def _clip(scene: Scene, name: str) -> Clip:
    try:
        return scene.clips[name]
    except KeyError:
        raise UnknownName("clip", name, scene.clips) from None


def _player(clip: str) -> str:
    return f"the clip {clip!r}"


def _record(scene: Scene, nodes: tuple[Node, ...], record: RecordClip) -> Action:
    rows: list[list[Array]] = []
    start, tick = scene.tick, -1
    try:
        while (scene.tick - start) * scene.dt <= record.seconds * (1 + 1e-9):
            for node in nodes:
                if not is_there(node):
                    raise LookupError(f"node {node.name!r} was removed while it was recorded")
            if scene.tick != tick:
                rows.append([_row(node) for node in nodes])
                tick = scene.tick
            yield
    finally:
        if rows:
            names = tuple(node.name for node in nodes)
            scene.clips[record.clip] = Clip(names, scene.dt, np.array(rows))


def _row(node: Node) -> Array:
    pose = node.pose
    return np.concatenate((pose.translation, pose.quaternion))


def _play(scene: Scene, clip: Clip, play: PlayClip) -> Action:
    nodes = [scene.graph[name] for name in clip.nodes]
    for node in nodes:
        check_movable(node)
    holds = [scene.holds.take(node, _player(play.clip)) for node in nodes]
    start = scene.tick
    try:
        while True:
            gone = (scene.tick - start) * scene.dt * abs(play.speed)
            time = gone % clip.duration if play.loop and clip.duration > 0 else gone
            mine = [hold.is_mine for hold in holds]
            if not any(mine):
                return
            for node, pose, is_mine in zip(
                nodes, clip.at(_time(clip, time, play)), mine, strict=True
            ):
                if is_mine:
                    node.pose = pose
            if not play.loop and gone >= clip.duration:
                return
            yield
    finally:
        for hold in holds:
            hold.release()


def _time(clip: Clip, time: float, play: PlayClip) -> float:
    return time if play.speed > 0 else clip.duration - time
