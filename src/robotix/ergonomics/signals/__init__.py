"""Quantities over the time of a performance: loads, angles, reach, clearances."""

__all__: list[str] = []
