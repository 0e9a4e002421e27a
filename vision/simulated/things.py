"""How flat components, glass beads and hands are drawn into a window of the picture.

What lies on the table is drawn in linear light (0 to 1, float32), as a lens and a sensor add it up: the edge of
something dark beside something bright lies where half the light is, not where half the grey value is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulated.scene import BeadAt, Colour, FaceImage, HandAt, Image, Look, Placed
from vision.simulated.view import Map, View

Field = NDArray[np.float32]
Window = tuple[int, int, int, int]  #: left, top, right, bottom in pixels, the last two outside

GAMMA: Final = 2.2
LIGHT: Final = np.power(np.arange(256, dtype=np.float32) / 255, np.float32(GAMMA))  #: of bytes
HAND_MM: Final = 38.0  #: how high above the table a hand hovers


@dataclass(frozen=True, slots=True, eq=False)
class Stage:
    """The table as the camera sees it, pixel by pixel: where each one looks, how much light it gets and mirrors."""

    view: View
    look: Look
    x: Map
    y: Map
    light: Field  #: (height, width, 3), gain of linear blue, green and red
    shine: Field  #: (height, width), what a glossy card adds in linear light


def window(points: NDArray[np.float64], size_px: tuple[int, int], grow: float = 2.0) -> Window:
    """The part of the picture around some pixels; empty (left ≥ right or top ≥ bottom) when they are outside."""
    left, top = np.floor(points.min(axis=0) - grow).astype(int)
    right, bottom = np.ceil(points.max(axis=0) + grow).astype(int) + 1
    return max(0, int(left)), max(0, int(top)), min(size_px[0], int(right)), min(size_px[1], int(bottom))


def common(a: Window, b: Window) -> Window:
    return max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])


def empty(w: Window) -> bool:
    return w[0] >= w[2] or w[1] >= w[3]


def corners(centre: tuple[float, float], size: tuple[float, float], angle_deg: float) -> NDArray[np.float64]:
    """A component's corners in millimetres (4, 2), from its own top left clockwise."""
    turn = math.radians(angle_deg)
    along, down = np.array([math.cos(turn), math.sin(turn)]), np.array([-math.sin(turn), math.cos(turn)])
    half_w, half_h = along * size[0] / 2, down * size[1] / 2
    around = np.array([-half_w - half_h, half_w - half_h, half_w + half_h, half_h - half_w])
    return np.asarray(np.array(centre) + around, np.float64)


def to_light(values: NDArray[Any]) -> Field:
    """Linear light, 0 to 1, of picture values, 0 to 255."""
    if values.dtype == np.uint8:
        return np.asarray(cv2.LUT(values, LIGHT), np.float32).reshape(values.shape)
    shares = np.clip(values, 0, 255).astype(np.float32) / 255
    return np.asarray(cv2.pow(shares, GAMMA), np.float32).reshape(values.shape)


def to_picture(light: Field) -> Image:
    """Picture values, 0 to 255, of linear light."""
    return np.asarray(cv2.convertScaleAbs(cv2.pow(light, 1 / GAMMA), alpha=255.0), np.uint8)


def blend(canvas: Field, paint: NDArray[np.floating], alpha: NDArray[np.floating]) -> None:
    canvas += (paint - canvas) * alpha[..., None]


def darken(canvas: Field, shade: NDArray[np.floating]) -> None:
    """Take this share of the grey values away."""
    canvas *= cv2.pow(1 - shade, GAMMA)[..., None]


def _away(look: Look, x: float, y: float) -> tuple[float, float, float]:
    """The direction of shadows at a place: x and y (unit length) and how slanting the light is (0 from above)."""
    dx, dy = x - look.lamp_mm[0], y - look.lamp_mm[1]
    far = math.hypot(dx, dy)
    return dx / max(far, 1e-6), dy / max(far, 1e-6), far / math.hypot(far, look.lamp_mm[2])


# --- flat components ----------------------------------------------------------------------------------------------


