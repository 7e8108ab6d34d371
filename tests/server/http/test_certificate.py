"""The certificate for other machines: right names, right rights, kept as long as it is good."""

from __future__ import annotations

import http.client
import ssl
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from support.served_room import TOKEN

from robotix.server import Access, Hosting, RoomService, Secure
from robotix.server.http.certificate import machine_certificate
from robotix.server.http.hosting import lan_addresses, machine_names

NAMES = ["192.168.1.5", "robot.local"]


def names_in(path: Path) -> set[str]:
    certificate = x509.load_pem_x509_certificate(path.read_bytes())
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    addresses = names.get_values_for_type(x509.IPAddress)
    return {*names.get_values_for_type(x509.DNSName), *map(str, addresses)}


def test_it_names_the_machine_and_only_the_user_reads_its_key(tmp_path: Path) -> None:
    files = machine_certificate(NAMES, folder=tmp_path / "new")
    assert names_in(files.certificate) == {*NAMES, "localhost", "127.0.0.1", "::1"}
    assert stat.S_IMODE(files.key.stat().st_mode) == 0o600
    certificate = x509.load_pem_x509_certificate(files.certificate.read_bytes())
    assert certificate.public_key().curve.name == "secp256r1"  # type: ignore[union-attr]


def test_it_is_kept_until_names_or_dates_change(tmp_path: Path) -> None:
    first = machine_certificate(NAMES, folder=tmp_path).certificate.read_bytes()
    assert machine_certificate(NAMES[:1], folder=tmp_path).certificate.read_bytes() == first
    files = machine_certificate(["10.0.0.7"], folder=tmp_path)
    second = files.certificate.read_bytes()
    assert second != first
    assert {"10.0.0.7", *NAMES} <= names_in(files.certificate)  # it may come home again
    later = datetime.now(UTC) + timedelta(days=380)
    assert machine_certificate(NAMES, folder=tmp_path, now=later).certificate.read_bytes() != second


def test_one_that_is_broken_or_was_readable_is_replaced(tmp_path: Path) -> None:
    files = machine_certificate(NAMES, folder=tmp_path)
    first = files.certificate.read_bytes()
    files.key.chmod(0o644)
    second = machine_certificate(NAMES, folder=tmp_path).certificate.read_bytes()
    assert second != first
    files.key.write_bytes(b"nonsense")
    assert machine_certificate(NAMES, folder=tmp_path).certificate.read_bytes() != second


def test_other_machines_come_in_by_https(tmp_path: Path) -> None:
    """The second loopback address stands for one of the network."""
    address = "127.0.0.2"
    files = machine_certificate([address], folder=tmp_path)
    access = Access.of(TOKEN, [address])
    with Hosting(RoomService(), access, secure=Secure([address], files)) as hosting:
        assert hosting.other_addresses == [f"https://{address}:{hosting.port}/login?t={TOKEN}"]
        trust = ssl.create_default_context(cafile=files.certificate)
        secure = http.client.HTTPSConnection(address, hosting.port, context=trust, timeout=30)
        secure.request("GET", f"/login?t={TOKEN}")
        answer = secure.getresponse()
        assert answer.status == 303
        assert "Secure" in (answer.getheader("set-cookie") or "")
        secure.close()
        plain = http.client.HTTPConnection("127.0.0.1", hosting.port, timeout=30)
        plain.request("GET", f"/login?t={TOKEN}")
        answer = plain.getresponse()
        assert answer.status == 303
        assert "Secure" not in (answer.getheader("set-cookie") or "")
        plain.close()


def test_addresses_are_not_those_of_the_machine_alone() -> None:
    assert not [address for address in lan_addresses() if address.startswith("127.")]
    assert all(name == name.lower() for name in machine_names())
