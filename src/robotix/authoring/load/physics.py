"""Physics of a room, from what its file says."""

from __future__ import annotations

from collections.abc import Sequence

from robotix.authoring.load.document import SceneDocument
from robotix.authoring.schema.format import BodyEntry, ObjectEntry
from robotix.errors import BadField, BadModel
from robotix.files.typed.reader import Reader, refuse_error
from robotix.files.yaml.text import YamlMapping, YamlValue
from robotix.scene.graph.body import BodyProperties
from robotix.scene.physics.parts import free_fault
from robotix.scene.scene import Scene

__all__ = ["make_body_properties", "start_physics"]


def make_body_properties(text: ObjectEntry, value: YamlValue) -> BodyProperties | None:
    """Return how an object takes part in physics."""
    if text.body is None:
        return None
    try:
        return text.body.properties()
    except BadField as error:
        place = value.near("body") if isinstance(value, YamlMapping) else value
        refuse_error(place, error, cls=BodyEntry)


def start_physics(
    document: SceneDocument, reader: Reader, scene: Scene, simulated: Sequence[str]
) -> None:
    """Switch physics on if the file says so; report what cannot be free, and what cannot be."""
    for name in document.objects:
        node = scene.graph[name] if name in scene.graph else None
        if node is not None and node.body is not None and node.body.kind == "free":
            with reader.collecting():
                if fault := free_fault(node):
                    place = document.place("objects", name, "body")
                    place.refuse(f"{name!r} is free, but {fault}", "something that can fall")
    for name in simulated:
        with reader.collecting():
            try:
                scene.physics.simulate_robot(name)
            except (BadField, BadModel) as error:
                refuse_error(document.place("robots", name, "simulated"), error)
    if document.physics is None:
        return
    with reader.collecting():
        try:
            settings = document.physics.settings()
        except BadField as error:
            refuse_error(document.main.root.near("physics"), error)
        if settings is not None:
            scene.physics.start(settings)
