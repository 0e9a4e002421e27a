"""The plane of a photo without markers: the components that lie on the table have known sizes.

A level table is tried at several distances; from where features agree best on places of components, the tilt and the
distance are fitted so that every component has its size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import features
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
LOOSE_MM: Final = 3.0  #: features that fit worse count less
USUAL_TILT: Final = 0.4  #: radians
ROUNDS: Final = 2  #: of looking and fitting from each start: what a better plane shows fits it better
LAST: Final = 3  #: … and as many more from the best


@dataclass(frozen=True, slots=True)
class _Card:
    """Features of one component: pixels of the photo, and mm from the component's middle, as complex numbers."""

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


def solve(image_bgr: Image, index: FaceIndex, describer: Describer) -> Plane | None:
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
            last = look(_fitted(size, last.state, last.clear))
            best = max(best, last, key=lambda one: one.worth)
        return best

    spans = SPANS[SPANS < FINEST * max(size)]
    looks = [look(np.array([0.0, 0.0, np.log(span * size[0] / max(size))])) for span in spans]
    starts = sorted(looks, key=lambda one: -one.worth)[:STARTS]
    best = fitted(max((fitted(one, ROUNDS) for one in starts), key=lambda one: one.worth), LAST)
    if sum(len(card.face) for card in best.cards) < LEAST:
        return None
    return _plane(size, best.state).resized(1 / factor)


def _plane(size: tuple[int, int], state: Floats) -> Plane:
    """The plane of a camera that is tilted about its x and y axes and sees so many mm (logarithm) across."""
    width, height = size
    about_x, about_y, span = (float(v) for v in state)
    lens = Lens.guess(width, height)
    rotation, _ = cv2.Rodrigues(np.array([about_x, about_y, 0.0]))
    away = np.exp(span) * lens.matrix[0, 0] / width
    return Plane(lens, np.asarray(rotation, np.float64), np.array([0.0, 0.0, away]), marked=False)


def _cards(grey: Image, plane: Plane, index: FaceIndex, describer: Describer) -> list[_Card]:
    """The components on which many features agree when the table lies in this plane."""
    view = TopView.of(grey, plane, features.SCALE)
    corners = describer.corners(view.picture)
    seen = describer.describe(view.picture, corners, features.PER_CELL).shifted(view.origin)
    votes = index.votes(seen)
    cards = [_card(pose, votes, index.sizes, plane) for pose in features.poses(votes, index.sizes, SURE)]
    return [card for card in cards if len(card.face)]


def _card(pose: Pose, votes: Votes, sizes: Sequence[tuple[float, float]], plane: Plane) -> _Card:
    turned = np.abs((np.degrees(votes.turn) - pose.turn + 180) % 360 - 180)
    same = votes.kind == list(sizes).index(pose.size)
    same &= (np.hypot(*(votes.centre - (pose.x, pose.y)).T) < NEAR_MM) & (turned < np.degrees(features.NEAR_TURN))
    return _Card(plane.to_px(votes.seen[same]), votes.face[same] @ np.array([1, 1j]))


def _fitted(size: tuple[int, int], state: Floats, cards: Sequence[_Card]) -> Floats:
    """The state in which all components have their size, each turned and shifted as suits it best."""

    def errors(states: Floats) -> Floats:
        return np.array([np.concatenate([_misfit(_plane(size, one), cards), one[:2] / USUAL_TILT]) for one in states])

    return least_squares(errors, state, 12)


def _misfit(plane: Plane, cards: Sequence[_Card]) -> Floats:
    """How far features lie from where their component has them, mm; what fits badly counts less."""
    misfits = []
    for card in cards:
        there = plane.to_mm(card.px) @ np.array([1, 1j])
        there = there - there.mean()
        face = card.face - card.face.mean()
        turn = np.vdot(face, there)
        misfits.append(there - face * turn / max(1e-9, abs(turn)))
    all_ = np.concatenate(misfits)
    all_ = all_ / np.sqrt(1 + np.square(np.abs(all_) / LOOSE_MM))
    return np.concatenate([all_.real, all_.imag])
