"""Connects a running scene to the pages that display and control it."""

__all__: list[str] = []
