"""Storage of studies: an SQLite database and one motion file a trial."""

__all__: list[str] = []
