"""The commands that rules, scene files and the console can give."""

__all__: list[str] = []
