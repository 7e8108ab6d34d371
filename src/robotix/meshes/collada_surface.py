"""The surfaces of a COLLADA mesh: lists, strips and fans of triangles, and polygons."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from robotix.files.xml_tree import Element
from robotix.geometry import Array
from robotix.geometry.arrays import Faces
from robotix.meshes.part import MAX_TRIANGLES, MAX_VERTICES

__all__ = ["ColladaSurface", "read_surfaces"]

SURFACES = ("triangles", "polylist", "polygons", "tristrips", "trifans")
Target: TypeAlias = Callable[[Element, str], Element | None]
Whole: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ColladaSurface:
    """Triangles of one material, in the file's unit."""

    points: Array  # (n, 3)
    faces: Faces  # (m, 3), rows of `points`
    symbol: str  # of the material, which the instance binds


def read_surfaces(mesh: Element, target: Target) -> Iterator[ColladaSurface]:
    """Yield the surfaces of a `<mesh>`; `target` follows references."""
    for element in mesh.children:
        if element.tag in SURFACES:
            surface = _read(element, target)
            if surface is not None:
                yield surface


def _read(element: Element, target: Target) -> ColladaSurface | None:
    offsets = [_offset(each) for each in element.all("input")]
    stride = max(offsets, default=0) + 1
    corners = [each for each in element.all("input") if each.attributes.get("semantic") == "VERTEX"]
    lists = [_wholes(each) for each in element.all("p")]
    if not corners or not any(len(each) for each in lists):
        return None
    points = _points(corners[0], target)
    start = _offset(corners[0])
    rows = [each[: len(each) // stride * stride].reshape(-1, stride)[:, start] for each in lists]
    faces = np.concatenate([np.empty((0, 3), np.int64), *_triangles(element, rows)])
    if len(faces) > MAX_TRIANGLES:
        raise element.bad(f"{len(faces)} triangles", f"at most {MAX_TRIANGLES}")
    if len(faces) and not 0 <= faces.min() <= faces.max() < len(points):
        raise element.bad(f"corners up to {faces.max()}", f"0 to {len(points) - 1}")
    used, back = np.unique(faces, return_inverse=True)
    return ColladaSurface(points[used], back.reshape(-1, 3), element.attributes.get("material", ""))


def _offset(element: Element) -> int:
    text = element.attributes.get("offset", "0").strip()
    if not (text.isascii() and text.isdigit() and int(text[:6]) < 64 and len(text) < 6):
        raise element.bad(f"offset {text[:20]!r}", "a whole number below 64", attribute="offset")
    return int(text)


def _triangles(element: Element, rows: list[Whole]) -> Iterator[Whole]:
    match element.tag:
        case "triangles":
            for row in rows:
                yield row[: len(row) // 3 * 3].reshape(-1, 3)
        case "polylist":
            yield _polygons(element, np.concatenate(rows), _counts(element))
        case "polygons":
            yield from (_fan(row) for row in rows)
        case "trifans":
            yield from (_fan(row) for row in rows)
        case "tristrips":
            yield from (_strip(row) for row in rows)


def _counts(element: Element) -> Whole:
    lists = [_wholes(each) for each in element.all("vcount")]
    counts = np.concatenate([np.empty(0, np.int64), *lists])
    if len(counts) and (counts.min() < 0 or counts.max() > MAX_VERTICES):
        raise element.bad("impossible numbers of corners", "what <vcount> means")
    return counts


def _polygons(element: Element, row: Whole, counts: Whole) -> Whole:
    """Return polygons, all in one row, as fans of triangles."""
    if counts.sum() > len(row):
        raise element.bad(f"{len(row)} corners", f"the {counts.sum()} that <vcount> announces")
    starts = np.cumsum(counts) - counts
    inner = np.maximum(counts - 2, 0)  # triangles in each
    total = int(inner.sum())
    if total > MAX_TRIANGLES:
        raise element.bad(f"{total} triangles", f"at most {MAX_TRIANGLES}")
    first = np.repeat(starts, inner)
    within = np.arange(total) - np.repeat(np.cumsum(inner) - inner, inner)
    return np.stack([row[first], row[first + within + 1], row[first + within + 2]], axis=1)


def _fan(row: Whole) -> Whole:
    n = max(len(row) - 2, 0)
    return np.stack([np.repeat(row[:1], n), row[1 : 1 + n], row[2 : 2 + n]], axis=1)


def _strip(row: Whole) -> Whole:
    starts = np.arange(max(len(row) - 2, 0))
    odd = starts % 2  # every second triangle of a strip is turned round
    return np.stack([row[starts], row[starts + 1 + odd], row[starts + 2 - odd]], axis=1)


# -- numbers --------------------------------------------------------------------------------


def _points(corner: Element, target: Target) -> Array:
    """Return the positions of the vertices that an input refers to, (n, 3)."""
    vertices = target(corner, "source")
    source = None
    for each in vertices.all("input") if vertices is not None else ():
        if each.attributes.get("semantic") == "POSITION":
            source = target(each, "source")
    if source is None:
        raise corner.bad("vertices without positions", "an <input> POSITION in <vertices>")
    arrays = source.all("float_array")
    if not arrays:
        raise source.bad("a <source> without <float_array>", "positions as numbers")
    try:
        values = np.array(arrays[0].content.split(), dtype=float)
    except ValueError as error:
        raise arrays[0].bad(str(error), "numbers") from None
    stride = _stride(source)
    return values[: len(values) // stride * stride].reshape(-1, stride)[:, :3]


def _stride(source: Element) -> int:
    for common in source.all("technique_common"):
        for accessor in common.all("accessor"):
            stride = accessor.number("stride", 3.0)
            if not (3 <= stride <= 64 and stride == int(stride)):
                raise accessor.bad(f"stride {stride:g}", "3 for positions", attribute="stride")
            return int(stride)
    return 3


def _wholes(element: Element) -> Whole:
    try:
        return np.array(element.content.split(), dtype=np.int64)
    except (ValueError, OverflowError) as error:
        raise element.bad(str(error), "whole numbers") from None
