"""Checks of self-contained HTML pages."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

VOID = {"meta", "img", "br", "link"}


class Checker(HTMLParser):
    """Follows tags, and notes what a page would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        self.fetched += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, (tag, self.open[-5:])
        self.open.pop()


def check_page(page: str) -> None:
    checker = Checker()
    checker.feed(page)
    assert checker.open == []
    assert all(link.startswith("data:image/png;base64,") for link in checker.fetched)
    assert "<script" not in page and "http" not in re.sub(r'xmlns="[^"]*"', "", page)
    assert "nan" not in re.sub(r"base64,[^\"]*", "", page)
    for svg in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        ElementTree.fromstring(svg)
