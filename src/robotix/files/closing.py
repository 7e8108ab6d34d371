"""A mixin that closes an object at the end of a `with` block."""

from __future__ import annotations

from typing import Self

__all__ = ["Closing"]


class Closing:
    """Calls `close` at the end of a `with` block, also after an exception."""

    def close(self) -> None:
        """Release all resources; may be called twice."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
