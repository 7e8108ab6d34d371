"""Assessments of tasks as text, and the progress of a family."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from robotix.ergonomics import Assessment, Comparison, Family, Finding

__all__ = ["print_advice", "print_comparison", "print_family", "print_task"]

KEYS = {
    "compression": "N",
    "shear": "shear N",
    "lifting_index": "index",
    "rula": "RULA",
    "reba": "REBA",
    "owas": "OWAS",
    "acceptable": "accept %",
}


def print_task(found: Assessment) -> None:
    """Print the worst instant of every method."""
    performance = found.performance
    body = performance.manikin.anthropometry.label
    typer.echo(f"{performance.task}: {body}, {performance.style}")
    for each in found.findings:
        when = "" if each.key == "task" else f"at {each.time:.2f} s"
        typer.echo(f"  {each.what:<20} {each.figure:>8} {when:<11} {each.verdict}")
        if each.note:
            typer.echo(f"  {'':<41} {each.note}")
    for note in found.notes:
        typer.echo(f"  note: {note}")


def print_advice(more: Mapping[str, Any], *, limit: float | None) -> None:
    """Print what would make a task acceptable, and the greatest load below a limit (N)."""
    for each in more.get("recommendations", ()):
        typer.echo(f"  advice: {each['change']} -> {each['effect']}")
    if "recommendations" in more and not more["recommendations"]:
        typer.echo("  advice: none, nothing asks for a change")
    if limit is not None:
        load = more["greatest_load"]
        typer.echo(f"  greatest load with at most {limit:g} N in all models: {load:.1f} kg")


def print_family(found: Family) -> None:
    """Print one line per body: `!` look into it, `!!` act on it, `?` no verdict."""
    able = sum(member.is_able for member in found.members)
    typer.echo(f"{found.task}: {able} of {len(found.members)} can do it")
    typer.echo(f"  {'body':<27} {'can':<3} " + " ".join(f"{head:>8}" for head in KEYS.values()))
    for member in found.members:
        cells = " ".join(f"{_cell(member.finding(key)):>8}" for key in KEYS)
        line = f"  {member.label:<27} {'yes' if member.is_able else 'no':<3} {cells}"
        typer.echo(line.rstrip())
        if member.reason:
            typer.echo(f"      {member.reason}")


def _cell(found: Finding | None) -> str:
    if found is None:
        return ""
    mark = {"unverified": "?", "fine": "", "look": "!", "act": "!!"}[found.severity]
    digits = 2 if found.key == "lifting_index" else 0
    return f"{found.value:.{digits}f}{mark}"


def print_comparison(found: Comparison) -> None:
    """Print one line per method, before and after."""
    typer.echo(f"{found.names[0]} -> {found.names[1]}")
    for row in found.differences:
        old = "" if row.before is None else row.before.figure
        new = "" if row.after is None else row.after.figure
        verdict = "" if row.after is None else str(row.after.verdict)
        typer.echo(f"  {row.what:<20} {old:>8} -> {new:>8}  {row.change:<6} {verdict}")
