"""`robotix ergo`: assessments and calculators."""

__all__: list[str] = []
