"""HTML pages: escaped text, aligned tables, no external resources."""

from support.html_pages import check_page

from robotix.ergonomics.report.page import bullets, chip, document, section, table


def test_a_page_is_well_formed_and_self_contained() -> None:
    rows = [["<b>1</b>", "x"], ["2", "y"]]
    page = document("a < b", [section("Part & more", table(["n", "<name>"], rows, numbers=[0]))])
    check_page(page)
    assert "<title>a &lt; b</title>" in page and "Part &amp; more" in page
    assert '<td class="n"><b>1</b></td><td>x</td>' in page and "&lt;name&gt;" in page


def test_empty_sections_and_lists_are_left_out() -> None:
    assert section("Nothing", "", "") == "" == bullets([])


def test_equal_lines_are_listed_once() -> None:
    assert bullets(["a & b", "c", "a & b"]) == '<ul class=""><li>a &amp; b</li><li>c</li></ul>'


def test_a_severity_has_a_text() -> None:
    assert chip("act") != chip("fine") and chip("act").count(">") == 2
