"""Pawns of which only the head shows its paint: their feet shine in the light of a lamp, or are hardly seen on a print.

A foot is of one colour, whatever the light makes of it. What is more like that colour than like its ground belongs to
it; taught solids explain that as they explain a paint. Where the foot is as its ground, they explain the head.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.explain import Explained, Explainer, Model
from vision.figures import Figures, Standing, hue_of, split, standing, strongest
from vision.photo import Photo
from vision.scene import SCALE, Scene, lab
from vision.seen import Seen
from vision.solids import SHAPES

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

SEVERAL: Final = 3  #: pawns of a colour that tell how a photo shows it
SAME_MM: Final = 5.0  #: from where the networks see a pawn to where it stands
AROUND_MM: Final = 30.0  #: so much of the table is looked at around a place
FOOT_MM: Final = 7.0  #: from where a pawn stands its foot reaches at least so far,
NECK_MM: Final = 4.0  #: … and its neck less far
LEAST: Final = 30  #: pixels that tell the foot's colour
TELLING: Final = 6.0  #: Lab units by which a foot must differ from its ground
HALF: Final = 0.5  #: of the way from the ground's colour to the foot's: from here on a pixel is the foot's,
ASTRAY: Final = 0.75  #: … if it is no farther from that colour than so many times that way
LIGHT: Final = 0.5  #: how much lightness counts: what is dark may be a shadow


def pawns(figures: Figures, photo: Photo, scene: Scene, place: Floats, kind: str) -> list[Standing]:
    """The pawns seen within `SAME_MM` of a place (mm) where the networks see one of this kind, by their feet's colour.

    There may be several: in different paints, or of another kind.
    """
    part = around(scene, place)
    labels, _ = figures.labelled(part)
    coloured = np.isin(labels, [n for n, paint in enumerate(figures.paints, 1) if paint.coloured])
    neck = _away(part, place) < NECK_MM
    found = []
    for family, models in enumerate(figures.models, 1):
        some = [model for model in models if SHAPES[split(model.name)[0]].head]
        own = labels == family
        if some and own[neck].any():
            told = explained(part, place, some, kind, own, coloured & ~own)
            found += [standing(e, photo, printed=True) for e in told if np.hypot(*(e.place - place)) < SAME_MM]
    return found


def hues(told: Sequence[Seen], scene: Scene) -> dict[str, float]:
    """The hue (degrees) that each colour has on a photo, where several of the pawns told there have it."""
    seen: dict[str, list[float]] = {}
    for figure in told:
        if figure.colour and not figure.why and SHAPES[figure.piece].head:
            painted = scene.seen[scene.box(np.array(figure.place), FOOT_MM / 2)].reshape(-1, 3)
            seen.setdefault(figure.colour, []).append(hue_of(np.median(strongest(painted), axis=0)))
    return {
        colour: float(np.degrees(np.angle(np.exp(1j * np.radians(each)).mean())) % 360)
        for colour, each in seen.items()
        if len(each) >= SEVERAL
    }


def explained(
    scene: Scene, place: Floats, models: Sequence[Model], kind: str, own: Mask, others: Mask
) -> list[Explained]:
    """The pawns that explain what is of a foot's colour around a place (mm) of a small scene, and what is their `own`.

    `own` are the pixels that show their paint, `others` those that show another one. Only one of this kind is sought
    where the foot is as its ground.
    """
    seen, ground = (lab(cv2.GaussianBlur(v, (3, 3), 0)) * (LIGHT, 1, 1) for v in (scene.seen, scene.ground))
    free = ~scene.hidden & ~others
    foot = free & ~own & (_away(scene, place) < FOOT_MM)
    foot = foot if foot.sum() >= LEAST else free & (_away(scene, place) < FOOT_MM)
    colour = np.median(seen[foot], axis=0)
    way = np.maximum(np.linalg.norm(colour - ground, axis=2), 1)
    nowhere = np.zeros(own.shape, np.bool_)
    if np.median(way[foot]) < TELLING:
        some = [model for model in models if split(model.name)[0] == kind]
        return Explainer(scene, some, own & free, nowhere, free & ~own, nowhere).explained()
    gone = np.einsum("ijk,ijk->ij", seen - ground, colour - ground) / way**2
    astray, changed = (np.linalg.norm(seen - other, axis=2) / way for other in (colour, ground))
    mine = free & (own | ((gone > HALF) & (astray < ASTRAY)))
    return Explainer(scene, models, mine, free & ~mine & (changed < HALF), nowhere, nowhere).explained()


def around(scene: Scene, place: Floats) -> Scene:
    """What a scene shows around a place (mm)."""
    x, y = np.rint((place - scene.origin) * SCALE).astype(int)
    reach = round(AROUND_MM * SCALE)
    left, top = max(0, x - reach), max(0, y - reach)
    box = slice(top, y + reach), slice(left, x + reach)
    return replace(
        scene,
        seen=scene.seen[box],
        ground=scene.ground[box],
        hidden=scene.hidden[box],
        print=scene.print[box],
        tinted=scene.tinted[box],
        origin=scene.origin + np.array([left, top]) / SCALE,
    )


def _away(scene: Scene, place: Floats) -> Floats:
    """How far (mm) every pixel of a scene is from a place (mm)."""
    y, x = np.indices(scene.hidden.shape)
    middle = (place - scene.origin) * SCALE - 0.5
    return np.asarray(np.hypot(x - middle[0], y - middle[1]) / SCALE)
