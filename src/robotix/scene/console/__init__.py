"""The console: commands typed as lines of text."""

from robotix.scene.console.console import install_console, parse_line, run_command
from robotix.scene.console.console_input import ConsoleInput

__all__ = ["ConsoleInput", "install_console", "parse_line", "run_command"]
