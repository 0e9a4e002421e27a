"""One file that tells a game, or what surrounds a dispute, to people and to programs that check it.

A zip with

    index.html, index.<lang>.html   the story with rulings, effects and pictures, for any browser
    chain.jsonl                     the log: one entry a line, every field the hashes cover; `{"hash", "seq"}` alone
                                    where an entry may not be shown
    secrets.jsonl                   of a finished game: {"seq", "secret"} for each sealed entry that came to be known
    record.jsonl                    the game as a record
    pictures/<SHA-256>.jpg, .json   settled tables, and what was recognised in them
    export.json                     which game this is, its head, its result, which pictures are not here and why, and
                                    the SHA-256 of every other file but the pictures, whose names are theirs

Every line of JSON is canonical (sorted keys, no spaces, ASCII), so there is only one way to write it.
"""

from __future__ import annotations

import hashlib
import os
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from companion.export.account import Account, account
from companion.export.album import Album
from companion.export.pages import pages, picture_file
from companion.games.record import Header, dump_line
from companion.seal import canonical

__all__ = ["Account", "Album", "account", "write"]

FORMAT: Final = 2
LONG_AGO: Final = (1980, 1, 1, 0, 0, 0)  #: the zip's own times would say when somebody exported
NEAR: Final = 3  #: actions told before and after a disputed one


def write(out: Path, game: Account, album: Album, *, lang: str = "en", entry: int | None = None) -> str:
    """Write the file, whole or not at all; the hash of its `export.json`, which binds all the rest.

    `entry`: tell only what surrounds this action. Raises Malformed, OSError.
    """
    shown = game.told if entry is None else game.around(entry, NEAR)
    album.collect(game, shown, entry)
    files = {name: text.encode() for name, text in pages(game, shown, album, lang, entry).items()}
    files["chain.jsonl"] = _lines(_chain(game))
    if game.finished:
        files["secrets.jsonl"] = _lines(_secrets(game))
    files["record.jsonl"] = _record(game)
    listed = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    files["export.json"] = _lines([{**_about(game, album, entry), "files": listed}])
    part = out.with_name(f"{out.name}.part")
    try:
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in files.items():
                _add(archive, name, data)
            _add_pictures(archive, album)
        with part.open("rb") as file:
            os.fsync(file.fileno())
        part.replace(out)
    finally:
        part.unlink(missing_ok=True)
    return hashlib.sha256(files["export.json"]).hexdigest()


def _add_pictures(archive: zipfile.ZipFile, album: Album) -> None:
    for mark, data in sorted(album.files.items()):
        drawn = data.startswith(b"{")
        _add(archive, f"pictures/{mark}.json" if drawn else picture_file(mark), data, packed=drawn)


def _add(archive: zipfile.ZipFile, name: str, data: bytes, packed: bool = True) -> None:
    info = zipfile.ZipInfo(name, LONG_AGO)
    info.external_attr = 0o644 << 16
    archive.writestr(info, data, zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED)


def _lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    return "".join(f"{canonical(row)}\n" for row in rows).encode()


def _chain(game: Account) -> Iterable[Mapping[str, Any]]:
    for entry in game.entries:
        if entry.seq in game.withheld:
            yield {"seq": entry.seq, "hash": entry.hash}
        else:
            yield {
                "table": entry.table,
                "seq": entry.seq,
                "at": entry.at,
                "kind": entry.kind,
                "body": entry.text,
                "sealed": entry.sealed,
                "previous": entry.previous,
                "hash": entry.hash,
            }


def _secrets(game: Account) -> Iterable[Mapping[str, Any]]:
    for entry in game.entries:
        if entry.seq in game.secrets:
            yield {"seq": entry.seq, "secret": entry.secret}


def _record(game: Account) -> bytes:
    header = Header(game.game.name, tuple(game.evening.players), game.evening.options)
    return "".join(f"{dump_line(line)}\n" for line in (header.data(), *game.actions())).encode()


def _about(game: Account, album: Album, entry: int | None) -> Mapping[str, Any]:
    about: dict[str, Any] = {
        "export": FORMAT,
        "table": game.table,
        "number": game.number,
        "game": game.game.name,
        "finished": game.finished,
        "begun_at": game.begun_at,
        "head": game.head,
        "entry": entry,
        "absent": album.absent,
    }
    if game.finished:
        state = game.evening.state
        about["scores"] = [score.data() for score in game.game.scores(state)]
        about["ranking"] = [list(place) for place in game.game.ranking(state)]
    return about
