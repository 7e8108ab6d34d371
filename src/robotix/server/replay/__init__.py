"""Shows recorded runs in the page: playback, curves, a second run laid over the first."""

__all__: list[str] = []
