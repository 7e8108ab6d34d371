"""The command line, called in this process."""

import json
import sys
from typing import Any

import pytest

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
