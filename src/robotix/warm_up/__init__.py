"""Calls every kernel once, so that it is compiled or loaded before it is needed."""

__all__: list[str] = []
