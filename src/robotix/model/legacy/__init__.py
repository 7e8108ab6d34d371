"""The robot files of RoboTiX (`.cfg`): read and written."""

__all__: list[str] = []
