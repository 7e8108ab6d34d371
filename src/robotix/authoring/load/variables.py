"""Variables of scene files: `$name` stands for what `variables` gives the name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from robotix.errors import BadFile
from robotix.files.yaml.scalars import nearest
from robotix.files.yaml.text import YamlEntry, YamlMapping, YamlScalar, YamlSequence, YamlValue

__all__ = ["read_variables", "substitute"]

SECTION = "variables"
_USE = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)")


def read_variables(root: YamlMapping, problems: list[BadFile]) -> dict[str, YamlScalar]:
    """Return the variables that a file, or an include, gives values."""
    found: dict[str, YamlScalar] = {}
    table = root.get(SECTION)
    if table is None or (isinstance(table, YamlScalar) and table.value is None):
        return found
    if not isinstance(table, YamlMapping):
        problems.append(table.fault(str(table), "names, each with a number or a text"))
        return found
    for name, entry in table.entries.items():
        if not _USE.fullmatch(f"${name}"):
            problems.append(entry.key.fault(repr(name), "letters, digits and _"))
        elif not isinstance(entry.value, YamlScalar):
            problems.append(entry.value.fault(str(entry.value), "one number or text"))
        else:
            found[name] = entry.value
    return found


def substitute(root: YamlMapping, variables: Mapping[str, YamlScalar]) -> YamlMapping:
    """Return a table with every `$name` replaced; each value keeps its place in the text.

    Raises BadFile for a name that is no variable.
    """
    entries = {
        key: entry if key == SECTION else YamlEntry(entry.key, _value(entry.value, variables))
        for key, entry in root.entries.items()
    }
    return replace(root, entries=entries)


def _value(value: YamlValue, variables: Mapping[str, YamlScalar]) -> YamlValue:
    match value:
        case YamlMapping():
            entries = {
                key: YamlEntry(entry.key, _value(entry.value, variables))
                for key, entry in value.entries.items()
            }
            return replace(value, entries=entries)
        case YamlSequence():
            return replace(value, items=tuple(_value(item, variables) for item in value.items))
    use = None if value.is_quoted else _USE.fullmatch(value.text)
    if use is None:
        return value
    if use[1] not in variables:
        expected = nearest(use[1], variables, what="one of the variables")
        value.refuse(f"no variable {value.text!r}", expected)
    meant = variables[use[1]]
    return replace(value, text=meant.text, is_quoted=meant.is_quoted)
