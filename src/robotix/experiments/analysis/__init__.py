"""Statistics of studies: pure functions of tidy tables, one row a trial."""

__all__: list[str] = []
