"""Pips: small round spots of one colour on an even ground, wherever on a photo and however large.

Spots are looked for at three sizes on each of several reductions of the photo; the outline of each is then drawn to
where the colour has gone half way to that of its surroundings, and must be a round one.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final, Self

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Single = NDArray[np.float32]
Ints = NDArray[np.intp]
Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]

RADII: Final = (1.7, 2.1, 2.7)  #: pixels, on each reduction; a pip is seen best at about these
LEAST_SIDE: Final = 60  #: pixels of the smallest reduction's longer side
FAINT: Final = 5.0  #: Lab units by which a spot must differ from around it to be looked at,
CONTRAST: Final = 9.0  #: … and by which its colour must from that of the ground to be a pip
ROUND: Final = 0.7  #: share of its outline that must be where an ellipse has it
OVAL: Final = 0.25  #: how far from a circle the ellipse may be: a side of a die shows flat ones
OFF: Final = 0.22  #: radii by which a point of the outline may miss it
ANGLES: Final = 16
REACH: Final = np.arange(0.0, 2.31, 0.1, dtype=np.float32)  #: radii at which a spot is sampled:
WITHIN: Final = slice(0, 5)  #: … the spot's own colour,
AROUND: Final = slice(15, 19)  #: … and the ground's
ROUNDS: Final = 3  #: of measuring; all but the last move the middle
TURN: Final = np.linspace(0, 2 * np.pi, ANGLES, endpoint=False)
ELLIPSE: Final = np.column_stack(
    [np.ones(ANGLES), np.cos(TURN), np.sin(TURN), np.cos(2 * TURN), np.sin(2 * TURN)]
)  #: a near circle's radius in every direction: size, middle, flatness
SAME: Final = 1.1  #: radii: nearer, of two about as large, one is no pip of its own,
ABOUT: Final = 1.8  #: … which they are up to this ratio


@dataclass(frozen=True, slots=True)
class Pips:
    """n spots: middles (n × 2, pixels) and radii; Lab colours of spot and ground (n × 3) and how far those are apart.

    `whole` is the share of the outline that is round, `even` the share of the surroundings that has their colour,
    `flat` 0 for a circle.
    """

    centre: Floats
    radius: Floats
    ink: Floats
    ground: Floats
    contrast: Floats
    whole: Floats
    even: Floats
    flat: Floats

    def __len__(self) -> int:
        return len(self.radius)

    @property
    def worth(self) -> Floats:
        """How much each looks like a pip: 0 to 1."""
        share = np.clip((self.whole - 0.6) / 0.3, 0, 1) * np.clip(self.even / 0.6, 0, 1)
        return np.asarray(share * np.clip(self.contrast / 15, 0, 1) * np.clip(1 - 1.5 * self.flat, 0, 1))

    def chosen(self, which: Ints | Mask) -> Self:
        return type(self)(*(getattr(self, f.name)[which] for f in fields(self)))

    def enlarged(self, factor: float) -> Self:
        """The same on a picture so many times as large."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        values["centre"] = (self.centre + 0.5) * factor - 0.5
        values["radius"] = self.radius * factor
        return type(self)(**values)


NONE: Final = Pips(*(np.zeros((0, n) if n else 0) for n in (2, 0, 3, 3, 0, 0, 0, 0)))


def lab(image_bgr: Image) -> Single:
    """Lab of a BGR picture, as floats."""
    return np.asarray(cv2.cvtColor(image_bgr.astype(np.float32) / 255, cv2.COLOR_BGR2Lab), np.float32)


def find(image_bgr: Image, smallest: float = 0.0, largest: float = np.inf) -> Pips:
    """Every pip of a photo whose radius is about between these (pixels), each once."""
    found, factor, picture = [], 1.0, image_bgr
    while max(picture.shape) >= LEAST_SIDE and min(picture.shape[:2]) > 1 and factor * RADII[0] < largest:
        if factor * RADII[-1] * 1.3 > smallest:
            found.append(_pips(lab(picture)).enlarged(factor))
        factor *= 2
        size = (image_bgr.shape[1] / factor, image_bgr.shape[0] / factor)
        picture = np.asarray(
            cv2.resize(image_bgr, (round(size[0]), round(size[1])), interpolation=cv2.INTER_AREA), np.uint8
        )
    found = [each for each in found if len(each)]
    if not found:
        return NONE
    values = [np.concatenate([getattr(p, f.name) for p in found]) for f in fields(Pips)]
    return _apart(Pips(*values))


def _pips(seen: Single) -> Pips:
    """The pips of about RADII on a Lab picture; some may be there twice."""
    centre, radius = _spots(seen)
    if not len(radius):
        return NONE
    measured = _measured(seen, centre, radius)
    good = (measured.whole >= ROUND) & (measured.contrast > CONTRAST) & (measured.flat < OVAL)
    return measured.chosen(good & (measured.radius > 0.7 * RADII[0]))


