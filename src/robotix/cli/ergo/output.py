"""What the ergonomic calculators say: their numbers, the steps with the reasons, the sources."""

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
    """Print one JSON document: the numbers, then what led to them."""
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
    """Print a result in lines: what it is, the steps with their reasons, the sources."""
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
