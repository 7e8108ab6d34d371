"""What several commands take, said once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, TypeAlias, get_type_hints

import typer

__all__ = [
    "JsonFlag",
    "PointOption",
    "RobotArgument",
    "SeedOption",
    "one_option_each",
    "only_one",
    "settings_of",
    "spread",
]

RobotArgument: TypeAlias = Annotated[
    str, typer.Argument(metavar="ROBOT", help="A name from `robotix robots`, or a file.")
]
PointOption: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Control point or body; the tip when left out."),
]
SeedOption: TypeAlias = Annotated[int, typer.Option(help="Of the random numbers.")]
JsonFlag: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print one JSON document, and nothing else.")
]

LISTS = ("--q", "--q-deg")


def one_option_each(argv: Sequence[str]) -> list[str]:
    """Write `--q 0 -0.5 1` as `--q=0 --q=-0.5 --q=1`.

    The parser knows options that repeat, but none with as many values as a robot has joints, and it
    would take `-0.5` for an option.
    """
    return list(_split_lists(argv))


def _split_lists(argv: Sequence[str]) -> Iterator[str]:
    option = ""  # the list that is being read
    has_value = False
    for argument in argv:
        if option and _is_number(argument):
            yield f"{option}={argument}"
            has_value = True
            continue
        if option and not has_value:
            yield option  # the parser says what is missing
        option, has_value = (argument, False) if argument in LISTS else ("", False)
        if not option:
            yield argument
    if option and not has_value:
        yield option


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def only_one(**options: object) -> None:
    """Refuse a command line that gives several of these options."""
    given = [f"--{name.replace('_', '-')}" for name, value in options.items() if value]
    if len(given) > 1:
        raise typer.BadParameter(f"give one of {' and '.join(given)}")


def settings_of(
    settings: list[str] | None, *, load: float | None = None, option: str = "--set"
) -> dict[str, float]:
    """Return the parameters of a task from `NAME=VALUE`, and the load."""
    parameters = {}
    for setting in settings or []:
        name, separator, value = setting.partition("=")
        try:
            parameters[name.strip()] = float(value)
        except ValueError:
            separator = ""
        if not separator:
            raise typer.BadParameter(f"{option} {setting}: give NAME=VALUE, the value a number")
    return parameters if load is None else {**parameters, "load": load}


def spread(command: Callable[..., None]) -> Callable[..., None]:
    """Let a command take the fields of its dataclasses as options of its own.

    Options that several commands share are the fields of a dataclass, said once.
    """
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: kind for name, kind in hints.items() if is_dataclass(kind)}
    parameters: list[Parameter] = []
    for parameter in signature(command).parameters.values():
        if parameter.name in groups:
            parameters += _options(groups[parameter.name])
        else:
            parameters.append(parameter.replace(annotation=hints[parameter.name]))

    @wraps(command)
    def wrapper(**given: Any) -> None:
        for name, kind in groups.items():
            given[name] = kind(**{each.name: given.pop(each.name) for each in fields(kind)})
        command(**given)

    annotations = {each.name: each.annotation for each in parameters}
    wrapper.__dict__.pop("__wrapped__")
    wrapper.__dict__["__signature__"] = Signature(parameters)
    wrapper.__annotations__ = annotations
    return wrapper


def _options(kind: Any) -> Iterator[Parameter]:
    hints = get_type_hints(kind, include_extras=True)
    for each in fields(kind):
        yield Parameter(
            each.name, Parameter.KEYWORD_ONLY, default=each.default, annotation=hints[each.name]
        )
