"""Untrusted files: text, XML, TOML and YAML, read with a position for every error."""

__all__: list[str] = []
