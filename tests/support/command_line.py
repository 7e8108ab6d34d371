"""The command line, called in this process."""

import json
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from robotix.cli import main


class CommandLine:
    """Runs `robotix` with arguments."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys

    def run(self, *arguments: object) -> tuple[int, str, str]:
        """Return exit status, stdout and stderr."""
        self.monkeypatch.setattr(sys, "argv", ["robotix", *map(str, arguments)])
        self.capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            main.main()
        out, err = self.capsys.readouterr()
        return int(stop.value.code or 0), out, err

    def text(self, *arguments: object) -> str:
        status, out, err = self.run(*arguments)
        assert status == 0, err
        return out

    def json(self, *arguments: object, status: int = 0) -> Any:
        found, out, err = self.run(*arguments, "--json")
        assert found == status, err
        return json.loads(out, parse_constant=pytest.fail)


def every_command() -> list[str]:
    """Return the words of all commands of `robotix`, such as `lab new`."""
    return list(_commands(typer.main.get_command(main.app), ()))


def _commands(command: Any, words: tuple[str, ...]) -> Iterator[str]:
    inner = getattr(command, "commands", None)
    if inner is None:
        yield " ".join(words)
        return
    for name, each in inner.items():
        yield from _commands(each, (*words, name))
