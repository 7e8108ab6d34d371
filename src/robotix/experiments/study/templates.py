"""Study files to start from."""

from __future__ import annotations

from importlib import resources

__all__ = ["example_text", "minimal_text", "shared_text"]


def example_text() -> str:
    """Return the study file of the published comparison: three arms, four tasks."""
    return _text("example.yaml")


def minimal_text() -> str:
    """Return a short study file."""
    return _text("minimal.yaml")


def shared_text() -> str:
    """Return the study file of a comparison of two strategies in work that is shared."""
    return _text("shared.yaml")


def _text(name: str) -> str:
    file = resources.files("robotix.experiments.study") / "data" / name
    return file.read_text(encoding="utf-8")
