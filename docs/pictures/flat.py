"""Draw `flat.png`: the room that comes with the package, from its viewpoint `beside`."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from robotix.authoring import load_scene
from robotix.authoring.rooms import default_room
from robotix.geometry import Halfspace, Pose
from robotix.meshes import Material
from robotix.scene import Node, Scene, Viewpoint
from robotix.view import Camera, Mesh3, Stage, render, save_png, solid_mesh
from robotix.visuals.looks import link_looks

PICTURE = Path(__file__).with_suffix(".png")
VIEWPOINT = "beside"


def gloss(material: Material) -> float:
    """Return how much a surface shines."""
    return 0.25 * (1 - material.roughness)


def link_meshes(scene: Scene, node: Node) -> Iterator[Mesh3]:
    """Yield how a link looks."""
    assert node.robot is not None
    looks = link_looks(scene.robots[node.robot].model)
    pose = node.world_pose
    if not looks:
        for visual in node.visuals:
            yield solid_mesh(visual.shape, pose=pose, colour=visual.rgba[:3], gloss=0.15)
    for part in looks.get(node.name.removeprefix(f"{node.robot}/"), ()):
        yield Mesh3(
            pose.apply(part.vertices),
            part.faces,
            part.normals @ pose.rotation.T,
            part.material.colour,
            gloss=gloss(part.material),
        )


def skin_meshes(scene: Scene) -> Iterator[Mesh3]:
    """Yield how people look."""
    for person in scene.people.values():
        binding, bones = person.binding, person.bones()
        rest = np.column_stack([binding.vertices, np.ones(len(binding.vertices))])
        placed = np.einsum("nbij,nj->nbi", bones[binding.bones], rest)[..., :3]
        vertices = np.einsum("nb,nbi->ni", binding.weights, placed)
        for part in binding.parts:
            yield Mesh3(vertices, part.faces, colour=part.colour, gloss=0.05)


def meshes(scene: Scene) -> Iterator[Mesh3]:
    """Yield all that is to be seen in a room."""
    scene.graph.update()
    yield from skin_meshes(scene)
    for node in scene.graph:
        if not all(each.attributes.visible for each in (node, *node.ancestors())):
            continue
        if node.robot is not None:
            if node.robot not in scene.people:
                yield from link_meshes(scene, node)
            continue
        look = node.attributes.material or Material()
        for solid in node.solids:
            if not isinstance(solid, Halfspace):
                yield solid_mesh(
                    solid,
                    pose=node.world_pose,
                    colour=look.colour,
                    opacity=look.opacity,
                    gloss=gloss(look),
                    casts=look.opacity > 0.5,
                )


def camera(pose: Pose, viewpoint: Viewpoint) -> Camera:
    """Return the camera of a viewpoint."""
    ahead = pose.translation + pose.rotation[:, 0]
    return Camera(pose.translation, ahead, field_of_view=viewpoint.field_of_view)


if __name__ == "__main__":
    room = load_scene(default_room())
    eye = room.graph[VIEWPOINT]
    assert isinstance(eye.content, Viewpoint)
    stage = Stage(floor=-0.14, sun=np.array([-0.35, -0.6, 0.75]))
    things = list(meshes(room))
    image = render(things, camera(eye.world_pose, eye.content), size=(1120, 640), stage=stage)
    save_png(PICTURE, image, colours=256)
    print(f"wrote {PICTURE.name}")
