"""Strokes that drawn pictures of tables are made of: grounds, prints, shadows, noise, and the camera's own faults."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Single = NDArray[np.float32]
Image = NDArray[np.uint8]

CIRCLE: Final = np.stack([np.cos(t := np.linspace(0, 2 * np.pi, 28, endpoint=False)), np.sin(t)], 1)


def fill(picture: Single, outline: Floats, radius: float, value: float) -> None:
    """A polygon with round corners."""
    radius = min(radius, 0.45 * float(np.linalg.norm(outline[1] - outline[0])))
    middle = outline.mean(axis=0)
    away = outline - middle
    shrunk = middle + away * np.maximum(0.05, 1 - radius * 1.3 / np.maximum(np.linalg.norm(away, axis=1), 1))[:, None]
    points = np.rint(shrunk).astype(np.int32)
    cv2.fillConvexPoly(picture, points, value)
    cv2.polylines(picture, [points], True, value, max(1, round(1.85 * radius)))


def shaded(canvas: Single, outline: Floats, depth: float, soft: float) -> None:
    """A shadow."""
    layer = np.zeros(canvas.shape[:2], np.float32)
    cv2.fillConvexPoly(layer, np.rint(outline).astype(np.int32), depth)
    x, y = np.maximum(0, np.floor(outline.min(axis=0) - 3 * soft)).astype(int)
    right, bottom = np.ceil(outline.max(axis=0) + 3 * soft).astype(int)
    part = cv2.GaussianBlur(layer[y:bottom, x:right], (0, 0), soft) if layer[y:bottom, x:right].size else None
    if part is not None:
        canvas[y:bottom, x:right] *= 1 - part[..., None]


def ground(random: Generator, size: int) -> Single:
    """A table top: plain, grained or woven, unevenly lit."""
    colour = any_colour(random)
    if random.random() < 0.6:
        colour = 0.3 * colour + 0.7 * np.full(3, random.uniform(0.1, 0.95))
    light = 1 + 0.25 * random.uniform(0, 1) * noise(random, size, size, size / 3)
    if random.random() < 0.4:
        light += random.uniform(0, 0.12) * noise(random, size, size, random.uniform(3, 12))
    if random.random() < 0.3:  # wood: noise drawn out along one direction
        grain = noise(random, size, max(2, size // 40), 4)
        stripes = cv2.resize(grain, (size, size), interpolation=cv2.INTER_LINEAR)
        light += random.uniform(0.05, 0.25) * (stripes if random.random() < 0.5 else stripes.T)
    return np.asarray(colour * light[..., None], np.float32)


def printed(random: Generator, canvas: Single) -> None:
    """A board's print: fields in outline, patches of land and water, trees, numbers on labels; all of it flat."""
    size = canvas.shape[0]
    land = any_colour(random) if random.random() < 0.4 else np.array([0.45, 0.75, 0.55]) * random.uniform(0.5, 1.2, 3)
    x, y = random.uniform(0, size, 2)
    reach = random.uniform(0.5, 1.5) * size
    shape = CIRCLE * reach * (1, random.uniform(0.5, 1)) * random.uniform(0.93, 1.07, (len(CIRCLE), 1)) + (x, y)
    cv2.fillPoly(canvas, [shape.astype(np.int32)], land.tolist())
    canvas *= (1 + random.uniform(0, 0.12) * noise(random, size, size, random.uniform(2, 6)))[..., None]
    side, line = random.uniform(0.25, 0.5) * size / 2, any_colour(random).tolist()
    corners = 6 if random.random() < 0.7 else 4
    turn = random.uniform(0, np.pi)
    ring = np.linspace(0, 2 * np.pi, corners, endpoint=False) + turn
    for i in range(-3, 7):
        for j in range(-3, 7):
            middle = np.array([i + 0.5 * (j % 2), j * 0.87]) * 1.75 * side
            outline = np.stack([np.cos(ring), np.sin(ring)], 1) * side + middle
            cv2.polylines(canvas, [outline.astype(np.int32)], True, line, int(random.integers(2, 6)), cv2.LINE_AA)
            if random.random() < 0.3:
                _trees(random, canvas, middle, side, land)
            elif random.random() < 0.3:
                _label(random, canvas, middle, side)


