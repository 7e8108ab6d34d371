"""Self-contained HTML pages: inline style and pictures, no scripts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from importlib import resources

from robotix.ergonomics.assessment.finding import Severity

__all__ = ["SEVERITY_LABELS", "bullets", "chip", "document", "section", "table"]

SEVERITY_LABELS: dict[Severity, str] = {
    "unverified": "unverified",
    "fine": "fine",
    "look": "look into",
    "act": "act",
}


def document(title: str, parts: Iterable[str]) -> str:
    """Return a complete HTML document."""
    return "\n".join(
        (
            "<!DOCTYPE html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>",
            f"<style>{_style()}</style></head><body>",
            *parts,
            "</body></html>\n",
        )
    )


def section(title: str, *parts: str) -> str:
    """Return a section with a heading; an empty string without content."""
    body = "\n".join(part for part in parts if part)
    return f"<section><h2>{escape(title)}</h2>\n{body}</section>" if body else ""


def table(
    heads: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: Iterable[int] = ()
) -> str:
    """Return a table of HTML cells; the columns in `numbers` are right-aligned."""
    right = set(numbers)

    def cells(row: Sequence[str], tag: str) -> str:
        kinds = (' class="n"' if k in right else "" for k in range(len(row)))
        return "".join(
            f"<{tag}{kind}>{cell}</{tag}>" for cell, kind in zip(row, kinds, strict=True)
        )

    body = "".join(f"<tr>{cells(row, 'td')}</tr>\n" for row in rows)
    top = cells([escape(head) for head in heads], "th")
    return f"<table><thead><tr>{top}</tr></thead>\n<tbody>{body}</tbody></table>"


def bullets(lines: Iterable[str], *, kind: str = "") -> str:
    """Return lines of text as an HTML list."""
    items = "".join(f"<li>{escape(line)}</li>" for line in dict.fromkeys(lines))
    return f'<ul class="{kind}">{items}</ul>' if items else ""


def chip(severity: Severity) -> str:
    """Return a coloured label of a severity, with text for readers who do not see colours."""
    return f'<span class="chip {severity}">{SEVERITY_LABELS[severity]}</span>'


@cache
def _style() -> str:
    return (resources.files("robotix.ergonomics") / "data" / "report.css").read_text(
        encoding="utf-8"
    )
