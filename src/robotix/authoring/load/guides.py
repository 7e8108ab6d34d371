"""Hinges and slides of objects: properties by which any hand moves them."""

from __future__ import annotations

from robotix.authoring.load.document import SceneDocument
from robotix.authoring.schema.format import ObjectEntry
from robotix.errors import BadField
from robotix.files.typed.reader import Reader, refuse_error
from robotix.scene.commands.constraints import Hinge, Slide
from robotix.scene.scene import Scene

__all__ = ["add_guides"]


def add_guides(document: SceneDocument, reader: Reader, scene: Scene) -> None:
    """Note for every object how hands may move it."""
    for name, entry in document.objects.items():
        if name not in scene.graph or (entry.hinge is None and entry.slide is None):
            continue
        with reader.collecting():
            place = document.place("objects", name, "slide" if entry.hinge is None else "hinge")
            if entry.hinge is not None and entry.slide is not None:
                place.refuse("'hinge' besides 'slide'", "one of the two")
            try:
                scene.assets.guides[name] = _guide(name, entry)
            except BadField as error:
                refuse_error(place, error, cls=type(entry.hinge or entry.slide))


def _guide(name: str, entry: ObjectEntry) -> Hinge | Slide:
    if (hinge := entry.hinge) is not None:
        return Hinge(name, "", hinge.axis, hinge.origin, hinge.lower, hinge.upper)
    assert entry.slide is not None
    slide = entry.slide
    return Slide(name, "", slide.axis, slide.lower, slide.upper)
