"""Sealed decisions: a commitment that binds a seat to its bid without showing it.

    C = SHA-256(field(domain) · field(table) · field(game) · field(moment) · field(seat) · field(attempt)
                · field(arguments) · field(salt))

where `field(x)` is the length of x as four big-endian bytes, then x. Texts are UTF-8, numbers are written in
decimal, the arguments are canonical JSON (sorted keys, no spaces, ASCII), the salt is 32 random bytes. The length
prefixes make the reading unique; the domain and the moment keep a commitment from serving twice.

A secret action that is not sealed (played by one seat alone) is bound in the log in the same way:

    B = SHA-256(field("companion-act-v1") · field(table) · field(action) · field(salt))
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

DOMAIN = "companion-bid-v1"
ACT_DOMAIN = "companion-act-v1"
SALT_BYTES = 32


def canonical(data: Mapping[str, Any]) -> str:
    """JSON of which there is only one spelling.

    >>> canonical({"b": 1, "a": {"ü": 2}})
    '{"a":{"\\\\u00fc":2},"b":1}'
    """
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def commitment(
    table: str, game: str, moment: str, seat: int, attempt: int, arguments: Mapping[str, Any], salt: bytes
) -> str:
    """The commitment as 64 hex digits; raises ValueError for a salt that is not 32 bytes."""
    return _digest((DOMAIN, table, game, moment, str(seat), str(attempt), canonical(arguments)), salt)


def binding(table: str, action: Mapping[str, Any], salt: bytes) -> str:
    """What binds a secret action in the log without showing it; raises ValueError for a salt that is not 32 bytes."""
    return _digest((ACT_DOMAIN, table, canonical(action)), salt)


def _digest(texts: tuple[str, ...], salt: bytes) -> str:
    if len(salt) != SALT_BYTES:
        raise ValueError(f"a salt has {SALT_BYTES} bytes, this one {len(salt)}")
    digest = hashlib.sha256()
    for part in (*(text.encode() for text in texts), salt):
        digest.update(len(part).to_bytes(4, "big") + part)
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class Seal:
    """What one seat has sealed at one moment: its attempt-th decision there."""

    moment: str
    seat: int
    attempt: int
    do: str
    arguments: Mapping[str, Any]
    salt: bytes
    commitment: str

    def holds(self, table: str, game: str) -> bool:
        """Whether the commitment is that of this very decision."""
        computed = commitment(table, game, self.moment, self.seat, self.attempt, self.arguments, self.salt)
        return hmac.compare_digest(computed, self.commitment)

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Seal:
        """The seal an `opening` describes."""
        salt = bytes.fromhex(data["salt"])
        return cls(data["moment"], data["seat"], data["attempt"], data["do"], data["args"], salt, data["commitment"])

    def opening(self) -> dict[str, Any]:
        """All that anybody needs to check the commitment, to be published when every seat has sealed."""
        return {
            "moment": self.moment,
            "seat": self.seat,
            "attempt": self.attempt,
            "do": self.do,
            "args": dict(self.arguments),
            "salt": self.salt.hex(),
            "commitment": self.commitment,
        }
