"""Output of the ergonomic calculators: numbers, steps with reasons, sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Protocol

import typer

from robotix.cli.output import print_json

if TYPE_CHECKING:
    from robotix.ergonomics import ScoreStep, Verdict

__all__ = ["Result", "print_assessment_json", "print_assessment_text", "print_result"]


class Result(Protocol):
    """What the result of every method has."""

    @property
    def verdict(self) -> Verdict:
        """What the method says."""
        ...

    @property
    def steps(self) -> Sequence[ScoreStep]:
        """Intermediate numbers with their reasons."""
        ...

    @property
    def sources(self) -> Sequence[str]:
        """Where the constants come from."""
        ...


def print_result(
    found: Result, values: Mapping[str, Any], *, title: str, as_json: bool, decimals: int = 0
) -> None:
    """Print a result: as one JSON document with these values, or as text with this title."""
    verdict, steps, sources = found.verdict, found.steps, found.sources
    if as_json:
        print_assessment_json(values, verdict=verdict, steps=steps, sources=sources)
    else:
        print_assessment_text(
            title, verdicts=(verdict,), steps=steps, sources=sources, decimals=decimals
        )


def print_assessment_json(
    values: Mapping[str, Any],
    *,
    verdict: Verdict,
    steps: Sequence[ScoreStep],
    sources: Sequence[str],
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
    verdicts: Sequence[Verdict],
    steps: Sequence[ScoreStep],
    sources: Sequence[str],
    decimals: int = 0,
) -> None:
    """Print a result as text: title, verdicts, steps with reasons, sources."""
    typer.echo(title)
    for verdict in verdicts:
        typer.echo(f"  {verdict}")
    typer.echo("steps")
    width = max(len(step.part) for step in steps)
    for step in steps:
        typer.echo(f"  {step.part:<{width}} {step.score:>9.{decimals}f}  {step.reason}")
    typer.echo("sources")
    for line in sources:
        typer.echo(f"  {line}")
