"""A virtual wall in a sampled loop: energy leak, passivity, stability."""

__all__: list[str] = []
