"""The scene format: fields, types, colours, and the JSON schema."""

__all__: list[str] = []
