"""The source of a plug-in is read without being run, however odd it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from robotix.authoring import check_scene
from robotix.scene.plugins.outline import read_outline

DEEP = "x = " + "-" * 100_000 + "1\n"


@pytest.mark.parametrize("text", [DEEP, "(" * 5_000, "x = \0", "def"])
def test_what_python_cannot_parse_is_a_syntax_error(text: str) -> None:
    with pytest.raises(SyntaxError):
        read_outline(text.encode(), "x.py")


def test_a_scene_with_such_a_plug_in_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "deep.py").write_text(DEEP)
    (tmp_path / "room.yaml").write_text("robotix: 1\nplugins: {deep: {module: deep}}\n")
    (problem,) = check_scene(tmp_path / "room.yaml")
    assert "deep" in str(problem)


def test_imports_and_what_reaches_files_are_named() -> None:
    text = b"import os.path\nfrom .own import x\nif x:\n    def go(): return open(eval('1'))\n"
    outline = read_outline(text, "x.py")
    assert outline.imports == (".own", "os.path") and outline.builtins == ("eval", "open")
    assert outline.functions == ("go",)
