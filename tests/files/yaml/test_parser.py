"""YAML is read in the same way by libyaml and, where that is missing, by PyYAML itself."""

from pathlib import Path

import pytest
import yaml

from robotix.authoring.rooms import default_room
from robotix.errors import BadFile
from robotix.files.yaml import parser as yaml_parser
from robotix.files.yaml.parser import parse_yaml
from robotix.files.yaml.text import YamlMapping, YamlScalar, YamlValue

SCENES = Path(__file__).parents[3] / "examples" / "scenes"
FILES = [*sorted(default_room().parent.rglob("*.yaml")), *sorted(SCENES.rglob("*.yaml"))]
ODD = """\
"ä": [ö, 😀, 'it''s', "\\u00e4\\/\\x41", http://x:y, 0o17, yes]  # 1.2
text: |
  one
   two

folded: >-
  three
  four
{quoted}
empty:
other: {a: , b: 1,}
last:
  - - 1
    - c: 2
  -
""".replace("{quoted}", "plain: five\n  six")


def told(value: YamlValue) -> object:
    """Return all that a value holds."""
    place = value.trail, value.line, value.column, value.start, value.end
    if isinstance(value, YamlScalar):
        return *place, value.text, value.is_quoted, value.value
    if isinstance(value, YamlMapping):
        entries = [(key, told(e.key), told(e.value)) for key, e in value.entries.items()]
        return *place, value.is_flow, entries
    return *place, value.is_flow, [told(item) for item in value.items]


@pytest.fixture(params=["libyaml", "pure"])
def loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "pure":
        monkeypatch.setattr(yaml_parser, "LOADER", yaml.SafeLoader)
    elif not yaml.__with_libyaml__:
        pytest.skip("PyYAML was built without libyaml")


@pytest.mark.parametrize("text", [ODD, *(file.read_text() for file in FILES)])
def test_both_parsers_say_the_same(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = told(parse_yaml(text, path="a.yaml"))
    monkeypatch.setattr(yaml_parser, "LOADER", yaml.SafeLoader)
    assert told(parse_yaml(text, path="a.yaml")) == first


@pytest.mark.usefixtures("loader")
def test_every_value_stands_where_it_is_written() -> None:
    root = parse_yaml(ODD, path="a.yaml")
    first = root.near("ä")
    assert ODD[first.start : first.end].startswith("[ö, ") and first.column == 6
    assert [item.value for item in first.items] == [  # type: ignore[union-attr]
        "ö", "😀", "it's", "ä/A", "http://x:y", 0o17, "yes",
    ]  # fmt: skip
    empty, other = root.near("empty"), root.near("other")
    assert ODD[: empty.start].endswith("\nempty:") and empty.start == empty.end
    assert isinstance(other, YamlMapping) and ODD[: other.near("a").start].endswith("{a:")


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize(
    "text, place, words",
    [
        ("a:\n\tb: 1", "2:1", "a tab"),
        ("a: 1\n\tb: 1", "2:1", "a tab"),
        ("a: [1, 2", "1:9", "a list that is not closed"),
        ("a:\n  - [1,\nb: 2", "3:5", "a list that is not closed (it begins in line 2)"),
        ("a: {b: 1", "1:9", "a table that is not closed"),
        ("a: 'x\nb: 1\n", "2:5", "a quote that is never closed (it begins in line 1)"),
        ('a: "\\q"', "1:", "a \\ in a double-quoted text"),
        ('a: "\\xZZ"', "1:", "a \\ in a double-quoted text"),
        ("a: 1\n b: 2", "2:3", "a ':' where no key can stand"),
        ("a:\n   b: 1\n  c: 2", "3:3", "a line that begins in another column"),
        ("a:\n  - b\n c: 2", "3:2", "a line that begins in another column"),
        ("a: - b", "1:4", "a '-' where no item can stand"),
        ("a: ? b", "1:4", "a '?' where no key can stand"),
        ("a: |2  x\n", "1:8", "something after a | or >"),
        (": 1", "1:1", "an empty key"),
        ("a: 1\n: 2", "2:1", "an empty key"),
        ("a: {: 1}", "1:", "an empty key"),
        ("a: @b", "1:4", "a character that means something"),
        ("a: [, 1]", "1:5", "nothing where a value must stand"),
        ("a: 1\nb", "2:2", "a line that is no key"),
        ("%YAML 1.2\n---\na: 1", "1:1", "directive"),
        ("%YAML 3.0\n---\na: 1", "1:", "begins with %"),
        ("a: x\x85y", "1:5", "U+0085"),
        ("a: 'x\u2028y'", "1:6", "U+2028"),
        ("[" * 100_000, "1:42", "nested too deeply"),
        ("- " * 100_000, "1:83", "nested too deeply"),
    ],
)
def test_a_fault_is_named_with_its_place(text: str, place: str, words: str) -> None:
    with pytest.raises(BadFile) as fault:
        parse_yaml(text, path="a.yaml")
    said = str(fault.value)
    assert said.startswith(f"a.yaml:{place}") and words in said


@pytest.mark.parametrize("loader", ["CSafeLoader", "SafeLoader"])
@pytest.mark.parametrize("text", ['a: "x \\ud800"', '"\\udfff": 1', 'a: ["\\ud83d\\ude00"]'])
def test_half_characters_are_refused_by_either_parser(
    loader: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(yaml_parser, "LOADER", getattr(yaml, loader))
    with pytest.raises(BadFile, match=r"double-quoted|half a character") as caught:
        parse_yaml(text, path="room.yaml")
    assert caught.value.line == 1 and caught.value.column > 0
