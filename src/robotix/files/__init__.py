"""Files: untrusted text, XML, TOML and YAML, read with a position for every error; safe writing."""

__all__: list[str] = []
