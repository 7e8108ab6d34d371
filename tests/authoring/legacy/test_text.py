"""The legacy RoboTiX script: words, calls, events, and refusals with their place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.legacy_script import SCRIPT

from robotix.authoring.legacy.text import FunctionCall, Statement, parse_script
from robotix.errors import BadFile
from robotix.scene.events.events import Button, Collision, Signal, Timer


def only(text: str) -> Statement:
    [statement] = parse_script(text, path="room.vd2")
    return statement


def test_the_printed_script() -> None:
    statements = parse_script(SCRIPT, path="room.vd2")
    assert [s.call for s in statements] == [
        FunctionCall("init", "robotix", "init", "robot.cfg"),
        FunctionCall("loop", "robotix", "loop", None),
        FunctionCall("callback", "robotix", "step", "(1, 0, 0, 0)"),
        FunctionCall("callback", "robotix", "move", "@500;(20,-30,40,*)"),
        FunctionCall("callback", "robotix", "stop", None),
        FunctionCall("init", "robotix", "setEventEOS", "end_of_stroke"),
        None,
    ]
    assert [s.source for s in statements] == [
        None,
        None,
        Button("keyboard", "Left"),
        Button("keyboard", "l"),
        Collision("end_effector", "obstacle"),
        None,
        Signal("end_of_stroke"),
    ]
    assert [s.mode for s in statements] == ["on", "on", "reflect", "on", "on", "on", "change"]
    assert statements[-1].action == "wireframe"
    assert [word.text for word in statements[-1].arguments] == ["robot"]
    assert (statements[4].source_words[1].line, statements[4].source_words[1].column) == (8, 28)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("hide a key x", Button("keyboard", "x")),
        ("hide a button stick trigger", Button("stick", "trigger")),
        ("hide a timer beat", Timer("beat")),
        ('hide a appinput "two words"', Signal("two words")),
    ],
)
def test_events(text: str, source: object) -> None:
    assert only(text).source == source


@pytest.mark.parametrize("mode", ["on", "off", "change"])
def test_modes(mode: str) -> None:
    assert only(f"hide a key x event {mode}").mode == mode


def test_a_quoted_word_is_never_an_event() -> None:
    statement = only('appl callback mine.so:say "key" key x # why not')
    assert statement.call == FunctionCall("callback", "mine", "say", "key")


def test_functions_with_a_blank() -> None:
    statement = only('appl callback robotix.so:move xyz "(1,2,3)" key x')
    assert statement.call == FunctionCall("callback", "robotix", "move xyz", "(1,2,3)")


def test_nothing_but_comments() -> None:
    assert parse_script("# nothing\n\n   # at all\n", path="room.vd2") == ()


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("appl", 1, 1, ("end of the line", "init, loop, exit, callback")),
        ("appl start robotix.so:init", 1, 6, ("'start'", "init, loop, exit, callback")),
        ("appl init robotix", 1, 11, ("'robotix'", "MODULE:FUNCTION")),
        ('\nappl init robotix.so:init "robot.cfg', 2, 27, ("robot.cfg", 'a closing "')),
        ('appl init robotix.so:init "a" key x', 1, 31, ("'key'", "waits for no event")),
        ("appl callback robotix.so:stop", 1, 15, ("end of the line", "an event")),
        ("appl callback a.so:b colision c d", 1, 22, ("'colision'", "did you mean 'collision'?")),
        ("hide a collision b", 1, 18, ("end of the line", "another object")),
        ("hide a key x type blink", 1, 19, ("'blink'", "reflect")),
        ("hide a key x event maybe", 1, 20, ("'maybe'", "on, off or change")),
        ("hide a key x twice", 1, 14, ("'twice'", "`event on|off|change`")),
    ],
)
def test_refusals(text: str, line: int, column: int, words: tuple[str, ...]) -> None:
    with pytest.raises(BadFile) as caught:
        parse_script(text, path="room.vd2")
    assert (caught.value.line, caught.value.column) == (line, column)
    for word in ("room.vd2", *words):
        assert word in str(caught.value)


@given(st.text(alphabet='apl key"\\\n#:.x@é ', max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        statements = parse_script(text, path="room.vd2")
    except BadFile:
        return
    assert all(s.call is not None or s.source is not None for s in statements)
