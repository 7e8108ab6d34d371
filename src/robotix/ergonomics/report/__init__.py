"""Assessments as HTML reports, tables and pictures."""

__all__: list[str] = []
