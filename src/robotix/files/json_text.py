"""JSON of results; non-finite numbers become null."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

__all__ = ["json_text", "to_plain"]


def to_plain(value: Any) -> Any:
    """Return a value as plain JSON data: arrays as lists, null for non-finite numbers."""
    if isinstance(value, Mapping):
        return {key: to_plain(part) for key, part in value.items()}
    if hasattr(value, "tolist"):  # of NumPy
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [to_plain(part) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def json_text(document: Mapping[str, Any]) -> str:
    """Return a document as JSON text."""
    return json.dumps(to_plain(document), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
