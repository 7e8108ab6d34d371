"""Names that legacy scripts use without defining them: devices and materials."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from robotix.files.typed.colours import COLOURS
from robotix.files.typed.fields import field_specs, markers_of
from robotix.files.typed.markers import Named
from robotix.inputs.device_kinds import DeviceKind
from robotix.scene.graph.content import Material

__all__ = ["USUAL_DEVICES", "colour_material", "names_of"]

# Devices by the names that RoboTiX scripts give them; the default mapping has them all.
USUAL_DEVICES: Mapping[str, DeviceKind] = {
    "spacemouse": "move6",
    "joystick": "translate3",
    "flystick": "hand",
    "glove": "hand",
    "right_glove": "hand",
    "left_glove": "hand",
    "cursor": "hand",
    "pointer": "pointer",
    "head": "head",
}


def names_of(value: Any, kind: str) -> Iterator[str]:
    """Yield the names of some kind (node, robot, material, device) that a value holds."""
    for slot in field_specs(type(value)):
        if Named(kind) in markers_of(slot.hint) and (name := getattr(value, slot.name)):
            yield name


def colour_material(name: str) -> Material | None:
    """Return the material that the name of a colour stands for; None for any other name."""
    code = COLOURS.get(name.lower())
    if code is None:
        return None
    r, g, b = (int(code[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return Material((r, g, b), name=name)
