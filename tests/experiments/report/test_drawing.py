from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from robotix.experiments.report.drawing import (
    CircleMark,
    Drawing,
    LineMark,
    RectMark,
    TextMark,
    text_width,
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


def test_words_in_a_pdf_end_where_they_should() -> None:
    # k, u, k, a, _, l, w, r as in the metrics of Helvetica
    thousandths = 500 + 556 + 500 + 556 + 556 + 222 + 722 + 333
    assert text_width("kuka_lwr", 9) == pytest.approx(9 * thousandths / 1000)
    assert text_width("ill", 10) < text_width("mmm", 10) / 3
    drawing = Drawing(100, 20, (TextMark(90, 10, "mill", 10, "end"),))
    x = float(re.search(rb"Tf ([\d.]+) ", drawing.pdf())[1])  # type: ignore[index]
    assert x == pytest.approx(90 - text_width("mill", 10), abs=0.01)


def test_svg_says_what_a_bar_is() -> None:
    bar = Drawing(10, 10, (RectMark(0, 0, 1, 1, words="a < b"),)).svg()
    assert "<title>a &lt; b</title>" in bar
