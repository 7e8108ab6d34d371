"""Measures of a performance: balance, slip, penetration, joint loads."""

__all__: list[str] = []
