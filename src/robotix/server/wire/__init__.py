"""Messages between server and page, and the TypeScript types generated from them."""

__all__: list[str] = []
