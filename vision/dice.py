"""Dice read by their pips: which value the upper face of each shows, in whatever colours, at whatever scale.

Pips that are alike and lie as on a die make a face. Each of a face's nine sites is a pip, or bare, or cannot be told
(a glint, something in front); the value is that of the only legal pattern that all this allows. What is around must
end as a die does, and nothing within may look like one more pip. All else is doubt.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import contour, pips
from vision.contour import Contour
from vision.patterns import PATTERNS
from vision.pips import Pips

Floats = NDArray[np.float64]
Single = NDArray[np.float32]
Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]

SITES: Final = np.array([(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1)], np.float64)
CENTRE: Final = 4  #: of SITES
ALIKE: Final = np.log(1.45)  #: by how much (log) the pips of one die may differ in size
APART: Final = (4.0, 13.5)  #: radii between the pips at the ends of a diagonal
SPACING: Final = (1.55, 4.6)  #: radii between neighbouring sites
LONE: Final = 2.6  #: … and what it may be where one pip does not tell
SLANT: Final = 0.35  #: cosine of the angle between a face's axes, at most,
STRETCH: Final = (1.45, 1.75)  #: … and how much longer one may be than the other; a six is often longer
NEAR: Final = (0.45, 0.4, 0.28)  #: spacings from a site to its pip, ever nearer as the face is fitted
HOLD: Final = (0.05, 0.12, 0.12)  #: how much the first guess counts beside the pips
REST: Final = 1.55  #: spacings from the middle within which a pip must be on a site
INK: Final = 0.7  #: share of the way from ink to ground beyond which a site is bare,
STRAY: Final = 0.6  #: … and contrasts by which it may be off that way
NARROW: Final = 0.72  #: the shorter over the longer side of a die, at least,
FULL: Final = 0.76  #: … and its share of the rectangle around it
NO_END: Final = "it does not end as a die does"
NO_DIE: Final = "its pips lie as on no die"
MORE: Final = "there may be more pips"
UNCLEAR: Final = "its pips are not clear"
NO_PIPS: Final = "no pips are seen on it"
HINT: Final = 0.5  #: several pips worth this much are a hint that there may be a die
CLEAR: Final = 0.7  #: pips worth this much are some die's, even when which value they show cannot be told
FEW: Final = 2  #: pips of a face on which even somewhat similar spots are doubt:
FAR_FROM: Final = np.log(1.8)  #: … by how much (log) their size may differ,
FAINTER: Final = 0.35  #: … and how much fainter they may be
OTHER: Final = 0.5  #: contrasts by which the ground of another die's pips differs, at least,
LEAST_FAR: Final = 20.0  #: … and Lab units
PALER: Final = 4.0  #: Lab units of lightness by which pips are plainly paler than their ground
WITHIN: Final = 0.85  #: of the contour, in which a pip too many is doubt


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked of a face with so many pips: the fewer, the more other things may look like it.

    Of its outline the `change` of colour, half its side in spacings and how far its middle may be `off` the pips';
    of the pips their `worth`, and of the face the share that has its ground's colour.
    """

    change: float
    half: tuple[float, float]
    off: float
    worth: float
    clean: float


ASKED: Final = (
    _Asked(8, (1.2, 3.4), 0.28, 0.8, 0.85),
    _Asked(7, (1.5, 2.95), 0.25, 0.8, 0.75),
    _Asked(6, (1.5, 2.95), 0.25, 0.75, 0.75),
    _Asked(4, (1.4, 2.75), 0.3, 0.7, 0.7),
    _Asked(4, (1.4, 2.75), 0.3, 0.65, 0.5),
    _Asked(4, (1.4, 2.75), 0.3, 0.65, 0.5),
)


@dataclass(slots=True)
class _Guess:
    """Pips (numbers) that may be one face's: its middle, its axes (2 × 2, rows) and the sites the pips are on."""

    pips: list[int]
    middle: Floats
    axes: Floats
    sites: list[int]
    radius: float
    worth: float
    crowded: bool = False
    values: tuple[int, ...] = ()
    doubts: list[str] = field(default_factory=list)
    clean: float = 0.0
    outline: Contour | None = None

    @property
    def spacing(self) -> float:
        return float(np.sqrt(abs(np.linalg.det(self.axes))))


@dataclass(frozen=True, slots=True)
class Face:
    """An upper face: its middle (x, y) and half its side, pixels; what it may show, the likeliest first.

    `why` is the reason for doubt, empty where the first value is to act on; `pips` are those seen, and `worth` (0 to 1)
    is how clear they are; `ground` is the colour (B, G, R, 0 to 255) they are on, and they may be `paler` than that. A
    `hint` is likely no die at all.
    """

    values: tuple[int, ...]
    middle: tuple[float, float]
    half: float
    pips: int
    worth: float
    ground: tuple[float, float, float]
    why: str = ""
    hint: bool = False
    paler: bool = False


