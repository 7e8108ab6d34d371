"""Small changes to a YAML text; all the rest stays as its author wrote it, comments included."""

from __future__ import annotations

from dataclasses import dataclass, field

from robotix.authoring.load.files import SceneFile
from robotix.files.yaml.text import YamlEntry, YamlMapping, YamlScalar, YamlSequence, YamlValue
from robotix.files.yaml.write import Plain, to_yaml

__all__ = ["TextEdit"]


@dataclass
class TextEdit:
    """Collects changes to a file; `result` is the text with all of them."""

    file: SceneFile
    changes: list[tuple[int, int, str]] = field(default_factory=list)  # start, end, new text
    sections: dict[str, list[str]] = field(default_factory=dict)  # of new lines, not there before

    @property
    def result(self) -> str:
        """The text with all changes applied."""
        text, pieces, done = self.file.text, list[str](), 0
        line = "\r\n" if "\r\n" in text else "\n"
        for start, end, new in sorted(self.changes, key=lambda change: change[:2]):
            pieces += [text[done:start], new.replace("\n", line)]
            done = max(done, end)
        whole = "".join([*pieces, text[done:]])
        for key, lines in self.sections.items():
            if not whole.endswith("\n"):
                whole += line
            whole += line.join(["", f"{key}:", *(f"  {new}" for new in lines), ""])
        return whole

    # -- tables -----------------------------------------------------------------------------

    def set(self, table: YamlMapping, key: str, value: Plain, *, new_key: str = "") -> None:
        """Give a key of a table another value (and, if asked, another name), or add it."""
        entry = table.entries.get(key)
        if entry is None:
            self.add(table, new_key or key, value)
            return
        end = self._end(entry.value)
        is_block = not isinstance(entry.value, YamlScalar) and not entry.value.is_flow
        if new_key or is_block:
            said = f"{to_yaml(new_key or key)}: {to_yaml(value)}"
            self.changes.append((entry.key.start, end, said))
        elif _is_empty(entry.value):
            self.changes.append((end, end, f" {to_yaml(value)}"))
        else:
            self.changes.append((entry.value.start, end, to_yaml(value)))

    def add(self, table: YamlMapping, key: str, value: Plain) -> None:
        """Add a key to a table."""
        self._append(table, f"{to_yaml(key)}: {to_yaml(value)}")

    def remove(self, table: YamlMapping, key: str) -> None:
        """Remove a key with its value."""
        entries = list(table.entries.values())
        index = list(table.entries).index(key)
        places = [(entry.key.start, self._end(entry.value)) for entry in entries]
        self._cut(places, index, is_flow=table.is_flow)

    # -- lists ------------------------------------------------------------------------------

    def add_item(self, items: YamlSequence, value: Plain) -> None:
        """Add to the end of a list."""
        self._append(items, to_yaml(value) if items.is_flow else f"- {to_yaml(value)}")

    def remove_item(self, items: YamlSequence, item: YamlValue) -> None:
        """Remove an item from a list."""
        places = [(each.start, self._end(each)) for each in items.items]
        self._cut(places, items.items.index(item), is_flow=items.is_flow)

    # -- sections of the file ---------------------------------------------------------------

    def add_to_section(self, section: str, key: str | None, value: Plain) -> None:
        """Add to a table (or list, without key) of the file; a missing one is added at its end."""
        found = self.file.root.get(section)
        line = f"- {to_yaml(value)}" if key is None else f"{to_yaml(key)}: {to_yaml(value)}"
        if isinstance(found, YamlMapping) and key is not None and found.entries:
            self.add(found, key, value)
        elif isinstance(found, YamlSequence) and key is None and found.items:
            self.add_item(found, value)
        elif found is None:
            self.sections.setdefault(section, []).append(line)
        else:
            self._fill(self.file.root.entries[section], line)

    def _fill(self, entry: YamlEntry, line: str) -> None:
        """Put the first line below a key that has nothing yet, such as `objects:` or `{}`."""
        start, end = entry.value.start, entry.value.end
        if any(change[:2] == (start, end) for change in self.changes):
            start = end  # not the first: goes below the others
        self.changes.append((start, end, f"\n  {line}"))

    # -- places in the text -----------------------------------------------------------------

    def _append(self, whole: YamlMapping | YamlSequence, new: str) -> None:
        end = self._end_of_last(whole)
        if whole.is_flow:
            is_tight = end is not None and self.file.text[end - 1] != ":"  # `a:,` would be a word
            start = end if end is not None and is_tight else whole.end - 1
            is_first = end is None and all(change[:2] != (start, start) for change in self.changes)
            self.changes.append((start, start, new if is_first else f", {new}"))
            return
        assert end is not None  # a table without braces has a key
        place = self._line_end(end)
        indent = " " * (whole.column - 1)
        self.changes.append((place, place, f"\n{indent}{new}"))

    def _cut(self, places: list[tuple[int, int]], index: int, *, is_flow: bool) -> None:
        start, end = places[index]
        if not is_flow:  # whole lines, with the break before them
            above = max(self.file.text.rfind("\n", 0, start), 0)
            above -= self.file.text[above - 1 : above] == "\r"
            self.changes.append((above, self._line_end(end), ""))
        elif index + 1 < len(places):
            self.changes.append((start, places[index + 1][0], ""))
        else:
            self.changes.append((places[index - 1][1] if index else start, end, ""))

    def _line_end(self, place: int) -> int:
        """Return where the line ends that a place is on; before it, when at its very start."""
        text = self.file.text
        if text[place - 1 : place] == "\n":  # behind a text block, which ends with its line
            return place - 1
        end = text.find("\n", place)
        end = len(text) if end < 0 else end
        return end - 1 if text[end - 1 : end] == "\r" else end

    def _end_of_last(self, whole: YamlMapping | YamlSequence) -> int | None:
        if isinstance(whole, YamlSequence):
            return self._end(whole.items[-1]) if whole.items else None
        entries = list(whole.entries.values())
        return self._end(entries[-1].value) if entries else None

    def _end(self, value: YamlValue) -> int:
        """Return where a value really ends: block style claims blank lines and comments, too."""
        if isinstance(value, YamlScalar) or value.is_flow:
            return value.end
        end = self._end_of_last(value)
        return value.end if end is None else end


def _is_empty(value: YamlValue) -> bool:
    """Return whether a value is empty."""
    return isinstance(value, YamlScalar) and not value.text and not value.is_quoted
