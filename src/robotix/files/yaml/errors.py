"""Plain-English messages for errors of YAML parsers."""

from __future__ import annotations

import re

from yaml import MarkedYAMLError

from robotix.errors import BadFile

__all__ = ["in_plain_words"]

# Part of the parser's own words, those of libyaml and of PyYAML: what was found, what was expected.
_TAB = "a tab", "spaces: YAML does not indent with tabs"
_NO_KEY = "an empty key", "a word before the ':'"
_COLUMN = (
    "a line that begins in another column than its neighbours",
    "keys and items of one block in the same column",
)
_WORDS = (
    ("a tab character", *_TAB),
    ("found character", "a character that means something to YAML", "the text in quotes"),
    ("mapping values are not allowed", "a ':' where no key can stand",
     "one key a line, indented like its neighbours, or the text in quotes"),
    ("could not find expected ':'", "a line that is no key and no item",
     "`key: value`; lines of the same block begin in the same column"),
    ("unexpected end of stream", "a quote that is never closed", "the same quote at its end"),
    ("found unexpected document", "a quote that is never closed", "the same quote at its end"),
    ("found unexpected ':'", "a ':' with no space after it", "`key: value`, or the text in quotes"),
    ("did not find expected key", *_COLUMN),
    ("did not find expected '-'", *_COLUMN),
    ("expected <block end>", *_COLUMN),
    ("expected ',' or ']'", "a list that is not closed",
     "items parted by ',' and a ']' at the end"),
    ("expected ',' or '}'", "a table that is not closed",
     "`key: value` parted by ',' and a '}' at the end"),
    ("sequence entries are not allowed", "a '-' where no item can stand",
     "items of a list on lines of their own"),
    ("mapping keys are not allowed", "a '?' where no key can stand", "the text in quotes"),
    ("line break", "something after a | or >", "the text on the lines below"),
    ("node content", "nothing where a value must stand", "a value"),
    ("directive", "a line that begins with %", "the scene's own keys only"),
    ("tag", "a '!' at the start of a value", "the text in quotes"),
    ("hexdecimal", "a \\ in a double-quoted text that means nothing", "\\\\, or single quotes"),
    ("escape", "a \\ in a double-quoted text that means nothing", "\\\\, or single quotes"),
    ("bad indentation", "a text block indented in two ways", "the same indent on all its lines"),
    ("indentation", *_COLUMN),
    ("alias", "a '*' at the start of a value", 'the text in quotes, such as "*"'),
    ("anchor", "an '&' at the start of a value", "the text in quotes"),
    ("incompatible", "a line that begins with %", "the scene's own keys only"),
    ("<document start>", "something after the end of the scene",
     "all keys of the scene in the first column"),
)  # fmt: skip

_BARE_COLOUR = re.compile(r"\s(#[0-9a-fA-F]{6})\b")


def in_plain_words(error: MarkedYAMLError, text: str, path: str) -> BadFile:
    """Return the error for a text that is not YAML, at its place."""
    said = " ".join(filter(None, (error.problem, error.context)))
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    lines = text.splitlines() or [""]
    if line > len(lines):  # the text ended too early; point at its end
        line, column = len(lines), len(lines[-1]) + 1
    found, expected = _words(said, text, mark.index if mark else 0)
    if "mapping values" in said and (indent := re.match(" *\t", lines[line - 1])):
        (found, expected), column = _TAB, indent.end()
    start = error.context_mark
    is_plain = found in (_TAB[0], _NO_KEY[0])  # the message needs no context
    if start is not None and start.line + 1 < line and not is_plain:
        found += f" (it begins in line {start.line + 1})"
    first = min(start.line, line - 1) if start is not None else line - 1
    is_cut = "is not closed" in found or expected == "a value"
    if is_cut and (bare := _BARE_COLOUR.search("\n".join(lines[first:line]))):
        expected += f'; after a space, # begins a comment: a colour needs quotes, "{bare[1]}"'
    return BadFile(path, found, expected, line=line, column=column)


def _words(said: str, text: str, index: int) -> tuple[str, str]:
    """Return what was found at an index of the text, and what was expected there."""
    before, character = text[:index][-1:], text[index : index + 1]
    if character == "\t" and "cannot start" in said:
        return _TAB
    is_first = character == ":" and before in ("", *" \n\r-,{[")
    if is_first and re.search("expected (key|<block end>|.*node)", said):
        return _NO_KEY
    for part, found, expected in _WORDS:
        if part in said:
            return found, expected
    return said or "something that is not YAML", "valid YAML"