def _spots(seen: Single) -> tuple[Floats, Floats]:
    """Middles and radii of what differs most from its surroundings."""
    strength = []
    for radius in RADII:
        near, far = (cv2.GaussianBlur(seen, (0, 0), share * radius) for share in (0.55, 1.1))
        strength.append(np.sqrt(np.square(near - far).sum(axis=2)))
    centre, radii = [], []
    for i, (radius, here) in enumerate(zip(RADII, strength, strict=True)):
        size = 2 * max(1, round(0.6 * radius)) + 1
        top = cv2.dilate(here, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)))
        best = (here >= top) & (here > FAINT)
        for other in strength[max(0, i - 1) : i + 2]:
            best &= here >= 0.8 * other
        y, x = np.nonzero(best)
        centre.append(np.column_stack([x, y]))
        radii.append(np.full(len(x), radius))
    return np.concatenate(centre).astype(np.float64), np.concatenate(radii)


def _unrolled(seen: Single, centre: Floats, radius: Floats) -> Single:
    """The spots sampled around their middles: n × angles × reach × 3."""
    step = radius[:, None, None] * REACH
    x = (centre[:, 0, None, None] + step * np.cos(TURN)[:, None]).astype(np.float32)
    y = (centre[:, 1, None, None] + step * np.sin(TURN)[:, None]).astype(np.float32)
    rows = [
        cv2.remap(
            seen, x[i : i + 1500].reshape(-1, len(REACH)), y[i : i + 1500].reshape(-1, len(REACH)),
            cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE,
        )
        for i in range(0, len(centre), 1500)
    ]  # fmt: skip
    whole = np.concatenate(rows) if rows else np.zeros((0, len(REACH), 3), np.float32)
    return np.asarray(whole.reshape(-1, ANGLES, len(REACH), 3), np.float32)


def _measured(seen: Single, centre: Floats, radius: Floats) -> Pips:
    """The spots, drawn to where their colour has gone half way to the ground's."""
    for _ in range(ROUNDS - 1):
        shape, *_ = _drawn(_unrolled(seen, centre, radius))
        centre = centre + radius[:, None] * np.clip(shape[:, 1:3], -0.6, 0.6)
        radius = radius * np.clip(shape[:, 0], 0.6, 1.6)
    polar = _unrolled(seen, centre, radius)
    shape, whole, ink, ground, share = _drawn(polar)
    around = share[:, :, AROUND].reshape(len(share), -1)
    even = ((around > 0.7) & (around < 1.4)).mean(axis=1)
    flat = np.hypot(shape[:, 3], shape[:, 4]) / np.maximum(shape[:, 0], 0.1)
    contrast = np.linalg.norm(ground - ink, axis=1)
    whole = np.where(np.hypot(shape[:, 1], shape[:, 2]) < 0.4, whole, 0)
    return Pips(centre, radius * np.maximum(shape[:, 0], 0.1), ink, ground, contrast, whole, even, flat)


def _drawn(polar: Single) -> tuple[Floats, Floats, Floats, Floats, Single]:
    """Shapes (n × 5, in radii), shares of the outline that are there, colours of ink and ground, and way to the ground.

    The way is 0 at the ink's colour and 1 at the ground's, for every sample.
    """
    ink = np.median(polar[:, :, WITHIN].reshape(len(polar), -1, 3), axis=1).astype(np.float64)
    ground = np.median(polar[:, :, AROUND].reshape(len(polar), -1, 3), axis=1).astype(np.float64)
    across = ground - ink
    across = across / np.maximum(np.square(across).sum(axis=1, keepdims=True), 1e-6)
    share = np.einsum("narc,nc->nar", polar - ink[:, None, None].astype(np.float32), across.astype(np.float32))
    over = share > 0.5
    first = over.argmax(axis=2)
    there = over.any(axis=2) & (first > 0)
    i = np.clip(first, 1, len(REACH) - 1)[..., None]
    after, before = (np.take_along_axis(share, k, 2)[..., 0] for k in (i, i - 1))
    step = float(REACH[1])
    edge = REACH[i[..., 0]] - step * np.clip((after - 0.5) / np.maximum(after - before, 1e-3), 0, 1)
    edge = np.where(there, edge, REACH[-1]).astype(np.float64)
    sure = np.where(there, 1.0, 0.05)
    weight = sure
    shape = np.zeros((len(polar), ELLIPSE.shape[1]))
    for _ in range(3):
        normal = np.einsum("na,ai,aj->nij", weight, ELLIPSE, ELLIPSE) + 1e-3 * np.eye(ELLIPSE.shape[1])
        right = np.einsum("na,ai,na->ni", weight, ELLIPSE, edge)
        shape = np.linalg.solve(normal, right[..., None])[..., 0]
        weight = sure * np.exp(-0.5 * ((edge - shape @ ELLIPSE.T) / 0.2) ** 2) + 1e-3
    whole = (there & (np.abs(edge - shape @ ELLIPSE.T) < OFF)).mean(axis=1)
    return shape, whole, ink, ground, share


def _apart(found: Pips) -> Pips:
    """The best of those that lie on each other and are about as large."""
    order = np.argsort(-found.whole * np.minimum(1, found.contrast / 40) * (1 - found.flat), kind="stable")
    kept: list[int] = []
    for i in order:
        if kept:
            away = np.hypot(*(found.centre[kept] - found.centre[i]).T)
            larger = np.maximum(found.radius[kept], found.radius[i])
            ratio = np.abs(np.log(found.radius[kept] / found.radius[i]))
            if ((away < SAME * larger) & (ratio < np.log(ABOUT))).any():
                continue
        kept.append(int(i))
    return found.chosen(np.array(kept, np.intp))
