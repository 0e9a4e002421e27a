"""A taught deck: the faces of one copy's components, as a folder of pictures with a `deck.json`."""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
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
PICTURES: Final = re.compile(r"(face|piece)-(\d{3}|[0-9a-f]{16})\.png(\.new)?")  #: files that are a deck's own
MOST_MM: Final = 2000.0  #: no face is larger,
LEAST_PX: Final = 4  #: … and no picture smaller
MISFIT_PX: Final = 2.0  #: a picture's sides may be so many pixels more or less than the face's size says


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
    other round tokens (of `vision.beads.SIX`, and brown), where the attributes do not tell them.
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
            return cls._of(folder, json.loads((folder / DECK_FILE).read_text(encoding="utf-8")))
        except FileNotFoundError as error:
            raise NoDeck(
                f"{folder}: no taught deck here ({error.filename} is missing); run `companion teach`"
            ) from error
        except OSError as error:
            raise NoDeck(
                f"{folder}: the deck cannot be read ({error.filename}: {error.strerror or error}); teach it again"
            ) from error
        except KeyError as error:
            raise NoDeck(f"{folder}: the deck is damaged (it does not say {error}); teach it again") from error
        except (TypeError, ValueError, OverflowError) as error:
            if isinstance(error, NoDeck):
                raise
            raise NoDeck(f"{folder}: the deck is damaged ({error}); teach it again") from error

    @classmethod
    def _of(cls, folder: Path, data: object) -> Deck:
        """The deck that this deck.json tells of; raises what `load` makes a NoDeck of."""
        if not isinstance(data, dict):
            raise ValueError(f"{DECK_FILE} holds no object")
        if data["version"] != VERSION:
            raise NoDeck(f"{folder}: made by another version of this program; teach the deck again")
        for key in ("faces", "pieces", "beads"):
            if not isinstance(data.get(key, []), list):
                raise ValueError(f"its {key} are no list")
        attributes = data["attributes"]
        if not isinstance(attributes, dict) or not all(isinstance(says, dict) for says in attributes.values()):
            raise ValueError("its attributes are not an object for each component")
        faces = tuple(_face(folder, entry) for entry in data["faces"])
        pieces = tuple(_piece(folder, entry) for entry in data["pieces"])
        tokens = tuple(str(colour) for colour in data.get("beads", ()))
        return cls(_word(data, "game"), faces, pieces, attributes, tokens)

    def save(self, path: Path | str) -> None:
        """Write the deck into this folder (made if need be), replacing the deck that was there.

        All at once: pictures are named by what they show, so that none of the old deck is touched before `deck.json`
        tells of the new ones.
        """
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        faces = [_save_face(folder, face) for face in self.faces]
        pieces = [_save_piece(folder, piece) for piece in self.pieces]
        data = {
            "version": VERSION,
            "game": self.game,
            "faces": faces,
            "pieces": pieces,
            "attributes": {k: dict(v) for k, v in self.attributes.items()},
            "beads": list(self.beads),
        }
        text = json.dumps(data, indent=1, ensure_ascii=False)
        _write(folder / DECK_FILE, (text + "\n").encode())
        _sync(folder)
        told = {entry["file"] for entry in faces + pieces}
        for file in list(folder.iterdir()):
            if PICTURES.fullmatch(file.name) and file.name not in told:
                file.unlink()

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
    name, scale = _word(entry, "name"), _number(entry["px_per_mm"])
    width, height = (_number(side) for side in entry["size_mm"])
    image = _read(folder, entry)
    misfit = max(abs(image.shape[1] - width * scale), abs(image.shape[0] - height * scale))
    if max(width, height) > MOST_MM or misfit > MISFIT_PX:
        raise ValueError(f"{name} is said to be {width:g} × {height:g} mm, which its picture is not")
    return Face(name, _word(entry, "kind"), (width, height), image, scale)


def _piece(folder: Path, entry: Mapping[str, Any]) -> Piece:
    name, scale = _word(entry, "name"), _number(entry["px_per_mm"])
    x, y, height = (_number(place, -math.inf) for place in entry["eye_mm"])
    image = _read(folder, entry, cv2.IMREAD_UNCHANGED)
    if image.ndim != 3 or image.shape[2] != 4:
        raise ValueError(f"the picture of {name} does not tell which pixels are the piece")
    cut, mask = np.ascontiguousarray(image[:, :, :3]), np.ascontiguousarray(image[:, :, 3])
    return Piece(name, cut, mask, scale, (x, y, height))


def _word(said: Mapping[str, Any], key: str) -> str:
    word = said[key]
    if not isinstance(word, str) or not word:
        raise ValueError(f"{word!r} is no {key}")
    return word


def _number(value: Any, above: float = 0.0) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not above < value < math.inf:
        raise ValueError(f"{value!r} is no measure")
    return float(value)


def _save_face(folder: Path, face: Face) -> dict[str, Any]:
    return {
        "name": face.name,
        "kind": face.kind,
        "size_mm": list(face.size),
        "file": _keep(folder, "face", face.image),
        "px_per_mm": face.scale,
    }


def _save_piece(folder: Path, piece: Piece) -> dict[str, Any]:
    file = _keep(folder, "piece", np.dstack([piece.image, piece.mask]))
    return {"name": piece.name, "file": file, "px_per_mm": piece.scale, "eye_mm": [round(v, 1) for v in piece.eye]}


def _read(folder: Path, entry: Mapping[str, Any], flags: int = cv2.IMREAD_COLOR) -> Image:
    """The picture of this entry; raises NoDeck."""
    path = folder / Path(_word(entry, "file")).name
    raw = path.read_bytes()
    # not cv2.imread: it cannot open every path on every system
    image = cv2.imdecode(np.frombuffer(raw, np.uint8), flags) if raw else None
    if image is None or image.dtype != np.uint8 or min(image.shape[:2]) < LEAST_PX:
        raise NoDeck(f"{path}: the picture is damaged; teach the deck again")
    return np.asarray(image, np.uint8)


def _keep(folder: Path, what: str, image: Image) -> str:
    """The file in the folder that holds this picture, written if need be."""
    content = cv2.imencode(".png", image)[1].tobytes()
    path = folder / f"{what}-{hashlib.sha256(content).hexdigest()[:16]}.png"
    if not path.is_file() or path.read_bytes() != content:
        _write(path, content)
    return path.name


def _write(path: Path, content: bytes) -> None:
    """Write a file all at once: whatever happens, it holds the old content or the new."""
    new = path.with_name(path.name + ".new")
    with new.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def _sync(folder: Path) -> None:
    """New names in a folder are safe only when the folder is."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
