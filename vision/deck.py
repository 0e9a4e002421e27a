"""A taught deck: the faces of one copy's components, as a folder of pictures with a `deck.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

VERSION: Final = 1
FACE_SCALE: Final = 2.0  #: pixels per millimetre of the stored faces of cards
DECK_FILE: Final = "deck.json"


class NoDeck(ValueError):
    """A folder that holds no deck, or a damaged one; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Face:
    """One taught component: what it looks like, upright, edge to edge.

    `size` is width and height in mm, `scale` the pixels per millimetre of `image` (BGR).
    """

    name: str
    kind: str
    size: tuple[float, float]
    image: Image
    scale: float


@dataclass(frozen=True, slots=True)
class Piece:
    """One taught example of a piece with a height: a cut-out of the photo, straight from above.

    `image` (BGR, `scale` px/mm) shows it in the middle with some table around; `mask` is 255 on the piece; `eye` is
    where the camera was, seen from the middle: x, y and height above the table, mm.
    """

    name: str
    image: Image
    mask: Image
    scale: float
    eye: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Deck:
    """What a copy of a game looks like.

    `attributes` says what components mean; equal ones are interchangeable. `beads` are the colours of its beads or
    other round tokens (of `vision.beads.SIX`), where the attributes do not tell them.
    """

    game: str
    faces: tuple[Face, ...]
    pieces: tuple[Piece, ...] = ()
    attributes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    beads: tuple[str, ...] = ()

    @classmethod
    def load(cls, path: Path | str) -> Deck:
        """The deck in this folder; raises NoDeck when it is missing, damaged or from a newer version."""
        folder = Path(path)
        try:
            data = json.loads((folder / DECK_FILE).read_text(encoding="utf-8"))
            if data["version"] != VERSION:
                raise NoDeck(f"{folder}: made by another version of this program; teach the deck again")
            faces = tuple(_face(folder, entry) for entry in data["faces"])
            pieces = tuple(_piece(folder, entry) for entry in data["pieces"])
            tokens = tuple(str(colour) for colour in data.get("beads", ()))
            return cls(data["game"], faces, pieces, data["attributes"], tokens)
        except FileNotFoundError as error:
            raise NoDeck(
                f"{folder}: no taught deck here ({error.filename} is missing); run `companion teach`"
            ) from error
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, NoDeck):
                raise
            raise NoDeck(f"{folder}: the deck is damaged ({error}); teach it again") from error

    def save(self, path: Path | str) -> None:
        """Write the deck into this folder (made if need be), replacing the deck that was there."""
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("face-*.png"):
            old.unlink()
        for old in folder.glob("piece-*.png"):
            old.unlink()
        faces = [_save_face(folder, i, face) for i, face in enumerate(self.faces)]
        pieces = [_save_piece(folder, i, piece) for i, piece in enumerate(self.pieces)]
        data = {
            "version": VERSION,
            "game": self.game,
            "faces": faces,
            "pieces": pieces,
            "attributes": {k: dict(v) for k, v in self.attributes.items()},
            "beads": list(self.beads),
        }
        text = json.dumps(data, indent=1, ensure_ascii=False)
        (folder / DECK_FILE).write_text(text + "\n", encoding="utf-8")

    def meaning(self, name: str) -> str:
        """A key that is equal for components that say the same: their attributes, or else the name."""
        said = self.attributes.get(name)
        return json.dumps(said, sort_keys=True) if said else name

    def turn_tells(self, name: str) -> bool:
        """Whether it tells anything which way round it lies: not of a back, whose name ends in "-back"."""
        return not name.endswith("-back")

    def full_name(self, name: str) -> str:
        """The name as it is reported: "fiji/goal-red"."""
        return f"{self.game}/{name}"


def _face(folder: Path, entry: Mapping[str, Any]) -> Face:
    width, height = entry["size_mm"]
    image = _read(folder / entry["file"])
    return Face(entry["name"], entry["kind"], (float(width), float(height)), image, float(entry["px_per_mm"]))


def _piece(folder: Path, entry: Mapping[str, Any]) -> Piece:
    image = _read(folder / entry["file"], cv2.IMREAD_UNCHANGED)
    return Piece(
        entry["name"],
        np.ascontiguousarray(image[:, :, :3]),
        np.ascontiguousarray(image[:, :, 3]),
        float(entry["px_per_mm"]),
        (float(entry["eye_mm"][0]), float(entry["eye_mm"][1]), float(entry["eye_mm"][2])),
    )


def _save_face(folder: Path, number: int, face: Face) -> dict[str, Any]:
    file = f"face-{number:03}.png"
    _write(folder / file, face.image)
    return {
        "name": face.name,
        "kind": face.kind,
        "size_mm": list(face.size),
        "file": file,
        "px_per_mm": face.scale,
    }


def _save_piece(folder: Path, number: int, piece: Piece) -> dict[str, Any]:
    file = f"piece-{number:03}.png"
    _write(folder / file, np.dstack([piece.image, piece.mask]))
    return {"name": piece.name, "file": file, "px_per_mm": piece.scale, "eye_mm": [round(v, 1) for v in piece.eye]}


def _read(path: Path, flags: int = cv2.IMREAD_COLOR) -> Image:
    # not cv2.imread: it cannot open every path on every system
    image = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), flags)
    if image is None:
        raise NoDeck(f"{path}: the picture is damaged; teach the deck again")
    return np.asarray(image, np.uint8)


def _write(path: Path, image: Image) -> None:
    path.write_bytes(cv2.imencode(".png", image)[1].tobytes())
