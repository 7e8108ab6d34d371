"""Calls every kernel once, so that it is compiled and on disk, or loaded, before it is needed."""

__all__: list[str] = []