def find(image_bgr: Image, smallest: float = 0.0, largest: float = np.inf) -> list[Face]:
    """The upper faces of dice whose side is about between these (pixels): sure ones, and doubtful ones."""
    return [face for face in look(image_bgr, smallest, largest) if not face.hint]


def look(image_bgr: Image, smallest: float = 0.0, largest: float = np.inf) -> list[Face]:
    """The same, and hints: what may be a die to one who sees more than pips."""
    found = pips.find(image_bgr, smallest / 16, largest / 7)
    if not len(found):
        return []
    lab = pips.lab(np.asarray(cv2.GaussianBlur(image_bgr, (0, 0), 0.7), np.uint8))
    like = _like(found)
    strong = (found.whole >= 0.8) & (found.even >= 0.5)
    guesses = _guesses(found, like, strong) + [_lone(found, i) for i in range(len(found))]
    used, blocked = np.zeros((2, len(found)), np.bool_)
    faces, later = [], []
    for guess in sorted(guesses, key=lambda g: -g.worth):
        if used[guess.pips].any():
            continue
        _look(lab, found, like, strong, guess)
        if blocked[guess.pips].any():
            guess.doubts.append(MORE)
        if guess.doubts:
            later.append(guess)
            clear = len(guess.pips) > 2 and guess.worth > CLEAR * len(guess.pips)
            if clear and guess.values and _grounded_alike(found, guess.pips, 0)[guess.pips].all():
                blocked[guess.pips] = True
            continue
        faces.append(_face(found, guess))
        _cover(found, guess, used)
    hints = []
    for guess in later:
        if used[guess.pips].any():
            continue
        face = _face(found, guess)
        if _worth_asking(guess):
            faces.append(face)
            _cover(found, guess, used)
        elif guess.values and _worth_a_hint(guess):
            other = [doubt for doubt in guess.doubts if doubt != NO_END]
            hints.append(replace(face, hint=True, why=(other or guess.doubts)[0]))
    return faces + hints


def _cover(found: Pips, guess: _Guess, used: Mask) -> None:
    """What lies on a face is no other one's."""
    used[guess.pips] = True
    used |= np.hypot(*(found.centre - guess.middle).T) < 1.6 * guess.spacing
    if guess.outline is not None and not guess.doubts:
        used |= guess.outline.holds(found.centre, 1.05)


def _worth_asking(guess: _Guess) -> bool:
    """Whether a doubtful face is likely a die at all."""
    if guess.worth < CLEAR * len(guess.pips) or NO_END in guess.doubts:
        return False
    return len(guess.pips) > 1 or len(guess.doubts) == 1


def _worth_a_hint(guess: _Guess) -> bool:
    """Whether it may be a die to one who sees more than pips: a single one must be clear in all else."""
    return guess.worth > HINT * len(guess.pips) and (len(guess.pips) > 1 or guess.doubts == [NO_END])


def _face(found: Pips, guess: _Guess) -> Face:
    half = guess.outline.half if guess.outline is not None else 2 * guess.spacing
    worth = float(np.clip(guess.worth / len(guess.pips), 0, 1))
    middle = (float(guess.middle[0]), float(guess.middle[1]))
    ground = _bgr(np.median(found.ground[guess.pips], axis=0))
    why = guess.doubts[0] if guess.doubts else ""
    paler = bool((found.ink[guess.pips, 0] > found.ground[guess.pips, 0] + PALER).all())
    return Face(guess.values, middle, half, len(guess.pips), round(worth, 3), ground, why, paler=paler)


def _bgr(lab: Floats) -> tuple[float, float, float]:
    """B, G and R (0 to 255) of a Lab colour."""
    blue, green, red = cv2.cvtColor(lab.astype(np.float32).reshape(1, 1, 3), cv2.COLOR_Lab2BGR)[0, 0]
    return 255 * float(blue), 255 * float(green), 255 * float(red)


def _like(found: Pips) -> Mask:
    """Which pips (n × n) may belong to one die."""
    size = np.abs(np.log(found.radius[:, None] / found.radius))
    lower = np.minimum(found.contrast[:, None], found.contrast)
    ink = np.linalg.norm(found.ink[:, None] - found.ink, axis=2)
    ground = np.linalg.norm(found.ground[:, None] - found.ground, axis=2)
    way = (found.ink - found.ground) / found.contrast[:, None]
    same = (ink < np.maximum(12, 0.8 * lower)) & (ground < np.maximum(12, 0.9 * lower)) & (way @ way.T > 0.6)
    return np.asarray(same & (size < ALIKE))


