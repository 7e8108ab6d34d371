"""Renew the links of `glossary.md` to the sources: `python docs/make_glossary.py`."""

import ast
import re
from pathlib import Path

DOCS = Path(__file__).parent
PAGE = DOCS / "glossary.md"
SOURCE = DOCS.parent / "src" / "robotix"
LINK = re.compile(r"\[`(?P<name>\w+)`\]\([^)]*\)")


def definitions() -> dict[str, Path]:
    """Return the module that defines each public class and function, `cli` aside."""
    found: dict[str, Path] = {}
    paths = (path for path in SOURCE.rglob("*.py") if "cli" not in path.relative_to(SOURCE).parts)
    for path in sorted(paths):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
                found.setdefault(node.name, path)
    return found


def linked(page: str, modules: dict[str, Path]) -> str:
    """Return the page with every linked name leading to the module that defines it."""

    def link(found: re.Match[str]) -> str:
        target = Path("..", modules[found["name"]].relative_to(DOCS.parent)).as_posix()
        return f"[`{found['name']}`]({target})"

    return LINK.sub(link, page)


if __name__ == "__main__":
    PAGE.write_text(linked(PAGE.read_text(), definitions()))
    print(f"wrote {PAGE.name}")
