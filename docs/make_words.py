"""Update the tables of words in `scenes.md`: `python docs/make_words.py`."""

import inspect
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from robotix.authoring.schema.words import SOURCES, command_words
from robotix.files.typed.fields import DEGREES_SUFFIX, field_specs
from robotix.scene.people.task_steps import STEPS

PAGE = Path(__file__).parent / "scenes.md"
TABLE = re.compile(r"(### (When|Steps of a task|Do)\n\n.*\n.*\n)((?:\|.*\n)*)")


def rows(words: Mapping[str, type[Any]]) -> str:
    """Return one row of a table for each word."""
    lines = []
    for word, cls in words.items():
        about = inspect.cleandoc(cls.__doc__ or "").split("\n\n")[0].replace("\n", " ")
        values = ", ".join(
            slot.key + (f" (or {slot.key}{DEGREES_SUFFIX})" if slot.is_angle else "")
            for slot in field_specs(cls)
        )
        lines.append(f"| `{word}` | {about.replace('|', '/')} | {values} |\n")
    return "".join(lines)


def filled(page: str) -> str:
    """Return the page with updated tables."""
    tables = {"When": rows(SOURCES), "Steps of a task": rows(STEPS), "Do": rows(command_words())}
    return TABLE.sub(lambda found: found[1] + tables[found[2]], page)


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text()))
    print(f"wrote {PAGE.name}")