def _grounded_alike(found: Pips, pips: list[int], lenient: float = 2.5) -> Mask:
    """Which pips may be on the ground that these are on: one that differs far more than theirs do is another die's."""
    ground = found.ground[pips]
    middle = np.median(ground, axis=0)
    spread = float(np.linalg.norm(ground - middle, axis=1).max())
    far = max(LEAST_FAR, OTHER * float(found.contrast[pips].mean()), lenient * spread)
    return np.asarray(np.linalg.norm(found.ground - middle, axis=1) < far)


def _similar(found: Pips, own: Pips) -> Mask:
    """Which pips are, in whatever light, somewhat like these."""
    size = np.abs(np.log(found.radius / np.median(own.radius)))
    way = (own.ground - own.ink).mean(axis=0) / max(1e-3, float(own.contrast.mean()))
    along = (found.ground - found.ink) @ way
    return np.asarray((size < FAR_FROM) & (along > FAINTER * own.contrast.mean()) & (along > 0.5 * found.contrast))


def _lone(found: Pips, i: int) -> _Guess:
    radius = float(found.radius[i])
    return _Guess([i], found.centre[i], np.eye(2) * LONE * radius, [CENTRE], radius, float(found.worth[i]))


def _guesses(found: Pips, like: Mask, strong: Mask) -> list[_Guess]:
    """Faces on which two pips are the ends of a diagonal, with all others that fit: every value but one has them."""
    away = np.linalg.norm(found.centre[:, None] - found.centre, axis=2)
    size = np.sqrt(found.radius[:, None] * found.radius)
    pairs = like & (away > APART[0] * size) & (away < APART[1] * size)
    guesses: dict[tuple[int, ...], _Guess] = {}
    for i, j in zip(*np.nonzero(np.triu(pairs, 1)), strict=True):
        guess = _fitted(found, like, int(i), int(j))
        if guess is None:
            continue
        near = np.flatnonzero(strong & like[guess.pips].any(axis=0) & _grounded_alike(found, guess.pips))
        near = near[np.hypot(*(found.centre[near] - guess.middle).T) < 3 * guess.spacing]
        inside = np.abs((found.centre[near] - guess.middle) @ np.linalg.inv(guess.axes)).max(axis=1) < REST
        guess.crowded = bool(set(near[inside].tolist()) - set(guess.pips))
        key = tuple(sorted(guess.pips))
        if key not in guesses or (guesses[key].crowded and not guess.crowded):
            guesses[key] = guess
    return list(guesses.values())


def _fitted(found: Pips, like: Mask, i: int, j: int) -> _Guess | None:
    """The face whose diagonal ends in two pips, fitted to all that are on its sites."""
    ends = found.centre[[i, j]]
    along = (ends[1] - ends[0]) / 2
    across = np.array([-along[1], along[0]])
    middle = ends.mean(axis=0)
    axes = np.stack([(along + across) / 2, (along - across) / 2])
    reach = np.hypot(*(found.centre - middle).T) < 2.2 * np.hypot(*along)
    near = np.flatnonzero(reach & (like[i] | like[j]))
    near = np.union1d(near, [i, j])
    start = np.vstack([middle, axes])
    on: dict[int, int] = {}
    for tolerance in NEAR:
        spacing = np.sqrt(abs(np.linalg.det(axes)))
        sites = middle + SITES @ axes
        gap = np.linalg.norm(found.centre[near][:, None] - sites, axis=2)
        site = gap.argmin(axis=1)
        on = {}
        for k in np.argsort(gap.min(axis=1), kind="stable"):
            if gap[k, site[k]] < tolerance * spacing:
                on.setdefault(int(site[k]), int(near[k]))
        if len(on) < 2:
            return None
        known = np.column_stack([np.ones(len(on)), SITES[list(on)]])
        hold = np.diag(HOLD)
        solved = np.linalg.solve(known.T @ known + hold, known.T @ found.centre[list(on.values())] + hold @ start)
        middle, axes = solved[0], solved[1:]
        if abs(np.linalg.det(axes)) < 1e-3:
            return None
    chosen = list(on.values())
    radius = float(np.median(found.radius[chosen]))
    guess = _Guess(chosen, middle, axes, list(on), radius, float(found.worth[chosen].sum()))
    lengths = np.hypot(*axes.T)
    stretch = lengths.max() / lengths.min()
    slant = abs(float(axes[0] @ axes[1])) / (lengths[0] * lengths[1])
    six = len(chosen) >= 5 and 6 in _allowed(set(on), set(range(9)))
    fits = slant < SLANT and stretch < STRETCH[six] and SPACING[0] < guess.spacing / radius < SPACING[1]
    return guess if fits else None


def _masks() -> tuple[tuple[int, frozenset[int]], ...]:
    """Every value that has pips with their sites, in every turn."""
    names = {(int(a), int(b)): i for i, (a, b) in enumerate(SITES)}
    found = set()
    for value, sites in PATTERNS.items():
        if not value:
            continue
        turned = list(sites)
        for _ in range(4):
            turned = [(b, -a) for a, b in turned]
            found.add((value, frozenset(names[s] for s in turned)))
    return tuple(sorted(found, key=lambda m: (m[0], sorted(m[1]))))


