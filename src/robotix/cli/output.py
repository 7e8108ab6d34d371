"""Output of commands: JSON documents, columns of numbers, usage lines, error messages."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from robotix.geometry import Array
    from robotix.model import Model

__all__ = [
    "explain",
    "joint_lines",
    "numbers",
    "print_json",
    "print_notes",
    "with_plain_words",
]

NUMBER_ERRORS = {
    "float_parsing": "a number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "bool_parsing": "true or false",
    "finite_number": "a finite number",
}
RANGE_ERRORS = {  # how a value is related to the limit that it breaks
    "greater_than_equal": ("less than", "ge"),
    "less_than_equal": ("greater than", "le"),
}


def print_json(document: Mapping[str, Any] | Sequence[Any]) -> None:
    """Print a JSON document, one line per item; non-finite numbers become null."""
    from robotix.files.json_text import to_plain

    plain = to_plain(document)
    if isinstance(plain, dict):
        brackets, parts = "{}", [f"{_dump(key)}: {_dump(part)}" for key, part in plain.items()]
    else:
        brackets, parts = "[]", [_dump(part) for part in plain]
    typer.echo("{}\n  {}\n{}".format(brackets[0], ",\n  ".join(parts), brackets[1]))


def print_notes(model: Model) -> None:
    """Print to standard error what was passed over or not found when a robot was read."""
    for note in model.notes:
        typer.echo(f"warning: {note}", err=True)


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def numbers(values: Iterable[float], unit: str = "", *, decimals: int = 4) -> str:
    """Return numbers in columns of fixed width."""
    row = " ".join(f"{_rounded(value, decimals):>{decimals + 5}}" for value in values)
    return f"{row} {unit}".rstrip()


def _rounded(value: float, decimals: int) -> str:
    return f"{round(value, decimals) + 0.0:.{decimals}f}"  # never a negative zero


def joint_lines(model: Model, q: Array) -> list[str]:
    """Return one line per coordinate: name, value, and degrees for angles."""
    from robotix.motion import model_dofs

    width = max(map(len, model.dof_names), default=0)
    lines = []
    for (name, unit), value in zip(model_dofs(model), q, strict=True):
        text = f"  {name:<{width}} {_rounded(value, 4):>9} {'m' if unit == 'm' else 'rad'}"
        degrees = "" if unit == "m" else f" {_rounded(math.degrees(value), 2):>9}°"
        lines.append(text + degrees)
    return lines


def explain(error: Exception) -> str:
    """Return an error message as one line."""
    if isinstance(error, OSError) and error.strerror:
        named = [str(error.filename)] if error.filename is not None else []
        return ": ".join([*named, error.strerror])
    return " ".join(str(error).split()) or type(error).__name__


def with_plain_words(command: Any) -> Any:
    """Make the usage lines of a parser and its commands plain, and their errors name the value."""
    command.collect_usage_pieces = partial(_usage_pieces, command.collect_usage_pieces)
    command.parse_args = partial(_parse_args, command.parse_args)
    for each in getattr(command, "commands", {}).values():
        with_plain_words(each)
    return command


def _plain_usage(piece: str) -> str:
    """Return `ROBOT` for `{ROBOT}`, `[SCENE]` for `[[SCENE]]`, `[TASK]...` for `[[TASK]...]...`."""
    piece = re.sub(r"^\{(.*)\}$", r"\1", piece)
    piece = re.sub(r"^\[(\[.*\](?:\.\.\.)?)\](?:\.\.\.)?$", r"\1", piece)
    return piece.removesuffix("......") + "..." if piece.endswith("......") else piece


def _usage_pieces(collect: Any, ctx: Any) -> list[str]:
    return [_plain_usage(piece) for piece in collect(ctx)]


def _parse_args(parse: Any, ctx: Any, args: list[str]) -> Any:
    try:
        return parse(ctx, args)
    except typer.BadParameter as error:
        first: dict[str, Any] = next(iter(getattr(error.__cause__, "errors", list)()), {})
        error.message = _plain_error(first) or error.message.removeprefix("Value error, ")
        raise


def _plain_error(first: Mapping[str, Any]) -> str:
    """Return what is wrong with a value, by an error of pydantic; empty if that says it well."""
    kind, value = first.get("type", ""), first.get("input")
    if kind in NUMBER_ERRORS:
        return f"{value!r} is not {NUMBER_ERRORS[kind]}"
    if kind not in RANGE_ERRORS:
        return ""
    if str(value).strip().lower().lstrip("+-") == "nan":
        return f"{value!r} is not a number"
    relation, limit = RANGE_ERRORS[kind]
    return f"{value} is {relation} {first['ctx'][limit]:g}"
