"""Reports into a folder: a page for people, tables and a document for programs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from robotix.ergonomics.assessment.assessment import Assessment
from robotix.ergonomics.assessment.comparison import Comparison
from robotix.ergonomics.assessment.family import Family
from robotix.files.json_text import json_text
from robotix.motion import save_table

__all__ = ["save_report"]


def save_report(
    folder: str | Path,
    found: Assessment | Family | Comparison,
    *,
    inputs: Mapping[str, str] | None = None,
    parquet: bool = False,
) -> list[Path]:
    """Write `report.html`, `summary.json` and tables (`.csv`, also `.parquet`) to a folder.

    A table holds the curves of an assessment (two for a comparison), or one row a body or method.
    `inputs` are further lines for what was put in. Returns what was written.
    """
    place = Path(folder)
    tables = _tables(found)
    place.mkdir(parents=True, exist_ok=True)
    written = [place / "report.html", place / "summary.json"]
    for name, columns in tables.items():
        for suffix in (".csv", ".parquet") if parquet else (".csv",):
            save_table(place / f"{name}{suffix}", columns)
            written.append(place / f"{name}{suffix}")
    written[0].write_text(_html(found, inputs), encoding="utf-8")
    written[1].write_text(json_text(found.as_dict()), encoding="utf-8")
    return written


def _tables(found: Assessment | Family | Comparison) -> dict[str, dict[str, Any]]:
    if isinstance(found, Comparison):
        both = {"curves_before": found.before.columns(), "curves_after": found.after.columns()}
        return {"comparison": found.columns(), **both}
    return {"curves" if isinstance(found, Assessment) else "family": found.columns()}


def _html(found: Assessment | Family | Comparison, inputs: Mapping[str, str] | None) -> str:
    if isinstance(found, Family):
        from robotix.ergonomics.report.family_page import family_html

        return family_html(found)
    if isinstance(found, Comparison):
        from robotix.ergonomics.report.comparison_page import comparison_html

        return comparison_html(found)
    from robotix.ergonomics.report.report import report_html

    return report_html(found, inputs=inputs)
