"""Every public name has an example in its docstring, and all of them run."""

from __future__ import annotations

import doctest
import inspect
from pathlib import Path

import numpy as np
import pytest

import robotix as rx

NAMES = tuple(name for name in dir(rx) if not name.startswith("_"))
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_has_an_example_that_runs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = inspect.getdoc(getattr(rx, name)) or ""
    globs = {"rx": rx, "np": np}
    example = doctest.DocTestParser().get_doctest(text, globs, name, None, None)
    assert example.examples, f"rx.{name} has no example in its docstring"
    report: list[str] = []
    doctest.DocTestRunner(optionflags=FLAGS).run(example, out=report.append)
    assert not report, "".join(report)
