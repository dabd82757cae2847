"""An authority, and a certificate of its for this machine: made anew for each test."""

from __future__ import annotations

import datetime
import ipaddress
from pathlib import Path
from typing import Any, NamedTuple

import pytest


class Certificate(NamedTuple):
    """Files in PEM: who vouches for it, the certificate, and its key."""

    authority: Path
    certificate: Path
    key: Path

    def configuration(self, *roles: str) -> dict[str, str]:
        """What Dask's configuration says of it, for a client and so on."""
        start = "distributed.comm.tls"
        told = {f"{start}.ca-file": str(self.authority)}
        for role in roles:
            told[f"{start}.{role}.cert"] = str(self.certificate)
            told[f"{start}.{role}.key"] = str(self.key)
        return told


def make_certificate(folder: Path) -> Certificate:
    """A certificate for 127.0.0.1, in files of their own."""
    pytest.importorskip("cryptography", reason="NOT RUN: cryptography is not here")
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    folder.mkdir(parents=True)
    made = Certificate(folder / "ca.pem", folder / "cert.pem", folder / "key.pem")
    keys = [ec.generate_private_key(ec.SECP256R1()) for _ in range(2)]
    pem = serialization.Encoding.PEM
    for path, name, key, is_authority in (
        (made.authority, "tests of spinal", keys[0], True),
        (made.certificate, "127.0.0.1", keys[1], False),
    ):
        signed = _signed(name, key, keys[0], is_authority=is_authority)
        path.write_bytes(signed.public_bytes(pem))
    made.key.write_bytes(
        keys[1].private_bytes(
            pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    return made


def _signed(name: str, key: Any, by: Any, *, is_authority: bool) -> Any:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.x509.oid import NameOID

    def named(name: str) -> x509.Name:
        return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])

    now, day = datetime.datetime.now(datetime.UTC), datetime.timedelta(days=1)
    here = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
    return (
        x509.CertificateBuilder()
        .subject_name(named(name))
        .issuer_name(named("tests of spinal"))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - day)
        .not_valid_after(now + day)
        .add_extension(x509.BasicConstraints(is_authority, None), critical=True)
        .add_extension(x509.SubjectAlternativeName([here]), critical=False)
        .sign(by, hashes.SHA256())
    )
