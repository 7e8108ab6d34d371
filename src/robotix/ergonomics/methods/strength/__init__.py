"""Strength of people: of joints and of arms."""

__all__: list[str] = []
