"""The wheelchair with its rail: static stability over the whole reach, and mountings compared."""

__all__: list[str] = []
