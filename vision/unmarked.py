"""The plane of a photo without markers: the components that lie on the table have known sizes.

A level table is tried at several distances; from where features agree best on places of components, the tilt and the
distance are fitted so that every component has its size; then once more, so that its print lies where it is seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import exact, features
from vision.exact import Tracker
from vision.features import Describer, FaceIndex, Votes
from vision.photo import Pose
from vision.plane import Lens, Plane, least_squares
from vision.topview import TopView

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

SPANS: Final = 1600.0 * 0.8 ** np.arange(12)  #: mm of the table that a photo's longer side may show
FINEST: Final = 1.1  #: … but no more than this to a pixel: nothing can be read there
SEARCHED_PX: Final = 1600  #: the longer side of the photo in which features are looked for
STARTS: Final = 3  #: distances from which the plane is fitted
CLEAR: Final = 0.5  #: components on which so many features agree, as a share of the most, tell the plane
SURE: Final = 9  #: features that agree on a component which the plane is fitted to
LEAST: Final = 14  #: … and that all of these must have together
NEAR_MM: Final = 8.0  #: how far a feature may put the component from where most put it
LOOSE_MM: Final = 1.5  #: noise of features' places,
USUAL_TILT: Final = 0.4  #: radians
USUAL_FOCAL: Final = 0.15  #: by which (logarithm) a camera's focal length differs from the usual
NOISE_MM: Final = 0.3  #: … and of points that are tracked;
FAR: Final = 2.0  #: what is off by so many times as much counts less
EXACT: Final = 3  #: rounds of tracking
COMPLEX: Final = np.array([1, 1j])
ROUNDS: Final = 2  #: of looking and fitting from each start: what a better plane shows fits it better
LAST: Final = 3  #: … and as many more from the best


@dataclass(frozen=True, slots=True)
class _Card:
    """Points of one component: pixels of the photo, and mm from the component's middle, as complex numbers."""

    pose: Pose
    px: Floats
    face: NDArray[np.complex128]


@dataclass(frozen=True, slots=True)
class _Look:
    """What is seen of the deck if the table lies so."""

    state: Floats
    cards: list[_Card]

    @property
    def worth(self) -> float:
        """How well features agree: the cubes of how many do, as a few agree on places anywhere by chance."""
        return float(sum(len(card.face) ** 3 for card in self.cards))

    @property
    def clear(self) -> list[_Card]:
        """The components that tell the plane: where far fewer features agree than elsewhere, they do so by chance."""
        most = max(len(card.face) for card in self.cards)
        return [card for card in self.cards if len(card.face) >= CLEAR * most]


