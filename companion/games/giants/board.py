"""The island: hexes, ahus, and what a board's data must say. The house board is `board.toml`.

A board is data, since every copy may have its own: a graph of hexes, each with a kind or none, and the ahus, each
beside exactly one hex (GI-3G).
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Final

from companion.games.game import Data, Malformed
from companion.games.reading import Fields, integer, items, word

QUARRIES: Final = {"moai": "moai_quarry", "headdress": "headdress_quarry"}  #: where pieces of a kind start
KINDS: Final = ("village", "hut", "forest", *QUARRIES.values())
AXIAL: Final = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))  #: the six neighbours of an axial coordinate
LONGEST_ID: Final = 40


@dataclass(frozen=True, slots=True)
class Hex:
    """A field of the island; `at` is its axial place (q, r) where the board's data gives one."""

    id: str
    neighbours: tuple[str, ...]
    kind: str | None
    logs: int
    at: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Ahu:
    """A stone platform: what a Moai on it counts per size, and what its headdress adds (GI-E3)."""

    id: str
    hex: str
    moai: int
    headdress: int


@dataclass(frozen=True, slots=True)
class Board:
    """An island, with the tables the rules look things up in. Boards are equal when their data are."""

    text: str  #: the data as canonical JSON
    hexes: tuple[Hex, ...] = field(compare=False, repr=False)
    ahus: tuple[Ahu, ...] = field(compare=False, repr=False)
    hex_at: Mapping[str, int] = field(compare=False, repr=False)  #: id → place in `hexes`
    ahu_at: Mapping[str, int] = field(compare=False, repr=False)  #: id → place in `ahus`
    links: tuple[tuple[int, ...], ...] = field(compare=False, repr=False)  #: neighbours, by place
    ahus_of: tuple[tuple[int, ...], ...] = field(compare=False, repr=False)  #: ahus beside a hex, by place
    quarry: Mapping[str, int] = field(compare=False, repr=False)  #: kind of piece → place of its quarry

    def hex(self, id_: str) -> Hex | None:
        at = self.hex_at.get(id_)
        return None if at is None else self.hexes[at]

    def ahu(self, id_: str) -> Ahu | None:
        at = self.ahu_at.get(id_)
        return None if at is None else self.ahus[at]

    def data(self) -> Data:
        """The board as in a record's options."""
        return _data(self.hexes, self.ahus)


@cache
def house_board() -> Board:
    """The board of `board.toml`; neighbours follow from the coordinates."""
    listed = tomllib.loads(files("companion.games.giants").joinpath("board.toml").read_text("utf-8"))
    at = {tuple(entry["at"]): id_ for id_, entry in listed["hexes"].items()}
    for entry in listed["hexes"].values():
        q, r = entry["at"]
        entry["neighbours"] = [at[q + dq, r + dr] for dq, dr in AXIAL if (q + dq, r + dr) in at]
    return read_board(listed, "board.toml")


def read_board(value: object, where: str) -> Board:
    """A board from its data; raises Malformed naming the entry that is wrong."""
    fields = Fields(value, where)
    hexes = tuple(
        _read_hex(id_, entry, f"{where}.hexes.{id_}")
        for id_, entry in _entries(fields.take("hexes"), f"{where}.hexes").items()
    )
    ahus = tuple(
        _read_ahu(id_, entry, f"{where}.ahus.{id_}")
        for id_, entry in _entries(fields.take("ahus"), f"{where}.ahus").items()
    )
    fields.done()
    _check(hexes, ahus, where)
    return _build(hexes, ahus)


def _entries(value: object, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping) or not value:
        raise Malformed(f"{where} must be an object with at least one entry")
    for id_ in value:
        if not isinstance(id_, str) or not id_ or len(id_) > LONGEST_ID or not id_.isprintable():
            raise Malformed(f"{where}: a name must have 1 to {LONGEST_ID} printable characters")
    return value


