"""Trading cards drawn by formula, and photos of a few of them on a painted mat, without markers, by any camera."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.deck import Deck, Face
from vision.plane import Lens, Plane

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

CARD = (63.0, 88.0)
PX = 6
FRAMES = ((150, 90, 50), (50, 60, 170), (90, 140, 60))  #: B, G, R; cards of a colour share all of their frame


@dataclass(frozen=True, slots=True)
class Lying:
    """A face on the table, its middle (mm) and its turn (degrees)."""

    face: Image
    middle: tuple[float, float]
    turn: float = 0.0
    size: tuple[float, float] = CARD

    def corners(self) -> Floats:
        c, s = np.cos(np.radians(self.turn)), np.sin(np.radians(self.turn))
        half = np.array(self.size) / 2
        ends = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
        return np.asarray(ends @ np.array([[c, s], [-s, c]]) + self.middle, np.float64)


def card(number: int) -> Image:
    """A black rim, a frame with lines, a title, a picture and a text; the picture and all words are its own."""
    random = np.random.default_rng((7, number))
    width, height = (int(side * PX) for side in CARD)
    face = np.full((height, width, 3), 20, np.uint8)
    frame = np.full((82 * PX, 57 * PX, 3), FRAMES[number % len(FRAMES)], np.uint8)
    speckled = np.random.default_rng(number % len(FRAMES)).normal(0, 22, (21, 15, 1))  # the frame's, not the card's
    frame = np.clip(frame + cv2.resize(speckled, frame.shape[1::-1], interpolation=cv2.INTER_CUBIC)[..., None], 0, 255)
    face[3 * PX : 85 * PX, 3 * PX : 60 * PX] = frame
    cv2.rectangle(face, (5 * PX, 5 * PX), (58 * PX, 10 * PX), (225, 235, 240), -1)
    cv2.rectangle(face, (5 * PX, 48 * PX), (58 * PX, 53 * PX), (225, 235, 240), -1)
    cv2.rectangle(face, (6 * PX, 55 * PX), (57 * PX, 80 * PX), (225, 232, 235), -1)
    art = face[11 * PX : 47 * PX, 6 * PX : 57 * PX]
    art[:] = random.integers(30, 200, 3)
    for _ in range(24):
        place = tuple(int(v) for v in random.integers(0, (art.shape[1], art.shape[0])))
        colour = [int(v) for v in random.integers(10, 245, 3)]
        cv2.circle(art, place, int(random.integers(8, 60)), colour, int(random.choice([-1, 4, 8])), cv2.LINE_AA)
    words = ["".join(chr(97 + v) for v in random.integers(0, 26, random.integers(3, 9))) for _ in range(24)]
    cv2.putText(face, words[0].title(), (6 * PX, 9 * PX), cv2.FONT_HERSHEY_DUPLEX, 0.8, (20, 20, 20), 2, cv2.LINE_AA)
    cv2.putText(face, words[1].title(), (6 * PX, 52 * PX), cv2.FONT_HERSHEY_DUPLEX, 0.7, (20, 20, 20), 2, cv2.LINE_AA)
    for line in range(5):
        text = " ".join(words[2 + 4 * line : 6 + 4 * line])[:26]
        place = (7 * PX, (59 + 4 * line) * PX)
        cv2.putText(face, text, place, cv2.FONT_HERSHEY_DUPLEX, 0.55, (30, 30, 30), 1, cv2.LINE_AA)
    return face


@cache
def deck(count: int = 12, without: int = -1) -> Deck:
    faces = (Face(f"card-{n}", "card", CARD, card(n), float(PX)) for n in range(count) if n != without)
    return Deck("trading", tuple(faces))


@cache
def mat(seed: int) -> Image:
    """A playing mat with a picture printed on it: it has as many corners as cards have (2 px/mm, 600 mm across)."""
    random = np.random.default_rng((11, seed))
    shape = 1200, 1200
    paint = np.zeros((*shape, 3), np.float32)
    for cells, strength in ((4, 50), (12, 40), (40, 26), (120, 16)):
        rough = random.normal(0, strength, (cells, cells, 3)).astype(np.float32)
        paint += cv2.resize(rough, shape, interpolation=cv2.INTER_CUBIC)
    painted = np.clip(paint + random.uniform(60, 150, 3), 0, 255).astype(np.uint8)
    for number in range(60):  # torn from cards that nobody taught, at any size
        face = card(1000 + 40 * seed + number)
        sides = tuple(int(v) for v in random.integers(40, 200, 2))
        torn = cv2.resize(face[66:282, 36:342], sides, interpolation=cv2.INTER_AREA)
        x, y = (int(random.integers(0, 1200 - side)) for side in sides)
        painted[y : y + sides[1], x : x + sides[0]] = torn
    return painted


def camera(size: tuple[int, int], span: float, tilt: tuple[float, float] = (0.0, 0.0)) -> Plane:
    """The plane of a camera that sees so many mm of the table across, tilted (degrees) about its x and y axes."""
    lens = Lens.guess(*size)
    rotation, _ = cv2.Rodrigues(np.radians([*tilt, 0.0]))
    away = span * lens.matrix[0, 0] / size[0]
    return Plane(lens, np.asarray(rotation, np.float64), np.array([0.0, 0.0, away]), marked=False)


def photo(plane: Plane, size: tuple[int, int], lying: Sequence[Lying], seed: int = 0, shade: float = 1.0) -> Image:
    """What the camera sees of a mat and of what lies on it, the last on top; its left half lies in a shade."""
    fine = (2 * size[0], 2 * size[1])  # drawn larger and made smaller: nothing is jagged
    large = plane.resized(2.0)
    ground = np.array([(-300, -300), (300, -300), (300, 300), (-300, 300)], np.float64)
    picture = np.full((fine[1], fine[0], 3), 90, np.uint8)
    for face, corners in [(mat(seed), ground), *((one.face, one.corners()) for one in lying)]:
        rows, columns = face.shape[:2]
        ends = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float32) - np.float32(0.5)
        matrix = cv2.getPerspectiveTransform(ends, large.to_px(corners).astype(np.float32))
        drawn = cv2.warpPerspective(face, matrix, fine, flags=cv2.INTER_AREA)
        there = cv2.warpPerspective(np.full(face.shape[:2], 255, np.uint8), matrix, fine) > 127
        picture[there] = drawn[there]
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    across = np.clip((np.arange(size[0]) / size[0] - 0.4) / 0.2, 0, 1)
    small *= (shade + (1 - shade) * across)[:, None]
    noise = np.random.default_rng((13, seed)).normal(0, 2.0, small.shape)
    return np.asarray(np.clip(cv2.GaussianBlur(small, (0, 0), 0.7) + noise, 0, 255), np.uint8)
