"""Reports in other languages: one file a language, `data/report_LANGUAGE.toml`.

A file maps English texts to those of its language; `{}` stands for any number or name. The texts
of a finished page are replaced between its tags; what is typed by the user or quoted from a source
(`<i>`, lists of sources) stays as it is, and so does a text without an entry, but for the decimal
sign of its numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from html import escape, unescape
from importlib import resources

from robotix.ergonomics.methods.tables import read_table

__all__ = ["languages", "missing_texts", "translated"]

TAGS = re.compile(r"(<[^>]*>)")
KEPT = re.compile(r"<(style|i|script)\b|<ul class=\"sources\"")
NUMBERS = re.compile(r"[\d\s.,;:·°%+\-−→∞×/()<>]*(?:kg|N|m|cm|s|h|min|N m|N·m|lb|in|rad)?\.?")
DECIMALS = re.compile(r"(?<![\d.])(\d+)\.(\d+)(?!\.?\d)")
DECIMAL_KEY = "decimal point"
SEPARATORS = ("; ", " · ", ", ")
SLOT = "{}"


@dataclass(frozen=True)
class _Catalogue:
    words: dict[str, str]

    @cached_property
    def patterns(self) -> tuple[tuple[re.Pattern[str], str], ...]:
        """Texts with slots, the longest first."""
        found = sorted((text for text in self.words if SLOT in text), key=len, reverse=True)
        return tuple(
            (re.compile("(.+?)".join(map(re.escape, text.split(SLOT)))), self.words[text])
            for text in found
        )

    def translate(self, text: str) -> str | None:
        """Return a text in the language; None without an entry."""
        if text in self.words:
            return self.words[text]
        return (
            self._fitted(text, names=False) or self._joined(text) or self._fitted(text, names=True)
        )

    def _fitted(self, text: str, *, names: bool) -> str | None:
        """Return a text by a pattern with slots; they may have any content if they are `names`."""
        for pattern, words in self.patterns:
            if match := pattern.fullmatch(text):
                slots = [(each, self.translate(each)) for each in match.groups()]
                if names or all(found or NUMBERS.fullmatch(each) for each, found in slots):
                    return words.format(*(found or each for each, found in slots))
        return None

    def _joined(self, text: str) -> str | None:
        """Return a text whose parts have entries, or are numbers."""
        for separator in SEPARATORS:
            parts = text.split(separator)
            if len(parts) > 1:
                found = [self.translate(part) for part in parts]
                pairs = list(zip(found, parts, strict=True))
                if any(found) and all(each or NUMBERS.fullmatch(part) for each, part in pairs):
                    return separator.join(each or part for each, part in pairs)
        return None

    def numbers(self, text: str) -> str:
        """Return a text with the decimal sign of the language; dates stay as they are."""
        return DECIMALS.sub(rf"\1{self.words.get(DECIMAL_KEY, '.')}\2", text)


def languages() -> tuple[str, ...]:
    """Return the languages of reports."""
    folder = resources.files("robotix.ergonomics") / "data"
    names = (each.name for each in folder.iterdir())
    found = (name[7:-5] for name in names if name.startswith("report_") and name.endswith(".toml"))
    return ("en", *sorted(found))


def translated(page: str, language: str) -> str:
    """Return a page in another language."""
    if language == "en":
        return page
    catalogue = _catalogue(language)
    parts = list(_parts(page))
    texts = [_replaced(text, catalogue) if is_text else text for text, is_text in parts]
    return "".join(texts).replace('<html lang="en">', f'<html lang="{language}">', 1)


def missing_texts(page: str, language: str) -> list[str]:
    """Return the texts of an English page that have no entry in a language."""
    catalogue = _catalogue(language)
    texts = dict.fromkeys(unescape(text).strip() for text, is_text in _parts(page) if is_text)
    return [
        text for text in texts if not NUMBERS.fullmatch(text) and catalogue.translate(text) is None
    ]


def _parts(page: str) -> Iterator[tuple[str, bool]]:
    """Yield tags and texts, and whether each is a text that may be translated."""
    inside = ""
    for part in TAGS.split(page):
        if part.startswith("<"):
            if not inside and (kept := KEPT.match(part)):
                inside = kept[1] or "ul"
            elif inside and part.startswith(f"</{inside}"):
                inside = ""
            yield part, False
        else:
            yield part, bool(not inside and part.strip())


def _replaced(text: str, catalogue: _Catalogue) -> str:
    plain = unescape(text)
    core = plain.strip()
    found = catalogue.numbers(catalogue.translate(core) or core)
    if found == core:
        return text
    start = plain.index(core)
    return escape(plain[:start] + found + plain[start + len(core) :], quote=False)


@cache
def _catalogue(language: str) -> _Catalogue:
    known: Mapping[str, str] = {name: name for name in languages()}
    if language not in known:
        raise ValueError(f"no language {language!r} of reports; known: {', '.join(known)}")
    return read_table(f"report_{language}.toml", _Catalogue)