def _trees(random: Generator, canvas: Single, middle: Floats, side: float, land: Floats) -> None:
    for _ in range(random.integers(3, 7)):
        at = middle + random.normal(0, 0.25 * side, 2)
        tint = (land * random.uniform(0.4, 0.9) + 0.06 * random.normal(0, 1, 3)).clip(0, 1).tolist()
        cv2.circle(canvas, (int(at[0]), int(at[1])), int(side * random.uniform(0.1, 0.22)), tint, -1, cv2.LINE_AA)


def _label(random: Generator, canvas: Single, middle: Floats, side: float) -> None:
    x, y = (int(v) for v in middle)
    half = int(side * random.uniform(0.2, 0.4))
    tint = np.full(3, random.uniform(0.6, 0.95)).tolist()
    cv2.rectangle(canvas, (x - half, y - half), (x + half, y + half), tint, -1)
    ink = np.full(3, random.uniform(0, 0.4)).tolist()
    cv2.rectangle(canvas, (x - half, y - half), (x + half, y + half), ink, int(random.integers(1, 4)))
    text = str(random.choice(list("0123456789abcdefgh")))
    box = canvas[max(0, y - half) : max(0, y + half), max(0, x - half) : max(0, x + half)]
    if box.size:
        written = np.zeros(box.shape[:2], np.uint8)  # letters are drawn in bytes only
        cv2.putText(written, text, (half // 2, 3 * half // 2), cv2.FONT_HERSHEY_COMPLEX, half / 22, 255, 2, cv2.LINE_AA)
        box[written > 127] = ink


def something(random: Generator, canvas: Single) -> None:
    """A thing that is neither die nor piece: a card, a disc, an arm, a line, dots."""
    size = canvas.shape[0]
    x, y = random.uniform(0, size, 2)
    reach = random.uniform(0.08, 0.5) * size
    colour = any_colour(random).tolist()
    kind = random.integers(6)
    if kind == 0:  # a card with print
        quad = cv2.boxPoints(((x, y), (reach, reach * random.uniform(0.6, 1.6)), random.uniform(0, 180)))
        cv2.fillConvexPoly(canvas, quad.astype(np.int32), colour)
        for _ in range(random.integers(0, 8)):
            a = np.array([x, y]) + random.normal(0, 0.25 * reach, 2)
            cv2.circle(
                canvas, (int(a[0]), int(a[1])), int(random.uniform(2, 0.2 * reach)), any_colour(random).tolist(), -1
            )
    elif kind == 1:  # a disc or a bead
        cv2.circle(canvas, (int(x), int(y)), int(reach / 4), colour, -1)
        cv2.circle(canvas, (int(x - reach / 12), int(y - reach / 12)), int(reach / 20) + 1, (1, 1, 1), -1)
    elif kind == 2:  # an arm
        skin = np.array([0.45, 0.55, 0.8]) * random.uniform(0.5, 1.2)
        end = (int(x + 3 * reach), int(y + random.normal(0, reach)))
        cv2.line(canvas, (int(x), int(y)), end, skin.tolist(), int(0.5 * reach) + 2, cv2.LINE_AA)
    elif kind == 3:  # an edge of a box
        a, b = random.uniform(0, size, (2, 2))
        cv2.line(canvas, (int(a[0]), int(a[1])), (int(b[0]), int(b[1])), colour, int(random.uniform(1, 40)))
    elif kind == 4:  # a patch
        quad = cv2.boxPoints(((x, y), (reach / 2, reach / 2 * random.uniform(0.3, 1)), random.uniform(0, 180)))
        cv2.fillConvexPoly(canvas, quad.astype(np.int32), colour)
    else:  # dots as on a die, on no die
        for _ in range(random.integers(1, 7)):
            a = np.array([x, y]) + random.normal(0, 0.2 * reach, 2)
            cv2.circle(canvas, (int(a[0]), int(a[1])), int(random.uniform(3, 9)), colour, -1)


def photographed(random: Generator, canvas: Single, size: int, soft: float = 1.1) -> Image:
    """The picture as a camera gives it: white balance, blur (`soft` pixels at most), noise, sharpening, compression."""
    seen = cv2.resize(np.clip(canvas, 0, 1.2), (size, size), interpolation=cv2.INTER_AREA)
    seen = seen * random.uniform(0.85, 1.15, 3) * random.uniform(0.6, 1.25)
    if random.random() < 0.7:
        seen = cv2.GaussianBlur(seen, (0, 0), random.uniform(0.3, max(0.4, min(1.1, soft))))
    if random.random() < 0.3:
        seen = seen + random.uniform(0.3, 1.0) * (seen - cv2.GaussianBlur(seen, (0, 0), 1.2))
    seen = np.clip(seen, 0, 1) ** random.uniform(0.75, 1.3)
    seen = seen + random.normal(0, 0.035 * random.uniform(0, 1) ** 2, seen.shape)
    image = np.clip(seen * 255 + 0.5, 0, 255).astype(np.uint8)
    if random.random() < 0.2:  # some cameras take noise away, and what is fine with it
        image = np.asarray(cv2.medianBlur(image, 3), np.uint8)
    if random.random() < 0.5:
        packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(random.integers(45, 96))])[1]
        image = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return image


