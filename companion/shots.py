"""A settled table made ready to be kept as evidence: only its open part, and what was recognised there.

Whatever lies outside the open area is neither in a picture nor among the marks: a camera sees behind screens.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from companion import pictures
from companion.evidence import Evidence
from companion.games.tabletop import Zone
from vision.observation import Observation
from vision.plane import Plane

Image = NDArray[np.uint8]
T = TypeVar("T")
Rect = tuple[int, int, int, int]  #: left, top, right, bottom

WHOLE_PX: Final = 1920  #: width of a whole picture, at most
CROPS: Final = 6  #: so many places of change are kept in full detail, the largest ones
CROP_AROUND: Final = 0.006  #: of the frame's width: so much around a place of change is shown with it
CROP_SHARE: Final = 0.4  #: what covers more of the table than this is no detail
CROP_QUALITY: Final = 95
PIECE_MM: Final = 7.0  #: radius of the ring about a bead or piece


@dataclass(frozen=True, slots=True)
class Crop:
    """A detail in full resolution; `box` is where it lies in the whole picture: left, top, width, height."""

    box: tuple[int, int, int, int]
    jpeg: bytes


@dataclass(frozen=True, slots=True)
class Shot:
    """One settled table: the whole picture, details where something changed, and the marks as JSON.

    Marks are what was recognised, in pixels of the whole picture: `{"size", "components": [{"name", "corners"}],
    "things": [{"name", "at", "radius"}], "unsure": [{"names", "corners" or "at" and "radius"}]}`.
    """

    whole: bytes
    crops: tuple[Crop, ...]
    marks: bytes

    def keep(self, evidence: Evidence, game: str) -> dict[str, Any]:
        """Put it all to the evidence of a game; the hashes as they go into the log. Raises OSError."""
        return {
            "whole": evidence.put(game, self.whole),
            "marks": evidence.put(game, self.marks),
            "crops": [{"box": list(crop.box), "jpeg": evidence.put(game, crop.jpeg)} for crop in self.crops],
        }


def take(image: Image, observation: Observation, area: Zone, changed: Sequence[Rect]) -> Shot | None:
    """The shot of a settled frame (BGR); None when it is not known where the open part of the table is.

    `changed`: where something differs from the picture kept before, in the frame's pixels.
    """
    plane = observation.plane
    shown = pictures.public(image, plane, area)
    if shown is None or plane is None:
        return None
    left, top, right, bottom = box = _bounds(plane, area, (image.shape[1], image.shape[0]))
    if right - left < 2 or bottom - top < 2:
        return None
    scale = min(1.0, WHOLE_PX / (right - left))
    whole = pictures.jpeg(shown[top:bottom, left:right], WHOLE_PX)
    around = round(CROP_AROUND * image.shape[1])
    places = [(a - around, b - around, c + around, d + around) for a, b, c, d in changed]
    crops = tuple(_crop(shown, rect, box, scale) for rect in _details(places, box))
    size = [round((right - left) * scale), round((bottom - top) * scale)]
    ring = round(PIECE_MM * scale * plane.scale((area.x + area.width / 2, area.y + area.height / 2)), 1)
    marks = {"size": size, **_Frame(plane, area, (left, top), scale, ring).marks(observation)}
    return Shot(whole, crops, json.dumps(marks, separators=(",", ":")).encode())


def _bounds(plane: Plane, area: Zone, size: tuple[int, int]) -> Rect:
    """The rectangle of the frame that holds the open part of the table."""
    outline = np.asarray(plane.to_px(area.outline()))
    left, top = np.clip(np.floor(outline.min(axis=0)), 0, size).astype(int).tolist()
    right, bottom = np.clip(np.ceil(outline.max(axis=0)) + 1, 0, size).astype(int).tolist()
    return left, top, right, bottom


def _details(changed: Sequence[Rect], box: Rect) -> list[Rect]:
    """The places of change within the box, the largest first; none that is most of the table."""
    inside = [
        (max(a, box[0]), max(b, box[1]), min(c, box[2]), min(d, box[3]))
        for a, b, c, d in _united(changed)
        if min(c, box[2]) - max(a, box[0]) > 1 and min(d, box[3]) - max(b, box[1]) > 1
    ]
    most = CROP_SHARE * _surface(box)
    return sorted((rect for rect in inside if _surface(rect) <= most), key=_surface, reverse=True)[:CROPS]


def _united(rects: Sequence[Rect]) -> list[Rect]:
    """Rectangles that overlap made one, until none does."""
    left = list(rects)
    done: list[Rect] = []
    while left:
        a = left.pop()
        touching = [b for b in (*left, *done) if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]]
        if not touching:
            done.append(a)
            continue
        left, done = ([b for b in kept if b not in touching] for kept in (left, done))
        every = [a, *touching]
        left.append(
            (min(r[0] for r in every), min(r[1] for r in every), max(r[2] for r in every), max(r[3] for r in every))
        )
    return done


def _surface(rect: Rect) -> int:
    return (rect[2] - rect[0]) * (rect[3] - rect[1])


def _crop(shown: Image, rect: Rect, box: Rect, scale: float) -> Crop:
    left, top, right, bottom = rect
    jpeg = cv2.imencode(".jpg", shown[top:bottom, left:right], [cv2.IMWRITE_JPEG_QUALITY, CROP_QUALITY])[1].tobytes()
    x, y = round((left - box[0]) * scale), round((top - box[1]) * scale)
    return Crop((x, y, round((right - left) * scale), round((bottom - top) * scale)), jpeg)


@dataclass(frozen=True, slots=True)
class _Frame:
    """From a frame to its whole picture: what lies in the open part, in that picture's pixels."""

    plane: Plane
    area: Zone
    origin: tuple[int, int]
    scale: float
    ring: float  #: radius of a bead's mark

    def marks(self, seen: Observation) -> dict[str, Any]:
        things = [(bead.colour, bead.centre_px) for bead in seen.beads]
        things += [(" ".join(filter(None, (p.piece, p.colour))), p.centre_px) for p in seen.pieces]
        doubts = [(d.candidates, d.corners, d.centre_px) for d in seen.unsure if d.corners or d.centre_px]
        return {
            "components": [
                {"name": _short(c.component), "corners": self._points(c.corners)}
                for c in self._open(seen.components, [c.corners for c in seen.components])
            ],
            "things": [{"name": name, **self._ring(at)} for name, at in self._open(things, [[at] for _, at in things])],
            "unsure": [
                {
                    "names": [_short(name) for name, _ in candidates],
                    **({"corners": self._points(corners)} if corners else self._ring(at)),
                }
                for candidates, corners, at in self._open(doubts, [d[1] or [d[2]] for d in doubts])
            ],
        }

    def _ring(self, at: Any) -> dict[str, Any]:
        return {"at": self._points([at])[0], "radius": self.ring}

    def _points(self, points: Any) -> list[list[float]]:
        (x, y), scale = self.origin, self.scale
        return [[round((px - x) * scale, 1), round((py - y) * scale, 1)] for px, py in points]

    def _open(self, things: Sequence[T], outlines: Sequence[Any]) -> list[T]:
        """Those of the things whose outline (px) has its middle in the open part."""
        if not things:
            return []
        middles = self.plane.to_mm([np.mean(np.asarray(outline), axis=0) for outline in outlines])
        return [thing for thing, (x, y) in zip(things, middles, strict=True) if self.area.holds(float(x), float(y))]


def _short(component: str) -> str:
    return component.split("/", 1)[-1]
