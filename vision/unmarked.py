"""The plane of a photo without markers: the components that lie on the table have known sizes.

A level table is tried at several distances. Features agree by chance on some places of components at each of them;
where the print of a face is seen as well, point by point, one lies there. The tilt and the distance are fitted so that
every component has its size, and what the better plane shows is fitted again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import tracked
from vision.features import COMPLEX
from vision.hypotheses import Hypotheses
from vision.photo import Pose
from vision.plane import Lens, Plane, least_squares
from vision.tracked import Tracker

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

SPANS: Final = 1600.0 * 0.8 ** np.arange(16)  #: mm of the table that a photo's longer side may show
FINEST: Final = 1.1  #: … but no more than this to a pixel: nothing can be read there
SEARCHED_PX: Final = 1600  #: the longer side of the photo in which features are looked for
SURE: Final = 9  #: features that agree on a place that is looked at,
TRIED: Final = 6  #: … and how many places are, at each distance;
LAST: Final = 24  #: once one is known, so many
CHANCE: Final = tracked.LEAST - 1  #: points of a face may be seen by chance;
ENOUGH: Final = 6  #: … so many more in all tell the plane,
CLEAR: Final = 0.2  #: … by components of which more than this share of the most is seen
ROUNDS: Final = (1.5, 0.6, 0.3, 0.3)  #: mm by which points are off each time that the plane is fitted
FAR: Final = 2.0  #: what is off by so many times as much counts less
USUAL_TILT: Final = 0.4  #: radians
USUAL_FOCAL: Final = 0.1  #: by which (logarithm) a camera's focal length differs from the usual
MIRRORED: Final = np.array([-1, -1, 1, 1])  #: tilts, and the rest as it is


@dataclass(frozen=True, slots=True)
class _Card:
    """Points of one component: pixels of the photo, and mm from the component's middle, as complex numbers."""

    px: Floats
    face: NDArray[np.complex128]


def solve(image_bgr: Image, hypotheses: Hypotheses, tracker: Tracker) -> Plane | None:
    """The plane of a photo (its `marked` is false), or None where too little of any component is seen to tell."""
    grey = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    factor = min(1.0, SEARCHED_PX / max(grey.shape))
    if factor < 1:
        grey = np.asarray(cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
    pyramid = _halved(image_bgr)

    def look(state: Floats, most: int) -> list[_Card]:
        places = hypotheses.poses(grey, _plane(_size(grey), state), SURE)
        return _seen(pyramid, state, places[:most], tracker)

    width, longer = grey.shape[1], max(grey.shape)
    states = [np.array([0.0, 0.0, np.log(span * width / longer), 0.0]) for span in SPANS[FINEST * longer > SPANS]]
    looks = [(state, look(state, TRIED)) for state in states]
    state, cards = max(looks, key=lambda each: _points(each[1]), default=(np.zeros(4), []))
    if _points(cards) < ENOUGH:
        return None
    for noise in ROUNDS:
        most = max(len(card.face) for card in cards)
        clear = [card for card in cards if len(card.face) > CLEAR * most]
        state = _fitted(_size(image_bgr), state, clear, noise)
        cards = look(state, LAST) or cards
    return _plane(_size(image_bgr), state)


def _points(cards: Sequence[_Card]) -> int:
    """How many more points of components are seen than are by chance."""
    return sum(len(card.face) - CHANCE for card in cards)


def _size(picture: Image) -> tuple[int, int]:
    """Its width and height."""
    return picture.shape[1], picture.shape[0]


def _halved(image: Image) -> list[Image]:
    """A photo, and the same at half the size, at a quarter …"""
    pyramid = [image]
    while min(image.shape[:2]) > 1:
        half = (image.shape[1] // 2, image.shape[0] // 2)
        image = np.asarray(cv2.resize(image, half, interpolation=cv2.INTER_AREA), np.uint8)
        pyramid.append(image)
    return pyramid


def _seen(pyramid: Sequence[Image], state: Floats, places: Sequence[Pose], tracker: Tracker) -> list[_Card]:
    """The components that are seen at poses, if the table lies so; their points are pixels of the whole photo."""
    whole = _plane(_size(pyramid[0]), state)
    cards = []
    for pose in places:
        fine = whole.scale((pose.x, pose.y)) / tracked.SCALE
        level = min(max(0, int(np.log2(max(fine, 1e-9)))), len(pyramid) - 1)
        plane = _plane(_size(pyramid[level]), state)
        seen = tracker.seen(pyramid[level], plane, pose)
        if seen is not None:
            cards.append(_Card(whole.to_px(seen.table), seen.print))
    return cards


def _plane(size: tuple[int, int], state: Floats) -> Plane:
    """The plane of a camera that is tilted about its x and y axes (radians) and sees so many mm across.

    Those are given as a logarithm, and so is how many times as long as usual its focal length is.
    """
    width, height = size
    about_x, about_y, span, longer = (float(v) for v in state)
    usual = Lens.guess(width, height)
    lens = Lens(usual.matrix * [[np.exp(longer), 1, 1], [1, np.exp(longer), 1], [1, 1, 1]], usual.distortion)
    rotation, _ = cv2.Rodrigues(np.array([about_x, about_y, 0.0]))
    away = np.exp(span) * lens.matrix[0, 0] / width
    return Plane(lens, np.asarray(rotation, np.float64), np.array([0.0, 0.0, away]), marked=False)


def _fitted(size: tuple[int, int], state: Floats, cards: Sequence[_Card], noise: float) -> Floats:
    """The state in which all components have their size, each turned and shifted as suits it best.

    Their points are off by so much `noise` (mm).
    """
    usual = np.array([USUAL_TILT, USUAL_TILT, np.inf, USUAL_FOCAL])

    def errors(states: Floats) -> Floats:
        return np.array([np.concatenate([_misfit(_plane(size, one), cards, noise), one / usual]) for one in states])

    # from far away what leans towards the camera looks like what leans away from it
    one = least_squares(errors, state, 12)
    ends = np.stack([one, least_squares(errors, one * MIRRORED, 12)])
    return np.asarray(ends[np.square(errors(ends)).sum(axis=1).argmin()], np.float64)


def _misfit(plane: Plane, cards: Sequence[_Card], noise: float) -> Floats:
    """How far points lie from where their component has them, in units of their noise; what fits badly counts less."""
    misfits = []
    for card in cards:
        there = plane.to_mm(card.px) @ COMPLEX
        there = there - there.mean()
        face = card.face - card.face.mean()
        turn = np.vdot(face, there)
        misfits.append(there - face * turn / max(1e-9, abs(turn)))
    all_ = np.concatenate(misfits) / noise
    all_ = all_ / np.sqrt(1 + np.square(np.abs(all_) / FAR))
    return np.concatenate([all_.real, all_.imag])
