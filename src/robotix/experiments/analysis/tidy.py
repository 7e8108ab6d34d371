"""Tidy tables: columns of equal length, one row a trial or an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["TidyTable"]


@dataclass(frozen=True)
class TidyTable:
    """Columns by name, all of one length; missing values are None.

    `to_pandas()` returns a data frame for notebooks; `rows()` the rows as mappings.
    """

    columns: Mapping[str, Sequence[Any]]

    def __post_init__(self) -> None:
        lengths = {name: len(column) for name, column in self.columns.items()}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"columns of different lengths: {lengths}")

    @staticmethod
    def of(rows: Sequence[Mapping[str, Any]], names: Sequence[str] = ()) -> TidyTable:
        """Return a table of rows; its columns are `names`, then others as they first appear."""
        known = dict.fromkeys(names)
        for row in rows:
            known |= dict.fromkeys(row)
        return TidyTable({name: [row.get(name) for row in rows] for name in known})

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def __getitem__(self, name: str) -> Sequence[Any]:
        return self.columns[name]

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the rows as mappings from column to value."""
        for values in zip(*self.columns.values(), strict=True):
            yield dict(zip(self.columns, values, strict=True))

    def where(self, test: Callable[[Mapping[str, Any]], bool]) -> TidyTable:
        """Return the rows that pass a test."""
        return TidyTable.of([row for row in self.rows() if test(row)], list(self.columns))

    def distinct(self, name: str) -> list[Any]:
        """Return the values of a column, each once, as they first appear; without missing ones."""
        return [value for value in dict.fromkeys(self.columns[name]) if value is not None]

    def to_pandas(self) -> Any:
        """Return a pandas data frame."""
        import pandas

        return pandas.DataFrame({name: list(column) for name, column in self.columns.items()})

    def _repr_html_(self) -> str:
        from html import escape

        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(_shown(v))}</td>" for v in row.values()) + "</tr>"
            for row in self.rows()
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _shown(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
