"""Errors of values carry data: readers never take a message apart, and checks raise BadField."""

import ast
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest

import robotix as rx
from robotix.errors import BadField

SOURCE = Path(rx.__file__).parent
READERS = ("files", "authoring", "devices")
VALUES = ("scene/commands", "scene/events", "scene/people", "scene/robots", "devices", "authoring")
TEXT_METHODS = {"partition", "rpartition", "split", "rsplit", "startswith", "endswith", "find"}
PARSER = Path("files/yaml/errors.py")  # translates the messages of the YAML library, which has none


def modules(*packages: str) -> Iterator[tuple[Path, ast.Module]]:
    for package in packages:
        for path in sorted((SOURCE / package).rglob("*.py")):
            name = path.relative_to(SOURCE)
            if name != PARSER:
                yield name, ast.parse(path.read_text(encoding="utf-8"))


def errors_as_text(node: ast.AST) -> bool:
    """Whether an expression contains the text of an error."""
    return any(
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id == "str"
        and any(isinstance(arg, ast.Name) and arg.id in ("error", "problem") for arg in call.args)
        for call in ast.walk(node)
    )


def test_no_message_is_taken_apart() -> None:
    found = []
    for name, tree in modules(*READERS):
        for call in ast.walk(tree):
            if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
                continue
            is_method = call.func.attr in TEXT_METHODS and errors_as_text(call.func.value)
            is_regex = call.func.attr in ("sub", "search", "match", "fullmatch", "findall") and any(
                errors_as_text(arg) for arg in call.args
            )
            if is_method or is_regex:
                found.append(f"{name}:{call.lineno}")
    assert found == []
    reader = (SOURCE / "files" / "typed" / "reader.py").read_text(encoding="utf-8")
    assert "import re\n" not in reader


def test_values_refuse_their_fields_with_data() -> None:
    found = []
    for name, tree in modules(*VALUES):
        for function in ast.walk(tree):
            if not isinstance(function, ast.FunctionDef) or function.name != "__post_init__":
                continue
            for node in ast.walk(function):
                if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                    kind = ast.unparse(node.exc.func)
                    if kind not in ("BadField", "UnknownName"):
                        found.append(f"{name}:{node.lineno} {kind}")
    assert found == []


def test_a_bad_field_says_what_it_carries() -> None:
    error = BadField("from_", "two axes", 3)
    assert (error.field, error.expected, error.found) == ("from_", "two axes", "3")
    assert str(error) == "from must be two axes, got 3"
    assert str(BadField("", "texts", 5)) == "expected texts, got 5"
    assert isinstance(error, ValueError)
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is BadField and again.args == error.args


def test_a_field_may_have_any_name() -> None:
    with pytest.raises(BadField, match="seconds must be 0 s or more, got -1"):
        from robotix.scene.commands.basic import Wait

        Wait(-1)
