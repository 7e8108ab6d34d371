"""`python -m robotix` is the same as `robotix`."""

import signal

__all__ = ["main"]


def main() -> None:
    """Run the command line; Ctrl-C ends it at once, from the first moment on."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from robotix.cli.main import main as run_command_line

    run_command_line()


if __name__ == "__main__":
    main()
