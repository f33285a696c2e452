"""The sample board and dice log that `referee demo` serves on loopback."""

from referee.demo.site import DemoSite

__all__ = ["DemoSite"]
