"""Simulate people and robots in a shared virtual room, and measure how they interact.

The names of the public interface are listed in `__init__.pyi`; each loads on first use, so that
`import robotix` stays light.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
