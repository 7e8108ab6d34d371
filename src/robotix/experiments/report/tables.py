"""Tables of the report."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape

__all__ = ["html_table", "number", "p_words", "probability"]

SMALLEST = 1e-6  # what is smaller is written as 0


def html_table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, left: int = 1) -> str:
    """Return a table; the first `left` columns are words, the others numbers."""

    def cell(k: int, words: str, tag: str) -> str:
        return f"<{tag}{' class=n' if k >= left else ''}>{escape(words)}</{tag}>"

    top = "".join(cell(k, head, "th") for k, head in enumerate(heads))
    body = "".join(
        f"<tr>{''.join(cell(k, words, 'td') for k, words in enumerate(cells))}</tr>"
        for cells in rows
    )
    return (
        f'<div class="wide"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def number(value: float | None, digits: int = 4) -> str:
    """Return a number for a table, with significant digits and no powers of ten; empty if None."""
    if value is None:
        return ""
    if abs(value) < SMALLEST:
        return "0"
    whole = math.floor(math.log10(abs(value))) + 1
    return f"{value:.{max(digits - whole, 0)}f}"


def probability(value: float | None) -> str:
    """Return a p value for a table; empty if there is none."""
    if value is None:
        return ""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def p_words(value: float) -> str:
    """Return a p value for a sentence."""
    return "p < 0.001" if value < 0.001 else f"p = {value:.3f}"
