"""What a YAML parser says, in plain words."""

from __future__ import annotations

import re

from ruamel.yaml.error import MarkedYAMLError

from robotix.errors import BadFile

__all__ = ["in_plain_words"]

# Part of the parser's own words: what was found, what was expected.
_WORDS = (
    (r"'\t' that cannot start", "a tab", "spaces: YAML does not indent with tabs"),
    ("found character", "a character that means something to YAML", "the text in quotes"),
    ("mapping values are not allowed", "a ':' where no key can stand",
     "one key a line, indented like its neighbours, or the text in quotes"),
    ("could not find expected ':'", "a line that is no key and no item",
     "`key: value`; lines of the same block begin in the same column"),
    ("unexpected end of stream", "a quote that is never closed", "the same quote at its end"),
    ("found unexpected document", "a quote that is never closed", "the same quote at its end"),
    ("did not find expected key", "a line that begins in another column than its neighbours",
     "keys of one block in the same column"),
    ("expected <block end>", "a line that begins in another column than its neighbours",
     "keys and items of one block in the same column"),
    ("expected ',' or ']'", "a list that is not closed",
     "items parted by ',' and a ']' at the end"),
    ("expected ',' or '}'", "a table that is not closed",
     "`key: value` parted by ',' and a '}' at the end"),
    ("block sequence entries are not allowed", "a '-' where no item can stand",
     "items of a list on lines of their own"),
    ("expected the node content", "nothing where a value must stand", "a value"),
    ("escape", "a \\ in a double-quoted text that means nothing", "\\\\, or single quotes"),
    ("bad indentation", "a text block indented in two ways", "the same indent on all its lines"),
    ("indentation", "a line that begins in another column than its neighbours",
     "keys and items of one block in the same column"),
    ("alias", "a '*' at the start of a value", 'the text in quotes, such as "*"'),
    ("anchor", "an '&' at the start of a value", "the text in quotes"),
    ("tag", "a '!' at the start of a value", "the text in quotes"),
    ("directive", "a line that begins with %", "the scene's own keys only"),
    ("expected '<document start>'", "something after the end of the scene",
     "all keys of the scene in the first column"),
)  # fmt: skip

_BARE_COLOUR = re.compile(r"\s(#[0-9a-fA-F]{6})\b")


def in_plain_words(error: MarkedYAMLError, text: str, path: str) -> BadFile:
    """Return the error for a text that is not YAML, at its place."""
    said = " ".join(filter(None, (error.problem, error.context)))
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    lines = text.splitlines() or [""]
    if line > len(lines):  # the fault is that the text ended; point at where it did
        line, column = len(lines), len(lines[-1]) + 1
    found, expected = next(
        ((found, expected) for part, found, expected in _WORDS if part in said),
        (error.problem or "something that is not YAML", "valid YAML"),
    )
    start = error.context_mark
    if start is not None and mark is not None and start.line != mark.line:
        found += f" (it begins in line {start.line + 1})"
    first = min(start.line, line - 1) if start is not None else line - 1
    is_cut = "is not closed" in found or expected == "a value"
    if is_cut and (bare := _BARE_COLOUR.search("\n".join(lines[first:line]))):
        expected += f'; after a space, # begins a comment: a colour needs quotes, "{bare[1]}"'
    return BadFile(path, found, expected, line=line, column=column)
