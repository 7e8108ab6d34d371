"""Lifting, lowering, carrying, pushing and pulling: NIOSH, ISO, KIM, Liberty Mutual, LiFFT."""

__all__: list[str] = []
