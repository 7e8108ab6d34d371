"""YAML with the position of every value, for errors and for edits that keep comments."""

__all__: list[str] = []
