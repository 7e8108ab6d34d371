"""Commands typed as lines of text."""

__all__: list[str] = []
