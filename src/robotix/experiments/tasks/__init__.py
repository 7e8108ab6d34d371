"""Tasks of the laboratory: rooms with exact geometry that know start, errors and end themselves."""

__all__: list[str] = []
