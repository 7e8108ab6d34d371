"""Hooks of MkDocs: pages outside docs/, the API reference, links, citations, equations as MathML.

The pages are written for a repository browser; what differs on the site is adapted here, so that
the build needs no other plug-ins, no network and no generated files in the repository.
"""

import ast
import html
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import latex2mathml.converter
from mkdocs.structure.files import File

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "robotix"
OUTER_PAGES = {  # beside docs/, and what they are called on the site
    "README.md": "tour.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
MODULES = {  # documented modules whose names are not exported by their package
    "collision": ("distance",),
    "human": (
        "evaluation.report",
        "evaluation.joint_loads",
        "motion.actions",
        "motion.performance",
        "tasks.tasks",
    ),
    "model": ("robots", "urdf.reader", "urdf.writer", "mjcf.reader", "mjcf.writer"),
    "kinematics": ("batch", "criteria", "dexterity", "dexterity_criteria", "impact", "workspace"),
}
CITATION = r"\[([A-Z][A-Za-z]+\d{4}b?)\]"  # the key of a publication
INTERNAL = {"cli", "kernels"}  # not for use from Python
LINK = re.compile(r"(?P<bang>!?)\[(?P<text>[^\]]*)\]\((?P<target>[^)\s]+)\)")
EQUATION = re.compile(
    r'<(?P<tag>span|div) class="arithmatex">\\[(\[](?P<tex>.*?)\\[)\]]</(?P=tag)>', re.DOTALL
)


def on_files(files: Any, config: Any) -> Any:
    """Add the pages outside docs/ and the API reference."""
    for name, uri in OUTER_PAGES.items():
        files.append(File.generated(config, uri, content=(ROOT / name).read_text()))
    for package in api_packages():
        files.append(File.generated(config, f"api/{package}.md", content=api_page(package)))
    files.append(File.generated(config, "api/robotix.md", content=front_page()))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Adapt the links that lead out of docs/."""
    source = page.file.src_uri
    folder = ROOT if source in OUTER_PAGES.values() else ROOT / "docs"
    if source.startswith("api/"):
        return markdown
    return link_citations(adapt_links(markdown, folder), is_list=source == "references.md")


def on_page_content(content: str, page: Any, config: Any, files: Any) -> str:
    """Render equations as MathML."""
    return EQUATION.sub(_mathml, content)


def _mathml(found: re.Match[str]) -> str:
    display = "block" if found["tag"] == "div" else "inline"
    equation = latex2mathml.converter.convert(html.unescape(found["tex"]), display=display)
    return equation.replace("<mo>&#x02016;", '<mo stretchy="false">&#x02016;')  # bars of a norm


# -- links --------------------------------------------------------------------------------------


def adapt_links(markdown: str, folder: Path) -> str:
    """Return a page whose links from `folder` lead to pages of the site, or to no file at all."""

    def adapted(found: re.Match[str]) -> str:
        file, _, anchor = found["target"].partition("#")
        if not file or ":" in file:
            return found[0]
        path = (folder / file).resolve()
        uri = site_uri(path)
        if uri:
            return f"{found['bang']}[{found['text']}]({uri}{'#' * bool(anchor)}{anchor})"
        name = found["text"].strip("`")
        if path.suffix == ".py" and path.is_relative_to(PACKAGE):
            identifier = ".".join(["robotix", *path.relative_to(PACKAGE).with_suffix("").parts])
            if f"{identifier}.{name}" in documented():
                return f"[{found['text']}][{identifier}.{name}]"
        is_code = "`" in found["text"]
        return found["text"] if is_code else f"{found['text']} (`{path.relative_to(ROOT)}`)"

    return LINK.sub(adapted, markdown)


def link_citations(markdown: str, *, is_list: bool) -> str:
    """Return a page whose keys of publications lead to their entries; the list gets the anchors."""
    if is_list:
        markdown = re.sub(
            rf"^- \*\*{CITATION}\*\*", r"- **[\1]**{#\1}", markdown, flags=re.MULTILINE
        )
    return re.sub(rf"(?<![\w*`\[\]]){CITATION}(?![(\[{{*])", r"[[\1]](references.md#\1)", markdown)


def site_uri(path: Path) -> str:
    """Return the address on the site of a file in the repository, or an empty text."""
    if path.parent == ROOT and path.name in OUTER_PAGES:
        return OUTER_PAGES[path.name]
    is_page = path.is_relative_to(ROOT / "docs") and path.suffix != ".py"
    return path.relative_to(ROOT / "docs").as_posix() if is_page else ""


# -- API reference ------------------------------------------------------------------------------


def api_packages() -> Iterator[str]:
    """Yield the packages, and the module of errors, that have a page in the API reference."""
    yield "errors"
    for path in sorted(PACKAGE.glob("*/__init__.py")):
        name = path.parent.name
        if name not in INTERNAL and (exported(name) or name in MODULES):
            yield name


def api_page(package: str) -> str:
    """Return the page of a package: its public names, then those of its documented modules."""
    text = f"# robotix.{package}\n\n"
    if names := exported(package):
        text += directive(f"robotix.{package}", names)
    for module in MODULES.get(package, ()):
        rest = [name for name in exported(f"{package}.{module}") if name not in names]
        text += f"## {package}.{module}\n\n" + directive(
            f"robotix.{package}.{module}", rest, level=3
        )
    return text


def directive(identifier: str, names: list[str], *, level: int = 2) -> str:
    """Return what mkdocstrings renders as the documentation of some names of a module."""
    members = "".join(f"        - {name}\n" for name in names)
    options = f"    options:\n      heading_level: {level}\n      members:\n{members}"
    return f"::: {identifier}\n{options}\n"


def front_page() -> str:
    """Return the page of the names that `import robotix` offers, each with its package."""
    rows = ""
    for node in ast.parse((PACKAGE / "__init__.pyi").read_text()).body:
        if isinstance(node, ast.ImportFrom) and node.module != "version":
            for name in node.names:
                link = f"[`robotix.{node.module}`][robotix.{node.module}.{name.name}]"
                rows += f"| `rx.{name.name}` | {link} |\n"
    intro = "Names that `import robotix as rx` offers. Each is loaded on first use."
    return f"# robotix\n\n{intro}\n\n| name | documented in |\n|---|---|\n{rows}"


@cache
def documented() -> frozenset[str]:
    """Return the full names of all definitions in the API reference."""
    names = {
        name
        for package in api_packages()
        for module in (package, *(f"{package}.{each}" for each in MODULES.get(package, ())))
        for name in exported(module)
    }
    found = set()
    for path in PACKAGE.rglob("*.py"):
        module = ".".join(["robotix", *path.relative_to(PACKAGE).with_suffix("").parts])
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name in names:
                found.add(f"{module}.{node.name}")
    return frozenset(found)


def exported(module: str) -> list[str]:
    """Return `__all__` of a module below `robotix`, without importing it."""
    path = PACKAGE.joinpath(*module.split("."))
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    for node in ast.parse(source.read_text()).body:
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            continue
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        if isinstance(target, ast.Name) and target.id == "__all__":
            return list(ast.literal_eval(node.value))
    return []
