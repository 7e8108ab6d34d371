"""What is wrong with a scene file stands in the page, and goes when the file is saved right."""

from __future__ import annotations

from pathlib import Path

from browser.conftest import OpenPage, ServeRoom

GOOD = """\
robotix: 1
name: Watched
objects:
  box: {box: [0.2, 0.2, 0.2], at: [0, 0, 0.1]}
"""
BAD = GOOD.replace("box: [0.2", "bxo: [0.2")


def test_a_mistake_is_shown_with_its_line_until_it_is_repaired(
    serve: ServeRoom, open_page: OpenPage
) -> None:
    served = serve(GOOD, "--watch")
    page = open_page(served, allow_errors=True, is_drawn=False)
    assert page.page.locator("[data-id=greeting]:visible").count() == 0  # no robot: no ball to drag
    _save(served.scene, BAD)
    page.until("document.querySelector('#banner-failed')?.textContent.includes('room0.yaml:4')")
    words = page.page.locator("#banner-failed").inner_text()
    assert "bxo" in words and "Error:" not in words
    assert page.page.locator(".loading:visible").count() == 0
    _save(served.scene, GOOD.replace("Watched", "Watched again"))
    page.until("app.connection.welcome?.room === 'Watched again'")
    page.until("!document.querySelector('#banner-failed') && app.room.node('box')")


def _save(file: Path, text: str) -> None:
    file.write_text(text)
