"""Distances to obstacles and between a robot's own bodies, and steps that keep them."""

__all__: list[str] = []
