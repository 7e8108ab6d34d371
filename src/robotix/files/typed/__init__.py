"""Dataclasses from YAML files, checked against their own annotations."""

__all__: list[str] = []
