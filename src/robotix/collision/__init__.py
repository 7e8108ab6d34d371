"""Distances and overlaps of solids and triangle meshes, with nearest points; no scene in sight."""

__all__: list[str] = []