def _read_name(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise Malformed(f"{where} must be the name of a hex")
    return value


def _read_coordinate(value: object, where: str) -> int:
    return integer(value, where, least=-1000, most=1000)


def _read_hex(id_: str, entry: object, where: str) -> Hex:
    fields = Fields(entry, where)
    neighbours = fields.items("neighbours", _read_name)
    kind = fields.take("kind") if fields.has("kind") else None
    if kind is not None:
        word(kind, f"{where}.kind", KINDS)
    logs = fields.take("logs") if fields.has("logs") else None
    if logs is not None or kind == "forest":
        integer(logs, f"{where}.logs", least=1 if kind == "forest" else 0)
    if kind != "forest" and logs:
        raise Malformed(f"{where}.logs: only a forest has logs")
    at = items(fields.take("at"), f"{where}.at", _read_coordinate, 2) if fields.has("at") else None
    fields.done()
    return Hex(id_, neighbours, kind, logs or 0, None if at is None else (at[0], at[1]))


def _read_ahu(id_: str, entry: object, where: str) -> Ahu:
    fields = Fields(entry, where)
    ahu = Ahu(id_, _read_name(fields.take("hex"), f"{where}.hex"), fields.integer("moai"), fields.integer("headdress"))
    fields.done()
    return ahu


def _check(hexes: Sequence[Hex], ahus: Sequence[Ahu], where: str) -> None:
    """What no single entry can tell: a symmetric graph, one quarry of each sort, ahus beside hexes that exist."""
    by_id = {h.id: h for h in hexes}
    for h in hexes:
        entry = f"{where}.hexes.{h.id}.neighbours"
        if len(set(h.neighbours)) < len(h.neighbours):
            raise Malformed(f"{entry} names a hex twice")
        for other in h.neighbours:
            if other == h.id:
                raise Malformed(f"{entry} names the hex itself")
            if other not in by_id:
                raise Malformed(f"{entry} names {other!r}, which is no hex of this board")
            if h.id not in by_id[other].neighbours:
                raise Malformed(f"{entry} names {other!r}, but {other!r} does not name {h.id!r}")
    for kind in QUARRIES.values():
        found = [h.id for h in hexes if h.kind == kind]
        if len(found) != 1:
            raise Malformed(f"{where}.hexes must have exactly one {kind}, not {', '.join(found) or 'none'}")
    for ahu in ahus:
        if ahu.hex not in by_id:
            raise Malformed(f"{where}.ahus.{ahu.id}.hex names {ahu.hex!r}, which is no hex of this board")


@lru_cache(maxsize=16)
def _build(hexes: tuple[Hex, ...], ahus: tuple[Ahu, ...]) -> Board:
    hex_at = {h.id: at for at, h in enumerate(hexes)}
    kinds = {h.kind: at for at, h in enumerate(hexes)}
    return Board(
        text=json.dumps(_data(hexes, ahus), ensure_ascii=False, separators=(",", ":")),
        hexes=hexes,
        ahus=ahus,
        hex_at=hex_at,
        ahu_at={ahu.id: at for at, ahu in enumerate(ahus)},
        links=tuple(tuple(hex_at[other] for other in h.neighbours) for h in hexes),
        ahus_of=tuple(tuple(at for at, ahu in enumerate(ahus) if ahu.hex == h.id) for h in hexes),
        quarry={kind: kinds[name] for kind, name in QUARRIES.items()},
    )


def _data(hexes: Sequence[Hex], ahus: Sequence[Ahu]) -> Data:
    return {
        "hexes": {
            h.id: {
                "neighbours": list(h.neighbours),
                "kind": h.kind,
                **({"logs": h.logs} if h.logs else {}),
                **({"at": list(h.at)} if h.at else {}),
            }
            for h in hexes
        },
        "ahus": {ahu.id: {"hex": ahu.hex, "moai": ahu.moai, "headdress": ahu.headdress} for ahu in ahus},
    }
