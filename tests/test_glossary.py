"""One word, one meaning: glossary names exist, class names are unique, old words are gone."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "robotix"
GLOSSARY = ROOT / "docs" / "glossary.md"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]

CLASS_NAME = re.compile(r"`([A-Z]\w*[a-z]\w*)`")
LINKED_NAME = re.compile(r"\[`(\w+)`\]\(([^)]*)\)")

OLD_WORDS = (
    "anew",
    "borne",
    "deed",
    "deeds",
    "doubts",
    "for ever",
    "happenings",
    "has not got",
    "haste",
    "leash",
    "parcel",
    "recalled",
    "so many",
    "spoilt",
    "teller",
    "the seed",
    "told",
    "typist",
)


# -- the checks ---------------------------------------------------------------------------------


def top_level_names(source: Path) -> dict[str, set[str]]:
    """Return every class and function at the top level of a module, and the modules it is in."""
    found = defaultdict(set)
    for path in source.rglob("*.py"):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                found[node.name].add(path.relative_to(source).as_posix())
    return dict(found)


def missing_names(page: str, source: Path) -> set[str]:
    """Return the class and function names of a page that no module defines."""
    linked = {name for name, _ in LINKED_NAME.findall(page)}
    return {*CLASS_NAME.findall(page), *linked} - set(top_level_names(source))


def misleading_links(page: str, source: Path) -> set[str]:
    """Return the names of a page that are linked to a module which does not define them."""
    modules = top_level_names(source)
    return {
        name
        for name, target in LINKED_NAME.findall(page)
        if not any(target.endswith(f"/{module}") for module in modules.get(name, ()))
    }


def duplicate_classes(source: Path) -> dict[str, set[str]]:
    """Return every public class name that several modules define; commands do not count."""
    places = defaultdict(set)
    for path in source.rglob("*.py"):
        name = path.relative_to(source)
        if name.parts[0] == "cli":
            continue
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].add(name.as_posix())
    return {name: where for name, where in places.items() if len(where) > 1}


def old_words(texts: Mapping[str, str], words: Iterable[str]) -> dict[str, set[str]]:
    """Return the words that occur in texts, whole or as a part of an identifier, and in which."""
    found = defaultdict(set)
    for word in words:
        phrase = r"\s+".join(word.split())
        pattern = re.compile(rf"(?<![a-z]){phrase}(?![a-z])", re.IGNORECASE)
        for name, text in texts.items():
            if pattern.search(text):
                found[word].add(name)
    return dict(found)


def texts_below(source: Path) -> dict[str, str]:
    """Return the text of all modules and data files of each package, comments included."""
    parts = defaultdict(list)
    for path in sorted(source.rglob("*")):
        if path.suffix in (".py", ".toml", ".yaml") and path.is_file():
            parts[path.relative_to(source).parts[0]].append(path.read_text())
    return {name: "\n".join(texts) for name, texts in parts.items()}


# -- this repository ----------------------------------------------------------------------------


def test_the_glossary_names_what_exists() -> None:
    assert missing_names(GLOSSARY.read_text(), SOURCE) == set()


def test_the_glossary_links_to_definitions() -> None:
    # `python docs/make_glossary.py` renews the links
    assert misleading_links(GLOSSARY.read_text(), SOURCE) == set()


def test_a_class_name_has_one_meaning() -> None:
    assert duplicate_classes(SOURCE) == {}


def test_sources_use_plain_words() -> None:
    assert old_words(texts_below(SOURCE), OLD_WORDS) == {}


def test_pages_use_plain_words() -> None:
    texts = {page.name: page.read_text() for page in PAGES}
    assert old_words(texts, OLD_WORDS) == {}


# -- the checks fail when they should -----------------------------------------------------------


def test_a_name_that_does_not_exist_is_found(tmp_path: Path) -> None:
    (tmp_path / "there.py").write_text("class There: ...\ndef find(): ...\n")
    page = "| a | [`There`](x), [`find`](x), `Absent`, [`lost`](x), `q` | "
    assert missing_names(page, tmp_path) == {"Absent", "lost"}


def test_a_link_to_another_module_is_found(tmp_path: Path) -> None:
    (tmp_path / "there.py").write_text("class There: ...\nclass Moved: ...\n")
    page = "[`There`](../src/there.py), [`Moved`](../src/former.py)"
    assert misleading_links(page, tmp_path) == {"Moved"}


def test_a_class_that_exists_twice_is_found(tmp_path: Path) -> None:
    for package in ("one", "two", "cli"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "a.py").write_text("class Twin: ...\nclass _Private: ...\n")
    (tmp_path / "cli" / "b.py").write_text("class Twin: ...\n")
    assert duplicate_classes(tmp_path) == {"Twin": {"one/a.py", "two/a.py"}}


def test_an_old_word_is_found(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "a.py").write_text("def read_told(): ...  # with a random seed\n")
    (tmp_path / "one" / "b.toml").write_text("# a deedless toldness\n")
    (tmp_path / "two.py").write_text('"""As in the\nseed."""\n')
    assert old_words(texts_below(tmp_path), OLD_WORDS) == {"told": {"one"}, "the seed": {"two.py"}}
