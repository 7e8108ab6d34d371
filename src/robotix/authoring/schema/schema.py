"""The format of scene files as a JSON Schema, generated from the same dataclasses that read them.

Editors use it to complete and to check while one types; `robotix check` knows more, such as which
names there are.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Mapping, Sequence
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from robotix.authoring.schema.format import SceneEntry
from robotix.authoring.schema.words import COMMAND, STEP
from robotix.files.typed.colours import COLOUR_SCHEMA
from robotix.files.typed.fields import (
    DEGREES_SUFFIX,
    FieldSpec,
    alternatives,
    field_specs,
    is_callable,
    is_list,
    markers_of,
    stands_alone,
    without_markers,
)
from robotix.files.typed.markers import ColourValue, OneWord, Within
from robotix.files.yaml.scalars import MAX_NUMBER
from robotix.scene.graph.field_types import TaskStepValue

__all__ = ["SCHEMA_ID", "scene_schema"]

SCHEMA_ID = "https://json-schema.org/draft/2020-12/schema"
Schema = dict[str, Any]
VARIABLE = r"^\$[A-Za-z_][A-Za-z0-9_]*$"  # may stand for any number or truth value
SCALARS: Mapping[Any, Schema] = {
    str: {"type": "string"},
    float: {
        "type": ["number", "string"],
        "minimum": -MAX_NUMBER,
        "maximum": MAX_NUMBER,
        "pattern": VARIABLE,
    },
    int: {"type": ["integer", "string"], "pattern": VARIABLE},
    bool: {"type": ["boolean", "string"], "pattern": VARIABLE},
}


def scene_schema() -> Schema:
    """Return the JSON Schema (draft 2020-12) of native scene files."""
    maker = _Maker({})
    top = maker.record(SceneEntry)
    return {
        "$schema": SCHEMA_ID,
        "title": "robotix scene",
        **top,
        "$defs": dict(sorted(maker.shared.items())),
    }


@dataclasses.dataclass
class _Maker:
    """Makes schemas of types; those of dataclasses and words once, to be referred to."""

    shared: dict[str, Schema]

    def of(self, hint: Any) -> Schema:
        """Return the schema of a type."""
        for mark in markers_of(hint):
            if isinstance(mark, ColourValue):
                return dict(COLOUR_SCHEMA)
            if isinstance(mark, OneWord):
                return self._word(mark)
            if isinstance(mark, TaskStepValue):
                return self._word(STEP)
        if is_callable(hint):
            return self._word(COMMAND)
        kinds = alternatives(hint)
        if len(kinds) > 1:
            some = [self.of(kind) for kind in kinds if kind is not NoneType]
            if NoneType in kinds:
                some.append({"type": "null"})
            return {"anyOf": some}
        schema = self._plain(without_markers(hint))
        for mark in markers_of(hint):
            if isinstance(mark, Within):
                schema = {**schema, "minimum": mark.low, "maximum": mark.high}
        return schema

    def _plain(self, kind: Any) -> Schema:
        origin = get_origin(kind)
        if origin is tuple:
            return self._tuple(get_args(kind))
        if origin is Literal:
            return {"enum": list(get_args(kind))}
        if origin is not None and issubclass(origin, Mapping):
            each = self.of(get_args(kind)[1])
            return {"type": ["object", "null"], "additionalProperties": each}
        if dataclasses.is_dataclass(kind):
            assert isinstance(kind, type)
            return self._refer(kind.__name__.removesuffix("Text"), lambda: self._any_form(kind))
        return dict(SCALARS[kind])

    def _tuple(self, kinds: Sequence[Any]) -> Schema:
        if len(kinds) == 2 and kinds[1] is Ellipsis:
            item = self.of(kinds[0])
            many = {"type": "array", "items": item}
            return {"anyOf": [many, item]} if stands_alone(kinds[0]) else many
        size = {"minItems": len(kinds), "maxItems": len(kinds)}
        return {"type": "array", "prefixItems": [self.of(kind) for kind in kinds], **size}

    def _refer(self, name: str, make: Any) -> Schema:
        if name not in self.shared:
            self.shared[name] = {}  # so that commands may hold commands
            self.shared[name].update(make())
        return {"$ref": f"#/$defs/{name}"}

    # -- dataclasses ------------------------------------------------------------------------

    def record(self, cls: type[Any]) -> Schema:
        """Return the schema of a table with the fields of a dataclass."""
        properties: Schema = {}
        for slot in field_specs(cls):
            properties[slot.key] = self._described(slot)
            if slot.is_angle:
                properties[slot.key + DEGREES_SUFFIX] = self._described(slot, unit="In degrees.")
        needed = [slot for slot in field_specs(cls) if slot.is_required]
        schema: Schema = {
            "type": "object",
            "description": _about(cls),
            "properties": properties,
            "additionalProperties": False,
        }
        if plain := [slot.key for slot in needed if not slot.is_angle]:
            schema["required"] = plain
        either = [
            {"anyOf": [{"required": [slot.key]}, {"required": [slot.key + DEGREES_SUFFIX]}]}
            for slot in needed
            if slot.is_angle
        ]
        return {**schema, "allOf": either} if either else schema

    def _described(self, slot: FieldSpec, *, unit: str = "") -> Schema:
        words = " ".join(
            filter(None, (slot.description, unit or ("In rad." if slot.is_angle else "")))
        )
        schema = self.of(slot.hint)
        if words:
            schema = {"description": words, **schema}
        if isinstance(slot.default, bool | int | float | str) and slot.default != "" and not unit:
            schema = {**schema, "default": slot.default}
        return schema

    def _any_form(self, cls: type[Any]) -> Schema:
        """Return the schema of a dataclass: keys, a list of fields in order, the first alone."""
        forms = [self.record(cls)]
        fields = [slot for slot in field_specs(cls) if slot.is_positional]
        needed = sum(slot.is_required for slot in field_specs(cls))
        if not needed:
            forms.append({"type": "null"})
        if fields:
            if needed <= 1:
                forms.append(self.of(fields[0].hint))
            if not is_list(fields[0].hint):
                in_order = [self.of(slot.hint) for slot in fields]
                size = {"minItems": needed, "maxItems": len(fields)}
                forms.append({"type": "array", "prefixItems": in_order, **size})
        if len(forms) == 1:
            return forms[0]
        return {"description": _about(cls), "anyOf": forms}

    # -- words ------------------------------------------------------------------------------

    def _word(self, words: OneWord) -> Schema:
        return self._refer(words.what, lambda: self._any_word(words))

    def _any_word(self, words: OneWord) -> Schema:
        table = words.words()
        bare_words = [
            word for word, cls in table.items() if not any(s.is_required for s in field_specs(cls))
        ]
        properties = {word: self._plain(cls) for word, cls in table.items()}
        keyed = {
            "type": "object",
            "properties": properties,
            "additionalProperties": False,
            "minProperties": 1,
            "maxProperties": 1,
        }
        return {"anyOf": [keyed, {"enum": bare_words}] if bare_words else [keyed]}


def _about(cls: type[Any]) -> str:
    """Return the docstring of a class as one paragraph."""
    return " ".join(inspect.cleandoc(cls.__doc__ or "").split())
