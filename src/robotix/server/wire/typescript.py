"""Generates `web/src/net/protocol.ts` from `protocol`: `python -m robotix.server.wire.typescript`.

Each struct becomes an interface. Fields with a default are optional in messages to the server;
messages from the server always contain all fields.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import get_args

import msgspec.inspect as inspect

from robotix.server.wire import protocol

__all__ = ["to_typescript"]

HEADER = "// Generated from server/wire/protocol.py by `python -m robotix.server.wire.typescript`."
WIDTH = 100  # characters per line


def to_typescript() -> str:
    """Return the text of `protocol.ts`."""
    parts = [HEADER, f"export const VERSION = {protocol.VERSION}"]
    sent = frozenset(get_args(protocol.ToServer))
    messages = get_args(protocol.ToClient) + get_args(protocol.ToServer)
    for struct in _structs(messages + get_args(protocol.OverHttp)):
        parts.append(_interface(struct, may_omit=struct.cls in sent))
    for name in ("ShapeInfo", "ToClient", "ToServer"):
        parts.append(
            _union(name, [member.__name__ for member in get_args(getattr(protocol, name))])
        )
    return "\n\n".join(parts) + "\n"


def _structs(messages: Iterable[type]) -> Iterator[inspect.StructType]:
    """Yield the structs of messages and of their fields, each once, fields first."""
    seen = set[type]()

    def walk(kind: inspect.Type) -> Iterator[inspect.StructType]:
        match kind:
            case inspect.StructType(cls=cls, fields=fields):
                if cls not in seen:
                    seen.add(cls)
                    for field in fields:
                        yield from walk(field.type)
                    yield kind
            case inspect.UnionType(types=types) | inspect.TupleType(item_types=types):
                for each in types:
                    yield from walk(each)
            case inspect.ListType(item_type=item):
                yield from walk(item)

    for message in messages:
        yield from walk(inspect.type_info(message))


def _interface(struct: inspect.StructType, *, may_omit: bool) -> str:
    lines = [f"/** {_summary(struct.cls)} */", f"export interface {struct.cls.__name__} {{"]
    if struct.tag is not None:
        lines.append(f"  {struct.tag_field}: '{struct.tag}'")
    for field in struct.fields:
        mark = "?" if may_omit and not field.required else ""
        lines.append(f"  {field.encode_name}{mark}: {_type(field.type)}")
    return "\n".join([*lines, "}"])


def _summary(cls: type) -> str:
    return (cls.__doc__ or "").strip().partition("\n")[0]


def _type(kind: inspect.Type) -> str:
    match kind:
        case inspect.StructType(cls=cls):
            return str(cls.__name__)
        case inspect.IntType() | inspect.FloatType():
            return "number"
        case inspect.StrType() | inspect.BytesType():
            return "string"
        case inspect.LiteralType(values=values):
            return " | ".join(f"'{value}'" for value in values)
        case inspect.BoolType():
            return "boolean"
        case inspect.NoneType():
            return "null"
        case inspect.AnyType():
            return "unknown"
        case inspect.ListType(item_type=item):
            inner = _type(item)
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        case inspect.TupleType(item_types=items):
            return f"[{', '.join(map(_type, items))}]"
        case inspect.DictType(key_type=key, value_type=value):
            return f"Record<{_type(key)}, {_type(value)}>"
        case inspect.UnionType(types=types):
            return _named_union(types)
    raise TypeError(f"protocol.ts has no type for {kind}")


def _named_union(types: Iterable[inspect.Type]) -> str:
    names = [_type(each) for each in types]
    shapes = {member.__name__ for member in get_args(protocol.ShapeInfo)}
    if set(names) == shapes:
        return "ShapeInfo"
    return " | ".join(sorted(names, key=lambda name: name == "null"))


def _union(name: str, members: list[str]) -> str:
    line = f"export type {name} = {' | '.join(members)}"
    if len(line) <= WIDTH:
        return line
    return "\n".join([f"export type {name} =", *(f"  | {member}" for member in members)])


def main(arguments: list[str]) -> int:
    """Write the file, `web/src/net/protocol.ts` of the checkout unless another path is given."""
    root = Path(__file__).resolve().parents[4]
    path = Path(arguments[0]) if arguments else root / "web" / "src" / "net" / "protocol.ts"
    path.write_text(to_typescript(), encoding="utf-8")
    sys.stdout.write(json.dumps({"written": path.name}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
