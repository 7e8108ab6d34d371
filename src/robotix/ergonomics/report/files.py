"""Saving of reports: an HTML page, tables and a JSON summary in one folder."""

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

    A table holds the time series of an assessment (two tables for a comparison), or one row per
    body or method. `inputs` are additional rows of the table of inputs. Returns the written paths.
    """
    target = Path(folder)
    tables = _tables(found)
    target.mkdir(parents=True, exist_ok=True)
    written = [target / "report.html", target / "summary.json"]
    for name, columns in tables.items():
        for suffix in (".csv", ".parquet") if parquet else (".csv",):
            save_table(target / f"{name}{suffix}", columns)
            written.append(target / f"{name}{suffix}")
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
