r"""The legacy RoboTiX script (.vd2): one event-action relationship per line.

    # a comment
    appl init robotix.so:init "robot.cfg"
    appl callback robotix.so:step "(1, 0, 0, 0)" \
        key Left type reflect event on
    wireframe robot appinput "end_of_stroke" event change

A line is a list of words; a word with blanks stands in quotes; a backslash at the end joins the
next line. `appl` calls a function of a module: at the start (`init`), in every tick (`loop`), at
the end (`exit`) or on an event (`callback`). Every other first word is a basic action. Module
names keep RoboTiX's `.so`, which is ignored.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from robotix.errors import BadFile
from robotix.inputs.device_kinds import KEYBOARD
from robotix.scene.events.events import (
    Axis,
    Button,
    ButtonHeld,
    ClientConnected,
    Collision,
    Mode,
    RegionEntry,
    Signal,
    Source,
    Timer,
)

__all__ = ["FunctionCall", "ScriptLine", "Statement", "Word", "parse_script"]

MAX_CHARACTERS = 2**20
MAX_LINES = 20_000
_WORD = re.compile(r'\s*(?:"([^"\n]*)"|(#.*)|([^\s"#]+))')
_FUNCTION = re.compile(r"([\w.-]+?)(?:\.so)?:(\w+(?: \w+)?)")
_EVENT_WORDS = (
    *("key", "button", "hold", "axis", "collision", "region", "appinput", "timer", "client"),
)
_EVENTS: dict[str, Mode] = {"on": "on", "off": "off", "change": "change"}
STAGES = ("init", "loop", "exit", "callback")


@dataclass(frozen=True)
class Word:
    """A word of the script, and where it stands; both count from 1."""

    text: str
    line: int
    column: int
    is_quoted: bool = False
    path: str = ""  # the script


@dataclass(frozen=True)
class FunctionCall:
    """A function of a module, with its argument."""

    stage: str  # init, loop, exit or callback
    module: str
    function: str
    argument: str | None


@dataclass(frozen=True)
class Statement:
    """One line of the script: what to do, and when; a call without a source runs at its stage.

    A basic action has its name in `action` and its words in `arguments`.
    """

    place: Word
    call: FunctionCall | None = None
    action: str = ""
    arguments: tuple[Word, ...] = ()
    source: Source | None = None
    source_words: tuple[Word, ...] = ()
    mode: Mode = "on"


@dataclass
class ScriptLine:
    """The words of one line, taken from the front."""

    path: str
    words: list[Word]
    at: int = 0
    last: Word = field(init=False)

    def __post_init__(self) -> None:
        self.last = self.words[0]

    def peek(self) -> str | None:
        """Return the next word without taking it."""
        return self.words[self.at].text if self.at < len(self.words) else None

    def next_word(self, what: str) -> Word:
        """Take the next word; `what` is expected there."""
        if self.at >= len(self.words):
            self.refuse(f"the end of the line after {self.last.text!r}", what)
        self.last = self.words[self.at]
        self.at += 1
        return self.last

    def refuse(self, found: str, expected: str, *, word: Word | None = None) -> NoReturn:
        """Raise an error at a word; at the last one taken when none is given."""
        at = word or self.last
        raise BadFile(self.path, found, expected, line=at.line, column=at.column)


def parse_script(text: str, *, path: str) -> tuple[Statement, ...]:
    """Read a script; `path` is for messages only."""
    if len(text) > MAX_CHARACTERS:
        raise BadFile(path, f"{len(text)} characters", f"at most {MAX_CHARACTERS}")
    return tuple(_statement(ScriptLine(path, words)) for words in _lines(text, path=path))


def _lines(text: str, *, path: str) -> Iterator[list[Word]]:
    words: list[Word] = []
    rows = text.splitlines()
    if len(rows) > MAX_LINES:
        raise BadFile(path, f"{len(rows)} lines", f"at most {MAX_LINES}")
    for number, row in enumerate(rows, start=1):
        body = row.rstrip().replace("\t", " ")
        if not body.isprintable():
            column = next(i for i, letter in enumerate(body, 1) if not letter.isprintable())
            found = f"the character {body[column - 1]!r}"
            raise BadFile(path, found, "text", line=number, column=column)
        joins = body.endswith("\\")
        words += _words(body[:-1] if joins else body, number, path=path)
        if words and not joins:
            yield words
            words = []
    if words:
        yield words


def _words(row: str, number: int, *, path: str) -> Iterator[Word]:
    at = 0
    while row[at:].strip():
        match = _WORD.match(row, at)
        if match is None:
            column = at + len(row[at:]) - len(row[at:].lstrip()) + 1
            found = f"{row[column - 1 :][:20]!r}"
            raise BadFile(path, found, 'a closing "', line=number, column=column)
        is_quoted = match[1] is not None
        if match[2] is not None:  # a comment
            return
        group = 1 if is_quoted else 3
        yield Word(match[group], number, match.start(group) + 1, is_quoted, path)
        at = match.end()


def _statement(line: ScriptLine) -> Statement:
    first = line.next_word("an action")
    if first.text == "include":
        file = line.next_word("another script")
        if line.peek() is not None:
            line.refuse(f"{line.next_word('').text!r}", "nothing more after the file")
        return Statement(first, action="include", arguments=(file,))
    if first.text == "appl":
        call, place = _call(line)
        if call.stage != "callback":
            if line.peek() is not None:
                word = line.next_word("")
                line.refuse(
                    f"{word.text!r}", f"nothing more: `appl {call.stage}` waits for no event"
                )
            return Statement(place, call=call)
        source, words, mode = _when(line)
        return Statement(place, call=call, source=source, source_words=words, mode=mode)
    arguments = []
    while line.peek() is not None and not _begins_event(line):
        arguments.append(line.next_word("an object"))
    source, words, mode = _when(line)
    return Statement(
        first, action=first.text, arguments=tuple(arguments), source=source, source_words=words,
        mode=mode,
    )  # fmt: skip


def _number(line: ScriptLine, what: str) -> float:
    word = line.next_word(what)
    try:
        number = float(word.text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        line.refuse(f"{word.text!r}", what)
    return number


def _call(line: ScriptLine) -> tuple[FunctionCall, Word]:
    stage = line.next_word(f"one of {', '.join(STAGES)}")
    if stage.text not in STAGES:
        line.refuse(f"{stage.text!r}", f"one of {', '.join(STAGES)}")
    word = line.next_word("MODULE:FUNCTION")
    text = word.text
    if line.peek() in ("xyz", "p2p"):  # RoboTiX writes `move xyz` with a blank
        text += " " + line.next_word("").text
    match = _FUNCTION.fullmatch(text)
    if match is None:
        line.refuse(f"{text!r}", "MODULE:FUNCTION, such as robotix.so:init", word=word)
    argument: str | None = None
    if stage.text != "loop" and line.peek() is not None and _is_argument(line):
        argument = line.next_word("").text
    return FunctionCall(stage.text, match[1], match[2], argument), word


def _begins_event(line: ScriptLine) -> bool:
    """Return whether the next word begins the event, rather than naming an object."""
    word = line.words[line.at]
    return word.text in _EVENT_WORDS and not word.is_quoted


def _is_argument(line: ScriptLine) -> bool:
    """Tell an argument from the event: it stands in quotes, or is no plain word."""
    word = line.words[line.at]
    return word.is_quoted or not word.text.isalpha()


def _when(line: ScriptLine) -> tuple[Source, tuple[Word, ...], Mode]:
    kind = line.next_word(f"an event: one of {', '.join(_EVENT_WORDS)}")
    words: Sequence[Word]
    source: Source
    match kind.text:
        case "hold":
            words = [line.next_word("a device"), line.next_word("a button")]
            seconds = _number(line, "seconds")
            source = ButtonHeld(words[0].text, words[1].text, seconds)
        case "axis":
            words = [line.next_word("a device")]
            number = _number(line, "the number of an axis, from 0")
            source = Axis(words[0].text, int(number), _number(line, "a threshold, such as 0.5"))
        case "region":
            words = [line.next_word("a region"), line.next_word("an object")]
            source = RegionEntry(words[0].text, words[1].text)
        case "client":
            words = [line.next_word("a client, or * for any")]
            source = ClientConnected("" if words[0].text == "*" else words[0].text)
        case "key":
            words = [line.next_word("the name of a key")]
            source = Button(KEYBOARD, words[0].text)
        case "button":
            words = [line.next_word("a device"), line.next_word("a button")]
            source = Button(words[0].text, words[1].text)
        case "collision":
            words = [line.next_word("an object"), line.next_word("another object")]
            source = Collision(words[0].text, words[1].text)
        case "appinput":
            words = [line.next_word("the name of an event")]
            source = Signal(words[0].text)
        case "timer":
            words = [line.next_word("the name of a timer")]
            source = Timer(words[0].text)
        case _:
            near = difflib.get_close_matches(kind.text, _EVENT_WORDS, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            line.refuse(f"{kind.text!r}", f"an event: one of {', '.join(_EVENT_WORDS)}{hint}")
    return source, tuple(words), _mode(line)


def _mode(line: ScriptLine) -> Mode:
    mode: Mode = "on"
    reflects = False
    while line.peek() is not None:
        option = line.next_word("")
        if option.text == "type":
            if line.next_word("reflect").text != "reflect":
                line.refuse(f"{line.last.text!r}", "reflect, or no `type` at all")
            reflects = True
        elif option.text == "event":
            value = line.next_word("on, off or change").text
            if value not in _EVENTS:
                line.refuse(f"{value!r}", "on, off or change")
            mode = _EVENTS[value]
        else:
            line.refuse(f"{option.text!r}", "`type reflect`, `event on|off|change` or the end")
    return "reflect" if reflects else mode