LEGAL: Final = _masks()


def _allowed(inked: set[int], maybe: set[int]) -> tuple[int, ...]:
    """The values of all patterns that have pips on these sites, and no others but on those where there may be some."""
    return tuple(sorted({value for value, sites in LEGAL if inked <= sites <= inked | maybe}))


def _look(lab: Single, found: Pips, like: Mask, strong: Mask, guess: _Guess) -> None:
    """Find out what a guess may show, and what speaks against it."""
    own = found.chosen(np.array(guess.pips))
    several = len(own) > 1
    bare = _bare(lab, own, guess) if several else set(range(9)) - {CENTRE}
    guess.values = _allowed(set(guess.sites), set(range(9)) - set(guess.sites) - bare)
    if not guess.values:
        guess.values = _allowed(set(guess.sites), set(range(9)))
        guess.doubts.append(NO_DIE)
        return
    if guess.crowded:
        guess.doubts.append(MORE)
        return
    low, high = (1.25, 3.4) if several else (1.1, 3.9)
    outline = contour.around(
        lab, guess.middle, low * guess.spacing, high * guess.spacing, own.centre, own.radius
    )  # fmt: skip
    guess.outline = outline
    inside = outline.holds(found.centre, WITHIN) & strong & like[guess.pips].any(axis=0)
    if len(own) <= FEW:
        inside |= outline.holds(found.centre, WITHIN) & _similar(found, own)
    inside &= _grounded_alike(found, guess.pips)
    inside[guess.pips] = False
    guess.clean = _clean(lab, own, guess)
    guess.doubts += _doubts(own, guess, outline, int(inside.sum()))


def _doubts(own: Pips, guess: _Guess, outline: Contour, more: int) -> list[str]:
    asked = ASKED[min(len(own), len(ASKED)) - 1]
    narrow, share = outline.compact
    off = float(np.hypot(*(outline.middle - guess.middle))) / outline.half
    change, weak = float(np.median(outline.change)), float(np.quantile(outline.change, 0.2))
    checks = (
        (NO_END, change > asked.change and weak > asked.change / 2 and narrow > NARROW and share > FULL),
        ("its size does not fit its pips", asked.half[0] < outline.half / guess.spacing < asked.half[1]),
        ("its pips are not in the middle", off < asked.off),
        (MORE, not more),
        (UNCLEAR, guess.worth / len(own) > asked.worth),
        (f"may show {guess.values[-1]}", len(guess.values) == 1),
        ("a glint or something else is on it", guess.clean > asked.clean),
    )
    return [why for why, good in checks if not good]


def _colours(lab: Single, points: Floats) -> Floats:
    """The colours at n × 2 pixels."""
    at = points.astype(np.float32)[None]
    seen = cv2.remap(lab, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen[0], np.float64)


def _grounded(colours: Floats, own: Pips) -> Mask:
    """Which colours are the face's ground."""
    ink, ground = np.median(own.ink, axis=0), np.median(own.ground, axis=0)
    across = ground - ink
    contrast = max(1e-3, float(np.hypot.reduce(across)))
    share = (colours - ink) @ across / contrast**2
    return np.asarray((share > INK) & (np.linalg.norm(colours - ground, axis=1) < max(STRAY * contrast, 8)))


def _bare(lab: Single, own: Pips, guess: _Guess) -> set[int]:
    """The sites on which there surely is no pip."""
    free = [s for s in range(9) if s not in guess.sites]
    if not free:
        return set()
    middles = guess.middle + SITES[free] @ guess.axes
    cross = np.array([(0, 0), (0.5, 0), (-0.5, 0), (0, 0.5), (0, -0.5)]) * guess.radius
    seen = _colours(lab, (middles[:, None] + cross).reshape(-1, 2)).reshape(len(free), 5, 3).mean(axis=1)
    return {site for site, good in zip(free, _grounded(seen, own), strict=True) if good}


def _clean(lab: Single, own: Pips, guess: _Guess) -> float:
    """The share of a face, but for its pips, that has its ground's colour."""
    grid = np.linspace(-1, 1, 15)
    points = np.stack(np.meshgrid(grid, grid), axis=-1).reshape(-1, 2)
    assert guess.outline is not None
    if len(own) == 1:
        points = guess.middle + points[np.hypot(*points.T) <= 1] * 0.8 * guess.outline.half
    else:
        points = guess.middle + 1.25 * points @ guess.axes
    free = (np.linalg.norm(points[:, None] - own.centre, axis=2) > 1.5 * own.radius).all(axis=1)
    return float(_grounded(_colours(lab, points[free]), own).mean()) if free.any() else 0.0
