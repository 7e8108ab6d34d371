"""A self-signed certificate of this machine: browsers require HTTPS for WebXR.

A browser asks once whether to trust it. Certificate and key are stored where only the user can read
them, and renewed when addresses have changed or it is about to expire.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from robotix.files.user_state import state_folder, write_private

__all__ = ["CertificateFiles", "machine_certificate"]

VALIDITY = timedelta(days=397)  # the longest that browsers accept
RENEWAL_MARGIN = timedelta(days=30)  # before it expires
LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class CertificateFiles:
    """Paths of a certificate and its key, PEM."""

    certificate: Path
    key: Path


def machine_certificate(
    names: Iterable[str], *, folder: Path | None = None, now: datetime | None = None
) -> CertificateFiles:
    """Return a certificate for these names and addresses, and for localhost."""
    home = folder or state_folder()
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    files = CertificateFiles(home / "certificate.pem", home / "key.pem")
    moment = now or datetime.now(UTC)
    wanted = {*names, *LOCAL_NAMES}
    known = _read(files)
    if known is not None and _is_valid(known, wanted, moment):
        return files
    both = wanted if known is None else wanted | _names(known)
    certificate, key = _make_certificate(sorted(both), moment)
    write_private(files.key, key)
    write_private(files.certificate, certificate)
    return files


def _read(files: CertificateFiles) -> x509.Certificate | None:
    """Return the stored certificate; None if it is missing, invalid or does not match its key."""
    try:
        certificate = x509.load_pem_x509_certificate(files.certificate.read_bytes())
        key = serialization.load_pem_private_key(files.key.read_bytes(), None)
        is_pair = certificate.public_key() == key.public_key()
        is_private = files.key.stat().st_mode & 0o077 == 0
    except (OSError, ValueError, TypeError):
        return None
    return certificate if is_pair and is_private else None


def _is_valid(certificate: x509.Certificate, wanted: set[str], now: datetime) -> bool:
    ends, begins = certificate.not_valid_after_utc, certificate.not_valid_before_utc
    return begins <= now < ends - RENEWAL_MARGIN and wanted <= _names(certificate)


def _names(certificate: x509.Certificate) -> set[str]:
    try:
        found = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return set()
    addresses = found.get_values_for_type(x509.IPAddress)
    return {*found.get_values_for_type(x509.DNSName), *map(str, addresses)}


def _make_certificate(names: list[str], now: datetime) -> tuple[bytes, bytes]:
    """Return a certificate and its key, as PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "robotix on this machine")])
    constraints = x509.BasicConstraints(ca=False, path_length=None)
    usage = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))  # tolerates clocks that differ
        .not_valid_after(now + VALIDITY)
        .add_extension(x509.SubjectAlternativeName([*map(_general_name, names)]), critical=False)
        .add_extension(constraints, critical=True)
        .add_extension(usage, critical=False)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return certificate.public_bytes(serialization.Encoding.PEM), secret


def _general_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)
