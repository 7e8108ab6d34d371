"""Collision detection and picking in a scene."""

__all__: list[str] = []
