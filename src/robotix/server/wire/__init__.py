"""What crosses the wire, and the TypeScript made from it."""

__all__: list[str] = []
