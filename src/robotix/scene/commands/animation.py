"""Commands that record the motion of nodes tick by tick, and play it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from robotix.errors import BadField, UnknownName
from robotix.geometry import Array
from robotix.scene.events.action import Action
from robotix.scene.events.claims import check_movable, is_in_graph
from robotix.scene.events.events import Event
from robotix.scene.graph.clip import Clip
from robotix.scene.graph.field_types import NodeName
from robotix.scene.graph.graph import Node
from robotix.scene.scene import Scene

__all__ = ["PlayClip", "RecordClip", "StopClip"]

MAX_SECONDS = 3600.0


@dataclass(frozen=True)
class RecordClip:
    """Record the motion of nodes as a clip, until this is off or the time is over."""

    clip: str
    nodes: tuple[NodeName, ...]
    seconds: float = 60.0  # at most

    def __post_init__(self) -> None:
        """Raise BadField without a name, nodes or a valid time."""
        if not self.clip:
            raise BadField("clip", "a name for the recording", "an empty text")
        if not self.nodes:
            raise BadField("nodes", "at least one node", "none")
        if len(set(self.nodes)) < len(self.nodes):
            raise BadField("nodes", "nodes that differ", self.nodes)
        if not 0 < self.seconds <= MAX_SECONDS:
            raise BadField("seconds", f"a time up to {MAX_SECONDS:.0f} s", self.seconds)

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Start when the event is on."""
        nodes = tuple(scene.graph[name] for name in self.nodes)
        return _record(scene, nodes, self) if event.state else None


@dataclass(frozen=True)
class PlayClip:
    """Play a clip; when off, the nodes stay where they are.

    A negative speed plays it backwards.
    """

    clip: str
    speed: float = 1.0
    loop: bool = False

    def __post_init__(self) -> None:
        """Raise ValueError for a speed of 0."""
        if not (math.isfinite(self.speed) and self.speed != 0):
            raise BadField("speed", "a number other than 0", self.speed)

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Start when the event is on."""
        return _play(scene, _clip(scene, self.clip), self) if event.state else None


@dataclass(frozen=True)
class StopClip:
    """Stop playing a clip; the nodes stay where they are."""

    clip: str

    def __call__(self, scene: Scene, event: Event) -> None:
        """Stop it when the event triggers."""
        if not event.is_trigger:
            return
        for name in _clip(scene, self.clip).nodes:
            if name in scene.graph:
                scene.control.claims.release_all(scene.graph[name], _player(self.clip))


def _clip(scene: Scene, name: str) -> Clip:
    try:
        return scene.assets.clips[name]
    except KeyError:
        raise UnknownName("clip", name, scene.assets.clips) from None


def _player(clip: str) -> str:
    return f"the clip {clip!r}"


def _record(scene: Scene, nodes: tuple[Node, ...], record: RecordClip) -> Action:
    rows: list[list[Array]] = []
    start, tick = scene.tick, -1
    try:
        while (scene.tick - start) * scene.dt <= record.seconds * (1 + 1e-9):
            for node in nodes:
                if not is_in_graph(node):
                    raise LookupError(f"node {node.name!r} was removed while it was recorded")
            if scene.tick != tick:
                rows.append([_row(node) for node in nodes])
                tick = scene.tick
            yield
    finally:
        if rows:
            names = tuple(node.name for node in nodes)
            scene.assets.clips[record.clip] = Clip(names, scene.dt, np.array(rows))


def _row(node: Node) -> Array:
    pose = node.pose
    return np.concatenate((pose.translation, pose.quaternion))


def _play(scene: Scene, clip: Clip, play: PlayClip) -> Action:
    nodes = [scene.graph[name] for name in clip.nodes]
    for node in nodes:
        check_movable(node)
    claims = [scene.control.claims.claim(node, _player(play.clip)) for node in nodes]
    start = scene.tick
    try:
        while True:
            elapsed = (scene.tick - start) * scene.dt * abs(play.speed)
            time = elapsed % clip.duration if play.loop and clip.duration > 0 else elapsed
            active = [claim.is_active for claim in claims]
            if not any(active):
                return
            for node, pose, is_active in zip(
                nodes, clip.at(_time(clip, time, play)), active, strict=True
            ):
                if is_active:
                    node.pose = pose
            if not play.loop and elapsed >= clip.duration:
                return
            yield
    finally:
        for claim in claims:
            claim.release()


def _time(clip: Clip, time: float, play: PlayClip) -> float:
    return time if play.speed > 0 else clip.duration - time
