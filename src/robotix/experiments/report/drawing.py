"""Small vector drawings that become SVG or PDF: lines, rectangles, circles, text.

Coordinates are points (1/72 inch) from the top left. The PDF has the standard font Helvetica, which
every reader has, so nothing is embedded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal, TypeAlias

__all__ = [
    "INK",
    "CircleMark",
    "Colour",
    "Drawing",
    "LineMark",
    "RectMark",
    "TextMark",
    "text_width",
]

Colour: TypeAlias = tuple[float, float, float]  # red, green, blue in 0..1
INK: Colour = (0.13, 0.13, 0.13)
# Widths of Helvetica's characters from space to ~, in thousandths of the size, and of all others.
WIDTHS = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, *[556] * 10,
    278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556,
    833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333,
    500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
)  # fmt: skip
OTHER_WIDTH = 556
KAPPA = 0.5523  # of a circle's radius: control points of four cubic arcs


@dataclass(frozen=True)
class LineMark:
    """A line."""

    x1: float
    y1: float
    x2: float
    y2: float
    colour: Colour = INK
    width: float = 0.8


@dataclass(frozen=True)
class RectMark:
    """A filled rectangle; SVG shows `words` when it is pointed at."""

    x: float
    y: float
    width: float
    height: float
    colour: Colour = INK
    words: str = ""


@dataclass(frozen=True)
class CircleMark:
    """A filled circle."""

    x: float
    y: float
    radius: float
    colour: Colour = INK


@dataclass(frozen=True)
class TextMark:
    """A line of text; `y` is its base line."""

    x: float
    y: float
    words: str
    size: float = 9.0
    anchor: Literal["start", "middle", "end"] = "start"
    colour: Colour = INK


Mark: TypeAlias = LineMark | RectMark | CircleMark | TextMark


@dataclass(frozen=True)
class Drawing:
    """Marks on a page of its own size."""

    width: float
    height: float
    marks: Sequence[Mark]
    title: str = ""

    def svg(self) -> str:
        """Return the drawing as SVG."""
        parts = "".join(map(_svg, self.marks))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:g} {self.height:g}"'
            f' style="background:#fff" role="img" aria-label="{escape(self.title)}"'
            f' font-family="Helvetica, Arial, sans-serif">{parts}</svg>'
        )

    def pdf(self) -> bytes:
        """Return the drawing as a PDF file of one page."""
        content = "".join(_pdf(mark, self.height) for mark in self.marks).encode(
            "cp1252", "replace"
        )
        objects = [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            (
                f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {self.width:g} {self.height:g}]"
                " /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>"
            ).encode(),
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        ]
        out, offsets = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"), []
        for number, body in enumerate(objects, 1):
            offsets.append(len(out))
            out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
        start = len(out)
        out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
        out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
        out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
            len(objects) + 1,
            start,
        )
        return bytes(out)


def text_width(words: str, size: float) -> float:
    """Return the width of a line of text in Helvetica, in the unit of its size."""
    at = (ord(letter) - 32 for letter in words)
    return size / 1000 * sum(WIDTHS[k] if 0 <= k < len(WIDTHS) else OTHER_WIDTH for k in at)


def _hex(colour: Colour) -> str:
    return "#" + "".join(f"{round(255 * part):02x}" for part in colour)


def _svg(mark: Mark) -> str:
    colour = _hex(mark.colour)
    match mark:
        case LineMark(x1, y1, x2, y2):
            return (
                f'<path d="M{x1:.2f} {y1:.2f}L{x2:.2f} {y2:.2f}" stroke="{colour}"'
                f' stroke-width="{mark.width:g}" fill="none"/>'
            )
        case RectMark(x, y, width, height):
            hint = f"<title>{escape(mark.words)}</title>" if mark.words else ""
            return (
                f'<rect x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}"'
                f' fill="{colour}">{hint}</rect>'
            )
        case CircleMark(x, y, radius):
            return f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius:g}" fill="{colour}"/>'
        case TextMark(x, y, words):
            return (
                f'<text x="{x:.2f}" y="{y:.2f}" font-size="{mark.size:g}" fill="{colour}"'
                f' text-anchor="{mark.anchor}">{escape(words)}</text>'
            )


def _pdf(mark: Mark, height: float) -> str:
    rgb = " ".join(f"{part:.3f}" for part in mark.colour)
    match mark:
        case LineMark(x1, y1, x2, y2):
            return (
                f"{rgb} RG {mark.width:g} w {x1:.2f} {height - y1:.2f} m"
                f" {x2:.2f} {height - y2:.2f} l S\n"
            )
        case RectMark(x, y, width, tall):
            return f"{rgb} rg {x:.2f} {height - y - tall:.2f} {width:.2f} {tall:.2f} re f\n"
        case CircleMark(x, y, radius):
            return f"{rgb} rg {_pdf_circle(x, height - y, radius)} f\n"
        case TextMark(x, y, words):
            shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[mark.anchor]
            x -= shift * text_width(words, mark.size)
            safe = words.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
            return f"BT {rgb} rg /F1 {mark.size:g} Tf {x:.2f} {height - y:.2f} Td ({safe}) Tj ET\n"


def _pdf_circle(x: float, y: float, r: float) -> str:
    k = KAPPA * r
    arcs = [
        (x + r, y + k, x + k, y + r, x, y + r),
        (x - k, y + r, x - r, y + k, x - r, y),
        (x - r, y - k, x - k, y - r, x, y - r),
        (x + k, y - r, x + r, y - k, x + r, y),
    ]
    curves = " ".join(" ".join(f"{v:.2f}" for v in arc) + " c" for arc in arcs)
    return f"{x + r:.2f} {y:.2f} m {curves}"
