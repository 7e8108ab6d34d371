"""`python -m robotix` is the same as `robotix`."""

from robotix.cli.main import main

if __name__ == "__main__":
    main()
