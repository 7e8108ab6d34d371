"""The web application: routes, access, certificates, hosting."""

__all__: list[str] = []
