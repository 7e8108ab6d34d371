"""The documentation is tried out: its Python, its commands and its links."""

import doctest
import os
import re
import shlex
import subprocess
import sys
import textwrap
import tomllib
import webbrowser
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parent.parent
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/**/*.md"))]

FENCE = re.compile(
    r"^(?P<indent> *)```(?P<language>\w*)[^\n]*\n(?P<text>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)
HEADING = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)
LINK = re.compile(r"\]\((?P<target>[^)\s]+)\)")
SHELL_SYNTAX = set("|<>;&`$")
AS_IN_DOCTEST = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    page: Path
    line: int  # of its first line, from 1
    language: str
    text: str

    @property
    def place(self) -> str:
        return f"{name_of(self.page)}:{self.line}"


def blocks(page: Path) -> Iterator[Block]:
    source = page.read_text()
    for match in FENCE.finditer(source):
        line = source.count("\n", 0, match.start("text")) + 1
        yield Block(page, line, match["language"], textwrap.dedent(match["text"]))


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Yield each command after a `$ `, and the output shown below it."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, shown = part.replace("\\\n", " ").partition("\n")
        yield command, shown


def run_python(block: Block, namespace: dict[str, Any]) -> None:
    padding = "\n" * (block.line - 1)  # so that a traceback names the page's own lines
    code = compile(padding + block.text, name_of(block.page), "exec", dont_inherit=True)
    exec(code, namespace)


def run_console(
    block: Block, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for command, shown in commands(block.text):
        if not command.startswith("robotix "):
            continue
        assert not SHELL_SYNTAX & set(command), f"{block.place}: no shell here: {command}"
        capsys.readouterr()
        status = call_robotix(shlex.split(command), monkeypatch)
        out, err = capsys.readouterr()
        assert status == 0, f"{block.place}: {command} exits with {status}\n{out}{err}"
        if shown.strip():
            same = doctest.OutputChecker().check_output(shown, out, AS_IN_DOCTEST)
            assert same, f"{block.place}: {command} says\n{out}\nand the page says\n{shown}"


def call_robotix(argv: list[str], monkeypatch: pytest.MonkeyPatch) -> object:
    """Run what the `robotix` script runs, here, so that a page of commands stays quick."""
    from robotix.cli.main import main

    monkeypatch.setattr(sys, "argv", argv)
    try:
        main()
    except SystemExit as stop:
        return stop.code or 0
    return 0


def anchors(page: Path) -> set[str]:
    """Return what `#` links may name on a page, made from its headings as GitHub makes them."""
    headings = HEADING.findall(FENCE.sub("", page.read_text()))
    return {re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-") for text in headings}


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_snippets_run(
    page: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")  # as in a clone
    for name, value in {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(webbrowser, "open", lambda url: True)  # a viewer is served, not looked at
    namespace: dict[str, Any] = {"__name__": "page"}
    for block in blocks(page):
        if block.language == "python":
            run_python(block, namespace)
        elif block.language == "console":
            run_console(block, capsys, monkeypatch)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    for match in LINK.finditer(FENCE.sub("", page.read_text())):
        if re.match(r"[a-z]+:", match["target"]):
            continue  # the outside world is not ours to test
        file, _, anchor = match["target"].partition("#")
        target = (page.parent / file).resolve() if file else page
        assert target.is_relative_to(ROOT), (
            f"{name_of(page)}: {match['target']} leaves the repository"
        )
        assert target.exists(), f"{name_of(page)}: {match['target']} is not there"
        if anchor:
            assert anchor in anchors(target), f"{name_of(page)}: no heading for {match['target']}"


def test_site_builds_without_warnings_and_needs_no_network(tmp_path: Path) -> None:
    # fails on broken links, missing anchors, pages that no menu shows, names that do not exist
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"]
    build += ["--site-dir", str(tmp_path)]
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    run = subprocess.run(build, cwd=ROOT, env=quiet, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    pages = {path.relative_to(tmp_path).as_posix(): path for path in tmp_path.rglob("*.html")}
    equations = pages["kinematics.html"].read_text()
    assert "<math" in equations and "arithmatex" not in equations
    assert 'id="robotix.kinematics.Solver"' in pages["api/kinematics.html"].read_text()
    loaded = re.compile(r"<(?:script|link|img|iframe)\b[^>]*(?:src|href)=[\"']?https?:[^>]*>")
    assert {name: loaded.findall(path.read_text()) for name, path in pages.items()} == {
        name: [] for name in pages
    }


def test_citation_knows_this_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["cff-version"] == "1.2.0"
    assert citation["version"] == project["version"]
    assert citation["license"] == project["license"]


def test_a_command_is_read_with_its_output() -> None:
    text = "$ robotix fk arm \\\n    --q 0\nposition\n0 0 1\n$ make test\n$ robotix robots\n"
    assert list(commands(text)) == [
        ("robotix fk arm      --q 0", "position\n0 0 1\n"),
        ("make test", ""),
        ("robotix robots", ""),
    ]
