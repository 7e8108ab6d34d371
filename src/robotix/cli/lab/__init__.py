"""`robotix lab …`: studies with people and simulated operators."""

__all__: list[str] = []