def solve(image_bgr: Image, index: FaceIndex, describer: Describer, tracker: Tracker) -> Plane | None:
    """The plane of a photo (its `marked` is false), or None where too few components are seen to tell."""
    grey = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    factor = min(1.0, SEARCHED_PX / max(grey.shape))
    if factor < 1:
        grey = np.asarray(cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
    size = (grey.shape[1], grey.shape[0])

    def look(state: Floats) -> _Look:
        return _Look(state, _cards(grey, _plane(size, state), index, describer))

    def fitted(best: _Look, rounds: int) -> _Look:
        last = best
        for _ in range(rounds):
            if sum(len(card.face) for card in last.cards) < LEAST:
                break
            last = look(_fitted(size, last.state, last.clear, LOOSE_MM))
            best = max(best, last, key=lambda one: one.worth)
        return best

    spans = SPANS[SPANS < FINEST * max(size)]
    looks = [look(np.array([0.0, 0.0, np.log(span * size[0] / max(size)), 0.0])) for span in spans]
    starts = sorted(looks, key=lambda one: -one.worth)[:STARTS]
    best = fitted(max((fitted(one, ROUNDS) for one in starts), key=lambda one: one.worth), LAST)
    if sum(len(card.face) for card in best.cards) < LEAST:
        return None
    return _exactly(image_bgr, best, tracker)


def _exactly(image_bgr: Image, look: _Look, tracker: Tracker) -> Plane:
    """The plane in which the print of the components that tell it lies where it is seen."""
    picture, size = image_bgr, (image_bgr.shape[1], image_bgr.shape[0])
    plane = _plane(size, look.state)
    poses = [card.pose for card in look.clear]
    while min(plane.scale((pose.x, pose.y)) for pose in poses) > 2 * exact.SCALE:
        size = (size[0] // 2, size[1] // 2)
        picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
        plane = _plane(size, look.state)
    state = look.state
    for _ in range(EXACT):
        cards = [_Card(pose, *points) for pose in poses if (points := tracker.points(picture, plane, pose))]
        if not cards:
            break
        state = _fitted(size, state, cards, NOISE_MM)
        plane = _plane(size, state)
        poses = [_lying(card, plane) for card in cards]
    return plane.resized(image_bgr.shape[1] / size[0])


def _lying(card: _Card, plane: Plane) -> Pose:
    """The pose of a component whose points are seen there."""
    there = plane.to_mm(card.px) @ COMPLEX
    turn = np.vdot(card.face - card.face.mean(), there - there.mean())
    middle = there.mean() - card.face.mean() * turn / abs(turn)
    return Pose(card.pose.size, float(middle.real), float(middle.imag), float(np.degrees(np.angle(turn))) % 360)


def _plane(size: tuple[int, int], state: Floats) -> Plane:
    """The plane of a camera that is tilted about its x and y axes and sees so many mm across.

    Those are given as a logarithm, and so is by how much its focal length differs from the usual.
    """
    width, height = size
    about_x, about_y, span, longer = (float(v) for v in state)
    usual = Lens.guess(width, height)
    lens = Lens(usual.matrix * [[np.exp(longer), 1, 1], [1, np.exp(longer), 1], [1, 1, 1]], usual.distortion)
    rotation, _ = cv2.Rodrigues(np.array([about_x, about_y, 0.0]))
    away = np.exp(span) * lens.matrix[0, 0] / width
    return Plane(lens, np.asarray(rotation, np.float64), np.array([0.0, 0.0, away]), marked=False)


def _cards(grey: Image, plane: Plane, index: FaceIndex, describer: Describer) -> list[_Card]:
    """The components on which many features agree when the table lies in this plane."""
    view = TopView.of(grey, plane, features.SCALE)
    corners = describer.corners(view.picture)
    seen = describer.describe(view.picture, corners, features.PER_CELL).shifted(view.origin)
    votes = index.votes(seen)
    kept: list[Pose] = []
    for pose in features.poses(votes, index.sizes, SURE):
        if not any(_one(pose, other) for other in kept):
            kept.append(pose)
    cards = [_card(pose, votes, index.sizes, plane) for pose in kept]
    return [card for card in cards if len(card.face)]


def _one(pose: Pose, other: Pose) -> bool:
    """Whether two poses are those of one component, for which features may vote several times."""
    turned = abs((pose.turn - other.turn + 180) % 360 - 180)
    near = np.hypot(pose.x - other.x, pose.y - other.y) < NEAR_MM
    return bool(near and turned < np.degrees(features.NEAR_TURN) and pose.size == other.size)


def _card(pose: Pose, votes: Votes, sizes: Sequence[tuple[float, float]], plane: Plane) -> _Card:
    turned = np.abs((np.degrees(votes.turn) - pose.turn + 180) % 360 - 180)
    same = votes.kind == list(sizes).index(pose.size)
    same &= (np.hypot(*(votes.centre - (pose.x, pose.y)).T) < NEAR_MM) & (turned < np.degrees(features.NEAR_TURN))
    return _Card(pose, plane.to_px(votes.seen[same]), votes.face[same] @ COMPLEX)


def _fitted(size: tuple[int, int], state: Floats, cards: Sequence[_Card], noise: float) -> Floats:
    """The state in which all components have their size, each turned and shifted as suits it best.

    Their points are off by so much `noise` (mm).
    """
    usual = np.array([USUAL_TILT, USUAL_TILT, np.inf, USUAL_FOCAL])

    def errors(states: Floats) -> Floats:
        return np.array([np.concatenate([_misfit(_plane(size, one), cards, noise), one / usual]) for one in states])

    return least_squares(errors, state, 12)


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
