"""Arguments and options that several commands share."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, TypeAlias, get_type_hints

import typer
from typer.core import TyperGroup

__all__ = [
    "HELP_FLAGS",
    "DefaultCommandGroup",
    "JsonFlag",
    "PackagesOption",
    "PointOption",
    "RobotArgument",
    "SeedOption",
    "XacroOption",
    "check_choice",
    "only_one",
    "settings_of",
    "split_list_options",
    "spread",
    "xacro_arguments",
]

RobotArgument: TypeAlias = Annotated[
    str, typer.Argument(metavar="ROBOT", help="A name from `robotix robots`, or a file.")
]
PointOption: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Control point or body; the tip when left out."),
]
XacroOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--arg", metavar="NAME:=VALUE", help="An argument of a xacro file; may be repeated."
    ),
]


def _add_packages(folders: list[Path] | None) -> list[Path] | None:
    """Put folders in front of `ROS_PACKAGE_PATH`, where meshes are looked for."""
    for folder in folders or ():
        if not folder.is_dir():
            raise typer.BadParameter(f"{folder} is not a folder")
    known = os.environ.get("ROS_PACKAGE_PATH")
    if folders:
        parts = [*(str(folder.resolve()) for folder in folders), *([known] if known else [])]
        os.environ["ROS_PACKAGE_PATH"] = os.pathsep.join(parts)
    return folders


PackagesOption: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option(
        "--packages",
        metavar="DIR",
        callback=_add_packages,
        help="A folder that is or holds ROS packages, for meshes; may be repeated.",
    ),
]
SeedOption: TypeAlias = Annotated[
    int, typer.Option(min=0, max=2**63 - 1, help="Random seed, 0 or more.")
]
JsonFlag: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print one JSON document, and nothing else.")
]

LISTS = ("--q", "--q-deg")
XACRO_WORD = re.compile(r"[A-Za-z_]\w*:=.*", re.DOTALL)  # as on the command line of xacro
HELP_FLAGS = ("-h", "--help")


class DefaultCommandGroup(TyperGroup):
    """Commands; arguments that name none of them go to `default_command`."""

    default_command = ""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Insert the default command where none is named."""
        if args and args[0] not in (*self.commands, *HELP_FLAGS):
            args = [self.default_command, *args]
        return super().parse_args(ctx, args)


def xacro_arguments(words: Sequence[str] | None, robot: str | Path | None) -> dict[str, str]:
    """Return the arguments of a xacro file by name; raise BadParameter unless NAME:=VALUE."""
    if words and Path(robot or "").suffix.lower() != ".xacro":
        raise typer.BadParameter(f"{words[0]} is for a .xacro file, not {robot or 'the flat'}")
    found = {}
    for word in words or ():
        name, sign, value = word.partition(":=")
        if not (sign and name):
            raise typer.BadParameter(f"--arg {word}: write it as NAME:=VALUE")
        found[name] = value
    return found


def split_list_options(argv: Sequence[str]) -> list[str]:
    """Rewrite `--q 0 -0.5 1` as `--q=0 --q=-0.5 --q=1`, and `NAME:=VALUE` as `--arg=NAME:=VALUE`.

    The parser supports repeated options, but not options with a variable number of values, and
    would parse `-0.5` as an option.
    """
    return list(_split_lists(argv))


def _split_lists(argv: Sequence[str]) -> Iterator[str]:
    option = ""  # the current list option
    before, has_value = "", False
    for argument, following in zip(argv, [*argv, ""][1:], strict=True):
        if option and (_is_number(argument) or _is_meant_as_number(argument, following)):
            yield f"{option}={argument}"
            has_value = True
            continue
        if option and not has_value:
            yield option  # the parser reports that the value is missing
        option, has_value = (argument, False) if argument in LISTS else ("", False)
        if not option:
            is_xacro = before != "--arg" and XACRO_WORD.fullmatch(argument)
            yield f"--arg={argument}" if is_xacro else argument
        before = argument
    if option and not has_value:
        yield option


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _is_meant_as_number(text: str, following: str) -> bool:
    """Return whether the parser should complain about a text as a value: `1x`, `abc` before 0."""
    begins_so = text.lstrip("+-")[:1].isdigit() and not Path(text).exists()
    return begins_so or (not text.startswith("-") and _is_number(following))


def check_choice(option: str, value: str, choices: Iterable[str]) -> None:
    """Raise BadParameter unless the value of an option is one of its choices."""
    names = list(choices)
    if value not in names:
        text = f"{value!r} is not one of {', '.join(names)}"
        raise typer.BadParameter(text, param_hint=f"'{option}'")


def only_one(**options: object) -> None:
    """Raise BadParameter if more than one of these options is given."""
    given = [f"--{name.replace('_', '-')}" for name, value in options.items() if value]
    if len(given) > 1:
        raise typer.BadParameter(f"give only one of {' and '.join(given)}")


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
            raise typer.BadParameter(f"{option} {setting}: expected NAME=VALUE with a number")
    return parameters if load is None else {**parameters, "load": load}


def spread(command: Callable[..., None]) -> Callable[..., None]:
    """Expand the parameters of a command that are dataclasses into one option per field.

    So options that several commands share are defined once, as fields of a dataclass.
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
        default = Parameter.empty if each.default is MISSING else each.default
        yield Parameter(
            each.name, Parameter.KEYWORD_ONLY, default=default, annotation=hints[each.name]
        )
