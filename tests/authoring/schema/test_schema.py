"""The published schema is fresh, and takes what the reader takes."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from robotix.authoring import scene_schema
from robotix.authoring.schema.words import SOURCES, command_words
from robotix.files.yaml.parser import parse_yaml
from robotix.files.yaml.text import YamlMapping, YamlScalar, YamlSequence, YamlValue

ROOT = Path(__file__).parents[3]
SCHEMA = ROOT / "docs" / "scene.schema.json"
SCENES = sorted((ROOT / "examples" / "scenes").rglob("*.yaml"))
KINDS: dict[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list,), "string": (str,), "number": (int, float),
    "integer": (int,), "boolean": (bool,), "null": (type(None),),
}  # fmt: skip


def plain(value: YamlValue) -> Any:
    match value:
        case YamlScalar():
            return value.value
        case YamlSequence():
            return [plain(item) for item in value.items]
        case YamlMapping():
            return {key: plain(entry.value) for key, entry in value.entries.items()}


class Checker:
    """As much of JSON Schema as ours needs; a keyword it does not know is an error."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self.root = schema

    def fits(self, value: Any, schema: dict[str, Any]) -> bool:
        return all(
            getattr(self, "_" + keyword.strip("$"))(value, wish, schema)
            for keyword, wish in schema.items()
        )

    def _ignore(self, value: Any, wish: Any, schema: Any) -> bool:
        return True

    _schema = _title = _description = _default = _defs = _ignore

    def _ref(self, value: Any, wish: str, schema: Any) -> bool:
        return self.fits(value, self.root["$defs"][wish.removeprefix("#/$defs/")])

    def _type(self, value: Any, wish: str | list[str], schema: Any) -> bool:
        wishes = [wish] if isinstance(wish, str) else wish
        if isinstance(value, bool):
            return "boolean" in wishes
        return any(isinstance(value, KINDS[each]) for each in wishes)

    def _enum(self, value: Any, wish: list[Any], schema: Any) -> bool:
        return value in wish

    def _anyOf(self, value: Any, wish: list[Any], schema: Any) -> bool:
        return any(self.fits(value, each) for each in wish)

    def _allOf(self, value: Any, wish: list[Any], schema: Any) -> bool:
        return all(self.fits(value, each) for each in wish)

    def _pattern(self, value: Any, wish: str, schema: Any) -> bool:
        return not isinstance(value, str) or re.search(wish, value) is not None

    def _minimum(self, value: Any, wish: float, schema: Any) -> bool:
        return not isinstance(value, int | float) or value >= wish

    def _maximum(self, value: Any, wish: float, schema: Any) -> bool:
        return not isinstance(value, int | float) or value <= wish

    def _items(self, value: Any, wish: Any, schema: Any) -> bool:
        return not isinstance(value, list) or all(self.fits(each, wish) for each in value)

    def _prefixItems(self, value: Any, wish: Any, schema: Any) -> bool:
        return not isinstance(value, list) or all(map(self.fits, value, wish))

    def _minItems(self, value: Any, wish: int, schema: Any) -> bool:
        return not isinstance(value, list) or len(value) >= wish

    def _maxItems(self, value: Any, wish: int, schema: Any) -> bool:
        return not isinstance(value, list) or len(value) <= wish

    def _minProperties(self, value: Any, wish: int, schema: Any) -> bool:
        return not isinstance(value, dict) or len(value) >= wish

    def _maxProperties(self, value: Any, wish: int, schema: Any) -> bool:
        return not isinstance(value, dict) or len(value) <= wish

    def _required(self, value: Any, wish: list[str], schema: Any) -> bool:
        return not isinstance(value, dict) or all(key in value for key in wish)

    def _properties(self, value: Any, wish: dict[str, Any], schema: Any) -> bool:
        if not isinstance(value, dict):
            return True
        return all(self.fits(value[key], each) for key, each in wish.items() if key in value)

    def _additionalProperties(self, value: Any, wish: Any, schema: Any) -> bool:
        if not isinstance(value, dict):
            return True
        others = [value[key] for key in value if key not in schema.get("properties", {})]
        return not others if wish is False else all(self.fits(each, wish) for each in others)


@pytest.fixture(scope="module")
def checker() -> Checker:
    return Checker(json.loads(SCHEMA.read_text()))


def test_the_published_schema_is_fresh() -> None:
    fresh = json.dumps(scene_schema(), indent=1, ensure_ascii=False) + "\n"
    assert SCHEMA.read_text() == fresh, "run `python docs/make_schema.py`"


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_examples_fit_and_tell_editors_where_the_schema_is(path: Path, checker: Checker) -> None:
    text = path.read_text()
    assert checker.fits(plain(parse_yaml(text, path=path.name)), checker.root)
    hint = re.match(r"# yaml-language-server: \$schema=(\S+)\n", text)
    assert hint is not None and (path.parent / hint[1]).resolve() == SCHEMA


@pytest.mark.parametrize(
    "text",
    [
        "name: x",
        "robotix: 2",
        "robotix: 1\nobjekts: {}",
        "robotix: 1\nrate: fast",
        "robotix: 1\nobjects: {a: {box: [1, 2]}}",
        "robotix: 1\nobjects: {a: {spere: 1}}",
        "robotix: 1\nobjects: {a: {material: {colour: redd}}}",
        "robotix: 1\nrobots: {a: {at: [0, 0, 0]}}",
        "robotix: 1\nrules: [{when: {kye: a}, do: {say: x}}]",
        "robotix: 1\nrules: [{when: {key: a}}]",
        "robotix: 1\nrules: [{when: {key: a}, do: {sai: x}}]",
        "robotix: 1\nrules: [{when: {key: a}, do: {say: x, wait: 1}}]",
        "robotix: 1\nrules: [{when: {key: a}, do: {step: {}}}]",
        "robotix: 1\nstart: [wait]",
        "robotix: 1\ndevices: {stick: joystick}",
    ],
)
def test_the_schema_refuses_what_the_reader_refuses(text: str, checker: Checker) -> None:
    assert not checker.fits(plain(parse_yaml(text, path="x")), checker.root)


def test_every_word_is_described() -> None:
    shared = scene_schema()["$defs"]
    classes = {*SOURCES.values(), *command_words().values()}
    assert len({cls.__name__ for cls in classes}) == len(classes)  # each has its own description
    for table in (SOURCES, command_words()):
        for word, cls in table.items():
            assert shared[cls.__name__]["description"], word
