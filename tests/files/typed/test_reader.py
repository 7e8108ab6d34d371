"""Any dataclass is read by its annotations."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest

from robotix.authoring.schema.words import WORDS
from robotix.errors import BadField, BadFile, UnknownName
from robotix.files.typed.fields import field_specs
from robotix.files.typed.reader import AlreadyReported, Reader
from robotix.files.yaml.parser import parse_yaml
from robotix.files.yaml.text import YamlMapping, YamlValue
from robotix.scene.commands.basic import InTurn, Repeat, Say, Together, Wait
from robotix.scene.graph.field_types import Angle, Angles, Colour, MaterialName, NodeName, Vector
from robotix.scene.scene import Command

KNOWN = ("table", "cup")


class Names:
    def resolve(self, kind: str, name: str, value: YamlValue) -> str:
        if name not in KNOWN:
            raise UnknownName(kind, name, KNOWN)
        return name


@dataclass(frozen=True)
class Inner:
    number: float
    word: str = "none"


@dataclass(frozen=True, kw_only=True)
class Record:
    text: str = ""
    number: float = 0.0
    whole: int = 0
    truth: bool = False
    kind: Literal["big", "small"] = "big"
    place: Vector = (0.0, 0.0, 0.0)
    names: tuple[str, ...] = ()
    maybe: int | None = 3
    size: float | Vector = 1.0
    inner: Inner = Inner(0.0)
    table: Mapping[str, Inner] = field(default_factory=dict)
    node: NodeName = "table"
    look: MaterialName = "table"
    paint: Colour | None = None
    colour: Vector = (0.0, 0.0, 0.0)  # whatever it is called, these are just numbers
    turn: Angle = 0.0
    turns: Angles = ()
    from_: str = ""

    def __post_init__(self) -> None:
        if self.number < 0:
            raise BadField("number", "0 or more", self.number)


@dataclass(frozen=True)
class Nested:
    do: tuple[Command, ...]
    then: Command | None = None


def read(text: str, cls: type[Any]) -> Any:
    reader = Reader(Names(), WORDS)
    try:
        result = reader.record(parse_yaml(text, path="x.yaml"), cls)
    except AlreadyReported:
        raise reader.problems[0] from None
    return result


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("text: hello", "text", "hello"),
        ("text: on", "text", "on"),
        ('text: "5"', "text", "5"),
        ("number: 5", "number", 5.0),
        ("number: 1e-3", "number", 0.001),
        ("whole: 7", "whole", 7),
        ("truth: true", "truth", True),
        ("kind: small", "kind", "small"),
        ("place: [1, 2, 3.5]", "place", (1.0, 2.0, 3.5)),
        ("names: [a, b]", "names", ("a", "b")),
        ("names: a", "names", ("a",)),
        ("maybe: null", "maybe", None),
        ("maybe: 4", "maybe", 4),
        ("size: 2", "size", 2.0),
        ("size: [1, 2, 3]", "size", (1.0, 2.0, 3.0)),
        ("inner: 4", "inner", Inner(4.0)),
        ("inner: [4, x]", "inner", Inner(4.0, "x")),
        ("inner: {word: y, number: 1}", "inner", Inner(1.0, "y")),
        ("table: {a: 1, b: {number: 2}}", "table", {"a": Inner(1.0), "b": Inner(2.0)}),
        ("node: cup", "node", "cup"),
        ("look: cup", "look", "cup"),
        ("paint: white", "paint", (1.0, 1.0, 1.0)),
        ('paint: "#ff0000"', "paint", (1.0, 0.0, 0.0)),
        ("paint: [0, 0.5, 1]", "paint", (0.0, 0.5, 1.0)),
        ("colour: [0, 5, 10]", "colour", (0.0, 5.0, 10.0)),
        ("turn: 1", "turn", 1.0),
        ("turn_deg: 180", "turn", math.pi),
        ("turns_deg: [90, -90]", "turns", (math.pi / 2, -math.pi / 2)),
        ("from: here", "from_", "here"),
    ],
)
def test_each_type_is_read(text: str, key: str, value: object) -> None:
    assert getattr(read(text, Record), key) == value


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("text: 5", "1:7", 'in quotes it is one: "5"'),
        ("text: true", "1:7", "the truth value true"),
        ("text: [a]", "1:7", "a text"),
        ("number: five", "1:9", "the text 'five'; expected a number"),
        ("number: true", "1:9", "a number"),
        ("number: .nan", "1:9", "finite"),
        ("number: 1e10", "1:9", "between -1e+09 and 1e+09"),
        ("number: -1", "1:9", "-1.0; expected 0 or more"),
        ("whole: 7.5", "1:8", "whole"),
        ("truth: yes", "1:8", "true or false"),
        ("kind: smal", "1:7", "did you mean 'small'?"),
        ("place: [1, 2]", "1:8", "3 values"),
        ("place: [1, x, 2]", "1:12", "place #2: the text 'x'"),
        ("size: big", "1:7", "a number or a list"),
        ("inner: {}", "1:8", "no 'number'"),
        ("inner: [1, x, 2]", "1:8", "at most 2: number, word"),
        ("table: {a: {nummer: 1}}", "1:13", "did you mean 'number'?"),
        ("node: cub", "1:7", "no node 'cub'; expected the name of a node; did you mean 'cup'?"),
        ("look: cub", "1:7", "no material 'cub'; expected the name of a material"),
        ("paint: whit", "1:8", "did you mean 'white'?"),
        ("paint: [0, 5, 10]", "1:8", "0..1"),
        ("paint: #ff0000", "1:7", "in quotes"),
        ("colour: white", "1:9", "3 values"),
        ("turn: 1\nturn_deg: 2", "2:1", "one of the two"),
        ("nr: 1", "1:1", "unknown key 'nr'"),
    ],
)
def test_what_does_not_fit_is_refused_at_its_place(text: str, place: str, words: str) -> None:
    with pytest.raises(BadFile) as refusal:
        read(text, Record)
    assert str(refusal.value).startswith(f"x.yaml:{place}:")
    assert words in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("do: {say: hi}", (Say("hi"),)),
        ("do: [{say: hi}, {wait: 2}]", (Say("hi"), Wait(2.0))),
        ("do: [{wait: [2]}, {wait: {seconds: 3}}]", (Wait(2.0), Wait(3.0))),
        ("do: {together: [{say: a}, {say: b}]}", (Together((Say("a"), Say("b"))),)),
        ("do: {repeat: {do: {say: a}, times: 2}}", (Repeat((Say("a"),), 2),)),
        ("do: {in_turn: [{say: a}]}", (InTurn((Say("a"),)),)),
    ],
)
def test_commands_are_one_word_each(text: str, commands: tuple[Command, ...]) -> None:
    assert read(text, Nested).do == commands


def test_a_bare_word_is_a_command_without_fields() -> None:
    assert read("do: []\nthen: stop", Nested).then == read("do: []\nthen: {stop: }", Nested).then


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("do: {sey: hi}", "no command 'sey'; expected a command; did you mean"),
        ("do: {say: hi, wait: 1}", "several as a list"),
        ("do: 5", "a command, such as {say: hello}"),
        ("do: wait", "the key seconds"),
        ("do: {wait: {seconds: x}}", "do.wait.seconds: the text 'x'"),
        ("do: [{say: hi}, {say: 5}]", "do #2.say: the number 5"),
    ],
)
def test_wrong_commands_are_refused(text: str, words: str) -> None:
    with pytest.raises(BadFile) as refusal:
        read(text, Nested)
    assert words in str(refusal.value)


def test_one_fault_does_not_hide_the_next() -> None:
    reader = Reader(Names(), WORDS)
    with pytest.raises(AlreadyReported):
        reader.record(parse_yaml("text: 5\nplace: [x, y, 1]\nnode: x", path="x.yaml"), Record)
    assert [problem.line for problem in reader.problems] == [1, 2, 2, 3]


def test_a_class_without_places_takes_keys_only() -> None:
    with pytest.raises(BadFile, match="keys with values"):
        value = parse_yaml("a: [1, 2]", path="x.yaml").get("a")
        assert value is not None
        Reader(Names()).record(value, Record)


def test_slots_tell_what_a_file_may_say() -> None:
    fields = {slot.key: slot for slot in field_specs(Record)}
    assert fields["from"].name == "from_"
    assert fields["turns"].is_angle and not fields["number"].is_angle
    assert [slot.key for slot in field_specs(Inner) if slot.is_required] == ["number"]


# -- YAML -----------------------------------------------------------------------------------


def value_of(text: str) -> object:
    table = parse_yaml(f"a: {text}", path="x.yaml")
    value = table.get("a")
    return getattr(value, "value", value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("on", "on"), ("off", "off"), ("yes", "yes"), ("no", "no"), ("y", "y"),
        ("true", True), ("False", False), ("", None), ("~", None), ("null", None),
        ("12", 12), ("-3", -3), ("0x10", 16), ("0o10", 8), ("010", 10), ("1.5", 1.5), (".5", 0.5),
        ("1e3", 1000.0), ("1_000", "1_000"), ("12:30", "12:30"), ("1.2.3", "1.2.3"),
        ("'12'", "12"), ('"true"', "true"), ("2026-01-01", "2026-01-01"), ("NO", "NO"),
    ],
)  # fmt: skip
def test_yaml_words_mean_what_they_look_like(text: str, value: object) -> None:
    found = value_of(text)
    assert found == value and type(found) is type(value)


def test_keys_stay_words() -> None:
    table = parse_yaml("on: 1\nno: 2\n1: 3\n", path="x.yaml")
    assert list(table.entries) == ["on", "no", "1"]


def test_every_value_knows_its_place_in_the_text() -> None:
    text = "a: {b: [1, two]}\nc:\n  - d: x  # why\n"
    table = parse_yaml(text, path="x.yaml")
    b = table.get("a")
    assert isinstance(b, YamlMapping)
    items = b.near("b")
    assert (items.line, items.column, text[items.start : items.end]) == (1, 8, "[1, two]")
    assert items.trail == "a.b"