class Flat:
    """A card, tile or board. `picture` is its face in linear light, shrunk to about the scale it is seen at."""

    def __init__(self, placed: Placed, face: FaceImage, picture: Field, stage: Stage) -> None:
        self.placed, self.face, self.picture = placed, face, picture
        self.corners_mm = corners(placed.centre_mm, face.size_mm, placed.angle_deg)
        around = corners(placed.centre_mm, (face.size_mm[0] + 8, face.size_mm[1] + 8), placed.angle_deg)
        self.window = window(stage.view.project(around), stage.view.size_px)

    def draw(self, canvas: Field, stage: Stage, clip: Window) -> None:
        w = common(self.window, clip)
        if empty(w):
            return
        left, top, right, bottom = w
        part = np.s_[top:bottom, left:right]
        width, height = self.face.size_mm
        turn = math.radians(self.placed.angle_deg)
        cos, sin = math.cos(turn), math.sin(turn)
        dx, dy = stage.x[part] - self.placed.centre_mm[0], stage.y[part] - self.placed.centre_mm[1]
        u, v = dx * cos + dy * sin, dy * cos - dx * sin

        away_x, away_y, slant = _away(stage.look, *self.placed.centre_mm)
        shift = 0.5 + 1.1 * slant
        su, sv = (away_x * cos + away_y * sin) * shift, (away_y * cos - away_x * sin) * shift
        outside = _outside(u - su, v - sv, width, height, self.face.corner_mm)
        darken(canvas[part], np.clip(0.45 - outside * 0.26, 0, 0.45))

        scale = stage.view.scale(*self.placed.centre_mm)
        alpha = np.clip(0.5 - _outside(u, v, width, height, self.face.corner_mm) * scale, 0, 1)
        rows, columns = self.picture.shape[:2]
        seen = cv2.remap(
            self.picture,
            (u + width / 2) * (columns / width) - 0.5,
            (v + height / 2) * (rows / height) - 0.5,
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        blend(canvas[part], seen * stage.light[part] + stage.shine[part][..., None], alpha)


def _outside(u: NDArray[np.floating], v: NDArray[np.floating], width: float, height: float, corner: float) -> Field:
    """Signed distance (mm) from a rounded rectangle around the origin, negative inside."""
    r = min(corner, width / 2, height / 2)
    qu, qv = np.abs(u) - (width / 2 - r), np.abs(v) - (height / 2 - r)
    beyond = cv2.magnitude(np.maximum(qu, 0), np.maximum(qv, 0))
    return np.asarray(beyond + np.minimum(np.maximum(qu, qv), 0) - r, np.float32)


# --- glass beads --------------------------------------------------------------------------------------------------


class Bead:
    """A ball of coloured glass: bright where the light leaves it, a glint where it enters."""

    def __init__(self, bead: BeadAt, stage: Stage) -> None:
        look, view = stage.look, stage.view
        if bead.colour not in look.glass:
            raise ValueError(f"no glass is {bead.colour!r}; there is: {', '.join(look.glass)}")
        self.bead = bead
        self.radius_mm = look.bead_radius_mm
        x, y = bead.centre_mm
        self.centre_px: tuple[float, float] = tuple(view.project(np.array([[x, y, self.radius_mm]]))[0].tolist())
        self.radius_px = self.radius_mm * view.scale(x, y, self.radius_mm)
        reach = self.radius_mm * 2.6
        self.window = window(view.project(corners((x, y), (2 * reach, 2 * reach), 0.0)), view.size_px)

    def draw_shadow(self, canvas: Field, stage: Stage, clip: Window) -> None:
        w = common(self.window, clip)
        if empty(w):
            return
        left, top, right, bottom = w
        part = np.s_[top:bottom, left:right]
        r = self.radius_mm
        away_x, away_y, slant = _away(stage.look, *self.bead.centre_mm)
        throw = r * (0.15 + 1.5 * slant)
        dx = (stage.x[part] - self.bead.centre_mm[0] - away_x * throw) / r
        dy = (stage.y[part] - self.bead.centre_mm[1] - away_y * throw) / r
        distance = cv2.magnitude(dx, dy)
        darken(canvas[part], np.clip((1.25 - distance) * 0.9, 0, 0.5))
        burn = np.exp(-(((dx - away_x * 0.25) ** 2 + (dy - away_y * 0.25) ** 2) / 0.16)) * 0.42
        colour = to_light(np.array(stage.look.glass[self.bead.colour]) * 1.25) * stage.light[part]
        blend(canvas[part], colour, burn)

    def draw(self, canvas: Field, stage: Stage, clip: Window) -> None:
        cx, cy = self.centre_px
        reach = self.radius_px + 2
        ring = np.array([(cx - reach, cy - reach), (cx + reach, cy + reach)])
        w = common(window(ring, stage.view.size_px), clip)
        if empty(w):
            return
        left, top, right, bottom = w
        part = np.s_[top:bottom, left:right]
        nx = ((np.arange(left, right, dtype=np.float32) - cx) / self.radius_px)[None, :]
        ny = ((np.arange(top, bottom, dtype=np.float32) - cy) / self.radius_px)[:, None]
        rim = np.sqrt(nx * nx + ny * ny)
        alpha = np.clip((1 - rim) * self.radius_px + 0.5, 0, 1).astype(np.float32)
        away_x, away_y, slant = _away(stage.look, *self.bead.centre_mm)
        lean = 0.35 + 0.65 * slant
        through = np.clip(0.5 + 0.5 * lean * (nx * away_x + ny * away_y), 0, 1)
        body = (0.50 + 0.68 * through - 0.30 * np.clip(rim, 0, 1) ** 4)[..., None]
        colour = np.array(stage.look.glass[self.bead.colour], np.float32)
        paint = colour * body + 26 * (through**3)[..., None]
        glint_x, glint_y = -away_x * 0.5 * lean, -away_y * 0.5 * lean
        glint = np.exp(-((nx - glint_x) ** 2 + (ny - glint_y) ** 2) / 0.020)
        room = np.exp(-((nx - 0.42) ** 2 / 0.05 + (ny + 0.38) ** 2 / 0.02)) * 0.16
        lit = to_light(paint) * stage.light[part] + (np.clip(glint, 0, 1) * 0.9 + room * 0.12)[..., None]
        blend(canvas[part], lit, alpha)


# --- hands --------------------------------------------------------------------------------------------------------


class Hand:
    """An arm that reaches in: four fingers, a thumb, a sleeve, and a soft shadow below."""

    #: root (across, along) and tip (across, along) of each finger, its radius; millimetres from the fingertips' middle
    FINGERS: Final = (
        (-26.0, 86.0, -34.0, 22.0, 7.5),
        (-9.5, 80.0, -13.0, 7.0, 8.0),
        (8.5, 80.0, 8.0, 4.0, 8.2),
        (25.0, 84.0, 29.0, 14.0, 7.8),
        (-26.0, 128.0, -60.0, 82.0, 9.0),
    )

    def __init__(self, hand: HandAt, stage: Stage) -> None:
        self.hand = hand
        turn = math.radians(hand.arm_deg)
        self._arm = np.array([math.sin(turn), -math.cos(turn)])
        self._side = np.array([math.cos(turn), math.sin(turn)])
        far = self._at(0, 900)
        ends = np.array([self._at(-72, 0), self._at(62, 0), far - self._side * 62, far + self._side * 62])
        around = np.vstack((ends, ends))
        heights = np.repeat([0.0, HAND_MM], 4)[:, None]
        pixels = np.clip(stage.view.project(np.hstack((around, heights))), -4000, 8000)
        self.window = window(pixels, stage.view.size_px, 30)

    def _at(self, side: float, along: float) -> NDArray[np.float64]:
        return np.asarray(np.array(self.hand.tip_mm) + self._side * side + self._arm * along, np.float64)

    def mask(self, stage: Stage, w: Window, sleeve: bool) -> Image:
        """Where the skin (or the sleeve) is within the window, 0 to 255."""
        out = np.zeros((w[3] - w[1], w[2] - w[0]), np.uint8)
        scale = stage.view.scale(*self.hand.tip_mm, HAND_MM)

        def stroke(a: NDArray[np.float64], b: NDArray[np.float64], radius: float) -> None:
            ends = stage.view.project(np.array([(*a, HAND_MM), (*b, HAND_MM)])) - np.array(w[:2])
            p, q = (tuple(round(float(c) * 16) for c in end) for end in np.clip(ends, -9000, 9000))
            cv2.line(out, p, q, 255, max(1, round(2 * radius * scale)), cv2.LINE_AA, 4)

        if sleeve:
            stroke(self._at(0, 215), self._at(0, 900), 42)
            return out
        for root, deep, tip, reach, radius in self.FINGERS:
            stroke(self._at(root, deep), self._at(tip, reach + radius), radius)
        for palm, radius in (((-16, 100, -14, 128), 18), ((14, 98, 10, 130), 20), ((-6, 96, -4, 140), 24)):
            stroke(self._at(palm[0], palm[1]), self._at(palm[2], palm[3]), radius)
        stroke(self._at(0, 140), self._at(0, 250), 25)
        return out

    def draw(self, frame: Image, stage: Stage) -> None:
        """Draw it into a finished picture."""
        if empty(self.window):
            return
        left, top, right, bottom = self.window
        skin, cloth = (self.mask(stage, self.window, sleeve) for sleeve in (False, True))
        away_x, away_y, slant = _away(stage.look, *self.hand.tip_mm)
        shift = HAND_MM * (0.25 + slant) * stage.view.scale(*self.hand.tip_mm)
        move = np.array([[1, 0, away_x * shift], [0, 1, away_y * shift]], np.float64)
        cast = cv2.blur(cv2.warpAffine(cv2.max(skin, cloth), move, (right - left, bottom - top)), (31, 31))
        seen = frame[top:bottom, left:right] * (1 - cast.astype(np.float32) * (0.42 / 255))[..., None]
        lamp = np.power(stage.light[(top + bottom) // 2, (left + right) // 2], 1 / GAMMA)
        for where, colour, depth in ((skin, self.hand.skin, 16.0), (cloth, self.hand.sleeve, 34.0)):
            blend(seen, _rounded(where, colour, depth) * lamp, where.astype(np.float32) / 255)
        frame[top:bottom, left:right] = cv2.convertScaleAbs(seen)


def _rounded(where: Image, colour: Colour, depth: float) -> Field:
    """A colour, darker towards the edges of a shape."""
    inner = cv2.distanceTransform(cv2.threshold(where, 127, 255, cv2.THRESH_BINARY)[1], cv2.DIST_L2, 3)
    lit = 1 - 0.42 * (1 - np.clip(inner / depth, 0, 1)) ** 2
    return np.asarray(np.array(colour, np.float32) * lit[..., None], np.float32)
