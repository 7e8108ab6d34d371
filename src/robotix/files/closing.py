"""What is closed at the end of a `with` block."""

from __future__ import annotations

from typing import Self

__all__ = ["Closing"]


class Closing:
    """Calls `close` at the end of a `with` block, whatever happened in it."""

    def close(self) -> None:
        """Finish; a second time does no harm."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
