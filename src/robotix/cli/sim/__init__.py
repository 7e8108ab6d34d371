"""`robotix sim`: simulate a robot or a scene, balance, compare with a log, validate."""

__all__: list[str] = []
