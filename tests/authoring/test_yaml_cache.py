"""A text that was parsed before is read without the parser, and says the same."""

from pathlib import Path

import pytest

from robotix.authoring import load_scene
from robotix.authoring.rooms import default_room
from robotix.errors import BadFile
from robotix.files.yaml import cache as yaml_cache
from robotix.files.yaml import parser as yaml_parser
from robotix.files.yaml.cache import read_yaml
from robotix.files.yaml.parser import parse_yaml
from robotix.files.yaml.text import YamlMapping, YamlScalar, YamlValue

TEXT = default_room().read_text()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ROBOTIX_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def told(value: YamlValue) -> object:
    """Return all that a value holds."""
    place = value.path, value.trail, value.line, value.column, value.start, value.end
    if isinstance(value, YamlScalar):
        return *place, value.text, value.is_quoted, value.value
    if isinstance(value, YamlMapping):
        entries = [(key, told(e.key), told(e.value)) for key, e in value.entries.items()]
        return *place, value.is_flow, entries
    return *place, value.is_flow, [told(item) for item in value.items]


def parses(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Count how often the parser is asked from now on."""
    asked: list[str] = []

    def parse(text: str, *, path: str) -> YamlMapping:
        asked.append(path)
        return parse_yaml(text, path=path)

    monkeypatch.setattr(yaml_parser, "parse_yaml", parse)
    return asked


def test_the_second_time_needs_no_parser_and_knows_every_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = parses(monkeypatch)
    first = read_yaml(TEXT, path="a.yaml")
    second = read_yaml(TEXT, path="b.yaml")  # the same text elsewhere
    assert asked == ["a.yaml"]
    assert told(first) == told(parse_yaml(TEXT, path="a.yaml"))
    assert told(second) == told(parse_yaml(TEXT, path="b.yaml"))


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"[2, 1, 1, 0, 9, false, [[1]]]", b'{"a": 1}', b"[0,"]
)
def test_what_makes_no_sense_is_parsed_anew(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    asked = parses(monkeypatch)
    monkeypatch.setattr(yaml_cache, "recall", lambda kind, key: data)
    assert told(read_yaml(TEXT, path="a.yaml")) == told(parse_yaml(TEXT, path="a.yaml"))
    assert asked == ["a.yaml"]


def test_faults_are_told_every_time(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    asked = parses(monkeypatch)
    for _ in range(2):
        with pytest.raises(BadFile) as fault:
            read_yaml(TEXT + "\nname: twice\n", path="a.yaml")
        assert fault.value.line == TEXT.count("\n") + 2
    assert len(asked) == 2 and not folder.exists()


def test_half_a_character_is_parsed_and_not_kept(folder: Path) -> None:
    text = TEXT + '\nodd: "\\ud800"\n'
    assert "odd" in read_yaml(text, path="a.yaml")
    assert not folder.exists()


def test_short_texts_are_not_kept(folder: Path) -> None:
    read_yaml("robotix: 1\n", path="a.yaml")
    assert not folder.exists()


def test_a_room_is_the_same_from_the_kept_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = parses(monkeypatch)
    first = load_scene(default_room())
    count = len(asked)
    second = load_scene(default_room())
    assert count > 0 and len(asked) == count
    assert first.graph.names == second.graph.names
    assert len(first.rules) == len(second.rules)
