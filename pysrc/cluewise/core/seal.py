"""Obfuscates a secret, so that it is not read by accident in a link.

This is not encryption: there is no key. It only keeps a puzzle's solution from being seen at a
glance in JSON or in the address bar.

>>> unseal(seal("0413", "code"), "code")
'0413'
"""

from __future__ import annotations

import base64
import binascii
import zlib

from cluewise.errors import BadPosition

_VERSION = "s1"
_LIMIT = 256 * 1024


def seal(secret: str, purpose: str) -> str:
    """`secret` as `s1` + base64url of its deflated bytes under a fixed mask for `purpose`."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(secret.encode()) + packer.flush()
    text = base64.urlsafe_b64encode(_mask(packed, purpose)).decode().rstrip("=")
    return _VERSION + text


def unseal(sealed: str, purpose: str, where: str = "$.sealed") -> str:
    """Return the secret; `BadPosition` at `where` if `sealed` is not a result of `seal`."""
    try:
        if not sealed.startswith(_VERSION):
            raise ValueError(sealed)
        text = sealed.removeprefix(_VERSION)
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        opener = zlib.decompressobj(-15)
        secret = opener.decompress(_mask(packed, purpose), _LIMIT)
        if not opener.eof:
            raise ValueError("cut short or too long")
        return secret.decode()
    except (ValueError, binascii.Error, zlib.error, UnicodeError):
        raise BadPosition("The sealed secret of this puzzle is damaged.", where) from None


def _mask(data: bytes, purpose: str) -> bytes:
    """Return `data` xor a byte stream of a linear congruential generator seeded by `purpose`."""
    state = zlib.crc32(purpose.encode())
    out = bytearray()
    for byte in data:
        state = (state * 1_664_525 + 1_013_904_223) & 0xFFFFFFFF
        out.append(byte ^ (state >> 24))
    return bytes(out)
