"""What was sent with a request, up to a limit."""

from __future__ import annotations

from starlette.requests import Request

__all__ = ["read_body"]


async def read_body(request: Request, limit: int) -> bytes | None:
    """Return what was sent; None when it is more than the limit, without taking it all in."""
    parts, size = list[bytes](), 0
    async for part in request.stream():
        size += len(part)
        if size > limit:
            return None
        parts.append(part)
    return b"".join(parts)
