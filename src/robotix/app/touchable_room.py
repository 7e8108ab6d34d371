"""The things of a room, felt at the handle of a haptic device: solids and meshes, by proxies.

The device stands in the room, or looks into it from outside: `base` says where. Between two ticks
of the room the loop of the device runs at its own rate, and touches all solids where the last tick
has put them. Free things of a room with physics are pushed by what the hand feels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry import Array, Pose, Shape
from robotix.haptics.loop.environment import GivenWrench
from robotix.haptics.loop.loop import HapticLoop
from robotix.haptics.rendering.tool import ProxyTool
from robotix.inputs.readings import Inputs
from robotix.scene.graph.content import Region
from robotix.scene.graph.graph import Node
from robotix.scene.robots.obstacles import scaled_shape
from robotix.scene.scene import Scene

__all__ = ["TouchableRoom"]

STILL = 1e-9  # m and of a rotation; a thing that moved less has not moved


class TouchableRoom:
    """A device's loop and the room that it touches; `step` moves both on by one tick.

    Args:
        scene: The room.
        loop: The device; its element `slot` takes the force (`spare_element`).
        base: world_from_base of the device.
        things: Names of the nodes to be felt, with their branches; all that collide when empty.
        points: Of the handle, in its frame, m; the handle itself when empty.
        radius: Of the balls at these points, m.
        stiffness: Of the spring between ball and proxy, N/m.
        damping: Of the spring on the way in, N s/m.
        friction: Coefficient.
        slot: The place of the force in the loop's environment.
    """

    def __init__(
        self,
        scene: Scene,
        loop: HapticLoop,
        *,
        base: Pose | None = None,
        things: Sequence[str] = (),
        points: Sequence[ArrayLike] = (),
        radius: float = 0.01,
        stiffness: float = 2000.0,
        damping: float = 50.0,
        friction: float = 0.0,
        slot: int = 0,
    ) -> None:
        self.scene, self.loop = scene, loop
        self.base = Pose() if base is None else base
        self._base_from_world = self.base.inverse()
        scene.graph.update()
        self._solids = _solids_of(scene, things)
        if not self._solids:
            raise ValueError("nothing in this room can be touched; name things with solids")
        self._poses = [self._pose(node, solid) for node, solid in self._solids]
        shapes = [
            replace(solid, pose=pose)
            for (_, solid), pose in zip(self._solids, self._poses, strict=True)
        ]
        self.tool = ProxyTool(
            shapes, loop.virtual_pose, points=points, radius=radius, stiffness=stiffness,
            damping=damping, friction=friction, slot=slot,
        )  # fmt: skip
        self._time = 0.0
        self._pushed: set[str] = set()

    @staticmethod
    def spare_element() -> GivenWrench:
        """Return an element without force, to be replaced."""
        return GivenWrench((0.0,) * 6)

    @property
    def touched(self) -> tuple[str, ...]:
        """Names of the nodes that the handle touches now."""
        return tuple(dict.fromkeys(self._solids[c.solid][0].name for c in self.tool.contacts))

    @property
    def force(self) -> Array:
        """Force of the handle on the room, in the world, (3,), N."""
        return np.asarray(self.base.rotation @ self.tool.wrench[:3])

    def step(self, inputs: Inputs | None = None) -> None:
        """Move device and room on by one tick of the room."""
        self._follow_things()
        self._time += self.scene.dt
        samples = int(self._time * self.loop.settings.rate + 1e-9)
        self._time -= samples / self.loop.settings.rate
        pushes: dict[str, Array] = {}
        for _ in range(samples):
            self.tool.touch(self.loop)
            self.loop.step()
            for name, force in self._pushes():
                pushes[name] = pushes.get(name, np.zeros(3)) + force / samples
        self._push(pushes)
        self.scene.step(Inputs() if inputs is None else inputs)

    def _follow_things(self) -> None:
        """Move the solids whose nodes have moved."""
        self.scene.graph.update()
        for k, (node, solid) in enumerate(self._solids):
            pose = self._pose(node, solid)
            known = self._poses[k]
            if max(abs(pose.translation - known.translation).max(),
                   abs(pose.rotation - known.rotation).max()) > STILL:  # fmt: skip
                self._poses[k] = pose
                self.tool.move_solid(k, pose)

    def _pushes(self) -> list[tuple[str, Array]]:
        """Return free nodes that are touched, and the force on each in the world.

        Where several are touched at once, each has its share by the push along its normal.
        """
        shares = [max(float(-self.tool.wrench[:3] @ c.normal), 0.0) for c in self.tool.contacts]
        total = sum(shares)
        return [
            (node.name, self.force * share / total)
            for contact, share in zip(self.tool.contacts, shares, strict=True)
            for node in [self._solids[contact.solid][0]]
            if share > 0 and self.scene.physics.is_simulated(node)
        ]

    def _push(self, forces: dict[str, Array]) -> None:
        for name in self._pushed - forces.keys():
            self.scene.physics.end_push(self.scene.graph[name])
        for name, force in forces.items():
            self.scene.physics.push(name, force)
        self._pushed = set(forces)

    def _pose(self, node: Node, solid: Shape) -> Pose:
        """Return base_from_solid; the solid is in the frame of its node, scaled."""
        return self._base_from_world @ node.world_pose @ solid.pose


def _solids_of(scene: Scene, things: Sequence[str]) -> list[tuple[Node, Shape]]:
    """Return all solids that can be felt, each with its node; scaled to the world."""
    nodes = list(scene.graph)
    if things:
        nodes = list(dict.fromkeys(n for name in things for n in scene.graph[name].branch()))
    return [
        (node, scaled_shape(solid, node.world_scale))
        for node in nodes
        if node.attributes.collidable and not isinstance(node.content, Region)
        for solid in node.solids
    ]
