"""Design studies: where an arm is best mounted and how long its links are best, for given tasks."""

__all__: list[str] = []
