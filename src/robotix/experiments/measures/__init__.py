"""Measures of motions: pure functions of times and positions."""

__all__: list[str] = []
