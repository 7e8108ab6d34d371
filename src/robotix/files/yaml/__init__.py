"""YAML that remembers where every word stands, and text edits that keep comments."""

__all__: list[str] = []
