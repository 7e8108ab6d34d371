"""Scenes to scene files, with comments kept."""

__all__: list[str] = []
