"""The simulated table: draws scenes as a camera would see them and tells what is true about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulated import surface
from vision.simulated.pieces import Piece
from vision.simulated.scene import BeadAt, FaceImage, HandAt, Image, Look, PieceAt, Placed, Scene
from vision.simulated.things import (
    GAMMA,
    Bead,
    Field,
    Flat,
    Hand,
    Stage,
    Window,
    common,
    corners,
    empty,
    to_light,
    to_picture,
)
from vision.simulated.view import View

NOISE_SLACK: Final = 96  #: the noise sheet is this much larger than the picture, so that it never lies twice alike
BLUR_REACH: Final = 4


@dataclass(frozen=True, slots=True)
class _Chance:
    """What is left to chance in a room.

    `askew` are the markers' shifts (mm) and turns (degrees), `noise` what a sensor adds and takes away.
    """

    clutter: Mapping[str, FaceImage]
    askew: tuple[tuple[float, float, float], ...]
    texture: Image
    noise: tuple[Image, Image] | None


@lru_cache(maxsize=2)  # most tables are set up like the last ones
def _chance(seed: int, top: str, table_mm: tuple[float, float], size_px: tuple[int, int], sigma: float) -> _Chance:
    rng = np.random.default_rng(seed)
    clutter = surface.clutter(rng)
    askew = ((0.0, 0.0, 0.0), *((float(x), float(y), float(turn)) for x, y, turn in rng.uniform(-4, 4, (3, 3))))
    return _Chance(clutter, askew, surface.top(top, rng, table_mm), _grain(rng, size_px, sigma))


class SimulatedTable:
    """A camera above a table. Equal arguments and equal scenes in equal order give equal pictures.

    `faces` are the components that may lie there, named as scenes name them. Drawing is incremental: what did not
    change since the last scene is not drawn again.
    """

    def __init__(
        self,
        faces: Mapping[str, FaceImage],
        seed: int = 0,
        size_px: tuple[int, int] = (1920, 1080),
        look: Look | None = None,
    ) -> None:
        self.look = look or Look()
        self.size_px = size_px
        self.view = View.over(self.look, size_px)
        chance = _chance(seed, self.look.surface, self.look.table_mm, size_px, self.look.noise)
        self.faces: dict[str, FaceImage] = {**chance.clutter, **faces}
        self.markers = self._lay_markers(chance.askew)
        x, y = self.view.plane()
        light, shine = _lamp(self.look, x, y)
        self._stage = Stage(self.view, self.look, x, y, light, shine)
        self._pictures: dict[str, Field] = {}
        self._bare = self._paint_top(chance.texture)
        self._sharp, self._still = self._bare.copy(), to_picture(_soft(self._bare, self.look.blur_px))
        self._lying: tuple[Flat, ...] = ()
        self._beads: tuple[Bead, ...] = ()
        self._pieces: tuple[Piece, ...] = ()
        self._noise = chance.noise
        self._rng = np.random.default_rng((seed, 1))

    def render(self, scene: Scene) -> Image:
        """The photograph, BGR (height, width, 3)."""
        self._update(scene)
        frame: Image = self._still.copy()
        for hand in scene.hands:
            Hand(hand, self._stage).draw(frame, self._stage)
        if scene.light != 1.0:
            frame = np.asarray(cv2.convertScaleAbs(frame, alpha=scene.light ** (1 / GAMMA)), np.uint8)
        if self._noise is not None:
            more, less = self._noise
            left, top = (int(v) for v in self._rng.integers(0, NOISE_SLACK, 2))
            width, height = self.size_px
            part = np.s_[top : top + height, left : left + width]
            cv2.add(frame, more[part], dst=frame)
            cv2.subtract(frame, less[part], dst=frame)
        return frame

    def truth(self, scene: Scene) -> dict[str, Any]:
        """What really lies there: markers, components with their corners and visible share, beads, camera."""
        visible = self._visible(scene)
        components = []
        for number, placed in enumerate(scene.cards):
            face = self.faces[placed.component]
            if face.kind == "clutter":
                continue
            quad = self.view.project(corners(placed.centre_mm, face.size_mm, placed.angle_deg))
            components.append(
                {
                    "component": placed.component,
                    "kind": face.kind,
                    "centre_mm": list(placed.centre_mm),
                    "size_mm": list(face.size_mm),
                    "angle_deg": placed.angle_deg % 360,
                    "corners_px": np.round(quad, 2).tolist(),
                    "visible": visible[number],
                    "clipped": 0.0,
                }
            )
        return {
            "size_px": list(self.size_px),
            "camera_matrix": self.view.matrix.tolist(),
            "distortion": self.view.distortion.tolist(),
            "markers": [self._marker(m) for m in self.markers],
            "components": components,
            "beads": self._true_beads(scene),
            "pieces": self._true_pieces(scene),
        }

    # --- the bare table -------------------------------------------------------------------------------------------

    def _lay_markers(self, askew: Sequence[tuple[float, float, float]]) -> tuple[Placed, ...]:
        """Four markers about the corners; the first one is the frame's origin and lies straight."""
        width, height = self.look.table_mm
        corners = (0.0, 0.0), (width, 0.0), (width, height), (0.0, height)
        laid = []
        for number, ((x, y), (dx, dy, turn)) in enumerate(zip(corners, askew, strict=True)):
            name = f"marker-{number}"
            self.faces[name] = surface.marker(number, self.look.marker_mm)
            laid.append(Placed(name, (x + dx, y + dy), turn))
        return tuple(laid)

    def _paint_top(self, texture: Image) -> Field:
        map_x = (self._stage.x + surface.MARGIN_MM) * surface.PX_PER_MM - 0.5
        map_y = (self._stage.y + surface.MARGIN_MM) * surface.PX_PER_MM - 0.5
        seen = cv2.remap(texture, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        bare = to_light(seen) * self._stage.light
        for marker in self.markers:
            flat = self._flat(marker)
            flat.draw(bare, self._stage, flat.window)
        return bare

    def _flat(self, placed: Placed) -> Flat:
        face = self.faces.get(placed.component)
        if face is None:
            raise ValueError(f"no face is called {placed.component!r}")
        if placed.component not in self._pictures:
            scale = self.view.scale(self.look.table_mm[0] / 2, self.look.table_mm[1] / 2) * 1.25
            side = tuple(max(2, round(mm * scale)) for mm in face.size_mm)
            flags = cv2.INTER_AREA if side[0] < face.image.shape[1] else cv2.INTER_LINEAR
            shrunk = cv2.resize(to_light(face.image), side, interpolation=flags)
            self._pictures[placed.component] = np.asarray(shrunk, np.float32)
        return Flat(placed, face, self._pictures[placed.component], self._stage)

    # --- what lies still ------------------------------------------------------------------------------------------

    def _update(self, scene: Scene) -> None:
        """Bring the still picture up to date, drawing only the windows in which something changed."""
        old_flats, old_beads, old_pieces = self._lying, self._beads, self._pieces
        flat_of = {flat.placed: flat for flat in old_flats}
        flats = tuple(flat_of.get(p) or self._flat(p) for p in (*scene.clutter, *scene.cards))
        bead_of = {bead.bead: bead for bead in old_beads}
        beads = tuple(bead_of.get(b) or Bead(b, self._stage) for b in scene.beads)
        piece_of = {piece.piece: piece for piece in old_pieces}
        pieces = tuple(piece_of.get(p) or Piece(p, self._stage) for p in scene.pieces)
        pieces = tuple(sorted(pieces, key=lambda piece: piece.order(self._stage)))
        changed = _changed([f.placed for f in old_flats], [f.placed for f in flats])
        moved = _changed([b.bead for b in old_beads], [b.bead for b in beads])
        shifted = _changed([p.piece for p in old_pieces], [p.piece for p in pieces])
        windows = [f.window for f in (*old_flats, *flats) if f.placed in changed]
        windows += [b.window for b in (*old_beads, *beads) if b.bead in moved]
        windows += [p.window for p in (*old_pieces, *pieces) if p.piece in shifted]
        self._lying, self._beads, self._pieces = flats, beads, pieces
        for w in _merged(windows):
            self._redraw(w)

    def _redraw(self, clip: Window) -> None:
        left, top, right, bottom = clip
        self._sharp[top:bottom, left:right] = self._bare[top:bottom, left:right]
        for flat in self._lying:
            flat.draw(self._sharp, self._stage, clip)
        standing: list[Bead | Piece] = [*self._beads, *self._pieces]
        for thing in standing:
            thing.draw_shadow(self._sharp, self._stage, clip)
        for thing in standing:
            thing.draw(self._sharp, self._stage, clip)
        width, height = self.size_px
        wide = (left - BLUR_REACH, top - BLUR_REACH, right + BLUR_REACH, bottom + BLUR_REACH)
        wider = (left - 2 * BLUR_REACH, top - 2 * BLUR_REACH, right + 2 * BLUR_REACH, bottom + 2 * BLUR_REACH)
        inner, outer = (common(w, (0, 0, width, height)) for w in (wide, wider))
        soft = _soft(self._sharp[outer[1] : outer[3], outer[0] : outer[2]], self.look.blur_px)
        x, y = inner[0] - outer[0], inner[1] - outer[1]
        rows, columns = inner[3] - inner[1], inner[2] - inner[0]
        self._still[inner[1] : inner[3], inner[0] : inner[2]] = to_picture(soft[y : y + rows, x : x + columns])

    # --- truth ----------------------------------------------------------------------------------------------------

    def _marker(self, placed: Placed) -> dict[str, Any]:
        side = self.look.marker_mm
        quad = self.view.project(corners(placed.centre_mm, (side, side), placed.angle_deg))
        return {
            "id": int(placed.component.removeprefix("marker-")),
            "centre_mm": list(placed.centre_mm),
            "angle_deg": placed.angle_deg % 360,
            "size_mm": side,
            "corners_px": np.round(quad, 2).tolist(),
        }

    def _visible(self, scene: Scene) -> list[float]:
        """The share of each card that nothing covers and that is in the picture."""
        width, height = self.size_px
        whole, owner = [], np.full((height, width), -1, np.int32)
        for number, placed in enumerate(scene.cards):
            quad = self.view.project(corners(placed.centre_mm, self.faces[placed.component].size_mm, placed.angle_deg))
            whole.append(cv2.contourArea(quad.astype(np.float32)))
            cv2.fillConvexPoly(owner, np.round(quad).astype(np.int32), number)
        for bead in (Bead(b, self._stage) for b in scene.beads):
            centre = (round(bead.centre_px[0]), round(bead.centre_px[1]))
            cv2.circle(owner, centre, round(bead.radius_px), -1, cv2.FILLED)
        for piece in scene.pieces:
            cv2.fillConvexPoly(owner, np.round(Piece(piece, self._stage).outline_px).astype(np.int32), -1)
        for hand in scene.hands:
            left, top, right, bottom = Hand(hand, self._stage).window
            owner[top:bottom, left:right][self._covered(hand, (left, top, right, bottom)) > 127] = -1
        seen = np.bincount(owner[owner >= 0].ravel(), minlength=len(whole))
        return [round(min(1.0, float(n) / max(1.0, area)), 3) for n, area in zip(seen, whole, strict=True)]

    def _covered(self, hand: HandAt, w: Window) -> Image:
        arm = Hand(hand, self._stage)
        if empty(w):
            return np.zeros((0, 0), np.uint8)
        return np.asarray(cv2.max(arm.mask(self._stage, w, False), arm.mask(self._stage, w, True)), np.uint8)

    def _true_beads(self, scene: Scene) -> list[dict[str, Any]]:
        whole: Window = (0, 0, *self.size_px)
        covers = [self._covered(hand, whole) for hand in scene.hands]
        return [self._true_bead(b, covers) for b in scene.beads]

    def _true_bead(self, bead: BeadAt, covers: Sequence[Image]) -> dict[str, Any]:
        seen = Bead(bead, self._stage)
        x, y = round(seen.centre_px[0]), round(seen.centre_px[1])
        hidden = not _inside((x, y), self.size_px) or any(cover[y, x] > 127 for cover in covers)
        return {
            "colour": bead.colour,
            "centre_mm": list(bead.centre_mm),
            "radius_mm": seen.radius_mm,
            "centre_px": [round(v, 2) for v in seen.centre_px],
            "hidden": hidden,
        }

    def _true_pieces(self, scene: Scene) -> list[dict[str, Any]]:
        whole: Window = (0, 0, *self.size_px)
        covers = [self._covered(hand, whole) for hand in scene.hands]
        return [self._true_piece(p, covers) for p in scene.pieces]

    def _true_piece(self, piece: PieceAt, covers: Sequence[Image]) -> dict[str, Any]:
        seen = Piece(piece, self._stage)
        x, y = (round(float(v)) for v in seen.foot_px)
        return {
            "piece": piece.piece,
            "colour": seen.colour,
            "value": piece.value,
            "centre_mm": list(piece.centre_mm),
            "angle_deg": piece.angle_deg % 360,
            "base_mm": piece.base_mm,
            "top_mm": seen.top_mm,
            "centre_px": np.round(seen.foot_px, 2).tolist(),
            "top_px": np.round(seen.top_px, 2).tolist(),
            "hidden": not _inside((x, y), self.size_px) or any(cover[y, x] > 127 for cover in covers),
        }


def _inside(point: tuple[int, int], size_px: tuple[int, int]) -> bool:
    return 0 <= point[0] < size_px[0] and 0 <= point[1] < size_px[1]


def _changed(old: Iterable[Hashable], new: Iterable[Hashable]) -> set[Hashable]:
    """What is only in one of two lists, or lies in another order in them."""
    before, after = list(old), list(new)
    differ = (Counter(before) - Counter(after)) + (Counter(after) - Counter(before))
    kept = [x for x in before if x not in differ]
    if kept != [x for x in after if x not in differ]:
        return {*before, *after}
    return set(differ)


def _merged(windows: Iterable[Window]) -> list[Window]:
    """The same area in windows that do not overlap."""
    left = [w for w in windows if not empty(w)]
    done: list[Window] = []
    while left:
        w = left.pop()
        touching = [other for other in (*left, *done) if not empty(common(w, other))]
        if not touching:
            done.append(w)
            continue
        left = [other for other in left if other not in touching]
        done = [other for other in done if other not in touching]
        every = [w, *touching]
        hull = min(o[0] for o in every), min(o[1] for o in every), max(o[2] for o in every), max(o[3] for o in every)
        left.append(hull)
    return done


def _lamp(look: Look, x: NDArray[np.float32], y: NDArray[np.float32]) -> tuple[Field, Field]:
    """Each pixel's light (height, width, 3) and what a glossy card mirrors there (height, width)."""
    lamp_x, lamp_y, lamp_z = look.lamp_mm
    distance2 = (x - lamp_x) ** 2 + (y - lamp_y) ** 2
    near = cv2.pow(lamp_z**2 / (lamp_z**2 + distance2), 1.5)
    middle_x, middle_y = look.table_mm[0] / 2, look.table_mm[1] / 2
    edge = 1 - 0.10 * ((x - middle_x) ** 2 + (y - middle_y) ** 2) / (middle_x**2 + middle_y**2)
    gain = edge * (1 - look.lamp + look.lamp * 1.5 * near)
    tint = np.array([1 - look.warmth * 1.6, 1 - look.warmth * 0.3, 1 + look.warmth * 0.5], np.float32)
    mirror_x, mirror_y = (lamp_x + middle_x) / 2, (lamp_y + middle_y) / 2  # halfway: lamp and camera hang alike high
    spot = np.exp(-((x - mirror_x) ** 2 + (y - mirror_y) ** 2) / (2 * 120.0**2))
    white = np.asarray(cv2.pow(np.asarray(gain, np.float32), GAMMA), np.float32)
    light = cv2.merge([white * share for share in (look.exposure * tint**GAMMA).astype(np.float32)])
    return np.asarray(light, np.float32), (spot * (look.gloss * 0.36 * look.exposure)).astype(np.float32)


def _soft(light: Field, sigma: float) -> Field:
    return np.asarray(cv2.GaussianBlur(light, (0, 0), sigma), np.float32) if sigma > 0 else light.copy()


def _grain(rng: np.random.Generator, size_px: tuple[int, int], sigma: float) -> tuple[Image, Image] | None:
    """Sensor noise as what to add and what to take away, each somewhat larger than a picture."""
    if sigma <= 0:
        return None
    shape = (size_px[1] + NOISE_SLACK, size_px[0] + NOISE_SLACK)
    luma = rng.normal(0, sigma, shape).astype(np.float32) * 0.85
    chroma = cv2.GaussianBlur(rng.normal(0, sigma, (*shape, 3)).astype(np.float32), (0, 0), 0.8)
    field = cv2.add(cv2.merge([luma] * 3), chroma)
    nothing = np.zeros_like(field)
    more, less = (cv2.subtract(a, b, dtype=cv2.CV_8U) for a, b in ((field, nothing), (nothing, field)))
    return np.asarray(more, np.uint8), np.asarray(less, np.uint8)
