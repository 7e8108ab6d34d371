import pytest

from robotix.server.lab.access import CODE_TIME, COOKIE_TIME, LabAccess


def test_codes_and_cookies_end() -> None:
    now = [1000.0]
    access = LabAccess("secret", clock=lambda: now[0])
    code, cookie = access.make_code("P001"), access.cookie("P001")
    assert access.who(cookie) == "P001"
    now[0] += CODE_TIME + 1
    assert access.use_code(code) is None
    now[0] += COOKIE_TIME
    assert access.who(cookie) is None


def test_only_pseudonyms_get_codes() -> None:
    with pytest.raises(ValueError, match="no pseudonym"):
        LabAccess("secret").make_code("P001.9.x")


def test_few_codes_wait() -> None:
    access = LabAccess("secret")
    first = access.make_code("P001")
    for _ in range(100):
        access.make_code("P002")
    assert access.use_code(first) is None
