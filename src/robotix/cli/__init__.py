"""The command line: `robotix --help`."""

__all__: list[str] = []
