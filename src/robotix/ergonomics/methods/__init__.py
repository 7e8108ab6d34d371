"""The published methods as pure functions: RULA, REBA, OWAS, NIOSH, low back, strength."""

__all__: list[str] = []
