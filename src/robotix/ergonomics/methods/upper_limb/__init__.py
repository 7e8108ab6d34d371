"""Repetitive work of hands, arms and shoulders."""

__all__: list[str] = []