def strayed(random: Generator, canvas: Single) -> Single:
    """The picture with some of its light strewn by the lens over all of it, or as it is."""
    return canvas + np.float32(random.uniform(0, 0.12)) * (1 - canvas) if random.random() < 0.25 else canvas


def smeared(random: Generator, image: Image, most: float) -> Image:
    """The photo as many cameras pack it, colours less sharp than light, by so many pixels at most; or as it is."""
    if random.random() > 0.35:
        return image
    soft = cv2.GaussianBlur(
        cv2.cvtColor(image, cv2.COLOR_BGR2YCrCb), (0, 0), random.uniform(0.5, max(0.7, min(2.5, most)))
    )
    soft[..., 0] = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.cvtColor(soft, cv2.COLOR_YCrCb2BGR), np.uint8)


def packed(random: Generator, image: Image) -> Image:
    """The photo packed once more, as it is before it is sent: of colours little is left; or as it is."""
    if random.random() > 0.35:
        return image
    small = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(random.integers(40, 90))])[1]
    return np.asarray(cv2.imdecode(small, cv2.IMREAD_COLOR), np.uint8)


def sharpened(random: Generator, image: Image) -> Image:
    """The photo with bright and dark rims along all edges, as phones make them, sharper than a lens; or as it is."""
    if random.random() > 0.35:
        return image
    soft = cv2.GaussianBlur(image, (0, 0), random.uniform(0.7, 2.0))
    part = random.uniform(0.3, 1.5)
    return np.asarray(cv2.addWeighted(image, 1 + part, soft, -part, 0), np.uint8)


def any_colour(random: Generator) -> Floats:
    """Any colour, white, black and brown more often than their share."""
    kind = random.random()
    if kind < 0.2:
        return np.full(3, random.uniform(0.75, 1)) * random.uniform(0.92, 1, 3)
    if kind < 0.33:
        return np.full(3, random.uniform(0.02, 0.25))
    hue, strength, value = random.uniform(0, 360), random.uniform(0.3, 1), random.uniform(0.25, 1)
    if kind < 0.45:
        hue, strength, value = random.uniform(5, 40), random.uniform(0.3, 0.8), random.uniform(0.2, 0.6)
    pixel = np.array([[[hue, strength, value]]], np.float32)
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0], np.float64)


def lab(bgr: Floats) -> Single:
    return np.asarray(cv2.cvtColor(bgr.astype(np.float32).reshape(1, 1, 3), cv2.COLOR_BGR2Lab)[0, 0], np.float32)


def noise(random: Generator, rows: int, columns: int, grain: float) -> Single:
    """Smooth noise of mean 0 and about unit strength."""
    coarse = random.normal(0, 1, (max(2, int(rows / grain) + 1), max(2, int(columns / grain) + 1)))
    return np.asarray(cv2.resize(coarse.astype(np.float32), (columns, rows), interpolation=cv2.INTER_CUBIC), np.float32)


def hull(points: Floats) -> Floats:
    return np.asarray(cv2.convexHull(points.astype(np.float32))[:, 0], np.float64)
