from __future__ import annotations

import re
from xml.etree import ElementTree

from robotix.experiments.report.drawing import (
    CircleMark,
    Drawing,
    LineMark,
    RectMark,
    TextMark,
)

DRAWING = Drawing(
    200,
    100,
    (
        LineMark(0, 0, 10, 20),
        RectMark(10, 10, 5, 6, (1, 0, 0)),
        CircleMark(50, 50, 4),
        TextMark(20, 30, "µ (a) & <b>", anchor="end"),
    ),
    "A title",
)


def test_svg_is_well_formed_and_escaped() -> None:
    root = ElementTree.fromstring(DRAWING.svg())
    assert root.attrib["aria-label"] == "A title"
    assert [child.tag.split("}")[1] for child in root] == ["path", "rect", "circle", "text"]
    assert root[3].text == "µ (a) & <b>"
    assert root[1].attrib["fill"] == "#ff0000"


def test_pdf_points_at_its_objects() -> None:
    data = DRAWING.pdf()
    start = int(re.search(rb"startxref\n(\d+)\n", data)[1])  # type: ignore[index]
    assert data[start:].startswith(b"xref\n0 6\n")
    offsets = [int(line[:10]) for line in data[start:].splitlines()[3:8]]
    for number, offset in enumerate(offsets, 1):
        assert data[offset:].startswith(b"%d 0 obj\n" % number)
    length, body = re.search(
        rb"/Length (\d+) >>\nstream\n(.*)\nendstream", data, re.DOTALL
    ).groups()  # type: ignore[union-attr]
    assert int(length) == len(body)
    assert b"\\(a\\)" in body and "µ".encode("cp1252") in body
