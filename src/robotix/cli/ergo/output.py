"""Output of the ergonomic calculators: numbers, steps with reasons, sources."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import typer

from robotix.cli.output import print_json

if TYPE_CHECKING:
    from robotix.ergonomics import ScoreStep, Verdict

__all__ = ["print_assessment_json", "print_assessment_text"]


def print_assessment_json(
    values: Mapping[str, Any],
    *,
    verdict: Verdict,
    steps: Iterable[ScoreStep],
    sources: Iterable[str],
) -> None:
    """Print one JSON document: numbers, verdict, steps and sources."""
    print_json(
        {
            **values,
            "verdict": asdict(verdict),
            "steps": [asdict(step) for step in steps],
            "sources": list(sources),
        }
    )


def print_assessment_text(
    title: str,
    *,
    verdicts: Iterable[Verdict],
    steps: Iterable[ScoreStep],
    sources: Iterable[str],
    decimals: int = 0,
) -> None:
    """Print a result as text: title, verdicts, steps with reasons, sources."""
    typer.echo(title)
    for verdict in verdicts:
        typer.echo(f"  {verdict}")
    typer.echo("steps")
    steps = list(steps)
    width = max(len(step.part) for step in steps)
    for step in steps:
        typer.echo(f"  {step.part:<{width}} {step.score:>9.{decimals}f}  {step.reason}")
    typer.echo("sources")
    for line in sources:
        typer.echo(f"  {line}")
