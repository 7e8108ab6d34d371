"""Scene scripts of RoboTiX (`.vd2`)."""

__all__: list[str] = []
