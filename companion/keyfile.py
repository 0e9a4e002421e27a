"""A key in a file beside the database, and sealing with it: a dump of the database alone shows nothing.

A secret is JSON of at most `ROOM` bytes, padded with spaces to exactly `ROOM` before it is encrypted, so that
all ciphertexts are equally long. Fernet (AES-128-CBC, HMAC-SHA-256) would put the time into each token in the
clear; we write time 0 instead.
"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any, Final

from cryptography.fernet import Fernet, InvalidToken

from companion.database import Broken, LogError, NotWritable

ROOM: Final = 1024  #: bytes of every secret before encryption


class NoKey(LogError, LookupError):
    """A secret cannot be read or written, because its key is not here or is not the right one."""


class KeyFile:
    """The key in `path`, made when it is first needed and never shown."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._fernet: Fernet | None = None

    def seal(self, secret: Any, *, make: bool) -> str:
        """The ciphertext of a secret (text of one length); `make`: a key may be made if there is none.

        Raises ValueError when the secret is too long or no JSON, NoKey, NotWritable.
        """
        text = json.dumps(secret, sort_keys=True, separators=(",", ":"), allow_nan=False)  # ASCII only
        if len(text) > ROOM:
            raise ValueError(f"a secret may have {ROOM} bytes as JSON, this one has {len(text)}")
        return self._key(make).encrypt_at_time(text.ljust(ROOM).encode(), 0).decode()

    def open(self, sealed: str) -> Any:
        """The secret in a ciphertext; raises NoKey."""
        try:
            return json.loads(self._key(make=False).decrypt(sealed.encode()))
        except InvalidToken as error:
            raise NoKey(f"{self.path} is not the key this was sealed with. Put the right key file there.") from error

    def _key(self, make: bool) -> Fernet:
        if self._fernet is None:
            if self.path is None:
                raise NoKey("This database has no file to keep a key beside. Say where the key file shall be.")
            if make and not self.path.exists():
                _make(self.path)
            self._fernet = _read(self.path)
        return self._fernet


def _read(path: Path) -> Fernet:
    try:
        mode, key = path.stat().st_mode, path.read_bytes().strip()
    except FileNotFoundError as error:
        raise NoKey(
            f"The key file {path} is missing: without it secrets stay sealed. "
            "Put it back from where it was, or start a new database."
        ) from error
    except OSError as error:
        raise NoKey(f"The key file {path} cannot be read: {error.strerror}. Make it yours.") from error
    if mode & 0o077:
        raise NoKey(f"Others may read the key file {path}. Close it with: chmod 600 '{path}'")
    try:
        return Fernet(key)
    except ValueError as error:
        raise Broken(f"{path} holds no key. Put the right key file there.") from error


def _make(path: Path) -> None:
    """Write a new key, whole and on disk before it has its name; whoever comes first wins."""
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)  # mode 0600
        with os.fdopen(handle, "wb") as file:
            file.write(Fernet.generate_key())
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(temporary, path)
        except FileExistsError:
            pass
        finally:
            Path(temporary).unlink()
        folder = os.open(path.parent, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)
    except OSError as error:
        raise NotWritable(
            f"No key file can be written to {path.parent}: {error.strerror}. Make it writable."
        ) from error
