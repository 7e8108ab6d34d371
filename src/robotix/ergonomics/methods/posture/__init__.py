"""Postures: RULA, REBA, OWAS and static postures held over time."""

__all__: list[str] = []
