"""What is to be seen in a scene, for the software renderer: links, people, objects, traces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from robotix.model import Visual
from robotix.scene.graph.content import EllipsoidSurface, Region, Trace
from robotix.scene.graph.graph import Node
from robotix.scene.scene import Scene
from robotix.view import Mesh3, Polyline, Thing
from robotix.view.link_things import look_things, visual_things
from robotix.visuals.looks import link_looks

__all__ = ["scene_things"]

TRACE_COLOUR = (0.95, 0.45, 0.1)
TRACE_PIXELS = 3.0


def scene_things(scene: Scene) -> Iterator[Thing]:
    """Yield all that is to be seen in a scene as it is now; infinite floors are left out."""
    scene.graph.update()
    yield from _skins(scene)
    for node in scene.graph:
        if not all(each.attributes.visible for each in (node, *node.ancestors())):
            continue
        if node.robot is None or node.robot not in scene.people:
            for thing in _node_things(scene, node):
                yield _moved(thing, node)


def _moved(thing: Mesh3 | Polyline, node: Node) -> Mesh3 | Polyline:
    """Return what lies in the frame of a node, in the world."""
    pose, scale = node.world_pose, node.world_scale
    if isinstance(thing, Polyline):
        return replace(thing, points=pose.apply(scale * thing.points))
    normals = None if thing.normals is None else thing.normals @ pose.rotation.T
    return replace(thing, vertices=pose.apply(scale * thing.vertices), normals=normals)


def _skins(scene: Scene) -> Iterator[Mesh3]:
    for person in scene.people.values():
        binding, bones = person.binding, person.bones()
        rest = np.column_stack([binding.vertices, np.ones(len(binding.vertices))])
        placed = np.einsum("nbij,nj->nbi", bones[binding.bones], rest)[..., :3]
        vertices = np.einsum("nb,nbi->ni", binding.weights, placed)
        for part in binding.parts:
            yield Mesh3(vertices, part.faces, colour=part.colour, gloss=0.05)


def _node_things(scene: Scene, node: Node) -> Iterator[Mesh3 | Polyline]:
    """Yield what a node shows, in its own frame."""
    content = node.content
    if isinstance(content, Region | EllipsoidSurface):
        return
    if isinstance(content, Trace):
        if content.kind == "line" and len(content.points) > 1:
            colour = node.attributes.material.colour if node.attributes.material else TRACE_COLOUR
            yield Polyline(np.array(content.points), colour, TRACE_PIXELS)
        return
    if node.robot is not None and node.attributes.material is None:
        looks = link_looks(scene.robots[node.robot].model)
        parts = looks.get(node.name.removeprefix(f"{node.robot}/"), ())
        yield from look_things(parts)
        if parts:
            return
    visuals: Iterable[Visual] = node.visuals
    if not node.visuals:
        visuals = map(Visual, node.solids)
    for visual in visuals:
        yield from visual_things(
            visual, material=node.attributes.material, folder=scene.files.assets
        )
